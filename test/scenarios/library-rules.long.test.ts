/** No rule of the shipped scenarios is idle: without it, its story does not hold. */
import { expect, test } from "vitest";
import { parseDocument } from "yaml";
import { shipped, shippedNames } from "../../src/host/scenario-library.ts";
import { loadScenario } from "../../src/scenarios/loader.ts";
import { usePlayer } from "../support/runs.ts";

const play = usePlayer();

type Rule = ReturnType<typeof loadScenario>["content"]["rules"][number];

const steering = shippedNames().flatMap((name) => {
  const { text, file } = shipped(name);
  const { rules } = loadScenario(text, file).content;
  return rules.flatMap((rule, index) => (steers(name, rule) ? [{ name, text, file, index, rule: rule.name }] : []));
});

test.each(steering)("$name would not hold without the rule: $rule", async ({ text, file, index }) => {
  const document = parseDocument(text);
  document.deleteIn(["rules", index]);
  expect((await play(document.toString(), file)).verdict).toBe("fail");
});

/** Whether a story goes otherwise without a rule: not where it only says something, or keeps real time waiting. */
function steers(name: string, { then = [], inject, on }: Rule): boolean {
  if (inject) return inject.latency === undefined;
  // Where nobody pays, a charge expires by itself.
  if (name === "magic-values" && on === "cashin.created" && then[0]?.at === "expiry") return false;
  return then.some((step) => !("note" in step));
}
