import type { LiveWorld } from "../host/live-world.ts";
import { endpointOf } from "../http/endpoints.ts";
import { fieldAt, matches } from "../scenarios/conditions.ts";
import { conditionsWords } from "../scenarios/expectation-words.ts";
import type { LoadedScenario } from "../scenarios/loader.ts";
import { filledField } from "../scenarios/references.ts";
import { advanceFaultWords, referableInSteps, type ScriptStep } from "../scenarios/script-schema.ts";
import {
  filled,
  filledCall,
  filledConditions,
  filledName,
  filledTexts,
  UnknownVariable,
  type Variables,
  withReferences,
} from "../scenarios/variables.ts";
import type { AdvanceTarget } from "../world/advance.ts";
import { targetOf } from "../world/advance-words.ts";
import { unmeetable } from "./answer-fields.ts";
import { type CallAnswer, ImpossibleCall, type ScriptedCall, ScriptedMerchant } from "./merchant.ts";
import { type Patience, passTime } from "./patience.ts";
import type { JudgedExpectation } from "./run.ts";

/** Plays the script of a scenario's merchant, and judges the answers to its calls. */
export class Script {
  readonly #live: LiveWorld;
  readonly #loaded: LoadedScenario;
  readonly #merchant: ScriptedMerchant;
  readonly #patience: Patience;
  #variables: Variables = {};
  readonly judged: JudgedExpectation[] = [];

  constructor(
    live: LiveWorld,
    loaded: LoadedScenario,
    folder: string,
    options: Patience & { readonly onFault: (error: unknown) => void },
  ) {
    this.#live = live;
    this.#loaded = loaded;
    this.#merchant = new ScriptedMerchant(live, folder, options.onFault);
    this.#patience = options;
  }

  /** The answers saved so far. */
  get variables(): Variables {
    return this.#variables;
  }

  /** @returns false if an advance never came to its end: nothing after it would either. */
  async play(): Promise<boolean> {
    for (const [index, step] of (this.#loaded.content.merchant ?? []).entries()) {
      const at = this.#loaded.placeOf("merchant", index);
      if (step.advance !== undefined) {
        const told: Told = { at, text: step.name ?? `advance to ${step.advance}` };
        if (!(await this.#advance(step.advance, told))) return false;
      }
      if (step.call !== undefined) await this.#repeat(step, at);
    }
    return true;
  }

  /** Lets time pass; adds a failure if the target cannot come or did not. @returns whether the script can go on. */
  async #advance(given: string, told: Told): Promise<boolean> {
    const fail = (detail: string) => this.judged.push({ ...told, verdict: "fail", detail });
    const { target, fault } = this.#targetMeant(given);
    if (target === null) {
      fail(fault);
      return true;
    }
    if (target.kind === "to" && target.instant < this.#live.world.clock.now()) {
      fail("the clock is beyond that already");
      return true;
    }
    const { reached, restless } = await passTime(this.#live, target, this.#patience);
    const isTimed = target.kind === "to" || target.kind === "by";
    const instead = isTimed ? "advance by less" : "advance by a duration, as in advance: 1d";
    if (restless) fail(`${restless.detail}; ${instead}`);
    else if (target.kind === "event" && !reached) fail(this.#unreached(target.event));
    return restless === null;
  }

  /** Why an event did not come; one that came before is not waited for. */
  #unreached(event: string): string {
    const before = this.#live.world.webhooks.countsByEvent().get(event) ?? 0;
    const what =
      before > 0 ? `${event} came before this step, which waits for another one, and` : `${event} did not come, and`;
    const rest =
      this.#live.world.timers.turns().length > 0
        ? "nothing was left but rules on the clock, which brought none about"
        : "nothing was left that it could have come of";
    return `${what} ${rest}`;
  }

  /** The target of an advance with its variables filled in, or what is wrong with it. */
  #targetMeant(given: string): { target: AdvanceTarget; fault: null } | { target: null; fault: string } {
    try {
      const text = filledName(given, this.#variables);
      const target = targetOf(text);
      if (target !== null) return { target, fault: null };
      return { target, fault: `${given} is ${JSON.stringify(text)}; it ${advanceFaultWords(text)}` };
    } catch (error) {
      if (error instanceof UnknownVariable) return { target: null, fault: error.message };
      throw error;
    }
  }

  async #repeat(step: ScriptStep, at: string): Promise<void> {
    const told: Told = { at, text: step.name ?? `${step.call} ${expectedWords(step)}` };
    try {
      const times = filledField(step.repeat, referableInSteps.repeat, this.#variables) ?? 1;
      const answers: string[] = [];
      for (let index = 1; index <= times; index++) {
        const { answer, fault } = await this.#call(step, { ...this.#variables, index: String(index) });
        answers.push(answer);
        if (fault === null) continue;
        const detail = times > 1 ? `call ${index} of ${times}: ${fault}` : fault;
        this.judged.push({ ...told, verdict: "fail", detail });
        return;
      }
      this.judged.push({ ...told, verdict: "pass", detail: answers[0] ?? "" });
    } catch (error) {
      if (!(error instanceof UnknownVariable || error instanceof ImpossibleCall)) throw error;
      this.judged.push({ ...told, verdict: "fail", detail: error.message });
    }
  }

  /**
   * Makes one call.
   * @returns the answer in words, and what is not as expected in it; null if nothing.
   * @throws {UnknownVariable} @throws {ImpossibleCall}
   */
  async #call(step: ScriptStep, variables: Variables): Promise<{ answer: string; fault: string | null }> {
    const call = filledCall(step.call ?? "", variables);
    const expect = filledExpect(step.expect, variables);
    const answer = await this.#merchant.call({ call, ...filledParts(step, variables) });
    const unmet = (answer.body?.data ? unmeetableIn(call, expect) : null) ?? faultIn(answer, expect);
    if (step.save !== undefined) this.#variables = { ...this.#variables, [step.save]: answer.body?.data ?? null };
    return { answer: answerWords(answer), fault: unmet && withReferences(unmet, step.expect, variables) };
  }
}

/** A step in the results: its place, and what it is to do. */
type Told = Pick<JudgedExpectation, "at" | "text">;

/** What a step sends, and the account that sends it, with variables filled in. @throws {UnknownVariable} */
function filledParts({ body, form, as }: ScriptStep, variables: Variables): Omit<ScriptedCall, "call"> {
  return {
    body: filled(body, variables),
    form: filledTexts(form, variables),
    as: as === undefined ? undefined : filledName(as, variables),
  };
}

/** What an answer must be, with variables filled in. */
interface Expected {
  readonly status?: CallAnswer["status"] | undefined;
  readonly error?: string | undefined;
  readonly data?: Readonly<Record<string, unknown>> | undefined;
}

/** @throws {UnknownVariable} */
function filledExpect({ status, error, data }: NonNullable<ScriptStep["expect"]> = {}, variables: Variables): Expected {
  return {
    status: filledField(status, referableInSteps.status, variables),
    error: filledField(error, referableInSteps.error, variables),
    data: filledConditions(data, variables),
  };
}

/**
 * What differs from what was expected in an answer; null if nothing does. Unless expected, a refusal is a fault. So is
 * what a fault rule did to the call for a token: the step's own call was not made then.
 */
function faultIn(answer: CallAnswer, expected: Expected): string | null {
  const { status, error, data } = expected;
  const came = `${answer.isOfToken ? "the call for its token" : "it"} was answered ${answerWords(answer)}${reasonWords(answer)}`;
  if (answer.isOfToken && answer.isStruck) return came;
  if (status !== undefined && String(status) !== String(answer.status)) return came;
  if (error !== undefined && answer.body?.error?.code !== error) return came;
  const expectsRefusal = error !== undefined || status !== undefined;
  const refused = typeof answer.status === "string" || answer.status >= 400;
  if (!expectsRefusal && refused) return came;
  const answered = (answer.body?.data ?? {}) as Record<string, unknown>;
  const unmet = Object.entries(data ?? {}).filter(([path, condition]) => !matches({ [path]: condition }, answered));
  return unmet.length === 0 ? null : unmet.map(([path]) => `${path} ${isWords(fieldAt(answered, path))}`).join("; ");
}

/** A fault for a condition on what the answer never has: `not`, or null, would always hold. */
function unmeetableIn(call: string, { data }: Expected): string | null {
  const endpoint = endpointOf(call);
  const faults =
    endpoint === null
      ? []
      : Object.entries(data ?? {}).map(([path, condition]) => unmeetable(endpoint, path, condition));
  return faults.find((fault) => fault !== null) ?? null;
}

/** The value of a field that is not as expected. */
function isWords(value: unknown): string {
  return value === null ? "is null or not there" : `is ${JSON.stringify(value)}`;
}

function answerWords({ status, body }: CallAnswer): string {
  if (status === "lost") return "nothing: the answer was lost";
  if (status === "malformed") return "what is no JSON";
  return body?.error ? `${status} ${body.error.code}` : String(status);
}

/** The reason of an unexpected refusal: the error's message, and the hint. */
function reasonWords({ body, hint }: CallAnswer): string {
  const words = [body?.error?.message, hint].filter(Boolean).join(" ");
  return words === "" ? "" : `: ${words}`;
}

function expectedWords({ expect }: ScriptStep): string {
  const { status, error, data } = expect ?? {};
  const words = conditionsWords(data);
  const parts = [status ?? [], error ?? [], words ? `with ${words}` : []].flat();
  return parts.length === 0 ? "is carried out" : `is answered ${parts.join(" ")}`;
}
