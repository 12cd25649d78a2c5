/** The same seed and calls give the same journal and webhooks, byte for byte, on any machine (interface, section 3a). */
import { expect, test } from "vitest";
import { startProcess } from "../support/process.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { MixedLoad } from "./load/mixed-load.ts";
import { generator } from "./load/random.ts";

const STEPS = 140;

interface Played {
  readonly journal: readonly string[];
  /** What each account's receiver got, in order: the headers that are ours, and the body. */
  readonly webhooks: readonly string[][];
}

/** A receiver that refuses every third webhook, and takes its own time for every one. */
function slowReceiver(pauseMs: number): Promise<Receiver> {
  return startReceiver(async (_request, response, index) => {
    await new Promise((resolve) => setTimeout(resolve, (index % 4) * pauseMs));
    response.writeHead(index % 3 === 2 ? 500 : 200).end("ok");
  });
}

/** The same calls in the same order, against a process of its own with receivers of its own, elsewhere on earth. */
async function play({ seed, pauseMs, zone }: { seed: number; pauseMs: number; zone: string }): Promise<Played> {
  await using acme = await slowReceiver(pauseMs);
  await using globex = await slowReceiver(pauseMs / 2);
  const args = ["--clock", "frozen", "--start", "2026-03-01T09:00:00Z", "--seed", String(seed)];
  const { world, end } = await inZone(zone, () => startProcess(...args));
  await world.setPostbackUrl("acme", acme.url);
  await world.setPostbackUrl("globex", globex.url);
  const load = await MixedLoad.on(world, generator(42));
  for (let step = 0; step < STEPS; step++) {
    await load.run(1);
    // A call does not wait for what is in the air; whoever wants one order does.
    await world.settle();
  }
  await world.advance("idle");
  const journal = (await world.journal()).map((entry) => JSON.stringify(entry));
  await end("SIGTERM");
  return { journal, webhooks: [acme, globex].map(toldTo) };
}

/** What is started by then takes the zone for that of its machine. */
function inZone<Result>(zone: string, start: () => Result): Result {
  const own = process.env.TZ;
  process.env.TZ = zone;
  try {
    return start();
  } finally {
    if (own === undefined) delete process.env.TZ;
    else process.env.TZ = own;
  }
}

function toldTo({ received }: Receiver): string[] {
  return received.map(({ headers, text }) => {
    const own = Object.entries(headers).filter(([name]) => /^x-|^content-type$|^user-agent$/.test(name));
    return JSON.stringify([own, text]);
  });
}

function firstDifference(left: readonly string[], right: readonly string[]) {
  const length = Math.max(left.length, right.length);
  const index = Array.from({ length }).findIndex((_item, at) => left[at] !== right[at]);
  return index < 0 ? null : [index, left[index], right[index]];
}

test("a long mixed load in two processes: identical journals and webhooks, however slow the receivers are", async () => {
  const [first, second] = await Promise.all([
    play({ seed: 7, pauseMs: 0, zone: "America/Sao_Paulo" }),
    play({ seed: 7, pauseMs: 2, zone: "Asia/Kathmandu" }),
  ]);
  expect(firstDifference(first.journal, second.journal)).toBeNull();
  for (const [index, told] of first.webhooks.entries()) {
    expect(firstDifference(told, second.webhooks[index] ?? [])).toBeNull();
  }
  const kinds = new Set(first.journal.map((entry) => (JSON.parse(entry) as { kind: string }).kind));
  // It was a mixed one.
  expect([...kinds]).toEqual(
    expect.arrayContaining([
      "request",
      "control",
      "transition",
      "webhook.failed",
      "fault.injected",
      "step",
      "rule.fired",
    ]),
  );
  expect(first.webhooks.flat().length).toBeGreaterThan(60);
});

test("another seed gives other ids", async () => {
  const journals = await Promise.all(
    [7, 8].map(async (seed) => {
      const { world, end } = await startProcess(
        "--clock",
        "frozen",
        "--start",
        "2026-03-01T09:00:00Z",
        "--seed",
        String(seed),
      );
      const journal = JSON.stringify((await world.journal()).slice(1));
      await end("SIGTERM");
      return journal;
    }),
  );
  expect(journals[1]).not.toBe(journals[0]);
});
