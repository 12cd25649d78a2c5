import { useRef, useState } from "preact/hooks";
import { jsonIn } from "../../domain/written-json.ts";
import { useAnswer } from "../live/answer.ts";
import { useSession } from "../live/session.ts";
import { ActButton } from "../parts/act-button.tsx";
import { Json } from "../parts/code.tsx";
import { useConfirm } from "../parts/confirm.tsx";
import { FieldInput } from "../parts/form.tsx";
import { FormButton } from "../parts/form-dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { InputError, type InputField, readFields } from "../parts/input-fields.ts";
import { Lesson } from "../parts/lessons.tsx";
import { PlainView } from "../parts/plain-view.tsx";
import { useNow } from "../parts/times.tsx";
import type { FaultRule } from "../wire/answers.ts";
import type { Method } from "../wire/control.ts";
import { isSpent, plainRule } from "../words/fault-rules.ts";
import { instantText } from "../words/instants.ts";
import { visible } from "../words/visible.ts";

interface Rules {
  readonly rules: readonly FaultRule[];
}

/** Faults: what is made to go wrong with calls and deliveries, for tests that steer by hand. */
export function Faults() {
  const { rules, error, add, takeOut } = useFaults();
  const now = useNow();
  const { ask, dialog } = useConfirm();
  const askForAll = () => ask({ ...ALL_OFF_QUESTION, onYes: () => void takeOut("/faults", "All faults are off.") });
  return (
    <PlainView
      title="Faults"
      beside={
        rules && (
          <>
            <AddFault onAdd={add} />
            {rules.length > 0 && (
              <button type="button" class="button" onClick={askForAll}>
                all off…
              </button>
            )}
          </>
        )
      }
      error={error}
    >
      {rules?.length === 0 && <NoFaults />}
      <ul class="plain cards">
        {rules?.map((rule) => (
          <FaultCard
            key={rule.id}
            rule={rule}
            nowMs={now}
            onTakeOut={() => takeOut(`/faults/${rule.id}`, "The fault is off.")}
          />
        ))}
      </ul>
      {dialog}
    </PlainView>
  );
}

const ALL_OFF_QUESTION = {
  title: "All faults off?",
  text: "The rules are gone, with what they have counted.",
  action: "all off",
};

/** The rules that are on, and what changes them. */
function useFaults() {
  const { control, notices } = useSession();
  // A rule also counts matching calls that it lets pass.
  const answer = useAnswer<Rules>("/faults", ["faults", "requests", "webhooks"]);
  const change = async (method: Method, path: string, words: string, body?: unknown) => {
    await control.call(method, path, body);
    notices.say(words);
    await answer.touch();
  };
  const add = (rule: object) => change("POST", "/faults", "The fault is on.", rule);
  const takeOut = (path: string, words: string) => notices.report(change("DELETE", path, words), null);
  return { rules: answer.value?.rules, error: answer.error, add, takeOut };
}

function NoFaults() {
  return (
    <div class="empty">
      <Lesson
        title="Nothing goes wrong"
        text="Let calls be refused, answers be lost, webhooks come late, twice or not at all. This lets every cash-out fail for half a minute:"
        method="POST"
        call="/_sandbox/faults"
        body='{"request": "POST /v2/transactions/cashout", "inject": {"status": 503}, "for": "30s"}'
      />
    </div>
  );
}

interface FaultCardProps {
  readonly rule: FaultRule;
  readonly nowMs: number;
  readonly onTakeOut: () => Promise<unknown>;
}

function FaultCard({ rule, nowMs, onTakeOut }: FaultCardProps) {
  return (
    <li class="card">
      <header>
        <h2>{visible(String(rule.name ?? rule.request ?? rule.delivery ?? "rule"))}</h2>
        <span class="muted grow">{countersText(rule, nowMs)}</span>
        <ActButton class="icon-button" aria-label="Take this fault out" act={onTakeOut}>
          <Icon name="trash" />
        </ActButton>
      </header>
      <Json value={plainRule(rule)} what="rule" />
    </li>
  );
}

function countersText(rule: FaultRule, nowMs: number): string {
  const { matched, fired, ends_at, at } = rule;
  const parts = [
    `matched ${matched}, struck ${fired}`,
    isSpent(rule) ? "spent" : "",
    ends_at ? `${Date.parse(ends_at) > nowMs ? "ends" : "ended"} ${instantText(ends_at)}` : "",
    at ?? "",
  ];
  return parts.filter(Boolean).join(", ");
}

const KINDS: Readonly<Record<string, object>> = {
  "refuse a call with 503": { request: "POST /v2/transactions/cashout", inject: { status: 503 } },
  "refuse a call with an error code": { request: "* /v2/*", inject: { error: "SERVICE_UNAVAILABLE" } },
  "answer late": { request: "* /v2/*", inject: { latency: "3s" } },
  "lose the answer": { request: "POST /v2/transactions/cashin", inject: { disconnect: "after" } },
  "drop webhooks": { delivery: "cashin.*", inject: { drop: true } },
  "send webhooks twice": { delivery: "*", inject: { duplicate: 1 } },
  "delay webhooks": { delivery: "*", inject: { delay: "40s" } },
  "send webhooks out of order": { delivery: "*", inject: { shuffle: 3 } },
};

const field: InputField = {
  path: "rule",
  label: "The rule, as in a scenario file, in JSON",
  kind: "area",
  required: true,
};

function AddFault({ onAdd }: { onAdd: (rule: object) => Promise<void> }) {
  const add = async (form: HTMLFormElement) => onAdd(ruleOf(String(readFields(form, [field]).rule)));
  return (
    <FormButton label="add…" title="Let something go wrong" action="add" send={add}>
      <RuleInput />
    </FormButton>
  );
}

/** The text of a rule, which begins with one of a kind; what was typed for one is there when it is chosen again. */
function RuleInput() {
  const [kind, setKind] = useState(Object.keys(KINDS)[0] ?? "");
  const typed = useRef(new Map<string, string>());
  const choose = ({ form, value }: HTMLSelectElement) => {
    const text = form && new FormData(form).get(field.path);
    if (text) typed.current.set(kind, String(text));
    setKind(value);
  };
  return (
    <>
      <div class="field">
        <label for="fault-kind">Begin with</label>
        <select id="fault-kind" onChange={(event) => choose(event.currentTarget)}>
          {Object.keys(KINDS).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </div>
      <FieldInput
        key={kind}
        field={{ ...field, value: typed.current.get(kind) ?? JSON.stringify(KINDS[kind], null, 2) }}
      />
    </>
  );
}

/** The rule that was typed. @throws {InputError} */
function ruleOf(text: string): object {
  const rule = jsonIn(text);
  if (rule === undefined) throw new InputError("The rule is no JSON.");
  if (rule === null || typeof rule !== "object" || Array.isArray(rule)) {
    throw new InputError("The rule must be one object: { … }.");
  }
  return rule;
}
