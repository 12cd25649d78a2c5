import { counted } from "../../domain/words/counted.ts";
import { useAnswer } from "../live/answer.ts";
import { usePolling } from "../live/polling.ts";
import { useSession } from "../live/session.ts";
import { CLOCK } from "../live/topics.ts";
import { useConfirm } from "../parts/confirm.tsx";
import { Folded } from "../parts/detail.tsx";
import { FirstOnes } from "../parts/first-ones.tsx";
import { FormButton } from "../parts/form-dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { InputError, type InputField, readFields } from "../parts/input-fields.ts";
import { Lesson } from "../parts/lessons.tsx";
import { PlainView } from "../parts/plain-view.tsx";
import { State } from "../parts/state.tsx";
import { TableHead } from "../parts/table-head.tsx";
import type { Page, Scenario } from "../wire/answers.ts";
import { partedByRun } from "../words/expectations.ts";
import { visible } from "../words/visible.ts";

/** Scenarios: their rules with counters, what they expect with verdicts; loaded and taken out. */
export function Scenarios() {
  // Anything that happens, and time that passes, may count for a rule or decide what is expected.
  const answer = useAnswer<Page<Scenario>>("/scenarios?limit=1000", [CLOCK]);
  // The journal has no entry about a followed file that is broken, nor about time that flows.
  usePolling(answer);
  const { value, error } = answer;
  return (
    <PlainView
      title="Scenarios"
      beside={
        <>
          <FirstOnes page={value} noun="scenario" />
          <LoadScenario />
        </>
      }
      error={error}
    >
      {value?.items.length === 0 && (
        <div class="empty">
          <Lesson
            title="Nothing happens by itself"
            text="Without a scenario no payer pays and no cash-out settles; charges expire. Load one that is shipped:"
            call="/_sandbox/scenarios"
            body='{"name": "happy-path"}'
          />
        </div>
      )}
      <div class="cards">
        {value?.items.map((scenario) => (
          <ScenarioCard key={scenario.name} scenario={scenario} />
        ))}
      </div>
    </PlainView>
  );
}

function ScenarioCard({ scenario }: { scenario: Scenario }) {
  const { control, notices } = useSession();
  const { ask, dialog } = useConfirm();
  const { name, description, file, status, problems, rules, expectations } = scenario;
  const remove = () =>
    ask({
      title: `Take out ${name}?`,
      text: "Its rules begin nothing new, and what they have counted is gone. Steps that are under way go on.",
      action: "take out",
      onYes: () => void notices.report(control.call("DELETE", `/scenarios/${name}`), `${name} is taken out.`),
    });
  return (
    <article class="card" aria-label={`Scenario ${name}`}>
      <header>
        <h2>{name}</h2>
        <State state={status} />
        <code class="muted grow">{file}</code>
        <button type="button" class="icon-button" aria-label={`Take out ${name}`} onClick={remove}>
          <Icon name="trash" />
        </button>
      </header>
      {description && <p>{visible(description)}</p>}
      {problems.map(({ file: source, line, column, message }, index) => (
        <p class="trouble" role="alert" key={index}>
          {source}:{line}:{column}: {visible(message)}
        </p>
      ))}
      {rules.length > 0 && <Rules rules={rules} />}
      <Expectations expectations={expectations} />
      {dialog}
    </article>
  );
}

function Rules({ rules }: Pick<Scenario, "rules">) {
  return (
    <table>
      <TableHead columns={["rule", ["place", "only-wide"], ["matched", "number"], ["fired", "number"]]} />
      <tbody>
        {rules.map((rule) => (
          <tr key={rule.at} class={rule.fired === 0 ? "muted" : ""}>
            <td>{visible(rule.name ?? String(rule.on ?? rule.every ?? rule.due ?? rule.request ?? rule.delivery))}</td>
            <td class="only-wide">
              <code>{rule.at}</code>
            </td>
            <td class="number">{rule.matched}</td>
            <td class="number">{rule.fired}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Expectations({ expectations }: Pick<Scenario, "expectations">) {
  const { judged, whenRun } = partedByRun(expectations);
  return (
    <>
      {judged.length > 0 && (
        <ul class="plain">
          {judged.map(({ at, text, verdict, detail }) => (
            <li key={at} class="line">
              <State state={verdict} />
              <span class="grow">
                {visible(text)} {detail && <span class="muted">{visible(detail)}</span>}
              </span>
              <code class="muted">{at}</code>
            </li>
          ))}
        </ul>
      )}
      {whenRun.length > 0 && (
        <Folded title={`${counted(whenRun.length, "expectation")}, judged only when the file is run`}>
          <ul class="plain">
            {whenRun.map(({ at, text }) => (
              <li key={at} class="line">
                <span class="grow">{visible(text)}</span>
                <code class="muted">{at}</code>
              </li>
            ))}
          </ul>
        </Folded>
      )}
    </>
  );
}

const fields: readonly InputField[] = [
  { path: "name", label: "A shipped one, by its name", hint: "happy-path" },
  {
    path: "text",
    label: "Or one of your own, in YAML",
    kind: "area",
    hint: "scenario: patient-payer\nrules:\n  - on: cashin.created\n    then:\n      - { after: 20m, pay: {} }",
  },
];

function LoadScenario() {
  const { control, notices } = useSession();
  const load = async (form: HTMLFormElement) => {
    const { name, text } = readFields(form, fields);
    if (name && text) throw new InputError("Give the name of a shipped one or a text of your own, not both.");
    if (!name && !text) throw new InputError("Give a name or a text.");
    const call = text
      ? control.postText<Scenario>("/scenarios", "application/yaml", String(text))
      : control.post<Scenario>("/scenarios", { name });
    notices.say(`${(await call).name} is loaded.`);
  };
  return <FormButton label="load…" title="Load a scenario" action="load" fields={fields} send={load} />;
}
