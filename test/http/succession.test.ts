/** Which calls are known to have been sent after the answer to another one. */
import { Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { Succession } from "../../src/http/succession.ts";
import { laterTurn } from "../../src/runtime.ts";
import { bareWorld } from "../support/bare-world.ts";

/** More than a program needs that was put aside in the midst of sending. */
const MANY_TURNS = 50;

describe("the order of calls of one machine", () => {
  test("ERR-14 a call that comes while the refusal of another one is still held was under way with it", async () => {
    const { world, succession, first, second, endTime } = setting();
    const refused = begun(succession, first, world);
    const held = refused.hold();
    await laterTurn(MANY_TURNS);
    const other = succession.begin(second, world);
    expect(other).toMatchObject({ inCompany: true, sentAfter: null });
    endTime();
    await laterTurn(MANY_TURNS);
    endTime();
    await held;
  });

  test("ERR-14 a call that comes after a refusal was given was sent after it, on another connection too", async () => {
    const { world, succession, first, second, endTime } = setting();
    const refused = begun(succession, first, world);
    const held = refused.hold();
    endTime();
    await held;
    refused.end();
    expect(succession.begin(second, world)).toMatchObject({ inCompany: false, sentAfter: world.operations });
  });

  test("ERR-14 of many refusals at once, each is known to have been given before what comes then", async () => {
    const { world, succession, first, second, endTime } = setting();
    const refused = Array.from({ length: 10 }, () => begun(succession, first, world));
    const held = refused.map((call) => call.hold().then(() => call.end()));
    endTime();
    await Promise.all(held);
    expect(succession.begin(second, world).sentAfter).toBe(world.operations);
  });

  test("ERR-14 where calls never stop arriving, a refusal is given all the same, and nothing is known of them", async () => {
    const { world, succession, first, second, endTime } = setting();
    const refused = begun(succession, first, world);
    let isGiven = false;
    const held = refused.hold().then(() => {
      isGiven = true;
    });
    while (!isGiven) {
      succession.begin(second, world).end();
      endTime();
      await laterTurn(MANY_TURNS);
    }
    await held;
    refused.end();
    expect(succession.begin(second, world).sentAfter).toBeNull();
  });
});

/** Two connections of this machine on which something was answered before, and a moment that ends when it is told to. */
function setting() {
  const ends: (() => void)[] = [];
  const passTime = () => {
    return new Promise<void>((resolve) => {
      ends.push(resolve);
    });
  };
  const endTime = () => {
    for (const end of ends.splice(0)) end();
  };
  const [first, second] = [connection(), connection()];
  const world = bareWorld("w");
  onTestFinished(() => world.database.close());
  return { world, succession: new Succession(passTime), first, second, endTime };
}

function connection(): Socket {
  return Object.defineProperties(new Socket(), {
    remoteAddress: { value: "127.0.0.1" },
    bytesWritten: { value: 100 },
  });
}

function begun(succession: Succession, socket: Socket, world: ReturnType<typeof bareWorld>) {
  const call = succession.begin(socket, world);
  world.operate(() => {});
  call.serve();
  return call;
}
