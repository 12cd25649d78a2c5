/** What a fresh world is made from: what its maker gives, else what its scenarios wish for, else the defaults. */

import type { ClockMode } from "../domain/clock-modes.ts";
import { overlaidSettings } from "../domain/settings.ts";
import { loadScenario } from "../scenarios/loader.ts";
import { type Instant, instantOf } from "../world/instants.ts";
import { DEFAULT_START, type ScenarioSource, type WorldSpec } from "./creation.ts";
import type { FoundScenario } from "./scenario-texts.ts";
import { withBeneath } from "./scenarios-beneath.ts";

/** The default seed of a world (interface, section 3a). */
export const DEFAULT_SEED = 1;

/** The default speed of a clock: seconds of the world per real second. */
export const DEFAULT_SPEED = 1;

/** What scenarios ask of the world that they are loaded into; of several, the last one counts. */
export function wishesOf(sources: readonly ScenarioSource[]) {
  const contents = sources.map(({ text, file }) => loadScenario(text, file).content);
  const last = <Key extends "seed" | "clock" | "accounts">(key: Key) =>
    contents.map((content) => content[key]).findLast((value) => value !== undefined);
  const settings = overlaidSettings(...contents.map((content) => content.settings));
  return {
    settings,
    seed: last("seed"),
    clock: last("clock"),
    accounts: last("accounts") as WorldSpec["accounts"] | undefined,
  };
}

/** The settings of a run: those of a scenario, over those of the scenarios beneath it. */
export function settingsOfRun(source: FoundScenario): Readonly<Record<string, unknown>> {
  return wishesOf(withBeneath([source])).settings;
}

type Wishes = ReturnType<typeof wishesOf>;

/** What the maker of a world gives; its settings and scenarios are read already, its instant is checked. */
interface Given extends Pick<WorldSpec, "id" | "settings" | "scenarios"> {
  readonly seed?: number | undefined;
  readonly clock?: Wishes["clock"];
  readonly accounts?: WorldSpec["accounts"] | undefined;
  readonly postback_url?: string | null | undefined;
}

/** The clock of a world of which nothing else is said. */
const frozen = () => ({ mode: "frozen", start: instantOf(DEFAULT_START) }) as const;

/** The spec of a fresh world. @param clock what holds if neither the maker nor the scenarios say more. */
export function worldSpecOf(
  given: Given,
  wishes: Pick<Wishes, "seed" | "clock" | "accounts">,
  clock: { readonly mode: ClockMode; readonly start: Instant } = frozen(),
): WorldSpec {
  const start = given.clock?.start ?? wishes.clock?.start;
  return {
    id: given.id,
    seed: given.seed ?? wishes.seed ?? DEFAULT_SEED,
    clock: {
      mode: given.clock?.mode ?? wishes.clock?.mode ?? clock.mode,
      speed: given.clock?.speed ?? wishes.clock?.speed ?? DEFAULT_SPEED,
      start: start === undefined ? clock.start : instantOf(start),
    },
    settings: given.settings,
    scenarios: given.scenarios,
    accounts: given.accounts ?? accountsWished(wishes, given.postback_url),
    postback_url: given.postback_url ?? null,
  };
}

/**
 * The accounts that scenarios ask for; null if they do not.
 * @param postbackUrl the webhook destination of the default account, if given; it overrides that of the file.
 */
function accountsWished(
  { accounts }: Pick<Wishes, "accounts">,
  postbackUrl: string | null | undefined,
): WorldSpec["accounts"] {
  const [first, ...others] = accounts ?? [];
  if (!first || typeof postbackUrl !== "string") return accounts ?? null;
  return [{ ...first, postback_url: postbackUrl }, ...others];
}
