/** Whatever the journal or the clock can hold has a sentence: a new kind without one fails here. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { entrySentences, tellEntry } from "../../src/insight/sentences/entry-sentences.ts";
import { timerSentences } from "../../src/insight/sentences/timer-sentences.ts";
import type { JournalEntry } from "../../src/store/journal.ts";
import { makeCharge } from "../support/charges.ts";
import { useSandbox } from "../support/sandbox.ts";
import { rule, scenario } from "../support/scenarios.ts";

const file = useSandbox();

const source = fileURLToPath(new URL("../../src", import.meta.url));
const texts = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => readFileSync(join(source, file), "utf8"));

/** What a pattern with one group finds in the sources, once each. */
function named(pattern: RegExp): string[] {
  return [...new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = ""]) => name)))].sort();
}

test("every kind of journal entry", () => {
  const kinds = named(/\b(?:record|write)\((?:\w+, )?"([a-z_]+(?:\.[a-z_]+)*)"/g);
  expect(kinds.length).toBeGreaterThan(12);
  for (const kind of kinds) expect(Object.keys(entrySentences)).toContain(kind);
});

test("every kind of timer", () => {
  const kinds = named(/\b[A-Z]+_TIMER = "([^"]+)"/g);
  expect(Object.keys(timerSentences).sort()).toEqual(kinds);
});

test("an answer that an exploration kept back is told in words, not by its kind alone", () => {
  const data = { webhook_id: "wh_1", event: "cashin.confirmed", attempt: 1, manual: false, status: null };
  const entry = { kind: "webhook.failed", data: { ...data, error: "answer_lost" } } as unknown as JournalEntry;
  const words = "the receiver took it, and the exploration kept its answer back (answer_lost)";
  expect(tellEntry(entry, undefined)).toContain(`failed: ${words}`);
});

test("words that end with a full stop of their own are not ended twice", async () => {
  const steps = [{ pay: {} }, { note: "The payer thinks better of it." }, { refund: { reason: "It was broken." } }];
  const world = await file.world({ scenarios: [scenario("stops", rule("cashin.created", steps))] });
  const id = await makeCharge(world);
  await world.advance("1s");
  const [webhook] = await world.webhooks({ event: "cashin.refunded" });
  const { summary, chain } = await world.explain(webhook?.body.data.transaction_id ?? "");
  expect(summary).toBe(`Refund of 150.00 BRL of the cash-in ${id}: It was broken.`);
  const told = chain.map(({ text }) => text).find((text) => text.includes("thinks better"));
  expect(told).toMatch(/ was carried out: The payer thinks better of it\.$/);
});

test.each([
  [[], "no scenario"],
  [["happy-path"], "the scenario happy-path"],
  [["happy-path", "magic-values"], "the scenarios happy-path, magic-values"],
])("a world that was made with %j tells so, in one or in many", async (scenarios, words) => {
  const { summary } = await (await file.world({ scenarios })).explain("1");
  expect(summary).toBe(`The world was made with seed 1 and ${words}.`);
});
