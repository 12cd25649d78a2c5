/** What a world is made with, as opposed to what happens in it; stored in its database. */
import { required } from "../domain/required.ts";
import type { Settings } from "../domain/settings.ts";
import type { MetaStore } from "../store/meta.ts";
import type { Instant } from "./instants.ts";

/** What a world is made with and keeps; all its randomness follows from `seed`. */
export interface WorldIdentity {
  readonly id: string;
  readonly seed: number;
  readonly settings: Settings;
  /** Names of the scenarios it was made with. */
  readonly scenarios: readonly string[];
  readonly created_at: Instant;
}

const KEY = "world";

/** The id is stored apart from the rest, which is large: copies need a new id, and must be quick to make. */
const ID_KEY = "id";

/** Whether a database holds a world; does not parse its identity. */
export function holdsWorld(meta: MetaStore): boolean {
  return meta.has(KEY);
}

/** @returns undefined if the database holds no world. */
export function readIdentity(meta: MetaStore): WorldIdentity | undefined {
  const text = meta.text(KEY);
  if (text === undefined) return undefined;
  return { ...parsed(text), id: required(meta.get<string>(ID_KEY), "The id of a world") };
}

/** The last identity parsed: worlds are made by the hundred from the same few, and can share it. */
let lastRead: { readonly text: string; readonly identity: WorldIdentity } | undefined;

function parsed(text: string): WorldIdentity {
  if (lastRead?.text !== text) lastRead = { text, identity: JSON.parse(text) };
  return lastRead.identity;
}

/** Stores what a world is made with; a copy of it gets its own id by {@link giveId}. */
export function writeIdentity(meta: MetaStore, identity: WorldIdentity): void {
  meta.set(KEY, identity);
  meta.set(ID_KEY, identity.id);
}

/** Gives a copy its own id in place of the original's. */
export function giveId(meta: MetaStore, id: string): void {
  const identity = readIdentity(meta);
  if (identity && identity.id !== id) meta.set(ID_KEY, id);
}
