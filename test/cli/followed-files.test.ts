/** Files that are followed, as the system tells of them. */
import fs, { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FollowedFiles } from "../../src/cli/scenario-files/followed-files.ts";
import { testFolder } from "../support/folder.ts";

const { watch } = fs;
let watched: { readonly folder: string; readonly watcher: fs.FSWatcher }[];
let onWatch: () => void;
let told: string[];
let onTold: () => void;
let files: FollowedFiles;

beforeEach(() => {
  [watched, onWatch, told, onTold] = [[], () => {}, [], () => {}];
  fs.watch = ((folder: string, ...rest: [never]) => {
    const watcher = watch(folder, ...rest);
    watched.push({ folder, watcher });
    onWatch();
    return watcher;
  }) as typeof fs.watch;
  syncBuiltinESMExports();
  const tell = (what: string) => {
    told.push(what);
    onTold();
  };
  files = new FollowedFiles(
    (path) => tell(path),
    (reason) => tell(`not followed: ${reason}`),
  );
});

afterEach(() => {
  files.close();
  fs.watch = watch;
  syncBuiltinESMExports();
});

/** Until the folder is watched last. */
function untilWatched(folder: string): Promise<void> {
  const isThere = () => watched.at(-1)?.folder === folder;
  return new Promise((resolve) => {
    onWatch = () => void (isThere() && resolve());
    onWatch();
  });
}

/** Until something is told, since this was asked for. */
function untilTold(what: string): Promise<void> {
  told = [];
  return new Promise((resolve) => {
    onTold = () => void (told.includes(what) && resolve());
  });
}

test("a folder that went away is awaited in the one above it, and followed on when it is back", async () => {
  const folder = join(testFolder(), "scenarios");
  const file = join(folder, "mine.yaml");
  const write = () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, "scenario: mine\n");
  };
  write();
  files.follow([folder]);
  for (let times = 0; times < 2; times++) {
    const awaited = untilWatched(dirname(folder));
    rmSync(folder, { recursive: true });
    await awaited;
    const isBack = untilTold(file);
    write();
    await isBack;
  }
  const isChanged = untilTold(file);
  writeFileSync(file, "scenario: other\n");
  await isChanged;
});

test("a file that is not there yet is reported once it comes, and so is one of a folder that comes", async () => {
  const folder = testFolder();
  const names = ["later.yaml", "deep/folder/later.yaml"];
  files.follow(names.map((name) => join(folder, name)));
  for (const name of names) {
    const isThere = untilTold(join(folder, name));
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), "scenario: later\n");
    await isThere;
  }
});

test("a watcher that fails is told of, and what it watched can be followed anew", async () => {
  const folder = testFolder({ "mine.yaml": "scenario: mine\n" });
  files.follow([folder]);
  watched[0]?.watcher.emit("error", new Error("EMFILE: too many open files"));
  expect(told).toEqual(["not followed: EMFILE: too many open files"]);
  files.follow([folder]);
  const isChanged = untilTold(join(folder, "mine.yaml"));
  writeFileSync(join(folder, "mine.yaml"), "scenario: other\n");
  await isChanged;
});

test("a link is reported when what it leads to is edited, replaced or comes back, and when it leads elsewhere", async () => {
  const folder = testFolder({ "first/mine.yaml": "scenario: mine\n", "second/mine.yaml": "scenario: mine\n" });
  const [link, later] = [join(folder, "scenarios/mine.yaml"), join(folder, "scenarios/later.yaml")];
  const leadTo = (path: string, target: string) => {
    symlinkSync(join("..", target), `${path}.new`);
    renameSync(`${path}.new`, path);
  };
  const write = (name: string) => writeFileSync(join(folder, name), "scenario: other\n");
  const isReported = async (path: string, change: () => void) => {
    const isTold = untilTold(path);
    change();
    await isTold;
  };
  mkdirSync(dirname(link));
  leadTo(link, "first/mine.yaml");
  files.follow([dirname(link)]);
  await isReported(link, () => write("first/mine.yaml"));
  write("replacement");
  await isReported(link, () => renameSync(join(folder, "replacement"), join(folder, "first/mine.yaml")));
  await isReported(link, () => rmSync(join(folder, "first"), { recursive: true }));
  await isReported(link, () => {
    mkdirSync(join(folder, "first"));
    write("first/mine.yaml");
  });
  await isReported(link, () => leadTo(link, "second/mine.yaml"));
  await isReported(link, () => write("second/mine.yaml"));
  await isReported(later, () => leadTo(later, "second/later.yaml"));
  await isReported(later, () => write("second/later.yaml"));
});

test("links that lead in a circle are followed like files that are not there", async () => {
  const folder = testFolder();
  const [one, other] = [join(folder, "one.yaml"), join(folder, "other.yaml")];
  symlinkSync(other, one);
  symlinkSync(one, other);
  files.follow([folder, one]);
  const isThere = untilTold(one);
  rmSync(one);
  writeFileSync(one, "scenario: one\n");
  await isThere;
});
