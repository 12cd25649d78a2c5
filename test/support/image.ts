/**
 * What a Dockerfile says, done without a container engine: each stage is an empty folder in which its instructions are
 * performed, with the paths of the image mapped into it. Honest within its limits: programs come from this machine
 * (`node` and `npm` stand where the Node image has them), and nothing keeps a process inside.
 */
import { type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, delimiter, join, posix, relative, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { commandOf, type Instruction, ignoredBy, readDockerfile, variablesOf } from "./dockerfile.ts";

/** Ids of the user `node` in the Node images. */
const NODE_USER = { uid: 1000, gid: 1000 } as const;

/** Paths of the machine that commands of an image may name: the base image has them too. */
const SYSTEM = /^\/(bin|dev|proc|usr\/bin)(\/|$)/;

/** A stage, as far as its instructions have been performed. */
export interface Stage {
  readonly name: string;
  /** Where its `/` is on this machine. */
  readonly root: string;
  workdir: string;
  readonly env: Record<string, string>;
  user: string;
  readonly ports: number[];
  entrypoint: readonly string[];
  healthcheck: readonly string[];
}

interface BuildOptions {
  readonly dockerfile: string;
  readonly dockerignore: string;
  /** The folder that `COPY` takes from. */
  readonly context: string;
  /** An empty folder for the stages. */
  readonly folder: string;
  /** Told of each instruction before it is performed. */
  readonly tell: (instruction: Instruction) => void;
}

/** Performs a Dockerfile. @returns its last stage. @throws at an instruction that fails or is not known here. */
export async function buildImage(options: BuildOptions): Promise<Stage> {
  const stages: Stage[] = [];
  for (const instruction of readDockerfile(options.dockerfile)) {
    options.tell(instruction);
    if (instruction.keyword === "FROM") stages.push(openStage(instruction, options.folder, stages.length));
    else await perform(instruction, stages, options);
  }
  return currentOf(stages);
}

function currentOf(stages: readonly Stage[]): Stage {
  const stage = stages.at(-1);
  if (!stage) throw new Error("The Dockerfile does not begin with FROM.");
  return stage;
}

/** The Node image: nothing but its programs, where it has them. */
function openStage({ text }: Instruction, folder: string, index: number): Stage {
  const name = / as (\S+)$/i.exec(text)?.[1] ?? String(index);
  const root = join(folder, name);
  const programs = join(root, "usr", "local", "bin");
  mkdirSync(programs, { recursive: true });
  copyFileSync(process.execPath, join(programs, "node"));
  chmodSync(join(programs, "node"), 0o755);
  symlinkSync(realpathSync(programOf("npm")), join(programs, "npm"));
  return { name, root, workdir: "/", env: {}, user: "root", ports: [], entrypoint: [], healthcheck: [] };
}

/** Where a program of this machine is; the folders that npm puts before the path of its scripts have none. */
function programOf(name: string): string {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"));
  const found = folders.map((folder) => join(folder, name)).find((path) => statSync(path, { throwIfNoEntry: false }));
  if (found === undefined) throw new Error(`${name} is not on this machine.`);
  return found;
}

/** TABLE: the instructions that are known, and what each does. */
const performers: Readonly<
  Record<string, (instruction: Instruction, stages: readonly Stage[], options: BuildOptions) => void | Promise<void>>
> = {
  WORKDIR: ({ text }, stages) => {
    const stage = currentOf(stages);
    stage.workdir = posix.resolve(stage.workdir, text);
    mkdirSync(inside(stage, stage.workdir), { recursive: true });
  },
  ENV: ({ text }, stages) => void Object.assign(currentOf(stages).env, variablesOf(text)),
  COPY: copy,
  RUN: ({ text }, stages) => runToEnd(currentOf(stages), commandOf(text)),
  USER: ({ text }, stages) => {
    currentOf(stages).user = text;
  },
  EXPOSE: ({ text }, stages) => void currentOf(stages).ports.push(Number(text)),
  HEALTHCHECK: ({ text }, stages) => {
    currentOf(stages).healthcheck = commandOf(text.replace(/^CMD\s+/, ""));
  },
  ENTRYPOINT: ({ text }, stages) => {
    currentOf(stages).entrypoint = commandOf(text);
  },
};

async function perform(instruction: Instruction, stages: readonly Stage[], options: BuildOptions): Promise<void> {
  const performer = performers[instruction.keyword];
  if (!performer) throw new Error(`Dockerfile:${instruction.line}: ${instruction.keyword} is not known here.`);
  await performer(instruction, stages, options);
}

/** Where a path of the image is on this machine. */
export function inside(stage: Stage, path: string): string {
  return join(stage.root, posix.resolve(stage.workdir, path));
}

function copy({ text, flags, line }: Instruction, stages: readonly Stage[], options: BuildOptions): void {
  const stage = currentOf(stages);
  const words = text.split(/\s+/);
  const target = words.pop() ?? "";
  const source = flags.from === undefined ? undefined : stages.find(({ name }) => name === flags.from);
  if (flags.from !== undefined && !source) throw new Error(`Dockerfile:${line}: there is no stage ${flags.from}.`);
  for (const word of words) {
    const from = source ? inside(source, word) : join(options.context, word);
    const to = inside(stage, target);
    const isFolder = statSync(from).isDirectory();
    const place = isFolder || !target.endsWith("/") ? to : join(to, basename(word));
    cpSync(from, place, {
      recursive: true,
      verbatimSymlinks: true,
      filter: source ? () => true : keptOf(options),
    });
    if (flags.chown) giveTo(place);
  }
}

function keptOf({ context, dockerignore }: BuildOptions): (path: string) => boolean {
  const isIgnored = ignoredBy(dockerignore);
  return (path) => !isIgnored(relative(resolve(context), path).replaceAll("\\", "/"));
}

/** Whether this process may act as another user. */
const isRoot = process.getuid?.() === 0;

/** Only root gives files away; anybody else is no root to begin with. */
function giveTo(path: string): void {
  // What is copied so is an empty folder: nothing beneath it has an owner.
  if (isRoot) chownSync(path, NODE_USER.uid, NODE_USER.gid);
}

/** The command of a stage as this machine runs it: paths of the image mapped, no more variables than it has. */
export function startInside(
  stage: Stage,
  command: readonly string[],
  more: { env?: object; stdio?: SpawnOptions["stdio"] } = {},
) {
  const [program = "", ...args] = command.map((word) => mapped(stage, word));
  const path = [join(stage.root, "usr", "local", "bin"), "/usr/bin", "/bin"].join(delimiter);
  const user = stage.user === "root" || !isRoot ? {} : NODE_USER;
  return spawn(program, args, {
    cwd: inside(stage, "."),
    env: { HOME: stage.user === "root" ? process.env.HOME : "/nonexistent", PATH: path, ...stage.env, ...more.env },
    stdio: more.stdio ?? ["ignore", "inherit", "inherit"],
    ...user,
  });
}

/** The absolute paths in a word of a command, but for the system's, as places in the stage. */
function mapped(stage: Stage, word: string): string {
  return word.replaceAll(/(?<![\w./])\/[\w./-]+/g, (path) => (SYSTEM.test(path) ? path : join(stage.root, path)));
}

async function runToEnd(stage: Stage, command: readonly string[]): Promise<void> {
  // What has been fetched before is not fetched again, and npm asks nobody else.
  const env = { npm_config_prefer_offline: "true", npm_config_audit: "false", npm_config_fund: "false" };
  const child = startInside(stage, command, { env, stdio: ["ignore", "pipe", "pipe"] });
  const written = Promise.all([child.stdout, child.stderr].map((stream) => (stream ? text(stream) : "")));
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${command.at(-1)} left with ${code}:\n${(await written).join("\n")}`);
}

/** Puts a program before that of the base image. */
export function putProgram(stage: Stage, name: string, script: string): void {
  writeFileSync(join(stage.root, "usr", "local", "bin", name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}
