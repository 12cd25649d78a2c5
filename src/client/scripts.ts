/** What controls the outside world: the scenarios of a world, and its fault rules. */
import { NAME } from "../domain/names.ts";
import { YamlText } from "./control-client.ts";
import type { FaultRule, ScenarioInput } from "./control-requests.ts";
import type { FaultInfo, ScenarioInfo } from "./control-types.ts";
import { refuseNoText } from "./refusals.ts";
import type { ListOptions, WorldCalls } from "./world-calls.ts";

/** The scenarios of a world. */
export class Scenarios {
  readonly #calls: WorldCalls;

  constructor(calls: WorldCalls) {
    this.#calls = calls;
  }

  /** The loaded scenarios, with what their rules did and how their expectations stand. */
  list(options?: ListOptions): Promise<ScenarioInfo[]> {
    return this.#calls.all("/scenarios", options);
  }

  /** A loaded scenario. @throws {ControlCallError} 404 if none of this name is loaded. */
  get(name: string): Promise<ScenarioInfo> {
    return this.#calls.call("GET", `/scenarios/${encodeURIComponent(name)}`);
  }

  /**
   * Loads a scenario, replacing a loaded one of the same name.
   * @param source the name of a shipped scenario, the text of a YAML file, or a document.
   * @throws {ControlCallError} 422 `INVALID_SCENARIO` says line by line what is wrong.
   * @throws {Error} if `source` is the path of a file: give the file's text instead.
   * @example
   * ```ts
   * await world.scenarios.load("chargeback-lost");
   * await world.scenarios.load(await readFile("scenarios/slow-payer.yaml", "utf8"));
   * await world.scenarios.load({ scenario: "slow", rules: [{ on: "cashin.created", then: [{ after: "9m", pay: {} }] }] });
   * ```
   */
  async load(source: string | ScenarioInput): Promise<ScenarioInfo> {
    return this.#calls.call("POST", "/scenarios", bodyOf(source));
  }

  /** Unloads a scenario. @throws {ControlCallError} 404 if none of this name is loaded. */
  delete(name: string): Promise<void> {
    return this.#calls.call("DELETE", `/scenarios/${encodeURIComponent(name)}`);
  }
}

/** The fault rules of a world that were set by hand, or by a step of a scenario; those among its rules apply as well. */
export class Faults {
  readonly #calls: WorldCalls;

  constructor(calls: WorldCalls) {
    this.#calls = calls;
  }

  /**
   * The rules that were set by hand or by a step, also those that are over, with how often they matched and how often
   * they injected their fault.
   */
  async list(): Promise<FaultInfo[]> {
    return (await this.#calls.call<{ rules: FaultInfo[] }>("GET", "/faults")).rules;
  }

  /**
   * Replaces all rules that were set by hand or by a step.
   * @example
   * ```ts
   * await world.faults.set([
   *   { request: "POST /v2/transactions/cashout", inject: { status: 503 }, times: 2 },
   *   { delivery: "cashin.*", inject: { duplicate: 1 } },
   * ]);
   * ```
   */
  async set(rules: readonly FaultRule[]): Promise<FaultInfo[]> {
    return (await this.#calls.call<{ rules: FaultInfo[] }>("PUT", "/faults", { rules })).rules;
  }

  /** Adds a rule after the existing ones, which keep their counts. */
  add(rule: FaultRule): Promise<FaultInfo> {
    return this.#calls.call("POST", "/faults", rule);
  }

  /**
   * Removes a rule; the others keep their counts.
   * @param id as `add` and `list` return it. @throws {ControlCallError} 404 if there is none with this id.
   */
  async remove(id: string): Promise<void> {
    refuseNoText("The id of faults.remove", id);
    await this.#calls.call("DELETE", `/faults/${encodeURIComponent(id)}`);
  }

  /** Removes all rules that were set by hand or by a step. */
  async clear(): Promise<void> {
    await this.#calls.call("DELETE", "/faults");
  }
}

/** A line that ends like the name of a scenario file; it has no colon, except behind a drive letter: that is YAML. */
const PATH = /^([a-z]:[\\/])?[^\n:]*\.(ya?ml|json)$/i;

function bodyOf(source: string | ScenarioInput): object {
  if (typeof source !== "string") return source;
  if (NAME.test(source)) return { name: source };
  if (!PATH.test(source)) return new YamlText(source);
  throw new Error(
    `load takes a name, a document or the text of a file; read ${JSON.stringify(source)} and give its text.`,
  );
}
