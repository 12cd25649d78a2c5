/** What a control call works on, and how its changes are journaled. */
import { z } from "zod";
import { INBOX } from "../domain/destinations.ts";
import type { LifecycleName } from "../domain/lifecycles.ts";
import { onFirstUse } from "../domain/on-first-use.ts";
import type { ScenarioSource } from "../host/creation.ts";
import type { LiveWorld } from "../host/live-world.ts";
import type { Sandbox } from "../host/sandbox.ts";
import type { Operation } from "../world/operation.ts";
import type { ControlAnswerName } from "./document/answers.ts";
import { ControlError } from "./errors.ts";
import { readCursor, readInput, readLimit } from "./validation.ts";

/** A call of the control interface. */
export interface ControlCall {
  readonly sandbox: Sandbox;
  readonly live: LiveWorld;
  /**
   * Null, unless a replay makes the call again: then the scenarios that it loaded. It was allowed when it was first
   * made.
   */
  readonly again: { readonly sources: readonly ScenarioSource[] | null } | null;
  readonly method: string;
  /** Below `_sandbox`, such as `/clock/advance`. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The parsed body; `{}` where there is none. */
  readonly body: unknown;
  /** The text of a body that may be a scenario; if it is YAML, `body` is empty. */
  readonly document: { readonly format: "yaml" | "json"; readonly text: string } | null;
  /** The name in causes of the file that the call loads a scenario from; null where it was posted. */
  readonly file: string | null;
  /** Makes a world by replaying a bundle. */
  readonly replay: (given: { id: string | undefined; bundle: unknown; ttlMs: number | null }) => Promise<Reply>;
  /** The process's own base URL, such as `http://127.0.0.1:4400`. */
  readonly root: string;
}

/** An answer with a status of its own; a 204 has no body. */
export class Reply {
  readonly status: 200 | 201 | 204;
  readonly body: unknown;

  constructor(status: 200 | 201 | 204, body: unknown) {
    this.status = status;
    this.body = body;
  }
}

/** A file as an answer. */
export class FileReply {
  readonly name: string;
  readonly type: string;
  readonly content: Buffer;

  constructor(name: string, type: string, content: Buffer) {
    this.name = name;
    this.type = type;
    this.content = content;
  }
}

/** What a body may be beside JSON of the usual size: a bundle, which is large, or a scenario, which may be YAML. */
export type BodyKind = "bundle" | "scenario";

/** TABLE row: one call of the control interface, as documents and the router need it. */
export interface ControlShape {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below `_sandbox`; `:name` stands for an id. */
  readonly path: string;
  /** Its name in the OpenAPI document, which also contains its text in `summaries.ts`. */
  readonly operationId: string;
  /** The schema of its query, if it has one; {@link pageQuery} or an extension of it for lists. */
  readonly query?: () => z.ZodType;
  /** The schema of its body; without one, the call takes no body, or reads it by itself. */
  readonly input?: () => z.ZodType;
  /** What else its body may be than JSON of the usual size. */
  readonly body?: BodyKind;
  /** For `/:id/:action`: the lifecycles whose actions it carries out, each with an input of its own. */
  readonly actionsOf?: readonly LifecycleName[];
  /** What a success answers; null for 204 without a body. */
  readonly answer: ControlAnswerName | null;
  /** Statuses of a success; 200 alone unless given. */
  readonly statuses?: readonly (200 | 201)[];
  /** Whether it is answered at the root only, since it is not about one world. */
  readonly rootOnly?: boolean;
}

/** TABLE row: a call of the control interface with what carries it out. */
export interface ControlRoute extends ControlShape {
  readonly handle: (call: ControlCall) => unknown | Promise<unknown>;
}

/** The part of a row that reads a body by a schema before its handler runs. */
export function taking<Schema extends z.ZodType>(
  input: () => Schema,
  handle: (call: ControlCall, input: z.infer<Schema>) => unknown,
): Pick<ControlRoute, "input" | "handle"> {
  return { input, handle: (call) => handle(call, inputOf(call, input())) };
}

/** A pattern for the paths of a row, which captures the parts named `:name`. */
export function patternOf({ path }: Pick<ControlShape, "path">): RegExp {
  return new RegExp(`^${path.replaceAll(".", "\\.").replace(/:[a-z]+/g, "([^/]+)")}$`);
}

/** The ids in a path, by the names in a row's path; null if the path is not one of that row. */
export function paramsOf(row: Pick<ControlShape, "path">, path: string): Readonly<Record<string, string>> | null {
  const match = patternOf(row).exec(path);
  if (!match) return null;
  const names = [...row.path.matchAll(/:([a-z]+)/g)].map(([, name = ""]) => name);
  return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(match[index + 1] ?? "")]));
}

/** The query of lists. */
export const pageQuery = onFirstUse(() =>
  z.strictObject({ limit: z.string().optional(), cursor: z.string().optional() }),
);

/** The query of the journal's stream; `after` is for clients that cannot send `Last-Event-ID`. */
export const streamQuery = onFirstUse(() => z.strictObject({ after: z.string().optional() }));

/** The input of a call that takes none. */
export const nothing = z.strictObject({});

/** The input of a call, read by a schema. */
export function inputOf<Schema extends z.ZodType>(call: Pick<ControlCall, "body">, schema: Schema): z.infer<Schema> {
  return readInput(schema, call.body);
}

/**
 * Does something to a world, as one operation caused by this call.
 * @param sources the scenarios that it loads, as they are on this machine and in this version; kept for a replay.
 */
export function command<Result>(
  call: Pick<ControlCall, "live" | "method" | "path" | "body" | "file">,
  subject: string | null,
  work: (operation: Operation) => Result,
  sources: readonly ScenarioSource[] | null = null,
): Result {
  return call.live.world.operate((operation) => {
    const data = { call: `${call.method} ${call.path}`, input: withoutHosts(call.body) };
    const { method, path, file } = call;
    operation.keepInput("control", { method, path, body: JSON.stringify(call.body), file, sources });
    return work(operation.because(operation.record("control", subject, data)));
  });
}

/**
 * Does something to a world and answers once everything that this made due is done, deliveries included. A call that
 * comes while deliveries are in flight may come from their receiver: it does not wait, or both would wait for ever.
 */
export async function commandAndSettle<Result>(
  call: ControlCall,
  subject: string | null,
  work: (operation: Operation) => Result,
): Promise<Result> {
  const mayWait = !call.live.runner.delivering && !call.live.runner.advancing;
  const result = command(call, subject, work);
  if (mayWait) await call.live.runner.settle();
  return result;
}

/** The refusal of a call whose world was closed while it was under way. */
export function worldGone({ live, sandbox }: ControlCall): ControlError {
  const there = sandbox.get(live.id);
  const replaced = there === live ? "was closed, as the sandbox stops," : "was taken back by a reset or a restore";
  const what = there ? replaced : "went away";
  return new ControlError(409, "WORLD_GONE", `The world ${live.id} ${what} while this call was under way.`);
}

/** How the rows of a list are read and shown. */
interface Listing<Row, Item> {
  /** Rows beyond a position, in order. */
  readonly rowsAfter: (after: number, limit: number) => readonly Row[];
  readonly positionOf: (row: Row) => number;
  readonly show: (row: Row) => Item;
  /** How many rows a page may hold, if rows can be large; as many as were asked for unless given. */
  readonly most?: (after: number, asked: number) => number;
}

/** One page of a list. */
export function page<Row, Item>(
  { query }: ControlCall,
  { rowsAfter, positionOf, show, most = (_after, asked) => asked }: Listing<Row, Item>,
): { items: Item[]; next_cursor: string | null } {
  const asked = readLimit(query.get("limit"));
  const after = readCursor(query.get("cursor"));
  const limit = most(after, asked);
  const rows = rowsAfter(after, limit + 1);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const next = rows.length > limit && last !== undefined ? String(positionOf(last)) : null;
  return { items: shown.map(show), next_cursor: next };
}

/**
 * One page of a list that is short enough to be made as a whole.
 * @param numberOf the row's number in the cursor, which must grow along the list. The default, its place, suits lists
 * that nothing is removed from.
 */
export function pageOf<Row, Item>(
  call: ControlCall,
  rows: readonly Row[],
  show: (row: Row) => Item,
  numberOf: (row: Row, place: number) => number = (_row, place) => place,
) {
  const numbered = rows.map((row, index) => ({ row, number: numberOf(row, index + 1) }));
  return page(call, {
    rowsAfter: (after, limit) => numbered.filter(({ number }) => number > after).slice(0, limit),
    positionOf: ({ number }) => number,
    show: ({ row }) => show(row),
  });
}

/** The journal depends on nothing of the machine: of a destination it keeps only the path. */
function withoutHosts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutHosts);
  if (value === null || typeof value !== "object" || "toJSON" in value) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, key === "postback_url" ? pathOf(member) : withoutHosts(member)]),
  );
}

function pathOf(url: unknown): unknown {
  if (typeof url !== "string" || url === INBOX || !URL.canParse(url)) return url;
  return `…${new URL(url).pathname}`;
}
