import { existsSync, type FSWatcher, readdirSync, statSync, type WatchListener, watch } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { wakeAfter } from "../runtime.ts";
import { isFolder } from "./files.ts";
import { isScenarioFile } from "./scenario-sources.ts";

/** Editors write in several strokes: a change is told when it has been quiet for so long, in real time. */
const QUIET_MS = 60;

/** A file or a folder, by the folder that tells of it. */
interface Followed {
  readonly path: string;
  readonly folder: string;
  /** Whether a file of the folder is meant, by its name. */
  readonly isFollowed: (file: string) => boolean;
}

/** Scenario files that are followed: told of when they change or go away, a little later, so that half-written ones are not read. */
export class FollowedFiles {
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #waiting = new Map<string, () => void>();
  readonly #onChange: (path: string) => void;
  readonly #onUnfollowed: (reason: string) => void;

  /** @param onUnfollowed told why something is not followed any more: a machine has only so many watchers. */
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
    this.#try(() => {
      for (const path of names.map((name) => resolve(name))) {
        const stats = this.#watchers.has(path) ? undefined : statSync(path, { throwIfNoEntry: false });
        if (stats?.isDirectory()) this.#follow({ path, folder: path, isFollowed: isScenarioFile });
        else if (stats) this.#follow({ path, folder: dirname(path), isFollowed: (file) => file === basename(path) });
      }
    });
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
    for (const stop of this.#waiting.values()) stop();
    this.#waiting.clear();
  }

  /** The folder is watched, not the file: editors put a new file in its place. */
  #follow(followed: Followed): void {
    const { path, folder, isFollowed } = followed;
    this.#watch(path, folder, (event, file) => {
      // What is told of the folder itself: that it was removed, or moved.
      const isItself = event === "rename" && file === basename(folder) && !existsSync(join(folder, file));
      if (isItself) {
        this.#changed(path);
        this.#await(followed);
      } else if (file !== null && isFollowed(file)) this.#changed(join(folder, file));
    });
  }

  /** A folder that went away may come back, as one does with a branch of Git: the one above it is watched for that. */
  #await(followed: Followed): void {
    const { path, folder, isFollowed } = followed;
    const above = nearestFolder(folder);
    const isBack = above === folder;
    if (isBack) this.#follow(followed);
    else this.#watch(path, above, () => nearestFolder(folder) !== above && this.#await(followed));
    // It may have come, or gone once more, before it was watched.
    if (nearestFolder(folder) !== above) this.#await(followed);
    else if (isBack) for (const file of readdirSync(folder).filter(isFollowed)) this.#changed(join(folder, file));
  }

  #watch(path: string, folder: string, listener: WatchListener<string>): void {
    this.#watchers.get(path)?.close();
    const watcher = watch(folder, { persistent: false }, (...event) => this.#try(() => listener(...event)));
    this.#watchers.set(path, watcher);
    watcher.on("error", (error) => {
      watcher.close();
      if (this.#watchers.get(path) === watcher) this.#watchers.delete(path);
      this.#onUnfollowed(error.message);
    });
  }

  #try(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#onUnfollowed((error as Error).message);
    }
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

function nearestFolder(path: string): string {
  return isFolder(path) ? path : nearestFolder(dirname(path));
}
