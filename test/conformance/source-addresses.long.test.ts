/**
 * Where webhooks come from. Linux lets any address of 127.0.0.0/8 be sent from; names that have addresses of both
 * families are played by a resolver of the test.
 */
import { createSocket } from "node:dgram";
import type { LookupAddress } from "node:dns";
import { afterAll, describe, expect, test, vi } from "vitest";
import { startSandbox } from "../../src/index.ts";
import { Network } from "../../src/network/network.ts";
import { paidWebhook } from "../support/charges.ts";
import { startAt, startRaw, unreachableUrl } from "../support/odd-receivers.ts";
import { useSandbox } from "../support/sandbox.ts";

const V4 = "127.0.0.2";
const V6 = "::1";

/** An address that no machine has. */
const BEYOND = "198.51.100.7";

/** TABLE: the addresses of names, in the order of the resolver. */
const names: Readonly<Record<string, readonly string[]>> = {
  "six-first.internal": ["::1", "127.0.0.1"],
  "four-first.internal": ["127.0.0.1", "::1"],
  "moved.internal": ["127.0.0.9", "127.0.0.1"],
};

vi.mock("node:dns/promises", async (importOriginal) => {
  const original = await importOriginal<typeof import("node:dns/promises")>();
  const lookup = async (name: string, options: { all: true }): Promise<LookupAddress[]> =>
    names[name]?.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })) ??
    original.lookup(name, options);
  return { ...original, lookup };
});

const four = useSandbox({ webhookSourceIpv4: V4 });
const six = useSandbox({ webhookSourceIpv6: V6 });
const both = useSandbox({ webhookSourceIpv4: V4, webhookSourceIpv6: V6 });

/** Whether the machine has a network that leads beyond it. */
const routed = await isRouted(BEYOND);

const named = (url: string, name: string) => url.replace(/127\.0\.0\.1|\[::1\]/, name);

describe("D64 with --webhook-source-ipv4", () => {
  test("AUTH-05 every attempt leaves from it: the first, retries, re-deliveries", async () => {
    await using receiver = await startAt("127.0.0.1", 500, 500, 200);
    const world = await four.world({ postback_url: receiver.url });
    const { webhook_id } = await paidWebhook(world);
    await world.advance("idle");
    await world.redeliver(webhook_id);
    expect((await world.webhook(webhook_id)).status).toBe("delivered");
    expect(receiver.sources).toEqual([V4, V4, V4, V4]);
  });

  test("AUTH-05 that holds for worlds of every trust", async () => {
    await using receiver = await startAt("127.0.0.1", 200);
    const world = await four.world({ postback_url: receiver.url, settings: { webhook_targets: "any" } });
    await paidWebhook(world);
    expect(receiver.sources).toEqual([V4]);
  });

  test("a name with addresses of both families is reached over IPv4", async () => {
    await using receiver = await startAt("127.0.0.1", 200);
    const world = await four.world({ postback_url: named(receiver.url, "six-first.internal") });
    expect((await paidWebhook(world)).status).toBe("delivered");
    expect(receiver.sources).toEqual([V4]);
  });

  test("a receiver that has only IPv6 is reached from the machine's own address", async () => {
    await using receiver = await startAt("::1", 200);
    const world = await four.world({ postback_url: receiver.url });
    expect((await paidWebhook(world)).status).toBe("delivered");
    expect(receiver.sources).toEqual(["::1"]);
  });
});

describe("D64 with --webhook-source-ipv6", () => {
  test("a name with addresses of both families is reached over IPv6", async () => {
    await using receiver = await startAt("::1", 200);
    const world = await six.world({ postback_url: named(receiver.url, "four-first.internal") });
    expect((await paidWebhook(world)).status).toBe("delivered");
    expect(receiver.sources).toEqual([V6]);
  });

  test("a name that has only IPv4 is reached from the machine's own address", async () => {
    await using receiver = await startAt("127.0.0.1", 200);
    const world = await six.world({ postback_url: receiver.url });
    expect((await paidWebhook(world)).status).toBe("delivered");
    expect(receiver.sources).toEqual(["127.0.0.1"]);
  });
});

describe("AUTH-05 with both", () => {
  test("the family of the receiver's address decides", async () => {
    await using overFour = await startAt("127.0.0.1", 200);
    await using overSix = await startAt("::1", 200);
    const world = await both.world();
    await paidWebhook(world, { postback_url: overFour.url });
    await paidWebhook(world, { postback_url: overSix.url });
    expect([overFour.sources, overSix.sources]).toEqual([[V4], [V6]]);
  });

  test("of a name's addresses the first is taken", async () => {
    await using overFour = await startAt("127.0.0.1", 200);
    await using overSix = await startAt("::1", 200);
    const world = await both.world();
    await paidWebhook(world, { postback_url: named(overFour.url, "four-first.internal") });
    await paidWebhook(world, { postback_url: named(overSix.url, "six-first.internal") });
    expect([overFour.sources, overSix.sources]).toEqual([[V4], [V6]]);
  });

  test("an address at which nobody listens gives way to the next", async () => {
    await using receiver = await startAt("127.0.0.1", 200);
    const world = await both.world({ postback_url: named(receiver.url, "moved.internal") });
    expect((await paidWebhook(world)).status).toBe("delivered");
    expect(receiver.sources).toEqual([V4]);
  });

  test.each(["moved.internal", "127.0.0.1"])(
    "nobody listens at any address of %s: connection_refused",
    async (name) => {
      const world = await both.world({ postback_url: named(await unreachableUrl(), name) });
      const { attempts } = await paidWebhook(world);
      expect(attempts[0]).toMatchObject({ outcome: "failed", error: { kind: "connection_refused" } });
    },
  );

  test("a name that nobody knows: name_not_resolved", async () => {
    const world = await both.world({ postback_url: "http://nobody.internal/hook" });
    const { attempts } = await paidWebhook(world);
    const error = { kind: "name_not_resolved", message: "The host name nobody.internal cannot be resolved." };
    expect(attempts[0]).toMatchObject({ outcome: "failed", error });
  });
});

describe("D64 a request with a source address of its own", () => {
  const network = new Network(10_000, { ipv4: V4, ipv6: V6 });
  afterAll(() => network.close());
  const send = (destination: string, sourceAddress?: string) => {
    const source = sourceAddress === undefined ? {} : { sourceAddress };
    return network.send({ destination, headers: {}, body: Buffer.from("{}"), targets: "local" as const, ...source });
  };

  test("leaves from that, and the requests around it from where they always do", async () => {
    await using receiver = await startAt("127.0.0.1", 200);
    await send(receiver.url);
    await send(receiver.url, "127.0.0.66");
    await send(named(receiver.url, "six-first.internal"), "127.0.0.66");
    await send(receiver.url);
    expect(receiver.sources).toEqual([V4, "127.0.0.66", "127.0.0.66", V4]);
  });

  test("leaves from an IPv4 one to an IPv4 address, be either written as one of IPv6", async () => {
    await using receiver = await startAt("127.0.0.1", 200);
    await send(named(receiver.url, "[::ffff:127.0.0.1]"));
    await send(named(receiver.url, "[::ffff:127.0.0.1]"), "127.0.0.66");
    await send(receiver.url, "::ffff:127.0.0.66");
    expect(receiver.sources).toEqual([V4, "127.0.0.66", "127.0.0.66"]);
  });

  test.each([
    ["an address that this machine does not have", BEYOND, "127.0.0.1", `${BEYOND} is not of this machine`],
    ["the same over IPv6", "2001:db8::7", "::1", "2001:db8::7 is not of this machine"],
    ["an address of the other family", "127.0.0.66", "::1", "127.0.0.66 to ::1"],
    ["no address at all", "merchant", "127.0.0.1", "merchant to 127.0.0.1"],
    ["one that stands for every address", "0.0.0.0", "127.0.0.1", "0.0.0.0 is not the address of one machine"],
    ["the same over IPv6", "::", "::1", ":: is not the address of one machine"],
    ["one of every machine", "255.255.255.255", "127.0.0.1", "255.255.255.255 is not the address of one machine"],
    ["one of a whole network", "127.255.255.255", "127.0.0.1", "127.255.255.255 is not the address of one machine"],
    ["one of a group", "224.0.0.1", "127.0.0.1", "224.0.0.1 is not the address of one machine"],
    ["where webhooks come from anyway", V4, "127.0.0.1", `${V4} anyway`],
    ["the same, written as one of IPv6", `::ffff:${V4}`, "127.0.0.1", `${V4} anyway`],
    ["the same over IPv6, written at length", "0:0:0:0:0:0:0:1", "::1", "0:0:0:0:0:0:0:1 anyway"],
    ["where webhooks come from over the other family", V6, "127.0.0.1", `${V6} to 127.0.0.1`],
    ["the same the other way round", V4, "::1", `${V4} to ::1`],
  ])("fails with source_not_available: %s", async (_what, source, host, words) => {
    await using receiver = await startAt(host, 200);
    const result = await send(receiver.url, source);
    expect(result).toMatchObject({ outcome: "failed", status: null, error: { kind: "source_not_available" } });
    expect(result.error?.message).toContain(words);
    expect(receiver.requests).toBe(0);
  });

  test.runIf(routed)("fails with source_not_available: from loopback beyond the machine", async () => {
    const { error } = await send(`http://${BEYOND}/hook`, "127.0.0.66");
    expect(error?.kind).toBe("source_not_available");
    expect(error?.message).toContain(`127.0.0.66 to ${BEYOND}`);
  });

  test("nothing is sent any more once the network is closed, from a new address neither", async () => {
    let connections = 0;
    await using receiver = await startRaw(() => {
      connections++;
    });
    const closed = new Network(10_000, { ipv4: null, ipv6: null });
    await closed.close();
    const request = { destination: receiver.url, headers: {}, body: Buffer.from("{}"), targets: "local" as const };
    expect((await closed.send(request)).outcome).toBe("failed");
    expect((await closed.send({ ...request, sourceAddress: V4 })).outcome).toBe("failed");
    expect(connections).toBe(0);
  });
});

describe("D64 a sandbox does not start with", () => {
  test.each([
    [{ webhookSourceIpv4: BEYOND }, `webhookSourceIpv4 ${BEYOND}`, "does not have"],
    [{ webhookSourceIpv6: "2001:db8::7" }, "webhookSourceIpv6 2001:db8::7", "does not have"],
    [{ webhookSourceIpv4: "::1" }, "webhookSourceIpv4", 'an IPv4 address of this machine, not "::1"'],
    [{ webhookSourceIpv6: "127.0.0.1" }, "webhookSourceIpv6", 'an IPv6 address of this machine, not "127.0.0.1"'],
    [{ webhookSourceIpv4: "0.0.0.0" }, "webhookSourceIpv4", "name one"],
    [{ webhookSourceIpv6: "0:0::0" }, "webhookSourceIpv6", "name one"],
    [{ webhookSourceIpv4: "255.255.255.255" }, "webhookSourceIpv4", "not the address of one machine"],
    [{ webhookSourceIpv4: "224.0.0.1" }, "webhookSourceIpv4", "not the address of one machine"],
  ])("%j", async (options, where, what) => {
    const starting = startSandbox(options);
    await expect(starting).rejects.toThrow(where);
    await expect(starting).rejects.toThrow(what);
  });
});

/** Asks for a route; nothing is sent. */
function isRouted(address: string): Promise<boolean> {
  const socket = createSocket("udp4");
  return new Promise((resolve) => {
    socket.connect(9, address, (error?: Error) => socket.close(() => resolve(!error)));
  });
}
