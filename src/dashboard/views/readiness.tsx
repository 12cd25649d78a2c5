import { readinessVerdicts } from "../../domain/readiness-verdicts.ts";
import { useAnswer } from "../live/answer.ts";
import { useSession } from "../live/session.ts";
import { CLOCK } from "../live/topics.ts";
import { ActButton } from "../parts/act-button.tsx";
import { PlainView } from "../parts/plain-view.tsx";
import { State } from "../parts/state.tsx";
import { Subject } from "../parts/subject.tsx";
import type { Report, ReportCheck } from "../wire/answers.ts";

/**
 * Readiness: what the merchant's integration does well and what not, by what it did in this world. What is to be mended
 * comes first.
 */
export function Readiness() {
  const { value, error } = useAnswer<Report>("/report", [CLOCK]);
  const checks = value?.checks.toSorted((left, right) => placeOf(left) - placeOf(right));
  return (
    <PlainView
      title="Readiness"
      beside={
        value && (
          <>
            <State state={value.verdict} />
            <span class="muted">{tally(value.checks)}</span>
            <Probe />
          </>
        )
      }
      error={error}
    >
      {value && (
        <p class="lead">Judged by what your program did in this world, one check for each piece of guidance.</p>
      )}
      <ul class="plain lines">
        {checks?.map((check) => (
          <Check key={check.id} check={check} />
        ))}
      </ul>
    </PlainView>
  );
}

/** Sends the probes, which show what the report cannot observe otherwise. */
function Probe() {
  const { control, notices } = useSession();
  const probe = () =>
    notices.report(control.post("/report/probe"), "The probes were sent, and the report has judged them.");
  const title = "A duplicate, a webhook from a wrong address and one about an unknown payment, to the default account";
  return (
    <ActButton class="button small" title={title} act={probe}>
      send probes
    </ActButton>
  );
}

function placeOf({ verdict }: ReportCheck): number {
  return readinessVerdicts.indexOf(verdict);
}

function tally(checks: readonly ReportCheck[]): string {
  return readinessVerdicts
    .map((verdict) => [verdict, checks.filter((check) => check.verdict === verdict).length] as const)
    .filter(([, count]) => count > 0)
    .map(([verdict, count]) => `${count} ${verdict.replace("_", " ")}`)
    .join(", ");
}

function Check({ check }: { check: ReportCheck }) {
  const { title, verdict, detail, evidence, evidence_truncated, advice, source } = check;
  return (
    <li class="line check-line">
      <State state={verdict} />
      <div class="grow">
        <h2>{title}</h2>
        <p class="muted">{detail}</p>
        {advice && <p>{advice}</p>}
        {evidence.length > 0 && (
          <p class="evidence">
            {evidence_truncated && <span class="muted">the first {evidence.length}:</span>}
            {evidence.map((id) => (
              <Subject key={id} id={id} />
            ))}
          </p>
        )}
      </div>
      <small class="muted only-wide">{source}</small>
    </li>
  );
}
