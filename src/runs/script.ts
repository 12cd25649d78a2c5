/** Plays the script of a scenario's merchant and judges what its calls are answered. */
import { parseDuration } from "../domain/durations.ts";
import type { LiveWorld } from "../host/live-world.ts";
import { fieldAt, matches } from "../scenarios/conditions.ts";
import { conditionsWords } from "../scenarios/expectation-words.ts";
import type { LoadedScenario } from "../scenarios/loader.ts";
import type { ScriptStep } from "../scenarios/script-schema.ts";
import { filled, UnknownVariable, type Variables } from "../scenarios/variables.ts";
import type { AdvanceTarget } from "../world/advance.ts";
import { parseInstant } from "../world/instants.ts";
import { type CallAnswer, type ScriptedCall, ScriptedMerchant } from "./merchant.ts";
import type { JudgedExpectation } from "./run.ts";

export class Script {
  readonly #live: LiveWorld;
  readonly #loaded: LoadedScenario;
  readonly #merchant: ScriptedMerchant;
  #variables: Variables = {};
  readonly judged: JudgedExpectation[] = [];

  constructor(live: LiveWorld, loaded: LoadedScenario, folder: string, onFault: (error: unknown) => void) {
    this.#live = live;
    this.#loaded = loaded;
    this.#merchant = new ScriptedMerchant(live, folder, onFault);
  }

  /** What was saved so far. */
  get variables(): Variables {
    return this.#variables;
  }

  async play(): Promise<void> {
    for (const [index, step] of (this.#loaded.content.merchant ?? []).entries()) {
      const at = this.#loaded.placeOf("merchant", index);
      if (step.advance !== undefined)
        await this.#advance(step.advance, { at, text: step.name ?? `advance to ${step.advance}` });
      if (step.call !== undefined) await this.#repeat(step, at);
    }
  }

  /** Lets time pass; what cannot come, or did not, is told. */
  async #advance(target: string, told: { at: string; text: string }): Promise<void> {
    const { world, runner } = this.#live;
    const instant = parseInstant(target);
    if (instant !== null && instant < world.clock.now()) {
      this.judged.push({ ...told, verdict: "fail", detail: "the clock is beyond that already" });
      return;
    }
    const aim = targetOf(target, instant);
    const { reached } = await runner.advance(aim);
    if (aim.kind !== "event" || reached) return;
    const detail = `${target} did not come, and nothing was left that it could have come of`;
    this.judged.push({ ...told, verdict: "fail", detail });
  }

  async #repeat(step: ScriptStep, at: string): Promise<void> {
    for (let index = 1; index <= (step.repeat ?? 1); index++) {
      const verdict = await this.#call(step, at, { ...this.#variables, index: String(index) });
      if (verdict === "fail") return;
    }
  }

  /** One call; what was not expected is told, what was is told once for a step. */
  async #call(step: ScriptStep, at: string, variables: Variables): Promise<"pass" | "fail"> {
    const text = step.name ?? `${step.call} ${expectedWords(step)}`;
    try {
      const { call = "", body, form, as } = filled(step, variables) as ScriptStep;
      const answer = await this.#merchant.call({ call, body, form, as } as ScriptedCall);
      const fault = faultIn(answer, filled(step.expect ?? {}, variables) as ScriptStep["expect"]);
      if (step.save !== undefined) this.#variables = { ...this.#variables, [step.save]: answer.body?.data ?? null };
      if (fault === null && variables.index !== "1") return "pass";
      this.judged.push({ at, text, verdict: fault === null ? "pass" : "fail", detail: fault ?? answerWords(answer) });
      return fault === null ? "pass" : "fail";
    } catch (error) {
      if (!(error instanceof UnknownVariable)) throw error;
      this.judged.push({ at, text, verdict: "fail", detail: error.message });
      return "fail";
    }
  }
}

function targetOf(text: string, instant: number | null): AdvanceTarget {
  if (instant !== null) return { kind: "to", instant };
  const durationMs = parseDuration(text);
  if (durationMs !== null) return { kind: "by", durationMs };
  return text === "next" || text === "idle" ? { kind: text } : { kind: "event", event: text };
}

/** What is not as expected in an answer; a refusal that nobody expected is none. */
function faultIn(answer: CallAnswer, expected: ScriptStep["expect"] = {}): string | null {
  const { status, error, data } = expected;
  const came = answerWords(answer);
  if (status !== undefined && String(status) !== String(answer.status)) return `it was answered ${came}`;
  if (error !== undefined && answer.body?.error?.code !== error) return `it was answered ${came}`;
  const expectsRefusal = error !== undefined || status !== undefined;
  const refused = typeof answer.status === "string" || answer.status >= 400;
  if (!expectsRefusal && refused) return `it was answered ${came}`;
  const answered = (answer.body?.data ?? {}) as Record<string, unknown>;
  const unmet = Object.entries(data ?? {}).filter(([path, condition]) => !matches({ [path]: condition }, answered));
  return unmet.length === 0 ? null : unmet.map(([path]) => `${path} ${isWords(fieldAt(answered, path))}`).join("; ");
}

/** What a field is instead of what was expected. */
function isWords(value: unknown): string {
  return value === null ? "is null or not there" : `is ${JSON.stringify(value)}`;
}

function answerWords({ status, body }: CallAnswer): string {
  if (status === "lost") return "nothing: the answer was lost";
  if (status === "malformed") return "what is no JSON";
  return body?.error ? `${status} ${body.error.code}` : String(status);
}

function expectedWords({ expect }: ScriptStep): string {
  const { status, error, data } = expect ?? {};
  const words = conditionsWords(data);
  const parts = [status ?? [], error ?? [], words ? `with ${words}` : []].flat();
  return parts.length === 0 ? "is carried out" : `is answered ${parts.join(" ")}`;
}
