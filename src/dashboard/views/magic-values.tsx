import { useAnswer } from "../live/answer.ts";
import { CopyButton } from "../parts/copy.tsx";
import { Lesson } from "../parts/lessons.tsx";
import { PlainView } from "../parts/plain-view.tsx";
import { TableHead } from "../parts/table-head.tsx";
import type { Page, Scenario } from "../wire/answers.ts";

/** Magic values: texts that a merchant puts into a call to make the outside world do something else than pay. */
export function MagicValues() {
  const answer = useAnswer<Page<Scenario>>("/scenarios?limit=1000", ["scenarios"]);
  const value = answer.value?.items.find(({ name }) => name === "magic-values");
  return (
    <PlainView title="Magic values" error={answer.error}>
      {answer.value && !value && <NotLoaded />}
      {value && (
        <>
          <p class="lead">{value.description}</p>
          <RuleTable rules={value.rules} />
        </>
      )}
    </PlainView>
  );
}

function NotLoaded() {
  return (
    <div class="empty">
      <Lesson
        title="The scenario magic-values is not loaded"
        text="It turns what a call carries into an outcome that no test could bring about otherwise. Load it:"
        call="/_sandbox/scenarios"
        body='{"name": "magic-values"}'
      />
    </div>
  );
}

function RuleTable({ rules }: Pick<Scenario, "rules">) {
  return (
    <table class="wide-table">
      <TableHead
        columns={["value", "what happens", ["upon", "only-wide"], ["place", "only-wide"], ["fired", "number"]]}
      />
      <tbody>
        {rules.map((rule) => (
          <tr key={rule.at}>
            <td>
              <Values where={rule.where} />
            </td>
            <td>{rule.name ?? ""}</td>
            <td class="only-wide">{String(rule.on ?? rule.request ?? "")}</td>
            <td class="only-wide">
              <code class="muted">{rule.at}</code>
            </td>
            <td class="number">{rule.fired}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The conditions that a merchant can meet by a value of its own. */
function Values({ where }: { where: Readonly<Record<string, unknown>> }) {
  return (
    <>
      {Object.entries(where).map(([field, value]) => {
        const text = typeof value === "string" ? value : JSON.stringify(value);
        return (
          <span class="copyable" key={field}>
            <code>
              {field}: {text}
            </code>
            <CopyButton text={text.replace(/\*$/, "1")} what={`${field} ${text}`} />
          </span>
        );
      })}
    </>
  );
}
