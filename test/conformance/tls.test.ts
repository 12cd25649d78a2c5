/** Which certificates are trusted: those that the machine trusts, and those of `NODE_EXTRA_CA_CERTS`. */
import { describe, expect, test } from "vitest";
import { connectSandbox, type WorldClient } from "../../src/index.ts";
import { paidWebhook } from "../support/charges.ts";
import { startReady } from "../support/command.ts";
import { authority, type OddReceiver, startSecure } from "../support/odd-receivers.ts";

/** A sandbox that trusts the authority of these tests. */
async function startTrusting(...args: string[]): Promise<WorldClient> {
  return startWith({ NODE_EXTRA_CA_CERTS: authority }, ...args);
}

async function startWith(env: Record<string, string>, ...args: string[]): Promise<WorldClient> {
  const options = { env };
  const { ready } = await startReady(["--clock", "frozen", "--scenario", "none", ...args], options);
  return (await connectSandbox(ready.base_url)).defaultWorld();
}

/** How the first attempt of a webhook to this address ended. */
async function attemptTo(world: WorldClient, postback_url: string) {
  const [attempt] = (await paidWebhook(world, { postback_url })).attempts;
  return attempt?.error?.kind ?? attempt?.outcome;
}

const byName = ({ url }: OddReceiver) => url.replace("127.0.0.1", "localhost");

describe("WH-14 D63 a certificate", () => {
  test("is accepted from an authority of NODE_EXTRA_CA_CERTS, by strict too", async () => {
    await using receiver = await startSecure("certificates/vouched-for.pem");
    const world = await startTrusting();
    expect(await attemptTo(world, byName(receiver))).toBe("delivered");
    expect(await attemptTo(world, receiver.url)).toBe("delivered");
    const strict = await (await connectSandbox(world.baseUrl)).createWorld({ settings: { webhook_targets: "strict" } });
    expect(await attemptTo(strict, byName(receiver))).toBe("delivered");
    expect(receiver.requests).toBe(3);
  });

  // Where Linux keeps what the machine trusts.
  test.runIf(process.platform === "linux")("is accepted from an authority that the machine trusts", async () => {
    await using receiver = await startSecure("certificates/vouched-for.pem");
    const world = await startWith({ SSL_CERT_FILE: authority });
    expect(await attemptTo(world, byName(receiver))).toBe("delivered");
  });

  test("is refused where the machine does not know its authority", async () => {
    await using receiver = await startSecure("certificates/vouched-for.pem");
    const { ready } = await startReady(["--clock", "frozen"]);
    const world = await (await connectSandbox(ready.base_url)).defaultWorld();
    expect(await attemptTo(world, byName(receiver))).toBe("tls");
    expect(receiver.requests).toBe(0);
  });

  test.each([
    ["of its own making", "self-signed.pem"],
    ["that has expired", "certificates/expired.pem"],
    ["made out to the address, where the URL has a name", "certificates/of-the-address.pem"],
  ])("%s is refused whoever else is trusted, and accepted with webhook_targets: any", async (_what, file) => {
    await using receiver = await startSecure(file);
    const world = await startTrusting();
    expect(await attemptTo(world, byName(receiver))).toBe("tls");
    expect(receiver.requests).toBe(0);
    const any = await (await connectSandbox(world.baseUrl)).createWorld({ settings: { webhook_targets: "any" } });
    expect(await attemptTo(any, byName(receiver))).toBe("delivered");
    expect(await attemptTo(world, byName(receiver))).toBe("tls");
  });

  test("D64 is held against the name of the URL when attempts leave from a given address too", async () => {
    await using right = await startSecure("certificates/vouched-for.pem");
    await using wrong = await startSecure("certificates/of-the-address.pem");
    const world = await startTrusting("--webhook-source-ipv4", "127.0.0.2");
    expect(await attemptTo(world, byName(right))).toBe("delivered");
    expect(await attemptTo(world, byName(wrong))).toBe("tls");
    expect(await attemptTo(world, wrong.url)).toBe("delivered");
    expect([right.sources, wrong.sources]).toEqual([["127.0.0.2"], ["127.0.0.2"]]);
  });
});
