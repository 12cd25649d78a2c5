/** Warnings about calls that are refused for what they send, as the service judges them in a fresh world of a run. */
import { DomainError, type ErrorCode } from "../../domain/errors.ts";
import { isObject } from "../../domain/plain-values.ts";
import { withoutStop } from "../../domain/words/near-name.ts";
import { createWorld, type ScenarioSource } from "../../host/creation.ts";
import type { FoundScenario } from "../../host/scenario-texts.ts";
import { CreationError } from "../../host/start-errors.ts";
import type { Endpoint } from "../../http/endpoint.ts";
import { endpointOf } from "../../http/endpoints.ts";
import { parseBody } from "../../http/json.ts";
import { fieldFaults } from "../../http/read-input.ts";
import { specOfRun } from "../../runs/run.ts";
import { accountsIn } from "../../scenarios/field-values.ts";
import { checkUsername, type KnownWorld, knownWorld } from "../../scenarios/known-world.ts";
import { type LoadedScenario, loadScenario } from "../../scenarios/loader.ts";
import type { Problem } from "../../scenarios/problems.ts";
import { expectsRefusal } from "../../scenarios/script-checks.ts";
import type { ScriptStep } from "../../scenarios/script-schema.ts";
import { referencesIn } from "../../scenarios/variables.ts";
import { Database } from "../../store/database.ts";
import { World } from "../../world/world.ts";
import { unknownFieldsOf } from "./ignored-fields.ts";

/** The refusals that nothing which happens in a run takes away. In a fresh world, a limit is exceeded by one call. */
const lasting: readonly ErrorCode[] = [
  "INVALID_REQUEST",
  "INVALID_CURRENCY",
  "UNSUPPORTED_CHAIN",
  "UNSUPPORTED_CURRENCY",
  "LIMIT_EXCEEDED",
];

/** A call as it is sent: its fields are in the query or in the body. */
interface SentCall {
  readonly endpoint: Endpoint;
  readonly username: string | undefined;
  readonly query: URLSearchParams;
  /** As the file has it; undefined for a call whose fields are in the query. */
  readonly given: unknown;
}

/** Each call that is to succeed and is refused for its fields, beyond what the schemas of bodies tell. */
export function callWarnings({ content, problemAt }: LoadedScenario, source: FoundScenario): Problem[] {
  const known = knownWorld(content);
  const calls = (content.merchant ?? []).flatMap((step, index) => {
    const sent = sentBy(step, known);
    return sent ? [{ sent, index }] : [];
  });
  if (calls.length === 0) return [];
  const spec = specOfRun(source);
  const ratesMove = spec.scenarios.some(changesRates);
  const database = Database.oneOfMany();
  try {
    createWorld(database, { ...spec, scenarios: [] });
    const world = new World(database);
    return calls.flatMap(({ sent, index }) => {
      const fault = ratesMove && sent.endpoint.tag === "Conversions" ? null : faultOf(world, sent);
      if (fault === null) return [];
      const { method, path } = sent.endpoint;
      const part = method === "GET" ? "query" : "body";
      const message = `${method} ${path} refuses this ${part}: ${fault}`;
      const [field = ""] = /^\w+/.exec(fault) ?? [];
      const isField = isObject(sent.given) && Object.hasOwn(sent.given, field);
      return [problemAt(["merchant", index, part === "body" ? "body" : "call"], message, isField ? field : undefined)];
    });
  } catch (error) {
    // A run says why its world cannot be made.
    if (error instanceof CreationError) return [];
    throw error;
  } finally {
    database.close();
  }
}

/** The call of a step; null if it is not to succeed, is known only in a run, or is warned of for other reasons. */
function sentBy(step: ScriptStep, known: KnownWorld): SentCall | null {
  const { call = "", body: given, as, expect } = step;
  const endpoint = endpointOf(call);
  if (!endpoint?.input || endpoint.auth === "none" || expectsRefusal(expect)) return null;
  if (referencesIn({ call, given, as }).length > 0) return null;
  if (unknownFieldsOf(step, endpoint).some(({ meant }) => meant !== null)) return null;
  const strangers = [...accountsIn(given, [])].flatMap(([name, at]) => [...checkUsername(at, name, known)]);
  if (strangers.length > 0) return null;
  const query = new URLSearchParams(call.split("?").slice(1).join("?"));
  if (endpoint.method === "GET") return { endpoint, username: as, query, given: undefined };
  if (given === undefined) return null;
  const hasFaults = isObject(given) && fieldFaults(endpoint.input(), bodyOf(given, Infinity) as object).length > 0;
  return hasFaults ? null : { endpoint, username: as, query, given };
}

/** A body as the service reads it. @throws {DomainError} if it has more values than `most`. */
function bodyOf(given: unknown, most?: number): unknown {
  return given === undefined ? undefined : parseBody(Buffer.from(JSON.stringify(given)), most);
}

/** Whether a scenario changes rates, and with them what a conversion comes to. */
function changesRates({ text, file }: ScenarioSource): boolean {
  return loadScenario(text, file).content.rules.some(({ then = [] }) => then.some((step) => "set_rate" in step));
}

/** What a world refuses a call for, without a full stop; null for nothing that lasts. The call leaves no trace. */
function faultOf(world: World, { endpoint, username, query, given }: SentCall): string | null {
  const { accounts } = world;
  const [credential] = accounts.credentialsOf(username ?? accounts.all()[0]?.username ?? "");
  if (!credential) return null;
  const done = new Error("The call was carried out.");
  try {
    world.operate((operation) => {
      const body = bodyOf(given);
      endpoint.handle({ operation, credential, query, body, form: null, headers: {}, prove: () => credential });
      throw done;
    });
  } catch (error) {
    if (error instanceof DomainError) return lasting.includes(error.code) ? withoutStop(error.message) : null;
    if (error !== done) throw error;
  }
  return null;
}
