/** Scenario files that are followed: told of when they change or go away, a little later, so that half-written ones are not read. */
import { type FSWatcher, statSync, watch } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { wakeAfter } from "../runtime.ts";
import { isScenarioFile } from "./scenario-sources.ts";

/** Editors write in several strokes: a change is told when it has been quiet for so long, in real time. */
const QUIET_MS = 60;

export class FollowedFiles {
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #waiting = new Map<string, () => void>();
  readonly #onChange: (path: string) => void;
  readonly #onUnfollowed: (reason: string) => void;

  /** @param onUnfollowed told that the system lets no more be followed: a machine has only so many watchers. */
  constructor(onChange: (path: string) => void, onUnfollowed: (reason: string) => void) {
    this.#onChange = onChange;
    this.#onUnfollowed = onUnfollowed;
  }

  /**
   * Begins to follow what is not followed yet.
   * @param names files and folders; a folder with all scenarios in it, those to come too. What is neither is not
   * followed: a shipped scenario by name.
   */
  follow(names: readonly string[]): void {
    try {
      for (const path of names.map((name) => resolve(name))) if (!this.#watchers.has(path)) this.#follow(path);
    } catch (error) {
      this.#onUnfollowed((error as Error).message);
    }
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
    for (const stop of this.#waiting.values()) stop();
    this.#waiting.clear();
  }

  /** The folder is watched, not the file: editors put a new file in its place. */
  #follow(path: string): void {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) return;
    const folder = stats.isDirectory() ? path : dirname(path);
    const isFollowed = (file: string) => (stats.isDirectory() ? isScenarioFile(file) : file === basename(path));
    const watcher = watch(folder, { persistent: false }, (_event, file) => {
      if (file !== null && isFollowed(file)) this.#changed(join(folder, file));
    });
    // A folder that goes away is followed no more.
    watcher.on("error", () => watcher.close());
    this.#watchers.set(path, watcher);
  }

  #changed(path: string): void {
    this.#waiting.get(path)?.();
    const stop = wakeAfter(QUIET_MS, () => {
      this.#waiting.delete(path);
      this.#onChange(path);
    });
    this.#waiting.set(path, stop);
  }
}
