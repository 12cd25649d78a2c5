/** Worlds: reading, making, forking, listing, resetting and deleting them. */

import { z } from "zod";
import { parseDuration } from "../domain/durations.ts";
import { NAME, NAME_FORM } from "../domain/names.ts";
import { onFirstUse } from "../domain/on-first-use.ts";
import { isObject } from "../domain/plain-values.ts";
import { overlaidSettings, type Settings, settingsSchema } from "../domain/settings.ts";
import type { WorldSpec } from "../host/creation.ts";
import type { LiveWorld } from "../host/live-world.ts";
import { DEFAULT_WORLD, type Sandbox } from "../host/sandbox.ts";
import { DEFAULT_SCENARIOS, shippedOrInline } from "../host/scenario-library.ts";
import { withBeneath } from "../host/scenarios-beneath.ts";
import { WorldConflict } from "../host/world-conflict.ts";
import { wishesOf, worldSpecOf } from "../host/world-spec.ts";
import { durationAboveZero } from "../scenarios/time-fields.ts";
import { accountsField, clockField, seedField } from "../scenarios/world-keys.ts";
import { type ControlCall, type ControlRoute, inputOf, nothing, pageOf, pageQuery, Reply, taking } from "./call.ts";
import { ControlError } from "./errors.ts";
import { bundleOf } from "./history-routes.ts";
import { noSnapshot, noWorld } from "./missing-name.ts";
import { readInput } from "./validation.ts";
import { clockView, worldView } from "./views.ts";

const worldId = z.string().regex(NAME, { error: `must match ${NAME_FORM}` });

/** `from` as the id of a world. */
export const originWorld = z
  .string({ error: 'must be the id of a world, or {"world": ID, "snapshot": NAME}' })
  .regex(NAME, { error: `must match ${NAME_FORM}` })
  .transform((world) => ({ world, snapshot: undefined }));

/** `from` as a snapshot of a world. */
export const originSnapshot = z.strictObject({ world: worldId, snapshot: worldId });

/**
 * The body of `POST /worlds` and of `PUT` at a world's own address; `from` is read by the two schemas above, `ttl` is a
 * duration in real time.
 */
export const worldInput = onFirstUse(() =>
  z.strictObject({
    id: worldId.optional(),
    seed: seedField.optional(),
    clock: clockField.optional(),
    settings: z.record(z.string(), z.unknown()).optional(),
    scenarios: z
      .array(
        z.union([z.string(), z.record(z.string(), z.unknown())], {
          error: "must be the name of a shipped scenario, or a scenario as an object",
        }),
      )
      .optional(),
    accounts: accountsField.optional(),
    postback_url: z.string().nullable().optional(),
    from: z.unknown().optional(),
    /** A bundle of `GET /export`, to be replayed. */
    replay: z.record(z.string(), z.unknown()).optional(),
    ttl: durationAboveZero.optional(),
  }),
);
type WorldInput = z.infer<ReturnType<typeof worldInput>>;

/** TABLE: calls of worlds, except `PUT` (interface, section 4). */
export const worldRoutes: readonly ControlRoute[] = [
  {
    method: "GET",
    path: "/",
    operationId: "getWorld",
    answer: "World",
    handle: ({ live, root }) => worldView(live, root),
  },
  {
    method: "GET",
    path: "/worlds",
    operationId: "listWorlds",
    query: pageQuery,
    answer: "WorldPage",
    rootOnly: true,
    handle: (call) => pageOf(call, call.sandbox.all(), worldSummary, (live) => call.sandbox.numberOf(live)),
  },
  {
    method: "POST",
    path: "/worlds",
    operationId: "createWorld",
    body: "bundle",
    answer: "CreatedWorld",
    statuses: [201],
    rootOnly: true,
    ...taking(worldInput, create),
  },
  {
    method: "DELETE",
    path: "/worlds/:world",
    operationId: "deleteWorld",
    answer: null,
    rootOnly: true,
    handle: (call) => {
      inputOf(call, nothing);
      const { sandbox, params } = call;
      const live = sandbox.get(params.world ?? "");
      if (!live) throw noWorld(sandbox, params.world ?? "");
      if (live.id === DEFAULT_WORLD)
        throw new ControlError(409, "WORLD_IN_USE", "The default world cannot be deleted; reset it.");
      sandbox.delete(live);
      return new Reply(204, null);
    },
  },
  {
    method: "POST",
    path: "/reset",
    operationId: "reset",
    answer: "World",
    handle: (call) => {
      inputOf(call, nothing);
      return worldView(call.sandbox.reset(call.live), call.root);
    },
  },
];

/** `PUT {root}/worlds/{id}/_sandbox`: 201 with a new world, 200 with an existing one. */
export function putWorld(call: Omit<ControlCall, "live">, id: string): Reply | Promise<Reply> {
  const input = inputOf(call, worldInput());
  if (input.id !== undefined && input.id !== id) {
    throw new ControlError(422, "INVALID_REQUEST", `id must be ${id}, as in the address, or be left out.`);
  }
  if (!NAME.test(id)) throw new ControlError(400, "INVALID_REQUEST", `The id must match ${NAME_FORM}.`);
  const existing = call.sandbox.get(id);
  if (!existing) return createUnlessThere(call, { ...input, id });
  refuseMistakes(call.sandbox, { ...input, id });
  return new Reply(200, worldView(existing, call.root));
}

/** Like {@link create}. A replay takes time: if another call has made the world meanwhile, that one is the answer. */
async function createUnlessThere(call: Omit<ControlCall, "live">, input: WorldInput & { id: string }): Promise<Reply> {
  try {
    return await create(call, input);
  } catch (error) {
    const existing = error instanceof WorldConflict ? call.sandbox.get(input.id) : undefined;
    if (!existing) throw error;
    return new Reply(200, worldView(existing, call.root));
  }
}

/** Checks an input though the world exists already: a mistake must not show only where the world is missing. */
function refuseMistakes(sandbox: Sandbox, input: WorldInput): void {
  if (input.replay !== undefined) {
    refuseOthers(input, "replay");
    bundleOf(input.replay);
  } else if (input.from !== undefined) {
    originOf(input.from);
    refuseOthers(input, "from");
  } else sandbox.judge(specOf(sandbox, input));
}

/** TABLE: sources that determine everything in a new world, as messages say it. */
const takesAll = { replay: "A replay takes all from its bundle", from: "A fork takes all from its origin" } as const;

/** @throws {ControlError} 422 for fields that a world made by replay or fork cannot be given. */
function refuseOthers(input: WorldInput, source: keyof typeof takesAll): void {
  const others = Object.keys(input).filter((key) => ![source, "id", "ttl"].includes(key));
  if (others.length === 0) return;
  throw new ControlError(422, "INVALID_REQUEST", `${takesAll[source]}; leave out ${others.join(", ")}.`);
}

function create(call: Omit<ControlCall, "live">, input: WorldInput): Reply | Promise<Reply> {
  if (input.replay !== undefined) return replayed(call, input);
  const { sandbox, root } = call;
  const isFresh = input.from === undefined;
  const live = isFresh ? sandbox.create(specOf(sandbox, input), ttlOf(input)) : forked(sandbox, input);
  return new Reply(201, worldView(live, root));
}

function replayed(call: Omit<ControlCall, "live">, input: WorldInput): Promise<Reply> {
  refuseOthers(input, "replay");
  return call.replay({ id: input.id, bundle: input.replay, ttlMs: ttlOf(input) });
}

/** All that a fresh world is made from. */
function specOf(sandbox: Sandbox, input: WorldInput): WorldSpec {
  const scenarios = withBeneath(shippedOrInline(input.scenarios ?? DEFAULT_SCENARIOS));
  const wishes = wishesOf(scenarios);
  const settings = settingsOf(overlaidSettings(wishes.settings, input.settings));
  return worldSpecOf({ ...input, id: input.id ?? sandbox.freeId(), settings, scenarios }, wishes);
}

/** The settings of a call, nested so that messages name them as fields of `settings`. */
const settingsInput = onFirstUse(() => z.strictObject({ settings: settingsSchema }));

/** Settings are read as plain JSON: their numbers are not amounts. */
function settingsOf(given: Readonly<Record<string, unknown>>): Settings {
  const settings = JSON.parse(JSON.stringify(given));
  return readInput(settingsInput(), { settings }).settings;
}

const ttlOf = ({ ttl }: WorldInput) => (ttl === undefined ? null : parseDuration(ttl));

function forked(sandbox: Sandbox, input: WorldInput): LiveWorld {
  const { world, snapshot } = originOf(input.from);
  const origin = sandbox.get(world);
  if (!origin) throw noWorld(sandbox, world);
  if (snapshot !== undefined && !sandbox.snapshots.has(world, snapshot)) {
    throw noSnapshot(sandbox, origin, snapshot, `the world ${world}`);
  }
  refuseOthers(input, "from");
  const chosen = snapshot === undefined ? {} : { snapshot };
  return sandbox.fork(origin, input.id ?? sandbox.freeId(), { ...chosen, ttlMs: ttlOf(input) });
}

/** Each form of `from` has a schema of its own, so that messages fit the form that was given. */
function originOf(from: unknown): { world: string; snapshot: string | undefined } {
  if (isObject(from)) return readInput(z.strictObject({ from: originSnapshot }), { from }).from;
  return readInput(z.strictObject({ from: originWorld }), { from }).from;
}

/** A world as it is listed. */
export function worldSummary(live: LiveWorld) {
  return { world: live.id, clock: clockView(live), seed: live.world.identity.seed };
}
