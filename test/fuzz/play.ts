/** A run: some calls at a fork of a template, each answer judged, and the world looked at when they are over. */
import fc from "fast-check";
import { control } from "../support/control.ts";
import { Merchant } from "../support/merchant.ts";
import { type Call, callsOf, messageOf, type Surroundings } from "./calls.ts";
import { exchange } from "./exchange.ts";
import { judge } from "./judges.ts";
import { bytesOf, type Message, replayOf } from "./message.ts";
import { oddWorlds } from "./odd-worlds.ts";
import { nameOf, type Operation } from "./operations.ts";
import { expectCleanPrototype, expectServing, expectSound } from "./soundness.ts";
import { gather, type Pools, type Protection, protections, type Stage } from "./stage.ts";

/** What a run consists of. */
export interface Run {
  /** A fork of the template with these protections, or a world of its own. */
  readonly begin: Protection | object;
  /** Whether its calls are made at once. */
  readonly together: boolean;
  readonly calls: readonly Call[];
}

/** What has been answered so far. */
export interface Counts {
  /** By operation, by class of status (`2xx`, `none` for a closed connection). */
  readonly byOperation: Map<string, Map<string, number>>;
  requests: number;
  /** The call that took longest, in milliseconds of this machine. */
  slowest: { readonly ms: number; readonly name: string };
}

/** Nothing yet. */
export function noCounts(): Counts {
  return { byOperation: new Map(), requests: 0, slowest: { ms: 0, name: "" } };
}

/** Runs over all operations of a stage. */
export function runsOf(operations: readonly Operation[]): fc.Arbitrary<Run> {
  // As many calls of the service as of the control interface, which has more of them.
  const areas = (["service", "control"] as const).map((area) =>
    operations.filter((one) => one.area === area).map(callsOf),
  );
  const call = fc.oneof(...areas.filter((calls) => calls.length > 0).map((calls) => fc.oneof(...calls)));
  return fc.record({
    begin: fc.oneof(
      { arbitrary: fc.constantFrom<Protection | object>(...protections), weight: 3 },
      { arbitrary: oddWorlds, weight: 1 },
    ),
    together: fc.integer({ min: 0, max: 9 }).map((number) => number === 9),
    calls: fc.array(call, { minLength: 1, maxLength: 24, size: "max" }),
  });
}

const WORLD = "fuzzed";

/** Plays a run. @throws {Error} that says what was wrong, and how to send what led to it again. */
export async function play(
  stage: Stage,
  run: Run,
  counts: Counts,
  onMessage: (replay: string) => void = () => {},
): Promise<void> {
  const sent: string[] = [];
  try {
    await clear(stage);
    const around = await begin(stage, run.begin);
    const send = async (call: Call) => {
      const message = messageOf(call, around);
      const replay = replayOf(message, stage.baseUrl);
      sent.push(replay);
      onMessage(replay);
      const answer = await answerTo(stage, message, nameOf(call.operation), counts);
      if (answer) gather(answer.text, around.pools);
    };
    if (run.together) await Promise.all(run.calls.map(send));
    else for (const call of run.calls) await send(call);
    await expectAllWell(stage, typeof run.begin === "string");
  } catch (error) {
    const world =
      typeof run.begin === "string"
        ? `a fork of a world with protections: ${run.begin}`
        : `a world of ${JSON.stringify(run.begin)}`;
    const how = run.together ? ", at once" : "";
    throw new Error(`${(error as Error).message}\nAt ${world}, after this was sent${how}:\n  ${sent.join("\n  ")}`);
  }
}

/** Makes the world of a run. */
async function begin(stage: Stage, of: Protection | object): Promise<Surroundings & { readonly pools: Pools }> {
  const base = `/worlds/${WORLD}`;
  const world = { baseUrl: stage.baseUrl + base };
  const template = stage.templates[typeof of === "string" ? of : "off"];
  const made = await control(stage, "POST", "/worlds", {
    id: WORLD,
    ...(typeof of === "string" ? { from: template.id } : of),
  });
  expectNoFault(stage);
  if (made.status >= 500) throw new Error(`A world was refused: ${made.text}`);
  await control(world, "POST", "/snapshots", { name: "before" });
  const { pools: known, token, signingKey } = template;
  if (typeof of === "string") return { base, token, signingKey, pools: structuredClone(known) };
  const pools: Pools = { world: [WORLD], snapshot: ["before"], scenario: ["happy-path"] };
  gather(made.text, pools);
  // What no world came of goes on as calls to one that is not there.
  const credential = made.body.accounts?.[0]?.credentials[0] ?? {
    client_id: "x",
    client_secret: "x",
    signing_key: "x",
  };
  const merchant = new Merchant(world, { clientId: credential.client_id, clientSecret: credential.client_secret });
  if (made.status === 201) await merchant.authenticate();
  return { base, pools, token: merchant.token || "x", signingKey: credential.signing_key };
}

async function expectAllWell(stage: Stage, isUsual: boolean): Promise<void> {
  const world = { baseUrl: `${stage.baseUrl}/worlds/${WORLD}` };
  await expectSound(world);
  if (isUsual) {
    await expectServing(world);
    await expectSound(world);
  }
  expectCleanPrototype();
  expectNoFault(stage);
}

async function answerTo(stage: Stage, message: Message, name: string, counts: Counts) {
  const began = performance.now();
  let isDelayed = false;
  const slowly = async (giveUp: () => void) => {
    // A long way to go may be called off; an answer that a rule holds back is not waited for.
    await control({ baseUrl: `${stage.baseUrl}/worlds/${WORLD}` }, "DELETE", "/clock/advance");
    isDelayed = await isHeldBack(stage);
    if (isDelayed) giveUp();
  };
  const bytes = bytesOf(message, new URL(stage.baseUrl).host);
  const answer = await exchange(stage.baseUrl, bytes, {
    isCut: message.isCut,
    onSlow: (giveUp) => void slowly(giveUp),
  });
  count(counts, name, answer === null ? "none" : `${Math.floor(answer.status / 100)}xx`, performance.now() - began);
  expectNoFault(stage);
  const isLost = answer === null && (isDelayed || (await isHeldBack(stage)));
  if (!isLost) judge(message, answer);
  return answer;
}

/** Whether a rule of the world has struck that holds answers back or loses them, as its journal tells. */
async function isHeldBack(stage: Stage): Promise<boolean> {
  const world = { baseUrl: `${stage.baseUrl}/worlds/${WORLD}` };
  for (let cursor: string | null = "0"; cursor !== null; ) {
    const { status, body } = await control(world, "GET", `/journal?limit=1000&cursor=${cursor}`);
    if (status === 404) return false;
    if (body.items.some((entry: { kind: string }) => entry.kind === "fault.injected")) return true;
    cursor = body.next_cursor;
  }
  return false;
}

function expectNoFault({ faults }: Stage): void {
  const [fault] = faults.splice(0);
  if (fault) throw new Error(`A fault of the sandbox: ${(fault as Error).stack ?? String(fault)}`);
}

/** What runs leave behind goes: worlds that they made, and what became of the default one. */
async function clear(stage: Stage): Promise<void> {
  const { body } = await control(stage, "GET", "/worlds?limit=1000");
  for (const { world } of body.items) {
    if (world !== "default" && !world.startsWith("template-")) await control(stage, "DELETE", `/worlds/${world}`);
  }
}

function count(counts: Counts, name: string, status: string, ms: number): void {
  counts.requests++;
  const row = counts.byOperation.get(name) ?? new Map<string, number>();
  counts.byOperation.set(name, row.set(status, (row.get(status) ?? 0) + 1));
  if (ms > counts.slowest.ms) counts.slowest = { ms, name };
}
