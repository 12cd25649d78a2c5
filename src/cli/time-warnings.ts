/** Rules whose time is over when a run of their file begins: a world that is served may begin earlier. */
import { DEFAULT_START } from "../host/creation.ts";
import { nextRun } from "../scenarios/cron.ts";
import type { LoadedScenario, Problem } from "../scenarios/loader.ts";
import { formatInstant, type Instant, parseInstant } from "../world/instants.ts";

type Rule = LoadedScenario["content"]["rules"][number];

/** What is over in a rule, as the beginning of a sentence, by the key that says its time. */
interface Over {
  readonly key: "every" | "at" | "until";
  readonly words: string;
}

/** Each rule that never acts in a run of the file, and each advance that fails, since its time lies before the run. */
export function timeWarnings({ content, problemAt }: LoadedScenario): Problem[] {
  const start = parseInstant(content.clock?.start ?? DEFAULT_START) ?? 0;
  const begins = `a run begins, at ${formatInstant(start)}: the rule never acts there`;
  const ofRules = content.rules.flatMap((rule, index) => {
    const over = overIn(rule, start);
    return over === null ? [] : [problemAt(["rules", index, over.key], `${over.words} when ${begins}`)];
  });
  const ofAdvances = (content.merchant ?? []).flatMap(({ advance }, index) => {
    if (advance === undefined || !endsBy(advance, start - 1)) return [];
    return [
      problemAt(
        ["merchant", index, "advance"],
        `advance ${advance} is over when a run begins, at ${formatInstant(start)}`,
      ),
    ];
  });
  return [...ofRules, ...ofAdvances];
}

function overIn({ every, timezone = "UTC", at, until }: Rule, start: Instant): Over | null {
  if (until !== undefined && endsBy(until, start)) return { key: "until", words: `until ${until} is over` };
  if (at !== undefined && endsBy(at, start - 1)) return { key: "at", words: `at ${at} is over` };
  if (every === undefined || nextRun(every, timezone, start) !== null) return null;
  return { key: "every", words: `every ${JSON.stringify(every)} names no time that is still to come` };
}

/** Whether a moment comes no later than an instant; one that counts from the loading lies ahead. */
function endsBy(moment: string, instant: Instant): boolean {
  const comes = parseInstant(moment);
  return comes !== null && comes <= instant;
}
