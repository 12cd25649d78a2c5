/** The calls of one world, shared by the groups of its client. */
import { MAX_PAGE_ITEMS } from "../domain/bounds.ts";
import { UNKNOWN_PATH, UNKNOWN_WORLD } from "../domain/control-refusals.ts";
import { BEGINS_BEHIND, IS_OVER } from "../domain/journal-stream.ts";
import { rootOf } from "../domain/web-address.ts";
import {
  type Connection,
  ControlCallError,
  callControl,
  openControl,
  reworded,
  UnreachableError,
} from "./control-client.ts";
import type { JournalEntryInfo, Page } from "./control-types.ts";
import { blocksOf } from "./event-stream.ts";
import { notSuch, refuseUnknown, refuseWrongOptions } from "./refusals.ts";
import { SharedStream } from "./shared-stream.ts";

/** How much of a list to read. */
export interface ListOptions {
  /** The most items to return, from the first one on; all unless given. */
  readonly limit?: number | undefined;
}

/** How a stream has ended. */
export interface StreamEnd {
  /** The sequence of the last entry that came, or of the one after which the stream began. */
  readonly last: number;
  /** Whether the history ended; if not, the network ended the stream. */
  readonly isOver: boolean;
}

/** Entries of a journal as they come. */
export type EntryStream = AsyncGenerator<JournalEntryInfo, StreamEnd>;

/** A stream, and the sequence after which it begins: not the requested one if the world has a new history. */
export interface OpenStream {
  readonly begins: number;
  readonly entries: EntryStream;
}

/**
 * Calls below the base URL of one world. If that world is gone, every call is refused with the code `WORLD_GONE`,
 * whatever it asks for.
 */
export class WorldCalls {
  readonly connection: Connection;
  readonly #world: string;
  readonly #sharedStream = new SharedStream((signal) => this.stream(undefined, signal));

  constructor(connection: Connection, world: string) {
    this.connection = connection;
    this.#world = world;
  }

  /**
   * Calls the control interface of the world.
   * @throws {ControlCallError} if the call is refused. @throws {UnreachableError} @throws {Error} if `method` or
   * `path` is none.
   */
  async call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    refuseNoPath(method, path);
    try {
      return await callControl<Answer>(this.connection, method, path, body);
    } catch (error) {
      throw this.#told(error);
    }
  }

  /** GETs an answer that is not read as JSON. @throws {ControlCallError} @throws {UnreachableError} */
  async open(path: string, init: RequestInit = {}): Promise<Response> {
    refuseNoPath("GET", path);
    try {
      return await openControl(this.connection, "GET", path, init);
    } catch (error) {
      throw this.#told(error);
    }
  }

  /** Deletes the world itself. @throws {ControlCallError} if it is refused. @throws {UnreachableError} */
  async deleteWorld(): Promise<void> {
    const root = { ...this.connection, baseUrl: rootOf(this.connection.baseUrl) };
    try {
      await callControl(root, "DELETE", `/worlds/${encodeURIComponent(this.#world)}`);
    } catch (error) {
      throw error instanceof ControlCallError && error.status === 404 ? this.#gone(error) : this.#told(error);
    }
  }

  /**
   * The resource at a path; undefined if there is none.
   * @throws {ControlCallError} for any other refusal, also if the path itself does not exist in the control interface.
   */
  async find<Answer>(path: string): Promise<Answer | undefined> {
    try {
      return await this.call<Answer>("GET", path);
    } catch (error) {
      if (isAbsence(error)) return undefined;
      throw error;
    }
  }

  /** The items of a list. @throws {Error} for a limit that is not a whole number from 0 on, and for any other option. */
  async all<Item>(path: string, options?: ListOptions): Promise<Item[]> {
    const items: Item[] = [];
    for await (const item of this.each<Item>(path, options)) items.push(item);
    return items;
  }

  /** The items of a list one by one; pages are requested as they are needed. */
  async *each<Item>(path: string, options: ListOptions = {}): AsyncGenerator<Item> {
    refuseNoPath("GET", path);
    refuseWrongOptions("a list", options, ["limit"]);
    const { limit = Number.POSITIVE_INFINITY } = options;
    refuseNoNumber("limit", "items", limit);
    if (limit !== Number.POSITIVE_INFINITY && !Number.isInteger(limit)) {
      throw new Error(`limit must be a whole number of items, not ${limit}.`);
    }
    let left = limit;
    for (let cursor: string | null = ""; cursor !== null && left > 0; ) {
      const size = String(Math.min(MAX_PAGE_ITEMS, left));
      const page: Page<Item> = await this.call("GET", pathWith(path, { limit: size, cursor: cursor || undefined }));
      yield* page.items;
      left -= page.items.length;
      cursor = page.next_cursor;
    }
  }

  /**
   * Journal entries as they come, until the world goes away, is reset or restored. The stream is connected once this
   * has resolved.
   */
  async stream(after?: string | number, signal?: AbortSignal): Promise<EntryStream> {
    return (await this.openStream(after, signal)).entries;
  }

  /** Like {@link stream}, with the sequence after which it begins. */
  async openStream(after?: string | number, signal?: AbortSignal): Promise<OpenStream> {
    const path = pathWith("/journal/stream", { after: after === undefined ? undefined : String(after) });
    const { body, headers } = await this.open(path, signal ? { signal } : {});
    if (!body) throw new UnreachableError(`No stream came from ${this.connection.baseUrl}.`);
    const begins = Number(headers.get(BEGINS_BEHIND));
    return { begins, entries: this.#entriesOf(body, begins, signal) };
  }

  /** Like {@link stream}, from now on, shared by all waits. @param signal must be aborted in the end. */
  sharedStream(signal: AbortSignal): Promise<AsyncIterable<JournalEntryInfo>> {
    return this.#sharedStream.join(signal);
  }

  async *#entriesOf(body: ReadableStream<Uint8Array>, after: number, signal?: AbortSignal): EntryStream {
    let last = after;
    let isOver = false;
    try {
      for await (const { data, comment } of blocksOf(body)) {
        signal?.throwIfAborted();
        if (comment === IS_OVER) isOver = true;
        if (data === null) continue;
        const entry = JSON.parse(data) as JournalEntryInfo;
        last = entry.sequence;
        yield entry;
      }
      return { last, isOver };
    } catch (error) {
      signal?.throwIfAborted();
      throw new UnreachableError(`The connection to ${this.connection.baseUrl} broke off.`, { cause: error });
    }
  }

  /** Turns the refusal of a call to a world that is gone into `WORLD_GONE`, whatever the call was. */
  #told(error: unknown): unknown {
    if (!(error instanceof ControlCallError)) return error;
    return hasDetail(error, UNKNOWN_WORLD) ? this.#gone(error) : error;
  }

  #gone(error: ControlCallError): ControlCallError {
    const message = `The world "${this.#world}" is gone: it was deleted, its ttl ran out, or the sandbox was started anew.`;
    return reworded(error, message, "WORLD_GONE");
  }
}

/** @throws {Error} if the value is not a number from 0 on, as may come from a program without types. */
export function refuseNoNumber(option: string, units: string, value: unknown): void {
  if (typeof value === "number" && value >= 0) return;
  const given = typeof value === "string" ? JSON.stringify(value) : String(value);
  throw new Error(`${option} must be a number of ${units}, 0 or more, not ${given}.`);
}

/** A path with query parameters; they replace those that it has by the same names. Undefined ones are left out. */
export function pathWith(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  if (given.length === 0) return path;
  const [target, ...own] = path.split("?");
  const all = new URLSearchParams(own.join("?"));
  for (const [name, value] of given) all.set(name, value);
  return `${target}?${all}`;
}

/** Whether an error says that the world has no such thing, and not that the control interface has no such path. */
export function isAbsence(error: unknown): boolean {
  return error instanceof ControlCallError && error.code === "NOT_FOUND" && !hasDetail(error, UNKNOWN_PATH);
}

function hasDetail({ details }: ControlCallError, name: string): boolean {
  return Object.hasOwn(Object(details), name);
}

/** How a wrong id looks in a path: a value that was never set, an object, a promise that was not awaited. */
const NO_ID = /^(?:undefined|NaN|%5Bobject%20\w+%5D|\[object \w+\])$/;

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/** @throws {Error} for a method that there is not, a path without a leading slash, and one with a wrong id. */
function refuseNoPath(method: string, path: string): void {
  if (typeof method !== "string")
    throw new Error(`The method must be one of ${METHODS.join(", ")}, ${notSuch(method)}.`);
  if (!METHODS.includes(method.toUpperCase())) refuseUnknown("method", method, METHODS);
  if (typeof path !== "string" || !path.startsWith("/")) {
    throw new Error(`${method} ${path}: the path must begin with a slash, as in "/accounts/acme".`);
  }
  const wrong = path.split(/[/?]/).find((part) => NO_ID.test(part));
  if (wrong === undefined) return;
  const [, kind] = /object(?:%20| )(\w+)/.exec(wrong) ?? [];
  throw new Error(
    `${method} ${path}: the id must be a text, not ${kind === undefined ? wrong : `of the type ${kind}`}.`,
  );
}
