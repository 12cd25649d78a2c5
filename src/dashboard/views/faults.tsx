import { useState } from "preact/hooks";
import { useAnswer } from "../live/answer.ts";
import { useSession } from "../live/session.ts";
import { ActButton } from "../parts/act-button.tsx";
import { Body } from "../parts/code.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { DialogForm } from "../parts/dialog-form.tsx";
import { FieldInput, InputError, type InputField, readFields } from "../parts/form.tsx";
import { Icon } from "../parts/icon.tsx";
import { Lesson } from "../parts/lessons.tsx";
import { PlainView } from "../parts/plain-view.tsx";
import { useNow } from "../parts/times.tsx";
import type { Clock } from "../wire/answers.ts";
import { instantText } from "../words/instants.ts";

type FaultRule = Readonly<Record<string, unknown>>;

interface Rules {
  readonly rules: readonly FaultRule[];
}

type Change = (rules: readonly FaultRule[]) => readonly FaultRule[];

/** What the answer of `GET /faults` adds to a rule, and `PUT` does not take. */
const ADDED = ["at", "ends_at", "matched", "fired"];

/** Faults: what is made to go wrong with calls and deliveries, for tests that steer by hand. */
export function Faults() {
  const { control, notices } = useSession();
  const now = useNow();
  const answer = useAnswer<Rules>("/faults", ["faults"]);
  const rules = answer.value?.rules ?? [];
  // Others may have changed them, and moved the clock, since they were shown.
  const change = async (next: Change, words: string) => {
    const [put, clock] = await Promise.all([control.get<Rules>("/faults"), control.get<Clock>("/clock")]);
    const nowMs = Date.parse(clock.now);
    await control.call("PUT", "/faults", { rules: next(put.rules).flatMap((rule) => putAgain(rule, nowMs)) });
    notices.say(words);
    await answer.touch();
  };
  const takeOut = (next: Change, words: string) => notices.report(change(next, words), null);
  return (
    <PlainView
      title="Faults"
      beside={
        answer.value && (
          <>
            <AddFault onAdd={(rule) => change((put) => [...put, rule], "The fault is on.")} />
            {rules.length > 0 && (
              <ActButton class="button" act={() => takeOut(() => [], "All faults are off.")}>
                all off
              </ActButton>
            )}
          </>
        )
      }
      error={answer.error}
    >
      {answer.value && rules.length === 0 && (
        <div class="empty">
          <Lesson
            title="Nothing goes wrong"
            text="Let calls be refused, answers be lost, webhooks come late, twice or not at all. This lets every cash-out fail for half a minute:"
            method="PUT"
            call="/_sandbox/faults"
            body='{"rules": [{"request": "POST /v2/transactions/cashout", "inject": {"status": 503}, "for": "30s"}]}'
          />
        </div>
      )}
      <ul class="plain cards">
        {rules.map((rule, index) => (
          <li key={index} class="card">
            <header>
              <h2>{String(rule.name ?? rule.request ?? rule.delivery ?? "rule")}</h2>
              <span class="muted grow">{countersText(rule, now)}</span>
              <ActButton
                class="icon-button"
                aria-label="Take this fault out"
                act={() => takeOut((put) => without(put, rule), "The fault is off.")}
              >
                <Icon name="trash" />
              </ActButton>
            </header>
            <Body text={JSON.stringify(plain(rule))} what="rule" />
          </li>
        ))}
      </ul>
    </PlainView>
  );
}

/** The rule as it was put on. */
function plain(rule: FaultRule): FaultRule {
  const isSaid = ([name, value]: [string, unknown]) =>
    !ADDED.includes(name) && value !== null && JSON.stringify(value) !== "{}";
  return Object.fromEntries(Object.entries(rule).filter(isSaid));
}

/** All but one of these rules; those are alike that say the same and end at the same time. */
function without(rules: readonly FaultRule[], rule: FaultRule): readonly FaultRule[] {
  const said = (one: FaultRule) => JSON.stringify([plain(one), one.ends_at]);
  const index = rules.findIndex((other) => said(other) === said(rule));
  return rules.filter((_, place) => place !== index);
}

/** The rule as it is put on beside others: it ends when it was to end; one that has ended is left out. */
function putAgain(rule: FaultRule, nowMs: number): FaultRule[] {
  if (typeof rule.ends_at !== "string") return [plain(rule)];
  const leftMs = Math.ceil(Date.parse(rule.ends_at) - nowMs);
  return leftMs > 0 ? [{ ...plain(rule), for: `${leftMs}ms` }] : [];
}

function countersText({ matched, fired, ends_at, at }: FaultRule, nowMs: number): string {
  const parts = [
    `matched ${matched ?? 0}, struck ${fired ?? 0}`,
    typeof ends_at === "string" ? `${Date.parse(ends_at) > nowMs ? "ends" : "ended"} ${instantText(ends_at)}` : "",
    typeof at === "string" ? at : "",
  ];
  return parts.filter(Boolean).join(", ");
}

const KINDS: Readonly<Record<string, FaultRule>> = {
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

function AddFault({ onAdd }: { onAdd: (rule: FaultRule) => Promise<void> }) {
  const [asking, setAsking] = useState(false);
  const [kind, setKind] = useState(Object.keys(KINDS)[0] ?? "");
  const add = async (form: HTMLFormElement) => {
    await onAdd(ruleOf(String(readFields(form, [field]).rule)));
    setAsking(false);
  };
  return (
    <>
      <button type="button" class="button" onClick={() => setAsking(true)}>
        add…
      </button>
      {asking && (
        <Dialog title="Let something go wrong" onClose={() => setAsking(false)}>
          <DialogForm action="add" send={add}>
            <div class="field">
              <label for="fault-kind">Begin with</label>
              <select id="fault-kind" onChange={(event) => setKind(event.currentTarget.value)}>
                {Object.keys(KINDS).map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            </div>
            <FieldInput key={kind} field={{ ...field, value: JSON.stringify(KINDS[kind], null, 2) }} />
          </DialogForm>
        </Dialog>
      )}
    </>
  );
}

/** The rule that was typed. @throws {InputError} */
function ruleOf(text: string): FaultRule {
  let rule: unknown;
  try {
    rule = JSON.parse(text);
  } catch {
    throw new InputError("The rule is no JSON.");
  }
  if (rule === null || typeof rule !== "object" || Array.isArray(rule)) {
    throw new InputError("The rule must be one object: { … }.");
  }
  return rule as FaultRule;
}
