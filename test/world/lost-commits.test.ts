/** Commits that the disk refuses while a world runs: what they held is done again, and nothing stands still for it. */
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { LiveWorld } from "../../src/host/live-world.ts";
import { laterTurn } from "../../src/runtime.ts";
import { EXPIRY_TIMER } from "../../src/service/cashin.ts";
import { INBOX_ANSWER } from "../../src/webhooks/attempts.ts";
import type { Send } from "../../src/webhooks/delivery.ts";
import type { Operation } from "../../src/world/operation.ts";
import { bareWorld } from "../support/bare-world.ts";
import { databaseInFile } from "../support/database.ts";

const FULL = Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });

/** More timers than are run in one go. */
const MANY = 300;

/** A world in a file that runs in this process. */
function liveWorld(send: Send | null = null, onFault: (error: unknown) => void = () => {}): LiveWorld {
  const { database } = bareWorld("w1");
  const live = new LiveWorld(databaseInFile(database.serialize()), { send, concurrency: 16, onFault });
  onTestFinished(() => live.abandon());
  database.close();
  live.start();
  return live;
}

/** Emits events whose webhooks go to these addresses. */
function emit({ world }: LiveWorld, ...destinations: string[]): void {
  const [credential] = world.accounts.credentialsOf("acme");
  const event = {
    kind: "cashin.confirmed",
    data: {},
    subject: { type: "cashin", id: "c1" },
    envelopeId: "c1",
  } as const;
  world.operate((operation) => {
    const caused = operation.because(operation.record("note", null, {}));
    for (const postbackUrl of destinations)
      caused.emit({ ...event, username: "acme", clientId: credential?.client_id ?? "", postbackUrl });
  });
}

/** Has commits fail. @param first how many before them are taken. */
function refuseCommits({ world: { random } }: LiveWorld, count: number, first = 0, error: Error = FULL): void {
  const keep = random.keep.bind(random);
  let commits = 0;
  vi.spyOn(random, "keep").mockImplementation(() => {
    commits++;
    if (commits > first && commits <= first + count) throw error;
    keep();
  });
}

async function someTurns(): Promise<void> {
  for (let turns = 0; turns < 5; turns++) await laterTurn();
}

/** The destinations of the webhooks whose delivery is recorded, in order. */
function recorded({ world }: LiveWorld): unknown[] {
  const entries = world.journal.after(0, 1000).filter(({ kind }) => kind === "webhook.delivered");
  return entries.map(({ data }) => world.webhooks.get(String(data.webhook_id))?.destination);
}

describe("a commit that is lost just before an advance begins", () => {
  test("fails the advance, which then neither does anything nor holds the clock", async () => {
    const live = liveWorld();
    const { world, runner } = live;
    world.operate(() => world.clock.change("running", 1));
    const { kept } = world.operateTogether((operation) => operation.record("note", null, {}));
    refuseCommits(live, 1);
    const first = vi.fn(() => world.operate((operation) => void operation.record("note", null, {})));
    const advance = runner.advance({ kind: "by", durationMs: 1000 }, { first });
    await expect(Promise.allSettled([kept, advance])).resolves.toMatchObject([{ reason: FULL }, { reason: FULL }]);
    expect(first).not.toHaveBeenCalled();
    expect(world.clock.realMsUntil(world.clock.now() + 1000)).not.toBeNull();
    await expect(runner.advance({ kind: "by", durationMs: 1000 }, { first })).resolves.toMatchObject({ reached: true });
    expect(first).toHaveBeenCalledOnce();
  });
});

describe("a webhook whose sending the disk refuses, while another receiver does not answer and has more waiting", () => {
  const [hung, quick] = ["http://hung.test/", "http://quick.test/"];

  /** A world with a webhook in the air to either address, of which only the second is ever answered, by hand. */
  async function inTheAir() {
    const sent: string[] = [];
    const answers = Promise.withResolvers<void>();
    const live = liveWorld(async ({ destination }) => {
      sent.push(destination);
      await (destination === hung ? new Promise(() => {}) : answers.promise);
      return INBOX_ANSWER;
    });
    emit(live, hung);
    await someTurns();
    return { live, sent, answer: answers.resolve };
  }

  test.each([FULL, new Error("a fault of ours")])("leaves at once, if that was refused once: %s", async (error) => {
    const { live, sent } = await inTheAir();
    refuseCommits(live, 1, 1, error);
    emit(live, quick, hung);
    await someTurns();
    expect(sent).toEqual([hung, quick]);
  });

  test("leaves when the disk is tried again", async () => {
    const { live, sent } = await inTheAir();
    refuseCommits(live, 2, 1);
    emit(live, quick, hung);
    await someTurns();
    expect(sent).toEqual([hung]);
    live.runner.drive();
    await someTurns();
    expect(sent).toEqual([hung, quick]);
  });

  test("leaves when its turn had come, and so do those behind it", async () => {
    const { live, sent, answer } = await inTheAir();
    emit(live, quick, quick, quick, hung);
    await someTurns();
    expect(sent).toEqual([hung, quick]);
    vi.spyOn(live.world.attempts, "open").mockImplementationOnce(() => {
      throw FULL;
    });
    answer();
    await someTurns();
    expect(sent).toEqual([hung, quick]);
    live.runner.drive();
    await someTurns();
    expect(sent).toEqual([hung, quick, quick, quick]);
  });
});

describe("results of deliveries whose commit is lost", () => {
  const [first, second] = ["http://first.test/", "http://second.test/"];

  test("are recorded again before those that the disk did not take at all", async () => {
    const answers = Promise.withResolvers<void>();
    const live = liveWorld(() => answers.promise.then(() => INBOX_ANSWER));
    emit(live, first, second);
    await someTurns();
    const { attempts } = live.world;
    const close = attempts.close.bind(attempts);
    vi.spyOn(attempts, "close")
      .mockImplementationOnce(close)
      .mockImplementationOnce(() => {
        throw FULL;
      });
    refuseCommits(live, 1);
    answers.resolve();
    await someTurns();
    expect(recorded(live)).toEqual([]);
    live.runner.drive();
    await someTurns();
    expect(recorded(live)).toEqual([first, second]);
  });

  test("are alone recorded again: what was committed before is done", async () => {
    const live = liveWorld(async () => INBOX_ANSWER);
    emit(live, first);
    await someTurns();
    refuseCommits(live, 1, 1);
    emit(live, second);
    await someTurns();
    live.runner.drive();
    await someTurns();
    expect(recorded(live)).toEqual([first, second]);
  });
});

test("D61 an attempt that the disk refused does not count towards the 100 per minute", async () => {
  const live = liveWorld(async () => INBOX_ANSWER);
  refuseCommits(live, 1, 1);
  emit(live, ...Array(live.world.settings.webhook_rate).fill("http://quick.test/"));
  await someTurns();
  await live.runner.settle();
  expect(recorded(live)).toHaveLength(live.world.settings.webhook_rate);
});

test("a full disk is told of once, and again only after it has taken something", async () => {
  const told = vi.fn();
  const live = liveWorld(async () => INBOX_ANSWER, told);
  for (const stalls of [1, 2]) {
    refuseCommits(live, 2, 1);
    emit(live, "http://quick.test/");
    await someTurns();
    live.runner.drive();
    await someTurns();
    expect(told.mock.calls).toEqual(Array(stalls).fill([FULL]));
    live.runner.drive();
    await someTurns();
    expect(recorded(live)).toHaveLength(stalls);
    vi.restoreAllMocks();
  }
});

test("a full disk is tried again after a while, not at once, however much is due", async () => {
  const live = liveWorld();
  const keep = vi.spyOn(live.world.random, "keep").mockImplementation(() => {
    throw FULL;
  });
  const schedule = (operation: Operation) => {
    for (let count = 0; count < MANY; count++)
      operation.schedule({ due: operation.now, kind: EXPIRY_TIMER, subject: "none" });
  };
  keep.mockImplementationOnce(() => {});
  live.world.operate(schedule);
  await someTurns();
  // That of the operation, which is taken, and one of the timers.
  expect(keep).toHaveBeenCalledTimes(2);
  keep.mockRestore();
  live.runner.drive();
  await someTurns();
  expect(live.world.timers.count()).toBe(0);
});

test("what is done again after a loss is done at its own instant, whatever was lost with it", async () => {
  const live = liveWorld();
  const { world } = live;
  const lost = world.clock.now() + 2000;
  const note = (at: number) => world.operateTogether((operation) => operation.record("note", null, {}), at).kept;
  refuseCommits(live, 1);
  await expect(note(lost)).rejects.toBe(FULL);
  await note(lost - 1000);
  expect(world.journal.last().at).toBe(lost - 1000);
});

test("a scenario whose loading the disk refuses is not loaded", () => {
  const live = liveWorld();
  refuseCommits(live, 1);
  const load = (operation: Operation) =>
    void live.scenarios.put(operation, { text: "scenario: lost\nrules: []", file: "lost.yaml" }, [], false);
  expect(() => live.world.operate(load)).toThrow(FULL);
  expect(live.scenarios.names).toEqual([]);
});

describe("a file that cannot be read any more", () => {
  const DAMAGED = Object.assign(new Error("database disk image is malformed"), { code: "SQLITE_CORRUPT" });
  const named = expect.objectContaining({
    code: "SQLITE_CORRUPT",
    message: expect.stringMatching(/\.db: database disk image is malformed$/),
  });

  const damaged = () => {
    throw DAMAGED;
  };

  test("stops the timers and no more, and is told of once, by its name", async () => {
    const told = vi.fn();
    const live = liveWorld(async () => INBOX_ANSWER, told);
    const { timers } = live.world;
    const read = vi.spyOn(timers, "isDueBy").mockImplementation(damaged);
    emit(live, "http://quick.test/");
    live.runner.drive();
    await someTurns();
    expect(told.mock.calls).toEqual([[named]]);
    await expect(live.runner.advance({ kind: "by", durationMs: 1000 })).rejects.toBe(DAMAGED);
    read.mockRestore();
    live.runner.drive();
    await someTurns();
    expect(recorded(live)).toHaveLength(1);
  });

  test("leaves the scenarios to be read when it can be", async () => {
    const live = liveWorld();
    live.world.operate((operation) => {
      live.scenarios.put(operation, { text: "scenario: kept\nrules: []", file: "kept.yaml" }, [], false);
    });
    const read = vi.spyOn(live.world.scenarios, "all").mockImplementation(damaged);
    const { kept } = live.world.operateTogether((operation) => operation.record("note", null, {}));
    refuseCommits(live, 1, 0, DAMAGED);
    await expect(kept).rejects.toEqual(named);
    expect(() => live.scenarios.names).toThrow(DAMAGED);
    read.mockRestore();
    expect(live.scenarios.names).toEqual(["kept"]);
  });
});
