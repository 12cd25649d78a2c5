/** `startSandbox` refuses what the command line and `POST /worlds` refuse, with the nearest right word. */

import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  CreationError,
  ListenError,
  ScenarioError,
  ScenarioSourceError,
  type StartOptions,
  StoreError,
  startSandbox,
} from "../../src/index.ts";
import { loadFixtures } from "../../src/world/fixtures.ts";
import { testFolder } from "../support/folder.ts";

test.each([
  [{ seed: "abc" }, 'seed must be a whole number from 0 to 9007199254740991, not "abc".'],
  [{ seed: Number.NaN }, "not NaN."],
  [{ seed: 1.5 }, "not 1.5."],
  [{ seed: -1 }, "not -1."],
  [{ port: 99_999 }, "port must be a whole number from 0 to 65535, not 99999."],
  [{ webhookTimeoutMs: -5 }, "webhookTimeoutMs must be a whole number from 1 to 600000, not -5."],
  [{ webhookConcurrency: 0 }, "webhookConcurrency must be a whole number from 1 to 1000, not 0."],
  [{ postback_url: "sandbox://inbox" }, 'has no option "postback_url"; did you mean "postbackUrl"?'],
  [
    { postbackUrl: "hook" },
    'postbackUrl must be an https URL, or on a local host an http URL such as http://localhost:3000/webhooks, not "hook".',
  ],
  [{ clock: { mode: "running" } }, 'has no option "clock": the clock of its default world stands still'],
  [{ settings: { protectons: "off" } }, 'unknown setting "settings.protectons"; did you mean "protections"?'],
  [{ settings: { webhook_rate: 0 } }, "settings.webhook_rate must be at least 1."],
  [{ scenarios: "happy-path" }, 'scenarios must be a list, not "happy-path".'],
  [{ scenarios: [true] }, "scenarios: each must be a text or an object"],
  [{ start: "2026-01-01" }, "start must be an ISO 8601 instant with a zone, from 1970 to the year 9999, such as "],
  [{ start: "1969-01-01T00:00:00Z" }, 'such as 2026-01-01T12:00:00Z, not "1969-01-01T00:00:00Z".'],
  [{ data: "" }, "data must not be empty"],
  [{ trustProxy: "yes" }, "trustProxy must be true or false"],
  [{ webhookSourceIpv4: "300.1.1.1" }, 'webhookSourceIpv4 must be an IPv4 address of this machine, not "300.1.1.1".'],
  [{ webhookSourceIpv6: "127.0.0.1" }, 'webhookSourceIpv6 must be an IPv6 address of this machine, not "127.0.0.1".'],
  [{ webhookSourceIpv4: "0.0.0.0" }, "webhookSourceIpv4 0.0.0.0 cannot be sent from: "],
])("%j", async (options, words) => {
  await expect(startSandbox(options as StartOptions)).rejects.toThrow(words);
});

test("what is undefined is left out, and scenarios are loaded with those beneath and what they want of their world", async () => {
  const scenario = { scenario: "own", with: ["happy-path"], seed: 7, settings: { protections: "off" } };
  await using sandbox = await startSandbox({ port: undefined as never, scenarios: [scenario] });
  const { seed, settings, scenarios } = await (await sandbox.defaultWorld()).info();
  expect({ seed, scenarios }).toEqual({ seed: 7, scenarios: ["happy-path", "own"] });
  expect(settings.protections).toBe("off");
});

test("what keeps it from starting is told by classes of the package", async () => {
  await using running = await startSandbox();
  const refusals: [StartOptions, abstract new (...args: never[]) => Error][] = [
    [{ port: Number(new URL(running.baseUrl).port) }, ListenError],
    [{ data: fileURLToPath(import.meta.url) }, StoreError],
    [{ start: "yesterday" }, CreationError],
    [{ scenarios: ["happy-pat"] }, ScenarioSourceError],
    [{ scenarios: [{ scenario: "x", rulez: [] }] }, ScenarioError],
  ];
  for (const [options, kind] of refusals) await expect(startSandbox(options)).rejects.toBeInstanceOf(kind);
});

test("options that a default world of an earlier start does not go by are named in a warning of the process", async () => {
  const warned = vi.spyOn(process, "emitWarning").mockReturnValue();
  onTestFinished(() => warned.mockRestore());
  const data = testFolder();
  const own = { scenario: "own", rules: [] };
  const first: StartOptions = { data, seed: 4, start: "2026-01-01T00:00:00Z", scenarios: ["happy-path", own] };
  for (const options of [first, first, { data }]) await (await startSandbox(options)).stop();
  expect(warned).not.toHaveBeenCalled();

  const settings = { protections: "off" } as const;
  const second = { data, seed: 5, settings, scenarios: ["happy-path"], postbackUrl: "http://localhost:3000/hooks" };
  await (await startSandbox(second)).stop();
  const told =
    "startSandbox: the world default is there already and stays as it was made: seed, settings, scenarios, postbackUrl " +
    "made no difference; give another data folder for another world.";
  expect(warned.mock.calls).toEqual([[told]]);
});

test("settings that are in force in a default world of an earlier start are not named", async () => {
  const warned = vi.spyOn(process, "emitWarning").mockReturnValue();
  onTestFinished(() => warned.mockRestore());
  const data = testFolder();
  const own = { scenario: "own", settings: { duplicate_status: 422 }, rules: [] };
  const settings = { fixtures: { terms: { ...loadFixtures().terms } } };
  await (await startSandbox({ data, scenarios: [own], settings })).stop();
  const turned = { fixtures: { terms: Object.fromEntries(Object.entries(settings.fixtures.terms).reverse()) } };
  const otherDigits = { ...settings.fixtures.terms, conversion_spread_percentage: "0.5" };
  const inForce: StartOptions["settings"][] = [{}, turned, { duplicate_status: 422 }, { quote_ttl: "1m" }];
  inForce.push({ fixtures: { terms: otherDigits } });
  for (const each of inForce) await (await startSandbox({ data, settings: each })).stop();
  expect(warned).not.toHaveBeenCalled();
  const others: StartOptions["settings"][] = [{ duplicate_status: 409 }, { quote_ttl: "61s" }];
  others.push({ fixtures: { terms: { ...otherDigits, conversion_spread_percentage: "0.05" } } });
  for (const each of others) await (await startSandbox({ data, settings: each })).stop();
  expect(warned.mock.calls).toEqual(
    others.map(() => [expect.stringContaining("as it was made: settings made no difference")]),
  );
});
