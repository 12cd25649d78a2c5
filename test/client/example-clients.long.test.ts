/**
 * The example clients of `fixtures/clients` where something goes wrong: each in its own language, beside
 * `test/fixtures/clients.long.test.ts`, which shows what they do right. A language that is not here is skipped.
 */
import { describe, expect, test } from "vitest";
import type { WorldClient } from "../../src/index.ts";
import { languages, useClient } from "../support/example-clients.ts";
import { useSandbox } from "../support/sandbox.ts";

const sandboxes = useSandbox();

const NAMES = ["PAYMENTS_BASE_URL", "PAYMENTS_CLIENT_ID", "PAYMENTS_CLIENT_SECRET", "PAYMENTS_SIGNING_KEY"] as const;
type Environment = Readonly<Partial<Record<(typeof NAMES)[number], string>>>;

describe.each(languages)("$name", (language) => {
  const client = useClient(language);
  const { program, isHere } = client;

  /** What the client printed, where, and what it left with. */
  async function play(words: readonly string[], given: Environment) {
    const inherited = Object.entries(process.env).filter(([name]) => !NAMES.includes(name as never));
    const { code, stdout, stderr } = await client.play(words, { ...Object.fromEntries(inherited), ...given });
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
