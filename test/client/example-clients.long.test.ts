/**
 * The example clients of `fixtures/clients` where something goes wrong: each in its own language, beside
 * `test/fixtures/clients.long.test.ts`, which shows what they do right. A language that is not here is skipped.
 */
import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { WorldClient } from "../../src/index.ts";
import { useSandbox } from "../support/sandbox.ts";

const clients = fileURLToPath(new URL("../../fixtures/clients/", import.meta.url));
const sandboxes = useSandbox();

interface Language {
  readonly program: string;
  readonly find: readonly string[];
  /** What makes a program in a folder, where that has to be done. */
  readonly build?: (folder: string) => readonly string[];
  readonly run: (folder: string) => readonly string[];
}

const languages: readonly Language[] = [
  { program: "python3", find: ["--version"], run: () => ["python3", `${clients}python/cashout.py`] },
  { program: "php", find: ["--version"], run: () => ["php", `${clients}php/cashout.php`] },
  {
    program: "javac",
    find: ["--version"],
    build: (folder) => ["javac", "-d", folder, `${clients}java/Cashout.java`],
    run: (folder) => ["java", "-cp", folder, "Cashout"],
  },
  {
    program: "go",
    find: ["version"],
    build: (folder) => ["go", "build", "-o", join(folder, "cashout"), `${clients}go/cashout.go`],
    run: (folder) => [join(folder, "cashout")],
  },
];

const NAMES = ["PAYMENTS_BASE_URL", "PAYMENTS_CLIENT_ID", "PAYMENTS_CLIENT_SECRET", "PAYMENTS_SIGNING_KEY"] as const;
type Environment = Readonly<Partial<Record<(typeof NAMES)[number], string>>>;

describe.each(languages)("$program", ({ program, find, build, run }) => {
  const isHere = spawnSync(program, find).status === 0;
  let folder = "";

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "payments-sandbox-client-"));
    const [compiler = "", ...words] = isHere ? (build?.(folder) ?? []) : [];
    if (compiler) await promisify(execFile)(compiler, words);
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** What the client printed, where, and what it left with. */
  async function play(words: readonly string[], given: Environment) {
    const [command = "", ...others] = [...run(folder), ...words];
    const inherited = Object.entries(process.env).filter(([name]) => !NAMES.includes(name as never));
    const child = spawn(command, others, { env: { ...Object.fromEntries(inherited), ...given } });
    child.stdin.end();
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
    return { code, stdout: stdout.trim(), stderr: stderr.trim() };
  }

  test.skipIf(!isHere)(`COUT-01 ${program} asks again where an answer is cut off`, async () => {
    const world = await sandboxes.world();
    const inject = { malformed: true };
    const rules = ["POST /v2/oauth/token", "POST /v2/transactions/cashout"].map((request) => ({
      request,
      inject,
      times: 1,
    }));
    await world.call("PUT", "/faults", { rules });
    const { code, stdout, stderr } = await play(["maria@example.com", "25.00", "payout-1"], environmentOf(world));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const { items } = await world.call<{ items: { transaction_id: string }[] }>("GET", "/transactions");
    expect(items.map(({ transaction_id: id }) => `${id} pending`)).toEqual([stdout]);
    const calls = await callsOf(world, 2);
    expect(calls.map(({ path }) => path.split("/").at(-1))).toEqual(["token", "token", "cashout", "cashout"]);
  });

  test.skipIf(!isHere)(`COUT-01 ${program} tells a refusal in one sentence, and leaves with 1`, async () => {
    const world = await sandboxes.world();
    const { code, stdout, stderr } = await play(["maria@example.com", "0", "payout-1"], environmentOf(world));
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^\/v2\/transactions\/cashout: 4\d\d [A-Z_]+: \w[^{}]*\.$/);
    const [refused] = await callsOf(world, 4);
    expect(stderr).toContain(`cashout: ${refused?.status} `);
  });

  test.skipIf(!isHere)(`${program} tells what is missing in one sentence, and leaves with 1`, async () => {
    const all = Object.fromEntries(NAMES.map((name) => [name, "x"]));
    const incomplete = [[], ["maria@example.com", "25.00"], ["--sign", "1"], ["--sign", "1", "2", "3"]];
    const usage = { code: 1, stdout: "", stderr: expect.stringMatching(/^usage: .*$/) };
    expect(await Promise.all(incomplete.map((words) => play(words, all)))).toEqual(incomplete.map(() => usage));
    const without = NAMES.map((name) => play(["maria@example.com", "25.00", "payout-1"], { ...all, [name]: "" }));
    const missing = NAMES.map((name) => expect.stringMatching(new RegExp(`^[Tt]he .* ${name} is missing\\.?$`)));
    expect(await Promise.all(without)).toEqual(missing.map((stderr) => ({ code: 1, stdout: "", stderr })));
  });
});

/** The calls that a world was made; those alone that were answered with such a status. */
async function callsOf(world: WorldClient, hundreds: number) {
  const { items } = await world.call<{ items: { path: string; status: number }[] }>("GET", "/requests");
  return items.filter(({ status }) => Math.floor(status / 100) === hundreds);
}

function environmentOf({ baseUrl, credentials }: WorldClient): Environment {
  return {
    PAYMENTS_BASE_URL: baseUrl,
    PAYMENTS_CLIENT_ID: credentials.clientId,
    PAYMENTS_CLIENT_SECRET: credentials.clientSecret,
    PAYMENTS_SIGNING_KEY: credentials.signingKey,
  };
}
