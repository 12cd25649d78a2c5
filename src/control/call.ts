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
import { readCursor, readInput, readLimit } from "./validation.ts";

/** A call of the control interface. */
export interface ControlCall {
  readonly sandbox: Sandbox;
  readonly live: LiveWorld;
  /** What a replay knows of a call that it makes again, and that was allowed then; else null. */
  readonly again: { readonly sources: readonly ScenarioSource[] | null } | null;
  readonly method: string;
  /** Below `_sandbox`, such as `/clock/advance`. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The parsed body; `{}` where there is none. */
  readonly body: unknown;
  /** The text of a body that may be a scenario; `body` is empty where that is YAML. */
  readonly document: { readonly format: "yaml" | "json"; readonly text: string } | null;
  /** How the file that the document is of is called in causes; null where it was posted. */
  readonly file: string | null;
  /** Makes a world by playing a bundle again. */
  readonly replay: (given: { id: string | undefined; bundle: unknown; ttlMs: number | null }) => Promise<Reply>;
  /** The process's own base URL, such as `http://127.0.0.1:4400`. */
  readonly root: string;
}

/** An answer other than 200 with a body. */
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

/** TABLE row: what one call of the control interface is: how it is made, and what it answers. */
export interface ControlShape {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below `_sandbox`; `:name` stands for an id. */
  readonly path: string;
  /** Its name in the OpenAPI document; what its line in `summaries.ts` says is told there too. */
  readonly operationId: string;
  /** The query that it takes, if any; of lists {@link pageQuery} or more. */
  readonly query?: () => z.ZodType;
  /** What its body is read by; a call that has none takes nothing. */
  readonly input?: () => z.ZodType;
  /** Of `/:id/:action`: whose actions there are, each with an input of its own. */
  readonly actionsOf?: readonly LifecycleName[];
  /** What a success answers; null for 204, without a body. */
  readonly answer: ControlAnswerName | null;
  /** Statuses of a success, where 200 alone would be wrong. */
  readonly statuses?: readonly (200 | 201)[];
  /** Answered at the root only: it is not about one world. */
  readonly rootOnly?: boolean;
}

/** TABLE row: a call of the control interface with what carries it out. */
export interface ControlRoute extends ControlShape {
  readonly handle: (call: ControlCall) => unknown | Promise<unknown>;
}

/** The part of a row that reads a body: by its schema, before anything else. */
export function taking<Schema extends z.ZodType>(
  input: () => Schema,
  handle: (call: ControlCall, input: z.infer<Schema>) => unknown,
): Pick<ControlRoute, "input" | "handle"> {
  return { input, handle: (call) => handle(call, inputOf(call, input())) };
}

/** What the paths of a row look like, its `:name` parts captured. */
export function patternOf({ path }: Pick<ControlShape, "path">): RegExp {
  return new RegExp(`^${path.replaceAll(".", "\\.").replace(/:[a-z]+/g, "([^/]+)")}$`);
}

/** The ids that a path has in the places of a row's names; null where it is none of that row. */
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

/** The query of the journal's stream; `after` is for those that can send no `Last-Event-ID`. */
export const streamQuery = onFirstUse(() => z.strictObject({ after: z.string().optional() }));

/** The input of a call that takes none. */
export const nothing = z.strictObject({});

/** The input of a call, read by a schema. */
export function inputOf<Schema extends z.ZodType>(call: Pick<ControlCall, "body">, schema: Schema): z.infer<Schema> {
  return readInput(schema, call.body);
}

/**
 * Does something to a world, as one operation caused by this call.
 * @param sources the scenarios that it loads, as they are on this machine and in this version.
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
 * Does something to a world and answers when what it made due is done, deliveries included. A call that comes while
 * deliveries are in the air may be a receiver's own: it does not wait for them, or both would wait for ever.
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

/** Where a list comes from. */
interface Listing<Row, Item> {
  /** Rows beyond a position, in their order. */
  readonly fetch: (after: number, limit: number) => readonly Row[];
  readonly positionOf: (row: Row) => number;
  readonly show: (row: Row) => Item;
  /** How many a page holds of those that were asked for, where they are large; all of them unless given. */
  readonly most?: (after: number, asked: number) => number;
}

/** One page of a list. */
export function page<Row, Item>(
  { query }: ControlCall,
  { fetch, positionOf, show, most = (_after, asked) => asked }: Listing<Row, Item>,
): { items: Item[]; next_cursor: string | null } {
  const asked = readLimit(query.get("limit"));
  const after = readCursor(query.get("cursor"));
  const limit = most(after, asked);
  const rows = fetch(after, limit + 1);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const next = rows.length > limit && last !== undefined ? String(positionOf(last)) : null;
  return { items: shown.map(show), next_cursor: next };
}

/**
 * One page of a list that is short enough to be made as a whole.
 * @param numberOf what its cursor tells, growing along the list: the place, for a list that nothing is taken out of.
 */
export function pageOf<Row, Item>(
  call: ControlCall,
  rows: readonly Row[],
  show: (row: Row) => Item,
  numberOf: (row: Row, place: number) => number = (_row, place) => place,
) {
  const numbered = rows.map((row, index) => ({ row, number: numberOf(row, index + 1) }));
  return page(call, {
    fetch: (after, limit) => numbered.filter(({ number }) => number > after).slice(0, limit),
    positionOf: ({ number }) => number,
    show: ({ row }) => show(row),
  });
}

/** The journal tells nothing of the machine: of a destination it keeps the path alone. */
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
