/** Warnings about rules whose time has passed when a run of their file begins; a served world may begin earlier. */
import { DEFAULT_START } from "../../host/creation.ts";
import { nextRun } from "../../scenarios/cron.ts";
import type { LoadedScenario } from "../../scenarios/loader.ts";
import type { Problem } from "../../scenarios/problems.ts";
import { formatInstant, type Instant, instantOf, parseInstant } from "../../world/instants.ts";

type Rule = LoadedScenario["content"]["rules"][number];

/** The part of a rule that lies in the past: its key, and words that begin a sentence. */
interface Over {
  readonly key: "every" | "at" | "until";
  readonly words: string;
}

/** Each rule that never acts in a run, and each advance that fails, because its time is before the run's start. */
export function timeWarnings({ content, problemAt }: LoadedScenario): Problem[] {
  const start = instantOf(content.clock?.start ?? DEFAULT_START);
  const begins = `when a run begins, at ${formatInstant(start)}`;
  const ofRules = content.rules.flatMap((rule, index) => {
    const over = overIn(rule, start);
    return over === null
      ? []
      : [problemAt(["rules", index, over.key], `${over.words} ${begins}: the rule never acts there`)];
  });
  const ofAdvances = (content.merchant ?? []).flatMap(({ advance }, index) => {
    if (advance === undefined || !endsBy(advance, start - 1)) return [];
    return [problemAt(["merchant", index, "advance"], `advance ${advance} is over ${begins}`)];
  });
  return [...ofRules, ...ofAdvances];
}

function overIn({ every, timezone = "UTC", at, until }: Rule, start: Instant): Over | null {
  if (until !== undefined && endsBy(until, start)) return { key: "until", words: `until ${until} is over` };
  if (at !== undefined && endsBy(at, start - 1)) return { key: "at", words: `at ${at} is over` };
  if (every === undefined || nextRun(every, timezone, start) !== null) return null;
  return { key: "every", words: `every ${JSON.stringify(every)} names no time that is still to come` };
}

/** Whether a moment is at or before an instant; a duration, counted from the loading, never is. */
function endsBy(moment: string, instant: Instant): boolean {
  const comes = parseInstant(moment);
  return comes !== null && comes <= instant;
}
