/** What the outside world is told to do: the scenarios of a world, and its fault rules. */
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

  /** The scenarios that are loaded, with what their rules did and how their expectations stand. */
  list(options?: ListOptions): Promise<ScenarioInfo[]> {
    return this.#calls.all("/scenarios", options);
  }

  /** One of them. @throws {ControlCallError} 404 where none of this name is loaded. */
  get(name: string): Promise<ScenarioInfo> {
    return this.#calls.call("GET", `/scenarios/${encodeURIComponent(name)}`);
  }

  /**
   * Loads a scenario, in the place of one of the same name: a shipped one by its name, the text of a YAML file, or a
   * document.
   * @throws {ControlCallError} 422 `INVALID_SCENARIO` says line by line what is wrong.
   * @throws {Error} for the path of a file: its text is to be given.
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

  /** Takes one out. @throws {ControlCallError} 404 where none of this name is loaded. */
  delete(name: string): Promise<void> {
    return this.#calls.call("DELETE", `/scenarios/${encodeURIComponent(name)}`);
  }
}

/** The fault rules of a world that are set by hand; those of scenarios stand beside them. */
export class Faults {
  readonly #calls: WorldCalls;

  constructor(calls: WorldCalls) {
    this.#calls = calls;
  }

  /** The rules that were set by hand, with how often they matched and struck. */
  async list(): Promise<FaultInfo[]> {
    return (await this.#calls.call<{ rules: FaultInfo[] }>("GET", "/faults")).rules;
  }

  /**
   * Replaces all rules that were set by hand.
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

  /** Adds a rule behind those that stand; these go on as they are. */
  add(rule: FaultRule): Promise<FaultInfo> {
    return this.#calls.call("POST", "/faults", rule);
  }

  /**
   * Takes one out; the others go on as they are.
   * @param id as `add` and `list` give it. @throws {ControlCallError} 404 where there is none of this id.
   */
  async remove(id: string): Promise<void> {
    refuseNoText("The id of faults.remove", id);
    await this.#calls.call("DELETE", `/faults/${encodeURIComponent(id)}`);
  }

  /** Takes all of them out. */
  async clear(): Promise<void> {
    await this.#calls.call("DELETE", "/faults");
  }
}

/** One line that ends as files of scenarios do; in front of a colon there may be a drive's letter, and no key. */
const PATH = /^([a-z]:[\\/])?[^\n:]*\.(ya?ml|json)$/i;

function bodyOf(source: string | ScenarioInput): object {
  if (typeof source !== "string") return source;
  if (NAME.test(source)) return { name: source };
  if (!PATH.test(source)) return new YamlText(source);
  throw new Error(
    `load takes a name, a document or the text of a file; read ${JSON.stringify(source)} and give its text.`,
  );
}
