/** Calls that fast-check makes up from operations, and the messages that they become among the ids of a world. */
import { createHmac, randomUUID } from "node:crypto";
import fc from "fast-check";
import { jpeg, pdf, png } from "../support/disputes.ts";
import { kindOfPath } from "./control-operations.ts";
import { encodedForm, encodedMultipart } from "./forms.ts";
import { type JsonNode, nodeOf, type Spoiling, spoiled, textOf } from "./json-nodes.ts";
import type { Message } from "./message.ts";
import { bodyOddities, type Oddity, oddBody } from "./odd-bodies.ts";
import { oddTexts, spoilings } from "./odd-values.ts";
import { makeOdd, messageOddities } from "./oddities.ts";
import { nameOf, type Operation } from "./operations.ts";
import { valuesOf } from "./schema-values.ts";
import { idOf } from "./vocabulary.ts";

/** A call as it is made up: ids in it are still places for ids. */
export interface Call {
  readonly operation: Operation;
  readonly ids: readonly string[];
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly body: { readonly media: string; readonly node: JsonNode } | null;
  readonly spoilings: readonly Spoiling[];
  readonly bodyOddities: readonly Oddity[];
  readonly oddities: readonly Oddity[];
  /** Whether a call of the control interface goes to the root, and so to the default world. */
  readonly atRoot: boolean;
}

/** Longer than this HTTP may refuse an address. */
const MAX_TARGET = 12_000;
/** Behind this the service hangs up, and its answer may get lost. */
const MAX_BODY = 1024 * 1024;
const SMALL_BODY = 1024;

/** What is known of a world when calls go to it. */
export interface Surroundings {
  /** `/worlds/{id}`. */
  readonly base: string;
  /** Ids that are there, by kind. */
  readonly pools: Readonly<Record<string, readonly string[]>>;
  readonly token: string;
  readonly signingKey: string;
}

/** Calls of an operation, right ones and wrong ones. */
export function callsOf(operation: Operation): fc.Arbitrary<Call> {
  const { path, query, bodies, root, rootOnly } = operation;
  const kind = kindOfPath(path);
  const holes = path.match(/\{[a-z]+\}/g) ?? [];
  const body = bodies.map((one) => nodesOf(one, root).map((node) => ({ media: one.media, node })));
  return fc.record({
    operation: fc.constant({ ...operation, toString: () => nameOf(operation) }),
    ids: fc.tuple(
      ...holes.map((_hole, index) => (index === 0 ? idOf(kind) : fc.constantFrom("1", "2", "0", "x", "refund"))),
    ),
    query: queryOf(query, root),
    body: body.length === 0 ? fc.constant(null) : fc.oneof(...body),
    spoilings,
    bodyOddities,
    oddities: messageOddities,
    atRoot: rootOnly ? fc.constant(true) : fc.integer({ min: 0, max: 19 }).map((number) => number === 0),
  });
}

const credentials: Readonly<Record<string, string>> = { client_id: "~{client:0}~", client_secret: "~{secret:0}~" };

/** Bodies of a schema; where the document shows an example, mostly that with at most two members of it otherwise. */
function nodesOf({ schema, example }: Operation["bodies"][number], root: unknown): fc.Arbitrary<JsonNode> {
  const values = valuesOf(schema, root);
  if (example === undefined) return values;
  // The credentials of an example are nobody's.
  const right = Object.entries(example).map(([name, value]) => [name, nodeOf(credentials[name] ?? value)] as const);
  const nearly = fc.tuple(values, fc.nat(20), fc.nat(20)).map(([node, first, second]): JsonNode => {
    const own = "members" in node ? node.members : [];
    const kept = own.filter((_member, at) => at === first || at === second);
    return { members: [...right.filter(([name]) => !kept.some(([given]) => given === name)), ...kept] };
  });
  return fc.oneof({ arbitrary: nearly, weight: 2 }, { arbitrary: values, weight: 1 });
}

function queryOf(parameters: Operation["query"], root: unknown): fc.Arbitrary<(readonly [string, string])[]> {
  const known = parameters.map(({ name, schema }) =>
    valuesOf(schema, root, name).map((node) => [name, plain(node)] as const),
  );
  const odd = fc.tuple(
    fc.constantFrom(...parameters.map(({ name }) => name), "page", "limit", "cursor", "x", "__proto__"),
    fc.constantFrom(
      "NaN",
      "-1",
      "1e9",
      "99999999999999999999",
      "1.5",
      "",
      "a[]=b",
      "0",
      ...oddTexts.filter((text) => text.length < 300),
    ),
  );
  const usual =
    known.length === 0
      ? fc.constant<(readonly [string, string])[]>([])
      : fc.array(fc.oneof(...known), { maxLength: 3 });
  return fc.oneof(
    { arbitrary: usual, weight: 4 },
    { arbitrary: fc.array(odd, { minLength: 1, maxLength: 3 }), weight: 1 },
  );
}

/** A value as queries and forms have it. */
function plain(node: JsonNode): string {
  if (!("literal" in node) || !node.literal.startsWith('"')) return textOf(node);
  return JSON.parse(node.literal);
}

const files: Readonly<Record<string, Buffer>> = { pdf, png, jpeg, gif: Buffer.from("GIF89a"), empty: Buffer.alloc(0) };

/** The message that a call is in its surroundings. */
export function messageOf(call: Call, around: Surroundings): Message {
  const { operation, body } = call;
  const encoded = body === null ? null : encode(body.media, call.spoilings.reduce(spoiled, body.node), around);
  const bytes = oddBody(encoded?.bytes ?? Buffer.alloc(0), call.bodyOddities);
  const message: Message = {
    method: operation.method,
    target: targetOf(call, around),
    headers: [
      ...(encoded ? [["Content-Type", encoded.media] as [string, string]] : []),
      ...(operation.auth ? [["Authorization", `Bearer ${around.token}`] as [string, string]] : []),
      ...(operation.signed ? signatureOf(bytes, around.signingKey) : []),
    ],
    body: bytes,
    framing: "length",
    isGarbled: false,
    isCut: false,
  };
  makeOdd(message, call.oddities);
  message.isGarbled ||= message.target.length > MAX_TARGET || message.body.length > MAX_BODY;
  // A GET's body is left in the connection, and what is left there when it closes cuts off the end of an answer.
  if (["GET", "HEAD"].includes(message.method)) message.body = message.body.subarray(0, SMALL_BODY);
  message.headers = message.headers.map(([name, value]) => [name, withIds(value, around)]);
  return message;
}

function targetOf({ operation, ids, query, atRoot }: Call, around: Surroundings): string {
  let hole = 0;
  const path = operation.path.replace(/\{[a-z]+\}/g, () => encodeURIComponent(withIds(ids[hole++] ?? "", around)));
  const asked = new URLSearchParams(
    query.map(([name, value]): [string, string] => [name, withIds(value, around)]),
  ).toString();
  const base =
    operation.area === "control" && atRoot && (operation.rootOnly || operation.method === "GET") ? "" : around.base;
  return `${base}${path}${asked === "" ? "" : `?${asked}`}`;
}

function encode(media: string, node: JsonNode, around: Surroundings): { media: string; bytes: Buffer } {
  const members = "members" in node ? node.members : [["x", node] as const];
  const fields = members.flatMap(([name, value]) =>
    ("list" in value ? value.list : [value]).map((item) => [name, withIds(plain(item), around)] as const),
  );
  if (media === "multipart/form-data")
    return encodedMultipart(
      fields.map(([name, value]) => ({
        name,
        value,
        file: name === "files" && Object.hasOwn(files, value) ? files[value] : undefined,
      })),
    );
  if (media === "application/x-www-form-urlencoded") return { media, bytes: encodedForm(fields) };
  const text = media === "application/yaml" ? plain(node) : textOf(node);
  return { media, bytes: Buffer.from(withIds(text, around)) };
}

function signatureOf(body: Buffer, key: string): [string, string][] {
  const [timestamp, nonce] = [String(Math.floor(Date.now() / 1000)), randomUUID()];
  const signature = createHmac("sha256", key).update(`${timestamp}.${nonce}.`).update(body).digest("hex");
  return [
    ["X-Signature", signature],
    ["X-Timestamp", timestamp],
    ["X-Nonce", nonce],
  ];
}

/** A text with the ids that its places stand for; where there is none of a kind, one that is made up. */
function withIds(text: string, { pools, token }: Surroundings): string {
  return text.replace(/~\{([a-z]+):(\d+)\}~/g, (_place, kind: string, number: string) => {
    if (kind === "token") return token;
    const pool = kind === "anything" ? Object.values(pools).flat() : (pools[kind] ?? []);
    return pool[Number(number) % Math.max(1, pool.length)] ?? "nowhere";
  });
}
