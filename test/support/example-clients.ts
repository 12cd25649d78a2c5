/** The example clients of `fixtures/clients`, each in its own language; one that is not on this machine is known as such. */
import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll } from "vitest";

const clients = fileURLToPath(new URL("../../fixtures/clients/", import.meta.url));

interface Language {
  readonly name: string;
  /** What tells whether it is here, and where: in its first line, where it is another program that runs it. */
  readonly find: readonly string[];
  readonly source: string;
  /** What makes a program of the source, in a folder. */
  readonly build?: (source: string, folder: string) => readonly string[];
  readonly run: (source: string, folder: string, found: string) => readonly string[];
}

export const languages: readonly Language[] = [
  {
    name: "Python",
    find: ["python3", "-c", "import sys; print(sys.executable)"],
    source: "python/cashout.py",
    run: (source, _, found) => [found, source],
  },
  {
    name: "PHP",
    find: ["php", "--version"],
    source: "php/cashout.php",
    run: (source) => ["php", source],
  },
  {
    name: "Java",
    find: ["javac", "--version"],
    source: "java/Cashout.java",
    build: (source, folder) => ["javac", "-d", folder, source],
    run: (_, folder) => ["java", "-cp", folder, "Cashout"],
  },
  {
    name: "Go",
    find: ["go", "version"],
    source: "go/cashout.go",
    build: (source, folder) => ["go", "build", "-o", join(folder, "cashout"), source],
    run: (_, folder) => [join(folder, "cashout")],
  },
];

/** What a client printed, where, and what it left with. */
interface Played {
  readonly command: string;
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Builds the client of a language for the tests of this block. @returns whether it is here, and what runs it. */
export function useClient({ find: [program = "", ...args], source: path, build, run }: Language) {
  const { status, stdout } = spawnSync(program, args, { encoding: "utf8" });
  const isHere = status === 0;
  const found = isHere ? (stdout.split("\n")[0] ?? "") : "";
  const source = join(clients, path);
  let folder = "";

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "payments-sandbox-client-"));
    const [compiler = "", ...words] = isHere ? (build?.(source, folder) ?? []) : [];
    if (compiler) await promisify(execFile)(compiler, words);
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function play(words: readonly string[], env: NodeJS.ProcessEnv, input = ""): Promise<Played> {
    const [command = "", ...others] = [...run(source, folder, found), ...words];
    const child = spawn(command, others, { env, stdio: ["pipe", "pipe", "pipe"] });
    // One that leaves at once has read nothing: what it printed, and its code, tell of that.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    const [printed, told, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
    return { command, code, stdout: printed, stderr: told };
  }

  return { program, isHere, play };
}
