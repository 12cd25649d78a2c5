import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Bundle } from "../../src/history/bundle.ts";
import { readBundle } from "../../src/history/bundle.ts";
import { replay } from "../../src/history/replay.ts";
import { playersOf } from "../../src/http/players.ts";
import { changesOf } from "../../src/runs/exploration/changes.ts";
import { Plans } from "../../src/runs/exploration/plans.ts";
import { smallest } from "../../src/runs/exploration/smallest.ts";
import { type ExploreOptions, exploreScenario } from "../../src/runs/explore.ts";
import { withRemarks } from "../../src/runs/remarks.ts";
import { type RunOptions, runScenario } from "../../src/runs/run.ts";
import type { Send } from "../../src/webhooks/delivery.ts";
import { testFolder } from "../support/folder.ts";
import { startReceiver } from "../support/receiver.ts";
import { throwFault, useNetwork } from "../support/runs.ts";
import { type SampleMerchant, startSampleMerchant } from "../support/sample-merchant.ts";

const network = useNetwork();

/** Two sales; the first one is paid, then refunded ten seconds later. */
function sales(more = ""): { file: string; text: string } {
  const text = `
scenario: sales
rules:
  - on: cashin.created
    where: { external_id: order-1 }
    then: [{ after: 5s, pay: {} }, { after: 10s, refund: {} }]
  - on: cashin.created
    then: [{ after: 8s, pay: {} }]
${more}
merchant:
  - call: POST /v2/transactions/cashin
    body: { currency: BRL, amount: 150, external_id: order-1 }
  - call: POST /v2/transactions/cashin
    body: { currency: BRL, amount: 20, external_id: order-2 }
expect:
  - event: cashin.refunded
  - name: every payment is delivered at the first attempt
    webhook: cashin.confirmed
    where: { attempts: 1 }
    count: { gte: 1 }
`;
  return { file: "sales.yaml", text };
}

/** A scenario without its expectations. */
function undemanding({ file, text } = sales()): { file: string; text: string } {
  return { file, text: text.split("expect:")[0] ?? "" };
}

function runOptions(url: string): RunOptions {
  return { postbackUrl: url, send: network.send, onFault: throwFault };
}

/** Explores against a merchant that is reset before each play, and whose books are looked at after it. */
async function explore(merchant: SampleMerchant, options: Partial<ExploreOptions> = {}, source = sales()) {
  const bundles: Bundle[] = [];
  const keep = (bundle: Bundle, name: string) => {
    bundles.push(bundle);
    return `${name}.json`;
  };
  const all = { ...runOptions(merchant.hookUrl), variations: 50, ...receiverOf(merchant), keep, ...options };
  const result = await exploreScenario(source, all);
  const exploration = result.exploration;
  if (!exploration) throw new Error("The result tells of no exploration.");
  return { result, exploration, bundles };
}

/** A merchant that is not reset between plays. */
function unforgetting(merchant: SampleMerchant): ExploreOptions["receiver"] {
  return { url: merchant.hookUrl, reset: null, verify: async () => merchant.books() };
}

function receiverOf(merchant: SampleMerchant): Pick<ExploreOptions, "receiver"> {
  const reset = async () => {
    merchant.reset();
    return null;
  };
  return { receiver: { url: merchant.hookUrl, reset, verify: async () => merchant.books() } };
}

/** What the last expectation says: it stands for the exploration. */
const toldIn = ({ expectations }: { expectations: readonly { detail: string }[] }) => expectations.at(-1)?.detail;

test("a careful merchant takes fifty variations", async () => {
  await using merchant = await startSampleMerchant();
  const { result, exploration, bundles } = await explore(merchant);
  expect(exploration).toEqual({ verdict: "pass", variations: 50, failure: null });
  expect(result.verdict).toBe("pass");
  expect(result.expectations.at(-1)).toMatchObject({ text: "holds under 50 variations of delivery", verdict: "pass" });
  expect(bundles).toEqual([]);
});

describe("a merchant's mistake is found, and told as the smallest order that shows it", () => {
  test.each([
    {
      mistake: { creditsTwice: true },
      change: /^cashin\.confirmed evt_\w+ is delivered twice$/,
      came: ["cashin.confirmed 200", "cashin.confirmed 200"],
      rule: { delivery: "cashin.confirmed", inject: { duplicate: 1 } },
    },
    {
      mistake: { trustsOrder: true },
      change: /^cashin\.confirmed evt_\w+ is delivered 10s1ms late, after cashin\.refunded evt_\w+$/,
      came: ["cashin.confirmed 200", "cashin.refunded 200", "cashin.confirmed 200"],
      rule: { delivery: "cashin.confirmed", inject: { delay: "10s1ms" } },
    },
    {
      mistake: { trustsStatus: true },
      change: /^cashin\.confirmed evt_\w+ is delivered 3 times more: the first 3 answers are lost$/,
      came: [
        ...Array(2).fill("cashin.confirmed 200 lost"),
        "cashin.confirmed 200",
        "cashin.confirmed 200 lost",
        "cashin.refunded 200",
        "cashin.confirmed 200",
      ],
      rule: null,
    },
  ])("$mistake", async ({ mistake, change, came, rule }) => {
    await using merchant = await startSampleMerchant(mistake);
    const { result, exploration, bundles } = await explore(merchant);
    const { failure } = exploration;
    expect(result.verdict).toBe("fail");
    expect(failure?.changes).toEqual([expect.stringMatching(change)]);
    expect(failure?.arrivals.map(shortly)).toEqual(came);
    expect(failure?.faults).toEqual([expect.stringMatching(/^order-1 was credited \d+ instead of 0 cents\.$/)]);
    expect(toldIn(result)).toContain(failure?.changes[0]);
    expect(failure?.bundle).toBe("sales.json");

    expect(bundles).toHaveLength(1);
    const bundle = readBundle(JSON.parse(JSON.stringify(bundles[0])));
    const { outcome } = await replay(bundle, playersOf(throwFault));
    expect(outcome).toMatchObject({ identical: true, difference: null });

    if (rule === null) return expect(failure?.scenario).toBeNull();
    const { delivery, inject } = rule;
    const [[name, value]] = Object.entries(inject) as [[string, unknown]];
    expect(failure?.scenario).toContain(
      `  - delivery: ${delivery}\n    times: 1\n    inject:\n      ${name}: ${value}\n`,
    );
    merchant.reset();
    const beneath = [{ file: "by-hand.yaml", text: failure?.scenario ?? "" }];
    await runScenario(sales(), { ...runOptions(merchant.hookUrl), beneath });
    expect(merchant.books()).toMatch(/^order-1 was credited/);
  });
});

/** `cashin.confirmed 200`, with `lost` where the answer was. */
function shortly({ event, text }: { event: string; text: string }): string {
  return `${event} ${/answered (\d+)/.exec(text)?.[1]}${text.endsWith("lost") ? " lost" : ""}`;
}

test("a webhook that is refused because of its order is found without any look at the books", async () => {
  await using merchant = await startSampleMerchant({ refusesEarlyRefunds: true });
  const { receiver } = receiverOf(merchant);
  const { exploration } = await explore(merchant, { receiver: { ...receiver, verify: null } });
  const { failure } = exploration;
  expect(failure?.changes).toEqual([expect.stringMatching(/^cashin\.confirmed evt_\w+ is delivered 10s1ms late/)]);
  expect(failure?.faults).toEqual([expect.stringMatching(/^cashin\.refunded evt_\w+ was answered 409\.$/)]);
});

test("the same seed finds the same", async () => {
  await using merchant = await startSampleMerchant({ trustsOrder: true });
  const first = await explore(merchant, { seed: 7 });
  expect(first.result).toMatchObject({ verdict: "fail", seed: 7 });
  expect((await explore(merchant, { seed: 7 })).result).toEqual(first.result);
});

test("the greatest seed is taken as it is given; behind it, plays go on from 0", async () => {
  const seed = Number.MAX_SAFE_INTEGER;
  await using careful = await startSampleMerchant();
  expect((await explore(careful, { seed, variations: 1 })).result).toMatchObject({ verdict: "pass", seed });
  await using careless = await startSampleMerchant({ creditsTwice: true });
  const chances = sales("  - { on: cashin.confirmed, chance: 50%, then: [{ note: drawn }] }");
  const { failure } = (await explore(careless, { seed, receiver: unforgetting(careless) }, chances)).exploration;
  expect(failure?.seed).toBe((failure?.variation ?? 0) - 1);
});

test("where the run without any change fails, that is said and kept, and nothing is varied", async () => {
  await using merchant = await startSampleMerchant();
  const verify = async () => "GET /books answered 500";
  const receiver = { url: merchant.hookUrl, reset: null, verify };
  const { result, exploration, bundles } = await explore(merchant, { receiver });
  expect(exploration).toMatchObject({
    verdict: "fail",
    variations: 0,
    failure: { variation: 0, bundle: "sales.json" },
  });
  expect(toldIn(result)).toBe(
    "nothing was varied: the run without any change fails already\n  GET /books answered 500.\nkept as sales.json, for payments-sandbox replay",
  );
  expect(bundles).toHaveLength(1);
  const { outcome } = await replay(readBundle(JSON.parse(JSON.stringify(bundles[0]))), playersOf(throwFault));
  expect(outcome).toMatchObject({ identical: true, difference: null });
});

test("a receiver that takes no webhook at all is no receiver to vary webhooks for", async () => {
  await using receiver = await startReceiver(404);
  await using merchant = await startSampleMerchant();
  const options = { ...runOptions(receiver.url), receiver: { url: receiver.url, reset: null, verify: null } };
  const { result, exploration, bundles } = await explore(merchant, options, undemanding());
  expect(result.verdict).toBe("fail");
  expect([exploration.failure?.bundle, bundles.length]).toEqual(["sales.json", 1]);
  expect(toldIn(result)).toMatch(
    /^nothing was varied: .*\n {2}cashin\.confirmed evt_\w+ was given up: the last attempt was answered 404\.\n/,
  );
});

test("a receiver that refuses one event for good does not hold, and each that was given up is named", async () => {
  await using receiver = await startReceiver(({ body }, response) => {
    response.writeHead(body.event === "cashin.confirmed" ? 500 : 200).end();
  });
  await using merchant = await startSampleMerchant();
  const options = { ...runOptions(receiver.url), receiver: { url: receiver.url, reset: null, verify: null } };
  const { result, exploration } = await explore(merchant, options, undemanding());
  expect(result.verdict).toBe("fail");
  const fault = expect.stringMatching(/^cashin\.confirmed evt_\w+ was given up: the last attempt was answered 500\.$/);
  expect(exploration).toMatchObject({ variations: 0, failure: { variation: 0, faults: [fault, fault] } });
});

test("webhooks that were refused at first only are not varied, which is remarked on", async () => {
  const known = new Set<string>();
  await using receiver = await startReceiver(({ headers, body }, response) => {
    const id = String(headers["x-webhook-id"]);
    response.writeHead(body.event === "cashin.confirmed" && !known.has(id) ? 503 : 200).end();
    known.add(id);
  });
  await using merchant = await startSampleMerchant();
  const options = { ...runOptions(receiver.url), receiver: { url: receiver.url, reset: null, verify: null } };
  const { result, exploration } = await explore(merchant, { ...options, variations: 3 }, undemanding());
  expect(exploration).toMatchObject({ verdict: "pass", variations: 3, refused: { "cashin.confirmed": 2 } });
  expect(withRemarks(result, { postbackUrl: receiver.url, isVerified: true, isReset: true }).remarks).toEqual([
    "not varied, as the receiver refused them without any change: 2 cashin.confirmed",
  ]);
});

test("a receiver that refuses every webhook at first, and takes it then, holds, though nothing can be varied", async () => {
  const known = new Set<string>();
  await using receiver = await startReceiver(({ headers }, response) => {
    const id = String(headers["x-webhook-id"]);
    response.writeHead(known.has(id) ? 200 : 503).end();
    known.add(id);
  });
  await using merchant = await startSampleMerchant();
  const options = { ...runOptions(receiver.url), receiver: { url: receiver.url, reset: null, verify: null } };
  const { result, exploration } = await explore(merchant, options, undemanding());
  expect(exploration).toEqual({
    verdict: "pass",
    variations: 0,
    failure: null,
    refused: { "cashin.confirmed": 2, "cashin.refunded": 1 },
  });
  expect(toldIn(result)).toBe("the receiver refused each at first");
});

test("a webhook that was refused at first without any change is known again where a change alters the order of events", async () => {
  const seen = new Set<string>();
  await using receiver = await startReceiver(({ body }, response) => {
    // Always the first attempt of one refund, whatever came before.
    const isRefused = body.event === "cashin.refunded" && body.data.external_id === "order-2" && !seen.has("order-2");
    if (isRefused) seen.add("order-2");
    response.writeHead(isRefused ? 503 : 200).end();
  });
  await using merchant = await startSampleMerchant();
  const reset = async () => {
    seen.clear();
    return null;
  };
  const text = `
scenario: chain
rules:
  - on: cashin.created
    then: [{ after: 5s, pay: {} }]
  - on: webhook.delivered
    where: { event: cashin.confirmed }
    then: [{ after: 10s, refund: {} }]
merchant:
${[1, 2, 3].map((n) => `  - call: POST /v2/transactions/cashin\n    body: { currency: BRL, amount: 20, external_id: order-${n} }\n`).join("")}`;
  const options = { ...runOptions(receiver.url), receiver: { url: receiver.url, reset, verify: null } };
  const { exploration } = await explore(merchant, { ...options, variations: 30 }, { file: "chain.yaml", text });
  expect(exploration).toEqual({ verdict: "pass", variations: 30, failure: null, refused: { "cashin.refunded": 1 } });
});

test("without a reset, what fails where rules draw by chance is not made smaller, and its seed is told", async () => {
  await using merchant = await startSampleMerchant({ creditsTwice: true });
  const chances = sales("  - { on: cashin.confirmed, chance: 50%, then: [{ note: drawn }] }");
  const { result, exploration } = await explore(merchant, { receiver: unforgetting(merchant) }, chances);
  const { failure } = exploration;
  expect(failure?.note).toMatch(/^its rules draw by chance, anew in each play without --reset-url/);
  expect(failure?.seed).toBe(1 + (failure?.variation ?? 0));
  if (failure?.scenario) expect(toldIn(result)).toContain(`run with --seed ${failure.seed}:`);
});

test("webhooks that are given up elsewhere are not laid at the receiver's door", async () => {
  await using merchant = await startSampleMerchant();
  const { file, text } = undemanding();
  const destined = text.replace("order-2 }", 'order-2, postback_url: "http://127.0.0.1:9/hook" }');
  const { exploration } = await explore(merchant, { variations: 5 }, { file, text: destined });
  expect(exploration).toEqual({ verdict: "pass", variations: 5, failure: null });
});

test("a receiver that refuses the wrong sender of a rule does nothing wrong", async () => {
  await using merchant = await startSampleMerchant();
  const strangers = undemanding(sales('  - { delivery: "*", inject: { source: 127.0.0.66 } }'));
  const send: Send = async (request) => {
    const result = await network.send(request);
    return request.sourceAddress === undefined ? result : { ...result, outcome: "refused", status: 403 };
  };
  const { result, exploration } = await explore(merchant, { send }, strangers);
  expect(exploration).toEqual({ verdict: "pass", variations: 0, failure: null });
  expect(toldIn(result)).toBe("rules of its own strike every webhook");
});

test("where no webhook goes to the receiver, that is said", async () => {
  await using merchant = await startSampleMerchant();
  const source = { file: "none.yaml", text: "scenario: none\nmerchant:\n  - advance: 1d\n" };
  const { result } = await explore(merchant, {}, source);
  expect(result.expectations).toMatchObject([
    { text: "there is no delivery to vary: no webhook goes to the receiver", verdict: "pass" },
  ]);
});

test("what stays in the books without a reset is told as it was found, with the reason", async () => {
  await using merchant = await startSampleMerchant({ creditsTwice: true });
  const receiver = { url: merchant.hookUrl, reset: null, verify: async () => merchant.books() };
  const { exploration, bundles } = await explore(merchant, { receiver });
  expect(exploration.failure?.note).toMatch(
    /^now the run without any change fails too, so it was not made smaller: order-1 was credited/,
  );
  expect(exploration.failure?.changes.length).toBeGreaterThan(0);
  expect(bundles).toHaveLength(1);
});

test("without a reset no id comes twice: a merchant that remembers webhooks does not hide its mistake", async () => {
  const hooks: string[] = [];
  await using receiver = await startReceiver((request, response) => {
    hooks.push(String(request.headers["x-webhook-id"]));
    response.writeHead(200).end();
  });
  await using merchant = await startSampleMerchant();
  const options = { ...runOptions(receiver.url), receiver: { url: receiver.url, reset: null, verify: null } };
  const { result } = await explore(merchant, { ...options, variations: 5 });
  expect(new Set(hooks).size).toBe(6 * 3);
  expect(result.expectations.at(-1)?.text).toBe(
    "holds under 5 variations of delivery, the receiver not being reset between them",
  );
});

test("what was found is kept where the receiver goes away meanwhile", async () => {
  await using merchant = await startSampleMerchant({ creditsTwice: true });
  let plays = 0;
  const reset = async () => {
    if (merchant.books() !== null) plays = Number.NaN;
    merchant.reset();
    return Number.isNaN(plays) ? "POST /reset was not answered" : null;
  };
  const receiver = { url: merchant.hookUrl, reset, verify: async () => merchant.books() };
  const { exploration, bundles } = await explore(merchant, { receiver });
  expect(exploration.failure?.note).toBe(
    "it was not made smaller any further: The receiver could not be reset: POST /reset was not answered.",
  );
  expect(bundles).toHaveLength(1);
});

test("a scenario's own delivery rules strike what they struck before", async () => {
  await using merchant = await startSampleMerchant();
  const drops = sales("  - { delivery: cashin.confirmed, skip: 1, times: 1, inject: { drop: true } }");
  const { exploration } = await explore(merchant, { variations: 20 }, drops);
  expect(exploration).toEqual({ verdict: "pass", variations: 20, failure: null });
  expect([...merchant.toldOf]).toEqual(["order-1"]);
});

test("what is printed is a scenario to be named before all others, and reproduces a story with rules beneath it", async () => {
  await using merchant = await startSampleMerchant({ creditsTwice: true });
  const rules = "rules:\n  - { delivery: cashin.confirmed, times: 1, inject: { delay: 3s } }\n";
  const folder = testFolder({ "flaky.yaml": `scenario: flaky\n${rules}` });
  const story = { ...sales("with: [flaky.yaml]"), folder };
  const { result, exploration } = await explore(merchant, {}, story);
  const { scenario, faults } = exploration.failure ?? {};
  expect(toldIn(result)).toContain('as a scenario, for another one to name first under "with" and run with --seed 1:');
  writeFileSync(join(folder, "printed.yaml"), scenario ?? "");
  merchant.reset();
  const again = { ...sales("with: [printed.yaml, flaky.yaml]"), folder };
  await runScenario(again, runOptions(merchant.hookUrl));
  expect([`${merchant.books()}.`]).toEqual(faults);
});

test("a few webhooks can be varied in a few ways only; then all are tried", async () => {
  await using merchant = await startSampleMerchant();
  const drops = sales(
    "  - { delivery: cashin.refunded, inject: { drop: true } }\n  - { delivery: cashin.confirmed, skip: 1, inject: { drop: true } }",
  );
  const { result, exploration } = await explore(merchant, {}, drops);
  const ways = changesOf({ event: "cashin.confirmed", nth: 0 }, 5_000, [8_000, 15_000]).length;
  expect(exploration.variations).toBe(ways);
  expect(result.expectations.at(-1)?.text).toBe(`holds under all ${ways} variations of delivery that there are`);
});

test("an expectation that changes of delivery break by themselves is not laid at the merchant's door", async () => {
  await using merchant = await startSampleMerchant();
  const strict = { file: "strict.yaml", text: sales().text.replace("count: { gte: 1 }", "count: 2") };
  const { exploration } = await explore(merchant, { variations: 20 }, strict);
  expect(exploration).toMatchObject({ verdict: "pass", variations: 20 });
});

test("an expectation that the changes break by themselves is named beside what the receiver did wrong", async () => {
  await using merchant = await startSampleMerchant({ creditsTwice: true });
  const strict = { file: "strict.yaml", text: sales().text.replace("count: { gte: 1 }", "count: 2") };
  const { result, exploration } = await explore(merchant, { variations: 20 }, strict);
  const [text = ""] = exploration.failure?.unjudged ?? [];
  expect(text).toContain("every payment is delivered at the first attempt");
  expect(withRemarks(result, { postbackUrl: merchant.hookUrl, isVerified: true, isReset: true }).remarks).toContain(
    `not judged, as the changes themselves make it fail: ${text}`,
  );
});

test("a scenario may itself be named exploration-1, as one that was printed is", async () => {
  await using merchant = await startSampleMerchant({ creditsTwice: true });
  const named = { file: "named.yaml", text: sales().text.replace("scenario: sales", "scenario: exploration-1") };
  const { exploration } = await explore(merchant, {}, named);
  expect(exploration.failure?.changes).toHaveLength(1);
  expect(exploration.failure?.scenario).toMatch(/^scenario: another-exploration-\d+\n/);
});

test("plans follow from the seed, and none is drawn twice", () => {
  const choices = [0, 5_000, 15_000].map((at, nth) =>
    changesOf({ event: "cashin.confirmed", nth }, at, [5_000, 15_000]),
  );
  const drawn = (seed: number) => {
    const plans = new Plans(seed, choices);
    return Array.from({ length: 100 }, (_value, index) => JSON.stringify(plans.draw(index + 1)));
  };
  expect(drawn(1)).toEqual(drawn(1));
  expect(drawn(1)).not.toEqual(drawn(2));
  expect(new Set(drawn(1)).size).toBe(100);
});

test("every plan that there is gets its turn", () => {
  const choices = [0, 5_000, 15_000].map((at, nth) =>
    changesOf({ event: "cashin.confirmed", nth }, at, [5_000, 15_000]),
  );
  const all = choices.reduce((product, changes) => product * (changes.length + 1), 1) - 1;
  const plans = new Plans(1, choices);
  const drawn = Array.from({ length: all }, (_value, index) => JSON.stringify(plans.draw(index + 1)));
  expect(new Set(drawn).size).toBe(all);
  expect(drawn).not.toContain("null");
  expect(plans.draw(all + 1)).toBeNull();
});

test("the smallest failing list is what fails and no less", async () => {
  const played: string[] = [];
  const fails = async (items: readonly number[]) => {
    played.push(items.join());
    return items.some((item) => item >= 20 && item < 30) && items.some((item) => item >= 41) ? items.join() : null;
  };
  const simpler = (item: number) => Array.from({ length: item % 10 }, (_value, index) => item - (item % 10) + index);
  const items = [13, 25, 37, 45, 58];
  expect(await smallest({ items, outcome: "all" }, simpler, fails)).toEqual({ items: [20, 50], outcome: "20,50" });
  expect(new Set(played).size).toBe(played.length);
});
