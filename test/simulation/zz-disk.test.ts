import { expect, test } from "vitest";
import { statSync } from "node:fs";
import { generator } from "./load/random.ts";
import { MixedLoad } from "./load/mixed-load.ts";
import { startReceiver } from "../support/receiver.ts";
import { testFolder } from "../support/folder.ts";
import { limitFiles, startProcess } from "../support/process.ts";
const [from, to] = (process.env.SEEDS ?? "1-5").split("-").map(Number) as [number, number];
for (let seed = from; seed <= to; seed++)
  test(`seed ${seed}`, async () => {
    const random = generator(seed);
    const folder = testFolder();
    await using receiver = await startReceiver(async (_r: any, response: any, index: number) => {
      const roll = generator(seed * 1000 + index)();
      await new Promise((r) => setTimeout(r, roll * 4));
      response.writeHead(roll > 0.8 ? 500 : 200).end("ok");
    });
    let proc = await startProcess(
      "--data",
      folder,
      "--postback-url",
      receiver.url,
      "--seed",
      String(seed),
      "--webhook-concurrency",
      String(1 + (seed % 3)),
      ...(seed % 3 ? ["--clock", "frozen"] : ["--clock", "running", "--speed", "100"]),
    );
    let faults = "";
    proc.child.stderr?.on("data", (d) => {
      faults += d;
    });
    let fulls = 0;
    for (let round = 0; round < 6; round++) {
      const world = proc.world;
      const load = await MixedLoad.on(world, random, { name: "r" + round });
      await load.run(15);
      for (let k = 0; k < 4; k++) {
        const size = statSync(folder + "/default.db-wal").size;
        limitFiles(proc, Math.floor(size + random() * 150_000 - 20_000));
        const before = (await world.journal()).length;
        await Promise.all([load.run(8), load.run(8)]);
        if ((await world.journal()).length === before) fulls++;
        limitFiles(proc, "unlimited");
        if (random() < 0.5) await load.run(4);
      }
      if (random() < 0.4) {
        limitFiles(proc, statSync(folder + "/default.db-wal").size);
        await load.run(4);
        await proc.end("SIGKILL");
        proc = await startProcess("--data", folder, "--webhook-concurrency", String(1 + (seed % 3)));
        proc.child.stderr?.on("data", (d) => {
          faults += d;
        });
      }
      const bundle = await proc.world.call<any>("GET", "/export");
      const answer = await proc.world.call<any>("POST", "/worlds", { id: "again", replay: bundle });
      if (!answer.replay.identical)
        console.log(
          seed,
          round,
          JSON.stringify(answer.replay, null, 1),
          JSON.stringify(bundle.inputs.slice(-4)).slice(0, 1500),
        );
      expect(answer.replay.identical).toBe(true);
      await proc.world.call("DELETE", "/worlds/again");
      expect((await proc.world.checkLedger()).ok).toBe(true);
    }
    await proc.world.settle();
    await proc.world.advance("3d");
    const hooks = await proc.world.webhooks();
    const odd = hooks.filter((h) => h.status === "pending" || h.status === "throttled");
    console.log(
      seed,
      "fulls",
      fulls,
      hooks.length,
      "odd",
      odd.length,
      faults
        .split("\n")
        .filter((l) => !l.includes("takes nothing more"))
        .slice(0, 5),
    );
    expect(odd).toEqual([]);
    await proc.end("SIGTERM");
  }, 120000);
