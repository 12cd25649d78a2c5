import { test } from "vitest";
import { CarelessMerchant } from "../support/careless-merchant.ts";
import { useSandbox } from "../support/sandbox.ts";
const file = useSandbox();
test("x", async () => {
    const world = await file.world();
    await using merchant = await CarelessMerchant.open(world);
    await merchant.charge("10.00");
    await world.call("PUT", "/blocked-ips", { ips: ["127.0.0.1"] });
    await merchant.poll("/v2/account/balance", 2);
    await world.call("PUT", "/blocked-ips", { ips: [] });
    const b = await world.call<any>("GET", "/export");
    for (const i of b.inputs) if (i.kind === "request") console.log(i.ordinal, i.sent_after, i.path, i.headers["user-agent"], i.ip, i.wall_at);
    console.log(JSON.stringify((await world.all<any>("/requests")).map(r => [r.path, r.status, r.error_code])));
});
