/** Creates a world: identity, clock, scenarios and accounts, in one transaction. */

import type { z } from "zod";
import type { ClockMode } from "../domain/clock-modes.ts";
import { type Settings, settingsSchema } from "../domain/settings.ts";
import { sentence } from "../domain/words/near-name.ts";
import { TO_BE_TOLD } from "../domain/words/told-issues.ts";
import { compiledRules } from "../scenarios/compiled-rules.ts";
import { fileWords } from "../scenarios/file-words.ts";
import { checkedFixtures } from "../scenarios/fixture-faults.ts";
import { keptScenario } from "../scenarios/loader.ts";
import { hasUnknownKeys, knownKeys, nearest } from "../scenarios/schema-words.ts";
import { scheduleTicks } from "../scenarios/ticks.ts";
import { type AccountSpec, balancesFault, openAccount } from "../service/accounts.ts";
import { postbackFault } from "../service/destinations.ts";
import type { Database } from "../store/database.ts";
import { MetaStore } from "../store/meta.ts";
import { ScenarioStore, type StoredScenario } from "../store/scenarios.ts";
import { Clock } from "../world/clock.ts";
import type { Fixtures } from "../world/fixtures.ts";
import { writeIdentity } from "../world/identity.ts";
import type { Instant } from "../world/instants.ts";
import { World } from "../world/world.ts";
import { CreationError } from "./start-errors.ts";

/** The default start of a frozen clock (interface, section 3a). */
export const DEFAULT_START = "2026-01-01T12:00:00.000Z";

/** A scenario file as text. */
export interface ScenarioSource {
  readonly file: string;
  readonly text: string;
}

/** Everything that determines a fresh world. */
export interface WorldSpec {
  readonly id: string;
  readonly seed: number;
  readonly clock: { readonly mode: ClockMode; readonly speed: number; readonly start: Instant };
  readonly settings: Settings;
  readonly scenarios: readonly ScenarioSource[];
  readonly accounts: readonly AccountSpec[] | null;
  /** The webhook destination of the default account. */
  readonly postback_url: string | null;
}

const SPEC_KEY = "spec";

/** Stores what a world is made from, for resets and bundles. */
export function keepSpec(meta: MetaStore, spec: WorldSpec): void {
  meta.set(SPEC_KEY, spec);
}

/** The stored spec of a world, with its present id; undefined if there is none. */
export function keptSpec(world: World): WorldSpec | undefined {
  const spec = world.meta.get<WorldSpec>(SPEC_KEY);
  return spec && { ...spec, id: world.id };
}

/**
 * Parses the settings that a user wrote for a world.
 * @throws {CreationError} which names the first wrong setting and what would be right.
 */
export function readSettings(given: unknown): Settings {
  const result = settingsSchema.safeParse(given ?? {}, { ...TO_BE_TOLD, jitless: true });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const fault = issue ? settingFault(issue) : "settings cannot be read";
  throw new CreationError(sentence(fault));
}

function settingFault(issue: z.core.$ZodIssue): string {
  const path = ["settings", ...issue.path].join(".");
  if (!hasUnknownKeys(issue)) return `${path} ${fileWords(issue)}`;
  const [key = ""] = issue.keys;
  return `unknown setting "${path}.${key}"${nearest(key, knownKeys(settingsSchema, issue.path))}`;
}

/** How many faults of the data for `fixtures/` one message tells. */
const MOST_FAULTS = 5;

/**
 * Fills an empty database with a new world.
 * @throws {CreationError} @throws {ScenarioError}
 */
export function createWorld(database: Database, spec: WorldSpec): void {
  const { fixtures, faults } = checkedFixtures(spec.settings.fixtures, "settings.fixtures");
  if (faults.length > 0) {
    const told = faults.slice(0, MOST_FAULTS).map(({ message }) => message);
    const more = faults.length > MOST_FAULTS ? [`and ${faults.length - MOST_FAULTS} more`] : [];
    throw new CreationError(sentence([...told, ...more].join("; ")));
  }
  const loaded = spec.scenarios.map((source) => ({ source, scenario: keptScenario(source.text, source.file) }));
  database.transaction(() => {
    const meta = new MetaStore(database);
    writeIdentity(meta, {
      id: spec.id,
      seed: spec.seed,
      settings: spec.settings,
      scenarios: loaded.map(({ scenario }) => scenario.content.scenario),
      created_at: spec.clock.start,
    });
    keepSpec(meta, spec);
    Clock.create(meta, spec.clock.mode, spec.clock.speed, spec.clock.start);
    const scenarios = new ScenarioStore(database);
    for (const { source, scenario } of loaded) {
      const { file, text } = source;
      scenarios.put({ name: scenario.content.scenario, file, source: text, loaded_at: spec.clock.start });
    }
    const accounts = spec.accounts ?? defaultAccounts(fixtures);
    begin(new World(database), accounts, spec, scenarios.all());
  });
}

/** The first operation of a world: opens its accounts, and schedules the `every` and `at` rules of its scenarios. */
function begin(world: World, accounts: readonly AccountSpec[], spec: WorldSpec, scenarios: StoredScenario[]): void {
  world.operate((operation) => {
    const created = operation.record("world.created", null, { seed: spec.seed, scenarios: world.identity.scenarios });
    const caused = operation.because(created);
    accounts.forEach((account, index) => {
      const postback_url = account.postback_url ?? (index === 0 ? spec.postback_url : null);
      const isOwn = postback_url !== spec.postback_url;
      checkAccount(world, { ...account, postback_url }, isOwn ? `accounts.${index}.postback_url` : "postback_url");
      checkBalances(
        world,
        account,
        spec.accounts ? `accounts.${index}.balances` : "settings.fixtures.accounts.balances",
      );
      openAccount(caused, { ...account, postback_url });
    });
    for (const { source, file, loaded_at } of scenarios) {
      scheduleTicks(caused, compiledRules({ content: keptScenario(source, file), loaded_at }));
    }
  }, spec.clock.start);
}

/** @param urlPlace the path under which the user gave the URL. @throws {CreationError} */
function checkAccount(world: World, { username, postback_url = null }: AccountSpec, urlPlace: string): void {
  if (world.accounts.get(username)) throw new CreationError(`accounts: ${username} is named twice.`);
  const fault = postbackFault(world, postback_url);
  if (fault) throw new CreationError(sentence(`${urlPlace} ${fault}`));
}

/** @param where the path under which the user gave the balances. @throws {CreationError} */
function checkBalances(world: World, account: AccountSpec, where: string): void {
  const fault = balancesFault(world, account);
  if (fault) throw new CreationError(`${where}.${fault}.`);
}

/** The default accounts, without balances in currencies that the world's own fixtures leave out. */
function defaultAccounts({ currencies, accounts: { accounts, balances } }: Fixtures): AccountSpec[] {
  const known = currencies.map(({ currency }) => currency);
  const own = Object.fromEntries(Object.entries(balances).filter(([currency]) => known.includes(currency)));
  return accounts.map((account) => ({ ...account, balances: own }));
}
