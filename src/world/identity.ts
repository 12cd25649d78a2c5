/** What a world is, beside what happens in it; kept in its database. */
import type { Settings } from "../domain/settings.ts";
import type { MetaStore } from "../store/meta.ts";
import type { Instant } from "./instants.ts";

/** What a world is made with and keeps; `seed` is what all its randomness follows from. */
export interface WorldIdentity {
  readonly id: string;
  readonly seed: number;
  readonly settings: Settings;
  /** Names of the scenarios it was made with. */
  readonly scenarios: readonly string[];
  readonly created_at: Instant;
}

const KEY = "world";

/** Beside the rest, which is large: a copy gets an id of its own, and is to be made in a moment. */
const ID_KEY = "id";

/** Whether a database holds a world; what it says of it is not read. */
export function holdsWorld(meta: MetaStore): boolean {
  return meta.has(KEY);
}

/** @returns undefined where a database holds no world. */
export function readIdentity(meta: MetaStore): WorldIdentity | undefined {
  const text = meta.text(KEY);
  if (text === undefined) return undefined;
  const identity = parsed(text);
  return { ...identity, id: meta.get<string>(ID_KEY) ?? identity.id };
}

/** What was read last: worlds are made by the hundred from the same few, and share what does not change. */
let lastRead: { readonly text: string; readonly identity: WorldIdentity } | undefined;

function parsed(text: string): WorldIdentity {
  if (lastRead?.text !== text) lastRead = { text, identity: JSON.parse(text) };
  return lastRead.identity;
}

/** Keeps what a world is made with; a copy of it gets an id of its own by {@link giveId}. */
export function writeIdentity(meta: MetaStore, identity: WorldIdentity): void {
  meta.set(KEY, identity);
  meta.set(ID_KEY, identity.id);
}

/** A copy begins with the id of what it is a copy of. */
export function giveId(meta: MetaStore, id: string): void {
  const identity = readIdentity(meta);
  if (identity && identity.id !== id) meta.set(ID_KEY, id);
}
