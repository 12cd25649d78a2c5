/** A run: makes a world for a scenario, plays the merchant's script, lets time pass, and judges the expectations. */
import { INBOX } from "../domain/destinations.ts";
import { durationOf } from "../domain/durations.ts";
import type { LifecycleName } from "../domain/lifecycles.ts";
import { createWorld, readSettings, type ScenarioSource, type WorldSpec } from "../host/creation.ts";
import { LiveWorld } from "../host/live-world.ts";
import type { FoundScenario } from "../host/scenario-texts.ts";
import { withBeneath } from "../host/scenarios-beneath.ts";
import { DEFAULT_SPEED, wishesOf, worldSpecOf } from "../host/world-spec.ts";
import { tellEntry } from "../insight/sentences/entry-sentences.ts";
import { expectationWords } from "../scenarios/expectation-words.ts";
import { judge } from "../scenarios/expectations.ts";
import { type LoadedScenario, loadScenario } from "../scenarios/loader.ts";
import type { Verdict } from "../scenarios/verdicts.ts";
import { Database } from "../store/database.ts";
import type { JournalEntry } from "../store/journal.ts";
import type { Send } from "../webhooks/delivery.ts";
import { formatInstant } from "../world/instants.ts";
import { resourceBy } from "../world/resources.ts";
import type { World } from "../world/world.ts";
import type { Exploration } from "./exploration/results.ts";
import { type Patience, passTime } from "./patience.ts";
import { Script } from "./script.ts";

/** How scenarios are run. */
export interface RunOptions extends Patience {
  /** The seed in place of the file's own; 1 if neither is given. */
  readonly seed?: number | undefined;
  /** The webhook destination of the default account; the inbox unless given. */
  readonly postbackUrl?: string | undefined;
  /** The duration in place of the file's own `for`. */
  readonly forMs?: number | undefined;
  /** Scenarios to load beneath all others. */
  readonly beneath?: readonly ScenarioSource[];
  readonly send: Send;
  readonly onFault: (error: unknown) => void;
  /** Called with the world before it begins, and after the run has ended. */
  readonly onWorld?: {
    readonly begun?: (live: LiveWorld) => void;
    readonly ended?: (live: LiveWorld, result: Omit<RunResult, "seed">) => void | Promise<void>;
  };
}

/** One line of what happened. */
export interface TimelineEntry {
  readonly sequence: number;
  readonly at: string;
  readonly kind: string;
  readonly subject: string | null;
  /** Where a run has several resources, the one that it is about: its `external_id`, or else its id. */
  readonly about?: string;
  readonly text: string;
  /** Of a step, carried out or skipped: what it does. */
  readonly action?: string;
  /** `file:line` of the rule that caused it; null if none did. */
  readonly rule: string | null;
}

/** An expectation with its verdict. */
export interface JudgedExpectation {
  readonly at: string;
  readonly text: string;
  readonly verdict: Verdict;
  readonly detail: string;
}

/** The result of a run. */
export interface RunResult {
  readonly file: string;
  readonly name: string;
  readonly verdict: "pass" | "fail";
  readonly seed: number;
  readonly timeline: readonly TimelineEntry[];
  readonly rules: readonly { name: string | null; at: string; matched: number; fired: number }[];
  readonly expectations: readonly JudgedExpectation[];
  /** Present only if the scenario was explored. */
  readonly exploration?: Exploration;
}

/** Entries with which every world begins; the timeline leaves them out. */
const BEGINNINGS = ["world.created", "account.opened", "account.funded", "credential.issued"];

/** Runs one scenario. @throws {ScenarioError} @throws {CreationError} if its world cannot be made. */
export async function runScenario(source: FoundScenario, options: RunOptions): Promise<RunResult> {
  const spec = specOfRun(source, options);
  const database = Database.oneOfMany();
  createWorld(database, spec);
  const { send, onFault } = options;
  const live = new LiveWorld(database, { send, concurrency: 1, onFault });
  options.onWorld?.begun?.(live);
  live.start();
  try {
    const result = await play(live, loadScenario(source.text, source.file), source, options);
    await options.onWorld?.ended?.(live, result);
    return { ...result, seed: spec.seed };
  } finally {
    await live.finish();
  }
}

async function play(
  live: LiveWorld,
  loaded: LoadedScenario,
  source: FoundScenario,
  options: RunOptions,
): Promise<Omit<RunResult, "seed">> {
  const { world } = live;
  const { content } = loaded;
  const since = world.clock.now();
  const script = new Script(live, loaded, source.folder ?? ".", options);
  const isAtRest = await script.play();
  const rest = !isAtRest
    ? []
    : await comeToRest(live, options.forMs ?? (content.for === undefined ? null : durationOf(content.for)), options);
  const circumstances = { world, variables: script.variables, since, afterEntry: 0, final: true };
  const expected = (content.expect ?? []).map((expectation, index) => ({
    at: loaded.placeOf("expect", index),
    text: expectationWords(expectation),
    ...judge(expectation, circumstances),
  }));
  const expectations = [...script.judged, ...rest, ...expected];
  const verdict = expectations.some((one) => one.verdict === "fail") ? "fail" : "pass";
  const rules = live.scenarios.rulesOf(content.scenario);
  return { file: source.file, name: content.scenario, verdict, timeline: timelineOf(world), rules, expectations };
}

/** The world of a run: as the scenario asks, frozen, and by default with webhooks to the inbox. */
export function specOfRun(
  source: FoundScenario,
  { seed, postbackUrl, beneath = [] }: Pick<RunOptions, "seed" | "postbackUrl" | "beneath"> = {},
): WorldSpec {
  const own = withBeneath([source]);
  const { settings } = wishesOf(own);
  const given = {
    id: "run",
    seed,
    clock: { mode: "frozen", speed: DEFAULT_SPEED },
    settings: readSettings(settings),
    scenarios: [...beneath, ...own],
    postback_url: postbackUrl,
  } as const;
  const spec = worldSpecOf(given, wishesOf([source]));
  return { ...spec, postback_url: spec.postback_url ?? INBOX };
}

/** Lets time pass for `forMs`, or until only recurring timers are left. @returns a failure if that never happens. */
async function comeToRest(live: LiveWorld, forMs: number | null, options: RunOptions): Promise<JudgedExpectation[]> {
  const target = forMs === null ? ({ kind: "idle" } as const) : ({ kind: "by", durationMs: forMs } as const);
  const { restless } = await passTime(live, target, options);
  if (restless === null) return [];
  const hint = forMs === null ? "say how long the run lasts, as in for: 30d or --for 30d" : "take a shorter for";
  const told = { at: restless.at ?? "", text: "the world comes to rest", detail: `${restless.detail}; ${hint}` };
  return [{ ...told, verdict: "fail" }];
}

function timelineOf(world: World): TimelineEntry[] {
  const entries = world.journal.after(0, Number.MAX_SAFE_INTEGER);
  const bySequence = new Map(entries.map((entry) => [entry.sequence, entry]));
  const names = namesIn(world, entries);
  return entries
    .filter(({ kind }) => !BEGINNINGS.includes(kind))
    .map((entry): TimelineEntry => {
      const { sequence, at, kind, subject, rule, cause, data } = entry;
      const text = tellEntry(entry, cause === null ? undefined : bySequence.get(cause));
      const about = names.get(subject ?? "");
      const action = kind === "step" || kind === "step.skipped" ? { action: String(data.action) } : {};
      return { sequence, at: formatInstant(at), kind, subject, ...(about ? { about } : {}), text, ...action, rule };
    });
}

/** What to call each resource of a run; nothing where there is only one. */
function namesIn(world: World, entries: readonly JournalEntry[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { kind, subject, data } of entries) {
    if (kind !== "transition" || subject === null || names.has(subject)) continue;
    const resource = resourceBy[data.resource as LifecycleName](world, subject);
    names.set(subject, (resource && "external_id" in resource ? resource.external_id : null) ?? subject);
  }
  const uses = Map.groupBy(names.values(), (name) => name);
  // An external id is unique per account alone.
  const own = [...names].map(([id, name]) => [id, uses.get(name)?.length === 1 ? name : id] as const);
  return new Map(names.size > 1 ? own : []);
}
