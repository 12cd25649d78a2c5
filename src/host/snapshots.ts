/** Snapshots of worlds: full copies to come back to; kept in files if there is a data folder. */

import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { NAME_FORM } from "../domain/names.ts";
import { required } from "../domain/required.ts";
import type { LockedFolder } from "../store/folder-lock.ts";
import { StoreError } from "../store/store-error.ts";
import { type Instant, LAST_INSTANT } from "../world/instants.ts";
import { makeFolder, removeUnfinished, writeWhole } from "./files.ts";
import { keptWorld } from "./kept-worlds.ts";
import type { LiveWorld } from "./live-world.ts";
import { bytesOfWorld } from "./world-bytes.ts";
import { WorldConflict } from "./world-conflict.ts";

/** The description of a snapshot in lists. */
export interface SnapshotInfo {
  readonly name: string;
  /** The instant of the world's clock. */
  readonly at: Instant;
  /** How many entries its journal has. */
  readonly entries: number;
  /** Its number among the snapshots of the world, from 1, in the order in which they were taken. */
  readonly number: number;
}

interface Snapshot {
  readonly info: SnapshotInfo;
  readonly bytes: Buffer;
}

const INFO_FILE = new RegExp(`^(${NAME_FORM})\\.json$`);
const SNAPSHOT_FILE = new RegExp(`^${NAME_FORM}\\.(json|db)$`);

/** Snapshots by world and name; one that was not fully written does not count. */
export class Snapshots {
  /** Snapshots by world and name, if there is no data folder. */
  readonly #kept = new Map<string, Map<string, Snapshot>>();
  readonly #folder: LockedFolder | null;
  /** The last number given in each world, even if that snapshot was deleted. */
  readonly #lastNumbers = new Map<string, number>();

  /** @param folder the data folder; null for memory. */
  constructor(folder: LockedFolder | null) {
    this.#folder = folder;
  }

  /** The readable snapshots of a world, in the order in which they were taken. */
  list(world: string): SnapshotInfo[] {
    const infos = this.#folder ? this.#read(world) : [...this.#of(world).values()].map(({ info }) => info);
    return infos.sort((left, right) => left.number - right.number);
  }

  /** Removes files that were not fully written. @param worlds the worlds whose snapshots are looked through. */
  removeUnfinished(worlds: readonly string[]): void {
    if (!this.#folder) return;
    for (const world of worlds) removeUnfinished(this.#folderOf(world), (name) => SNAPSHOT_FILE.test(name));
  }

  has(world: string, name: string): boolean {
    if (!this.#folder) return this.#of(world).has(name);
    return INFO_FILE.test(`${name}.json`) && existsSync(this.#file(world, name, "json"));
  }

  /** A free name for a snapshot of a world that was not given one; like ids of worlds, none is given twice. */
  freeName(world: string): string {
    let count = this.#nextNumber(world);
    while (this.has(world, `snapshot-${count}`)) count++;
    return `snapshot-${count}`;
  }

  /**
   * Takes a snapshot of a world.
   * @throws {WorldConflict} if the name is taken, or the world is being advanced.
   * @throws {FolderGone}
   */
  take(live: LiveWorld, name: string): SnapshotInfo {
    if (this.has(live.id, name)) {
      const message = `There is a snapshot ${name} already; delete it or take another name.`;
      throw new WorldConflict("SNAPSHOT_EXISTS", message);
    }
    const { clock, journal } = live.world;
    // The bytes of a large world take time to make, in which a clock runs on.
    return clock.atOneReading(() => {
      const bytes = bytesOfWorld(live, "take the snapshot");
      return this.#keep(live.id, { name, at: clock.now(), entries: journal.last().sequence }, bytes);
    });
  }

  /**
   * The bytes of the world as it was.
   * @throws {StoreError} if the file is damaged, holds no world, or holds another one; it is left as it is.
   */
  bytesOf(world: string, name: string): Buffer {
    const kept = this.#of(world).get(name);
    if (kept) return kept.bytes;
    const path = this.#file(world, name, "db");
    const { id, bytes } = keptWorld(path);
    if (id === world) return bytes;
    throw new StoreError(`${path} is a snapshot of the world ${id}, not of ${world}.`);
  }

  /** @throws {FolderGone} */
  remove(world: string, name: string): void {
    this.#of(world).delete(name);
    if (!this.#folder) return;
    this.#folder.refuseIfGone();
    for (const kind of ["json", "db"]) rmSync(this.#file(world, name, kind), { force: true });
  }

  /** To be called when the world's file has been removed. */
  removeAll(world: string): void {
    this.#kept.delete(world);
    this.#lastNumbers.delete(world);
    if (this.#folder) rmSync(this.#folderOf(world), { recursive: true, force: true });
  }

  /** The number of the next snapshot of a world. */
  #nextNumber(world: string): number {
    return Math.max(this.list(world).at(-1)?.number ?? 0, this.#lastNumbers.get(world) ?? 0) + 1;
  }

  #keep(world: string, given: Omit<SnapshotInfo, "number">, bytes: Buffer): SnapshotInfo {
    const info = { ...given, number: this.#nextNumber(world) };
    this.#lastNumbers.set(world, info.number);
    if (!this.#folder) {
      this.#of(world).set(info.name, { info, bytes });
      return info;
    }
    this.#folder.refuseIfGone();
    makeFolder(this.#folderOf(world));
    writeWhole(this.#file(world, info.name, "db"), bytes);
    writeWhole(this.#file(world, info.name, "json"), Buffer.from(JSON.stringify(info)));
    return info;
  }

  #of(world: string): Map<string, Snapshot> {
    const known = this.#kept.get(world) ?? new Map<string, Snapshot>();
    this.#kept.set(world, known);
    return known;
  }

  #read(world: string): SnapshotInfo[] {
    const folder = this.#folderOf(world);
    if (!existsSync(folder)) return [];
    const names = readdirSync(folder).flatMap((file) => INFO_FILE.exec(file)?.[1] ?? []);
    return names.flatMap((name) => readInfo(this.#file(world, name, "json"), name) ?? []);
  }

  #file(world: string, name: string, kind: string): string {
    return join(this.#folderOf(world), `${name}.${kind}`);
  }

  #folderOf(world: string): string {
    return join(required(this.#folder, "The data folder").path, "snapshots", world);
  }
}

/** Reads the description of a snapshot; undefined if the file is damaged or something else. */
function readInfo(path: string, name: string): SnapshotInfo | undefined {
  try {
    if (!statSync(path).isFile()) return undefined;
    const { at, entries, number } = JSON.parse(readFileSync(path, "utf8"));
    return isCount(at, LAST_INSTANT) && isCount(entries) && isCount(number) ? { name, at, entries, number } : undefined;
  } catch {
    return undefined;
  }
}

function isCount(value: unknown, most = Number.MAX_SAFE_INTEGER): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most;
}
