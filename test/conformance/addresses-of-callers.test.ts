/** Whose address a call comes from: IPv6 as it is, and a proxy's word only where it is trusted. */
import { expect, test } from "vitest";
import { startSandbox } from "../../src/index.ts";
import { Merchant } from "../support/merchant.ts";
import { headOf, openSocket } from "../support/socket.ts";

const blocked = (ip: string) => ({ ips: [ip] });

test("ERR-15 an IPv6 caller is known by its address", async () => {
  await using sandbox = await startSandbox({ host: "::1" });
  const world = await sandbox.defaultWorld();
  const merchant = await Merchant.of(world);
  await world.call("PUT", "/blocked-ips", blocked("0:0:0:0:0:0:0:1"));
  const refused = await merchant.call("GET", "/v2/account/balance");
  expect([refused.status, refused.body.error.code]).toEqual([403, "IP_BLACKLISTED"]);
  expect(refused.headers.get("x-sandbox-hint")).toContain("blocked-ips");
});

test("ERR-15 a caller that resets its connection once all is sent is known by its address all the same", async () => {
  await using sandbox = await startSandbox();
  const world = await sandbox.defaultWorld();
  await world.call("PUT", "/blocked-ips", blocked("127.0.0.1"));
  const body = "{}";
  const sent = { "Content-Type": "application/json", "Content-Length": String(body.length) };
  const head = headOf(world.baseUrl, "POST", "/v2/oauth/token", sent);
  const [other, socket] = [await openSocket(world.baseUrl), await openSocket(world.baseUrl)];
  // While another call is under way, what comes is carried out a moment later.
  other.write(head);
  await world.clock();
  socket.write(head + body, () => socket.resetAndDestroy());
  const logged = async () => (await world.requests()).map(({ ip, status }) => [ip, status]);
  await expect.poll(logged).toHaveLength(1);
  expect(await logged()).toEqual([["127.0.0.1", 403]]);
  other.destroy();
});

test("a forwarded address is taken only where the proxy is trusted, and then the one that the proxy saw", async () => {
  const asked = { "X-Forwarded-For": "192.0.2.1, 203.0.113.9" };
  for (const [trustProxy, statuses] of [
    [false, [200, 200]],
    [true, [200, 403]],
  ] as const) {
    await using sandbox = await startSandbox({ trustProxy });
    const world = await sandbox.defaultWorld();
    const merchant = await Merchant.of(world);
    const statusWhenBlocked = async (ip: string) => {
      await world.call("PUT", "/blocked-ips", blocked(ip));
      return (await merchant.call("GET", "/v2/account/balance", undefined, asked)).status;
    };
    expect([await statusWhenBlocked("192.0.2.1"), await statusWhenBlocked("203.0.113.9")]).toEqual(statuses);
  }
});

test.each(["2001:0DB8:0:0:0:0:0:9", "[2001:db8::9]", "[2001:db8::9]:443", '"[2001:db8::9]:443"'])(
  "D17 a forwarded address is known however the proxy writes it: %s",
  (forwarded) => expectBlocked("2001:db8::9", forwarded),
);

test.each(["203.0.113.9", "203.0.113.9:51234", '"203.0.113.9:51234"'])(
  "D17 a forwarded address of IPv4 is known with a port too: %s",
  (forwarded) => expectBlocked("203.0.113.9", forwarded),
);

async function expectBlocked(ip: string, forwarded: string): Promise<void> {
  await using sandbox = await startSandbox({ trustProxy: true });
  const world = await sandbox.defaultWorld();
  const merchant = await Merchant.of(world);
  await world.call("PUT", "/blocked-ips", blocked(ip));
  const refused = await merchant.call("GET", "/v2/account/balance", undefined, { "X-Forwarded-For": forwarded });
  expect([refused.status, refused.body.error.code]).toEqual([403, "IP_BLACKLISTED"]);
}
