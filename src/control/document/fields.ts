/** TABLES: what documents say of fields beyond the schemas that read bodies and queries. */
import { MAX_PAGE_ITEMS, PAGE_ITEMS } from "../../domain/bounds.ts";
import { eventNames } from "../../domain/events.ts";
import { advanceWords } from "../../world/advance-words.ts";
import { momentInput } from "../advance-target.ts";
import { originSnapshot, originWorld } from "../world-routes.ts";
import { settings } from "./answers-world.ts";
import { inputSchema, type Json, reference } from "./schemas.ts";

const INSTANT = { type: "string", description: "An instant, such as `2026-01-01T12:00:00Z`." };
const DURATION = { type: "string", description: "A duration, such as `5s`, `31m` or `1d`." };
const POSTBACK = "Where webhooks go: an http or https URL, `sandbox://inbox`, or null for none.";

/** Descriptions and facts, by the name of the field. */
const notes: Readonly<Record<string, Json>> = {
  by: DURATION,
  to: INSTANT,
  now: INSTANT,
  ttl: { ...DURATION, description: "How long the world lives after its last call: a duration, such as `1d`." },
  max_timers: { description: "As many timers as run at most." },
  speed: { description: "Seconds of the world per real second." },
  mode: { description: "Whether time flows by itself." },
  postback_url: { description: POSTBACK },
  ips: { description: "IPv4 or IPv6 addresses." },
  rates: { description: "US dollars per unit, by currency; decimals." },
  seed: { description: "What all that is made up follows from." },
  limits: {
    description: "The items of `GET /v2/account/limits` that differ, in the place of those that were given before.",
  },
  limit: {
    type: "integer",
    minimum: 1,
    maximum: MAX_PAGE_ITEMS,
    default: PAGE_ITEMS,
    description: "As many as are shown.",
  },
  cursor: { description: "The `next_cursor` of the page before." },
};

/** Some generators turn an object without `additionalProperties` into one without any fields. */
const anything = { type: "object", additionalProperties: true };

/** A scenario as an object: its language is described by a schema of its own. */
export const scenarioFile: Json = {
  description: "A scenario file as an object; `payments-sandbox schema` prints its whole JSON Schema.",
  type: "object",
  properties: {
    scenario: { type: "string", description: "Its name." },
    description: { type: "string" },
    rules: { type: "array", items: anything },
  },
  required: ["scenario"],
  additionalProperties: true,
};

const until: Json = {
  description:
    "What it runs to; what is at a moment may have an `offset`, such as `-1s`. An event that nothing else can bring about any more is waited for until each rule with `every` that may do so has acted once more.",
  anyOf: [{ type: "string", enum: advanceWords(eventNames) }, inputSchema(momentInput)],
};

const world: Readonly<Record<string, Json>> = {
  settings: inputSchema(settings),
  scenarios: {
    description: "Names of shipped scenarios, or scenarios as objects.",
    type: "array",
    items: { anyOf: [{ type: "string" }, reference("ScenarioFile")] },
  },
  from: {
    description: "The world that it is a fork of, as it is now or as a snapshot has it.",
    anyOf: [inputSchema(originWorld), inputSchema(originSnapshot)],
  },
  replay: reference("Bundle"),
};

/** Fields that code checks instead of a schema, by the call that takes them. */
const judged: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
  createWorld: world,
  putWorld: world,
  advanceClock: { until },
};

/** The schema of a call's input, with all that is known of its fields. */
export function withFields(schema: Json, operationId: string): Json {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>).map(([name, member]) => {
    return [name, judged[operationId]?.[name] ?? { ...member, ...noteOf(name, member) }];
  });
  return schema.properties ? { ...schema, properties: Object.fromEntries(properties) } : schema;
}

/** A description in the schema itself takes precedence. */
function noteOf(name: string, member: Json): Json {
  const note = notes[name] ?? {};
  return "description" in member ? { ...note, description: member.description } : note;
}
