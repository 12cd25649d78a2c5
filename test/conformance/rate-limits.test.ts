/** Rate windows and their headers: per credential and endpoint, per address for the token, on the world's clock. */

import { Client } from "undici";
import { describe, expect, test } from "vitest";
import type { WorldClient, WorldOptions } from "../../src/index.ts";
import { expectRefusal, expectSuccess } from "../support/answers.ts";
import { START_S } from "../support/charges.ts";
import { type Answer, Merchant, times } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";

const file = useSandbox();

const CASHIN = "/v2/transactions/cashin";
const BALANCE = "/v2/account/balance";
const ORDER = { currency: "BRL", amount: 10 };

/** Limit, Remaining and Reset of an answer. */
function windowOf({ headers }: Pick<Answer, "headers">): number[] {
  return ["limit", "remaining", "reset"].map((name) => Number(headers.get(`x-ratelimit-${name}`)));
}

const balanceOf = (merchant: Merchant) => merchant.call("GET", BALANCE);

/** A merchant of each account of the world. */
async function merchantsOf(world: WorldClient): Promise<Merchant[]> {
  const { accounts } = await world.info();
  return accounts.map(({ credentials: [credential] }) => {
    const { client_id: clientId = "", client_secret: clientSecret = "" } = credential ?? {};
    return new Merchant(world, { clientId, clientSecret });
  });
}

async function merchantIn(options: WorldOptions = {}): Promise<{ world: WorldClient; merchant: Merchant }> {
  const world = await file.world(options);
  return { world, merchant: await Merchant.of(world) };
}

describe("limits per endpoint", () => {
  test("RL-01 the 31st token of a minute is refused, for one or several clients of an address alike", async () => {
    const world = await file.world();
    const [acme, globex] = (await merchantsOf(world)) as [Merchant, Merchant];
    const answers = [
      ...(await times(20, () => acme.authenticate())),
      ...(await times(10, () => globex.authenticate())),
    ];
    for (const answer of answers) expectSuccess(answer);
    expect(answers.map((answer) => windowOf(answer)[1])).toEqual(Array.from({ length: 30 }, (_, index) => 29 - index));
    for (const merchant of [acme, globex]) {
      const refused = await merchant.authenticate();
      expectRefusal(refused, 429, "RATE_LIMIT_EXCEEDED");
      expect(windowOf(refused)).toEqual([30, 0, START_S + 60]);
    }
  });

  test.runIf(process.platform === "linux")("RL-01 another address has a window of its own", async () => {
    const world = await file.world();
    const [merchant] = (await merchantsOf(world)) as [Merchant];
    await times(31, () => merchant.authenticate());
    const { origin, pathname } = new URL(world.baseUrl);
    const client = new Client(origin, { localAddress: "127.0.0.2" });
    const response = await client.request({
      method: "POST",
      path: `${pathname}/v2/oauth/token`,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ client_id: merchant.clientId, client_secret: merchant.clientSecret }),
    });
    expect([response.statusCode, response.headers["x-ratelimit-remaining"]]).toEqual([200, "29"]);
    await response.body.dump();
    await client.close();
    expectRefusal(await merchant.authenticate(), 429, "RATE_LIMIT_EXCEEDED");
  });

  test("RL-02 the 121st balance of a minute is refused", async () => {
    const { merchant } = await merchantIn();
    const answers = await times(120, () => balanceOf(merchant));
    expect(answers.map((answer) => answer.status)).toEqual(Array(120).fill(200));
    const remaining = answers.map((answer) => windowOf(answer)[1]);
    expect(remaining).toEqual(Array.from({ length: 120 }, (_, index) => 119 - index));
    expectRefusal(await balanceOf(merchant), 429, "RATE_LIMIT_EXCEEDED");
  });

  test("D19 a path outside the table answers with 1000 per minute", async () => {
    const { merchant } = await merchantIn();
    const answers = await times(3, () => merchant.call("GET", "/v2/nothing"));
    expect(answers.map(windowOf)).toEqual([999, 998, 997].map((remaining) => [1000, remaining, START_S + 60]));
  });
});

describe("the headers", () => {
  test("HDR-01 HDR-02 HDR-03 Remaining falls by one per call, whatever comes of it", async () => {
    const { merchant } = await merchantIn();
    const answers = [
      await merchant.cashin(ORDER),
      await merchant.cashin({}),
      await merchant.cashin({ currency: "XYZ", amount: 1 }),
      await merchant.call("POST", CASHIN, "x", { "Content-Type": "text/plain" }),
      await merchant.cashin(ORDER),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 422, 415, 200]);
    expect(answers.map(windowOf)).toEqual(
      [11_999, 11_998, 11_997, 11_996, 11_995].map((remaining) => [12_000, remaining, START_S + 60]),
    );
  });

  test("HDR-03 other endpoints and credentials leave it alone", async () => {
    const world = await file.world();
    const [acme, globex] = (await merchantsOf(world)) as [Merchant, Merchant];
    await acme.authenticate();
    await globex.authenticate();
    expect(windowOf(await balanceOf(acme))).toEqual([120, 119, START_S + 60]);
    await acme.cashin(ORDER);
    await acme.call("GET", "/v2/nothing");
    for (let count = 0; count < 3; count++) await balanceOf(globex);
    expect(windowOf(await balanceOf(acme))[1]).toBe(118);
    expect(windowOf(await balanceOf(globex))[1]).toBe(116);
  });

  test("ENV-01 other worlds leave it alone", async () => {
    const [here, there] = [await merchantIn(), await merchantIn()];
    await times(5, () => balanceOf(there.merchant));
    expect(windowOf(await balanceOf(here.merchant))[1]).toBe(119);
  });

  test("D15 HDR-03 a call refused before its credential is known counts for its address, not for the credential", async () => {
    const { merchant } = await merchantIn();
    const stranger = () => merchant.call("GET", BALANCE, undefined, { Authorization: "Bearer nobody" });
    await balanceOf(merchant);
    expect([await stranger(), await stranger()].map((answer) => windowOf(answer)[1])).toEqual([119, 118]);
    expect(windowOf(await balanceOf(merchant))[1]).toBe(118);
    const wrongMethod = await merchant.call("POST", BALANCE, {});
    expect([wrongMethod.status, windowOf(wrongMethod)[1]]).toEqual([405, 117]);
    expect(windowOf(await balanceOf(merchant))[1]).toBe(117);
  });

  test("HDR-04 D26a Reset is the second at which the counter is full again, a window begins with its first call", async () => {
    const { world, merchant } = await merchantIn({ clock: { start: "2026-01-01T12:00:00.250Z" } });
    await world.advance("10s");
    expect(windowOf(await balanceOf(merchant))).toEqual([120, 119, START_S + 71]);
    await world.advance("59s999ms");
    expect(windowOf(await balanceOf(merchant))).toEqual([120, 118, START_S + 71]);
    await world.advance("1ms");
    expect(windowOf(await balanceOf(merchant))).toEqual([120, 119, START_S + 131]);
    await world.advance({ to: "2026-01-01T12:02:11.000Z" });
    expect(windowOf(await balanceOf(merchant))[1]).toBe(119);
  });

  test("HDR-05 ERR-13 R4 a 429 says how long to wait, and after that the call is served", async () => {
    const { world, merchant } = await merchantIn();
    await times(120, () => balanceOf(merchant));
    await world.advance("17s500ms");
    const refused = await balanceOf(merchant);
    expectRefusal(refused, 429, "RATE_LIMIT_EXCEEDED");
    expect(refused.headers.get("retry-after")).toBe("43");
    expect(refused.headers.get("x-sandbox-hint")).toContain("frozen");
    expect(windowOf(refused)).toEqual([120, 0, START_S + 60]);
    await world.advance("42s499ms");
    const last = await balanceOf(merchant);
    expectRefusal(last, 429, "RATE_LIMIT_EXCEEDED");
    expect(last.headers.get("retry-after")).toBe("1");
    await world.advance("1ms");
    const served = await balanceOf(merchant);
    expectSuccess(served);
    expect(windowOf(served)).toEqual([120, 119, START_S + 120]);
  });

  test("D19 real time does not end a window of a frozen clock, other endpoints are served meanwhile", async () => {
    const { merchant } = await merchantIn();
    await times(121, () => balanceOf(merchant));
    expectSuccess(await merchant.cashin(ORDER));
    expectRefusal(await balanceOf(merchant), 429, "RATE_LIMIT_EXCEEDED");
    expectSuccess(await merchant.authenticate());
  });
});

describe("D19 protections", () => {
  test("report counts and shows, and blocks nothing", async () => {
    const { merchant } = await merchantIn({ settings: { protections: "report" } });
    const answers = await times(123, () => balanceOf(merchant));
    for (const answer of answers) expectSuccess(answer);
    expect(answers.slice(-4).map(windowOf)).toEqual(Array(4).fill([120, 0, START_S + 60]));
    expect(windowOf(answers[0] as Answer)).toEqual([120, 119, START_S + 60]);
  });

  test("off leaves the counters alone: the headers show a full window", async () => {
    const { world, merchant } = await merchantIn({ settings: { protections: "off" } });
    const answers = await times(125, () => balanceOf(merchant));
    for (const answer of answers) expectSuccess(answer);
    expect(new Set(answers.map((answer) => windowOf(answer).join()))).toEqual(new Set([`120,120,${START_S + 60}`]));
    await world.advance("30s");
    expect(windowOf(await balanceOf(merchant))).toEqual([120, 120, START_S + 90]);
  });
});
