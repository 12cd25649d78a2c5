/** The merchant's script and expectations in the JSON Schema of scenario files. */
import { eventKinds } from "../domain/events.ts";
import { ofAttempts, ofWebhooks } from "./expected.ts";
import { conditionsOn, exactlyOneOf, type Json, ref, where } from "./json-schema-words.ts";
import { type ExpectationKind, expectationKeys } from "./script-schema.ts";
import { disputeFieldNames, struckFieldNames, transactionFieldNames, triggerFields } from "./triggers.ts";
import { REFERENCE_FORM } from "./variables.ts";

/** The definition of a merchant's step. @param step the JSON Schema generated from the zod schema. */
export function merchantStepDefinition(step: Json): Json {
  const ofCalls = ["body", "form", "as", "repeat", "expect", "save"];
  const { properties } = step as { properties: Record<string, Json> };
  return {
    ...step,
    properties: { ...properties, expect: { ...properties.expect, ...ofSuccess } },
    ...exactlyOneOf(["call", "advance", "note"]),
    dependencies: Object.fromEntries(ofCalls.map((key) => [key, ["call"]])),
    not: { required: ["body", "form"] },
  };
}

/** Only a success has data. */
const SUCCESS = {
  anyOf: [
    { type: "integer", maximum: 399 },
    { type: "string", pattern: REFERENCE_FORM },
  ],
};
const ofSuccess = where("data", {}, { properties: { error: false, status: SUCCESS } });

/** Definitions of expectations. @param expectation the JSON Schema generated from the zod schema. */
export function expectationDefinitions(expectation: Json): Record<string, Json> {
  const kinds = Object.keys(expectationKeys) as ExpectationKind[];
  const events = (["event", "no_event"] as const).flatMap((key) => eventKinds.map((kind) => byEvent(key, kind)));
  return {
    expectation: {
      ...expectation,
      ...exactlyOneOf(kinds),
      allOf: [...kinds.map((kind) => besides(expectation, kind)), ...events],
    },
    ...Object.fromEntries(eventKinds.map((kind) => [`expected-${kind}`, expectedOf(kind)])),
    "expected-webhook": conditionsOn([...struckFieldNames("delivery", "*"), ...ofWebhooks, ...ofAttempts], null),
    "expected-transaction": conditionsOn([...transactionFieldNames, "amount_refunded"], "transaction"),
    "expected-dispute": conditionsOn(disputeFieldNames, "dispute"),
  };
}

/** Which other keys an expectation of a kind may have, and the fields of webhooks, transactions and disputes. */
function besides(expectation: Json, kind: ExpectationKind): Json {
  const allowed: readonly string[] = ["name", kind, ...expectationKeys[kind]];
  const others = Object.keys(expectation.properties as Json).filter((key) => !allowed.includes(key));
  const fields = kind === "webhook" || kind === "transaction" || kind === "dispute" ? ref(`expected-${kind}`) : null;
  const conditions =
    kind === "transaction" || kind === "dispute" ? { [kind]: { anyOf: [{ type: ["string", "null"] }, fields] } } : {};
  const none = Object.fromEntries(others.map((key) => [key, false]));
  return where(kind, {}, { properties: { ...none, ...conditions, ...(fields ? { where: fields } : {}) } });
}

function byEvent(key: "event" | "no_event", kind: string): Json {
  return where(key, { const: kind }, { properties: { where: ref(`expected-${kind}`) } });
}

function expectedOf(kind: string): Json {
  return conditionsOn([...(triggerFields(kind) ?? []), ...ofWebhooks], kind);
}
