import {
  existsSync,
  type FSWatcher,
  lstatSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  type WatchListener,
  watch,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isFolder } from "../../host/files.ts";
import { isScenarioFile, scenarioFilesIn } from "../../host/scenario-texts.ts";
import { wakeAfter } from "../../runtime.ts";

/** Editors write in several steps: a change is reported after this much real time without a further one. */
const QUIET_MS = 60;

/** A followed file or folder, with the folder that is watched for it. */
interface Followed {
  readonly path: string;
  readonly folder: string;
  /** Whether a file of the watched folder is followed, by its name. */
  readonly isFollowed: (file: string) => boolean;
}

/** Watches scenario files, and reports changes and removals a little later, so that half-written files are not read. */
export class FollowedFiles {
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #waiting = new Map<string, () => void>();
  /** By link, the file that it leads to, with what follows that. */
  readonly #targets = new Map<string, { readonly target: string; readonly files: FollowedFiles }>();
  readonly #onChange: (path: string) => void;
  readonly #onUnfollowed: (reason: string) => void;

  /** @param onUnfollowed called with the reason when watching fails: a machine has a limited number of watchers. */
  constructor(onChange: (path: string) => void, onUnfollowed: (reason: string) => void) {
    this.#onChange = onChange;
    this.#onUnfollowed = onUnfollowed;
  }

  /**
   * Begins to follow what is not followed yet.
   * @param names folders, of which all present and future scenario files are followed, and files; what is not there is
   * taken for a file, which is reported when it comes.
   */
  follow(names: readonly string[]): void {
    this.#try(() => {
      for (const path of new Set(names.map((name) => resolve(name)))) if (!this.#watchers.has(path)) this.#begin(path);
    });
  }

  #begin(path: string): void {
    const file = { path, folder: dirname(path), isFollowed: (name: string) => name === basename(path) };
    if (isFolder(path)) this.#follow({ path, folder: path, isFollowed: isScenarioFile });
    else if (existsSync(path)) this.#follow(file);
    else this.#await(file);
    for (const each of isFolder(path) ? scenarioFilesIn(path) : [path]) this.#followTarget(each);
  }

  /** Follows what a path leads to if it is a link: nothing tells of a change there in the folder of the link. */
  #followTarget(path: string): void {
    const target = targetOf(path);
    const former = this.#targets.get(path);
    if (former?.target === target) return;
    former?.files.close();
    this.#targets.delete(path);
    if (target === undefined) return;
    const files = new FollowedFiles(() => this.#changed(path), this.#onUnfollowed);
    this.#targets.set(path, { target, files });
    files.follow([target]);
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
    for (const stop of this.#waiting.values()) stop();
    this.#waiting.clear();
    for (const { files } of this.#targets.values()) files.close();
    this.#targets.clear();
  }

  /** Watches the folder even for a single file, since editors replace the file with a new one. */
  #follow(followed: Followed): void {
    const { path, folder, isFollowed } = followed;
    this.#watch(path, folder, (event, file) => {
      // An event about the folder itself: it was removed or moved.
      const isItself = event === "rename" && file === basename(folder) && !existsSync(join(folder, file));
      if (isItself) {
        this.#changed(path);
        this.#await(followed);
      } else if (file !== null && isFollowed(file)) this.#changed(join(folder, file));
    });
  }

  /** Waits for a folder to come, or to come back, as when Git changes branches, by watching the nearest folder above it. */
  #await(followed: Followed): void {
    const { path, folder, isFollowed } = followed;
    const above = nearestFolder(folder);
    const isBack = above === folder;
    if (isBack) this.#follow(followed);
    else this.#watch(path, above, () => nearestFolder(folder) !== above && this.#await(followed));
    // The folder may have come back, or gone again, before the watcher was set up.
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
      // It may have become a link, or lead elsewhere now.
      this.#try(() => this.#followTarget(path));
      this.#onChange(path);
    });
    this.#waiting.set(path, stop);
  }
}

/** The file that a link leads to; of one that leads to nothing yet, the next step. Undefined if there is no link. */
function targetOf(path: string): string | undefined {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return undefined;
  try {
    return realpathSync(path);
  } catch (error) {
    // Links that lead in a circle lead nowhere.
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? resolve(dirname(path), readlinkSync(path)) : undefined;
  }
}

function nearestFolder(path: string): string {
  return isFolder(path) ? path : nearestFolder(dirname(path));
}
