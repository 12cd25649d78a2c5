import { test } from "vitest";
import { connectSandbox } from "../../src/index.ts";
import { startReady } from "../support/command.ts";
import { Merchant } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";
const file = useSandbox();
async function show(world: any) {
    const b = await world.call("GET", "/export");
    console.log(b.inputs.filter((i: any) => i.kind === "request").map((i: any) => `${i.ordinal}<${i.sent_after} ${i.path.slice(-8)} ${i.wall_at % 10000}`).join("\n"));
}
test("x", async () => {
      const { ready } = await startReady(["--clock", "frozen", "--scenario", "none"]);
      const world = await (await connectSandbox(ready.base_url)).defaultWorld();
    const merchant = await Merchant.of(world);
    for (let i = 0; i < 10; i++) await merchant.call("GET", "/v2/account/balance");
    await show(world);
});
test("y", async () => {
      const world = await file.world();
    const merchant = await Merchant.of(world);
    for (let i = 0; i < 3; i++) await Promise.all(["a", "b", "c", "d"].map((name) => merchant.call("GET", `/v2/account/balance?currency=BRL&${name}`)));
    for (let i = 0; i < 4; i++) await merchant.call("GET", "/v2/account/limits");
    await show(world);
});
