/** What every call of the control interface refuses alike: addresses, methods, bodies, fields, pages. */
import { describe, expect, test } from "vitest";
import { chargeOf, makeCharge } from "../support/charges.ts";
import { control } from "../support/control.ts";
import { Merchant } from "../support/merchant.ts";
import { rawRequest } from "../support/raw-request.ts";
import { useSandbox } from "../support/sandbox.ts";

const file = useSandbox();

describe("queries", () => {
  test.each([
    ["/disputes?status=open", 'unknown field "status"'],
    ["/journal?limt=4", 'unknown field "limt"; did you mean "limit"?'],
    ["/clock?limit=4&foo=1", 'unknown field "limit"; unknown field "foo"'],
    ["/webhooks?evnt=cashin.confirmed", 'unknown field "evnt"; did you mean "event"?'],
    ["/webhooks?event=nope&event=cashin.confirmed", "event is given more than once; give it once."],
    ["/journal?limit=5&limit=x", "limit is given more than once; give it once."],
    ["/journal/stream?after=1&after=x", "after is given more than once; give it once."],
  ])("%s is refused, as it would do nothing", async (path, message) => {
    const { status, body } = await control(await file.world(), "GET", path);
    expect([status, body.error.code]).toEqual([400, "INVALID_REQUEST"]);
    expect(body.error.message).toContain(message);
  });

  test.each([
    ["DELETE", "/worlds/x?force=1"],
    ["POST", "/reset?force=1"],
    ["GET", "/accounts/acme?force=1"],
  ])("%s %s is refused without a word of lists, which it is none of", async (method, path) => {
    const { status, body } = await control(file.sandbox, method, path);
    expect([status, body.error.message]).toEqual([400, 'unknown field "force".']);
  });
});

describe("fields of a body in the query are told their place", () => {
  test.each([
    ["POST", "/clock/advance?by=5s", '"by" is a field of the body, and not of the query.'],
    ["POST", "/accounts?username=x&nmae=y", '"username" is a field of the body, and not of the query.'],
    ["PUT", "?seed=4", '"seed" is a field of the body, and not of the query.'],
  ])("%s %s: 400, and nothing is done", async (method, path, message) => {
    const world = await file.world();
    const before = await world.journal();
    const { status, body } = await control(world, method, path, {});
    expect([status, body.error.code, body.error.message]).toEqual([400, "INVALID_REQUEST", message]);
    expect(await world.journal()).toEqual(before);
  });
});

describe("names that nothing has are refused with the one that was probably meant", () => {
  const cases = [
    ["GET", "/accounts/acm", undefined, 'There is no account acm; did you mean "acme"?'],
    ["POST", "/accounts/globx/fund", { currency: "BRL", amount: "1.00" }, '"globex"?'],
    ["POST", "/report/probe", { username: "acm" }, 'There is no account acm; did you mean "acme"?'],
    ["GET", "/scenarios/magic-value", undefined, 'There is no scenario magic-value; did you mean "magic-values"?'],
    ["DELETE", "/scenarios/hapy-path", undefined, 'There is no scenario hapy-path; did you mean "happy-path"?'],
    ["POST", "/snapshots/befor/restore", undefined, 'There is no snapshot befor of this world; did you mean "before"?'],
    ["DELETE", "/snapshots/unlike", undefined, "There is no snapshot unlike of this world."],
  ] as const;

  test.each(cases)("%s %s %j: 404", async (method, path, input, message) => {
    const world = await file.world({ scenarios: ["happy-path", "magic-values"] });
    await control(world, "POST", "/snapshots", { name: "before" });
    const { status, body } = await control(world, method, path, input);
    expect([status, body.error.code]).toEqual([404, "NOT_FOUND"]);
    expect(body.error.message).toContain(message);
  });

  test("worlds, and snapshots of worlds, where one is deleted or forked", async () => {
    const world = await file.world({ id: "checkout-flow" });
    await control(world, "POST", "/snapshots", { name: "before" });
    const near = 'There is no world checkout-flwo; did you mean "checkout-flow"?';
    const told = async (method: string, path: string, input?: object) => {
      const { status, body } = await control(file.sandbox, method, path, input);
      return [status, body.error.message];
    };
    expect(await told("DELETE", "/worlds/checkout-flwo")).toEqual([404, near]);
    expect(await told("POST", "/worlds", { from: "checkout-flwo" })).toEqual([404, near]);
    expect(await told("POST", "/worlds", { from: { world: "checkout-flow", snapshot: "befor" } })).toEqual([
      404,
      'There is no snapshot befor of the world checkout-flow; did you mean "before"?',
    ]);
  });
});

describe("addresses and methods", () => {
  test.each([
    ...["/nowhere", "/clock/rewind", "/webhooks/x/y/z", "/Clock"],
    ...["/clock/", "/journal/stream/", "/accounts/acme/", "/health/", "/openapi-json"],
  ])("404 for %s", async (path) => {
    for (const base of [file.sandbox, await file.world()]) {
      const { status, body } = await control(base, "GET", path);
      expect([status, body.error.code]).toEqual([404, "NOT_FOUND"]);
      expect(body.error).toEqual({ code: "NOT_FOUND", message: expect.any(String), details: { unknown_path: path } });
    }
  });

  test.each([
    "/disputes/inf_018f3a7b/files",
    "/transactions/019f3c1e-0000-7000-8000-000000000000/history",
    "/wallets/9/deposits",
    "/transfers/x/postings",
  ])("404 for %s: what is no action is no address for any method", async (path) => {
    const { status, body } = await control(file.sandbox, "GET", path);
    expect([status, body.error.message]).toEqual([404, `There is no ${path} in the control interface.`]);
    expect((await control(file.sandbox, "POST", path)).status).toBe(404);
  });

  test.each([
    ["POST", "/webhooks/evt_018f3a7b/resend", '; did you mean "/webhooks/evt_018f3a7b/redeliver"?'],
    ["POST", "/transaction/x/confirm", '; did you mean "/transactions/x/confirm"?'],
    ["POST", "/requests/x/replay", "."],
    ["GET", "/webhooks/x/attempts", "."],
    ["POST", "/clock/advance/now", "."],
  ])("404 for %s %s names no address that does not exist: …%s", async (method, path, end) => {
    const { status, body } = await control(file.sandbox, method, path);
    expect([status, body.error.message]).toEqual([404, `There is no ${path} in the control interface${end}`]);
  });

  test("404 for a world that is not there, on every call", async () => {
    const nowhere = { baseUrl: `${file.sandbox.baseUrl}/worlds/nowhere` };
    for (const [method, path] of [
      ["GET", "/"],
      ["GET", "/clock"],
      ["POST", "/reset"],
      ["GET", "/journal/stream"],
    ] as const) {
      const { status, body } = await control(nowhere, method, path);
      const message = 'There is no world "nowhere" here.';
      expect([status, body.error]).toEqual([
        404,
        { code: "NOT_FOUND", message, details: { unknown_world: "nowhere" } },
      ]);
    }
  });

  test.each([
    ["/", "POST", "GET"],
    ["/clock", "PUT", "GET, POST"],
    ["/clock/advance", "GET", "POST, DELETE"],
    ["/clock/settle", "GET", "POST"],
    ["/reset", "GET", "POST"],
    ["/timers", "DELETE", "GET"],
    ["/accounts", "PUT", "GET, POST"],
    ["/accounts/acme", "DELETE", "GET, PATCH"],
    ["/journal", "POST", "GET"],
    ["/journal/stream", "POST", "GET"],
    ["/webhooks/evt_x/redeliver", "GET", "POST"],
    ["/disputes/inf_x/lose", "GET", "POST"],
    ["/scenarios/happy-path", "PUT", "GET, DELETE"],
    ["/snapshots", "DELETE", "GET, POST"],
    ["/snapshots/x", "GET", "DELETE"],
    ["/snapshots/x/restore", "DELETE", "POST"],
    ["/worlds", "PATCH", "GET, POST"],
    ["/worlds/x", "GET", "DELETE"],
    ["/health", "POST", "GET"],
  ])("405 for %s with %s, and what it takes: %s", async (path, method, allow) => {
    const { status, headers, body } = await control(file.sandbox, method, path);
    expect([status, body.error.code, headers.get("allow")]).toEqual([405, "METHOD_NOT_ALLOWED", allow]);
  });

  test("405 at a world's own address, which takes PUT too", async () => {
    const world = await file.world();
    const { status, headers } = await control(world, "PATCH", "");
    expect([status, headers.get("allow")]).toEqual([405, "GET, PUT"]);
  });

  test.each([
    ["GET", "/worlds"],
    ["DELETE", "/worlds/x"],
  ])("404 for %s %s of one world: that is for the root", async (method, path) => {
    expect((await control(await file.world(), method, path)).status).toBe(404);
  });

  test("a slash at the end of the base is the same address", async () => {
    const world = await file.world();
    expect((await control(world, "GET", "")).body).toEqual((await control(world, "GET", "/")).body);
  });
});

describe("bodies", () => {
  test.each(['{"by": "5s"', "by=5s", "{'by': '5s'}", '{"by": "5s"} x', "\ufeff{}"])(
    "400 for %j: no JSON",
    async (text) => {
      const { status, body } = await control(await file.world(), "POST", "/clock/advance", text);
      expect([status, body.error.code]).toEqual([400, "INVALID_REQUEST"]);
      expect(body.error.message).toContain("JSON");
    },
  );

  test.each(["[]", '"5s"', "5", "null", "true"])("400 for %s: no object", async (text) => {
    const { status, body } = await control(await file.world(), "POST", "/clock/advance", text);
    expect([status, body.error.message]).toEqual([400, expect.stringContaining("must be a JSON object")]);
  });

  test.each([
    ["POST", "/accounts", 5, "the body must be a JSON object."],
    ["POST", "/report/probe", 5, "the body must be a JSON object."],
    ["POST", "/faults", { delivery: "cashin.*", inject: 3 }, "inject must be an object."],
    ["PUT", "/faults", { rules: [{ delivery: "cashin.*", inject: 3 }] }, "rules.0.inject must be an object."],
    ["PUT", "/faults", { rules: [5] }, "rules.0 must be an object."],
    ["POST", "/worlds", { accounts: [5] }, "accounts.0 must be an object."],
    ["PATCH", "/accounts/acme", { name: [] }, "name must be a text."],
  ])("400 for %s %s %j: each field at fault is told once", async (method, path, input, message) => {
    const { status, body } = await control(file.sandbox, method, path, input);
    expect([status, body.error.message]).toEqual([400, message]);
  });

  test("400 for bytes that are no UTF-8", async () => {
    const world = await file.world();
    const headers = { "Content-Type": "application/json" };
    const bytes = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]);
    const response = await fetch(`${world.baseUrl}/_sandbox/clock`, { method: "POST", headers, body: bytes });
    expect(response.status).toBe(400);
  });

  test.each(["text/plain", "application/xml", "multipart/form-data", "application/yaml"])(
    "415 for %s",
    async (media) => {
      const world = await file.world();
      const { status, body } = await control(world, "POST", "/clock/advance", '{"by":"5s"}', { "Content-Type": media });
      expect([status, body.error.code]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
    },
  );

  test.each(["application/json; charset=utf-8", "APPLICATION/JSON", "application/x-www-form-urlencoded"])(
    "JSON as %s is read: the last is what curl -d calls it",
    async (media) => {
      const world = await file.world();
      const { status } = await control(world, "POST", "/clock/advance", '{"by":"5s"}', { "Content-Type": media });
      expect(status).toBe(200);
    },
  );

  test("413 for a body over 16 MiB, announced or not", async () => {
    const world = await file.world();
    const announced = { "Content-Type": "application/json", "Content-Length": String(16 * 1024 * 1024 + 1) };
    const first = await rawRequest(world.baseUrl, "POST", "/_sandbox/clock", announced, "{");
    expect([first.status, first.body.error.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
    const chunked = { "Content-Type": "application/json", "Transfer-Encoding": "chunked" };
    const second = await rawRequest(
      world.baseUrl,
      "POST",
      "/_sandbox/clock",
      chunked,
      " ".repeat(16 * 1024 * 1024 + 1),
    );
    expect([second.status, second.body.error.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
    expect(second.body.error.message).toBe("The body is over 16 MiB.");
  });

  test("no body is the same as an empty object", async () => {
    const world = await file.world();
    expect((await control(world, "POST", "/clock")).status).toBe(200);
    expect((await control(world, "POST", "/clock/settle")).status).toBe(200);
    const { status, body } = await control(world, "POST", "/accounts");
    expect([status, body.error.message]).toEqual([400, "username is missing."]);
  });
});

describe("unknown fields are refused with the nearest known name", () => {
  const cases = [
    ["POST", "/clock", { mod: "frozen" }, '"mod"; did you mean "mode"?'],
    ["POST", "/clock/advance", { bye: "5s" }, '"bye"; did you mean "by"?'],
    ["POST", "/clock/settle", { now: true }, 'unknown field "now"'],
    ["DELETE", "/clock/advance", { all: true }, 'unknown field "all"'],
    ["POST", "/reset", { hard: true }, 'unknown field "hard"'],
    ["POST", "/snapshots", { nmae: "x" }, '"nmae"; did you mean "name"?'],
    ["POST", "/snapshots/x/restore", { force: true }, 'unknown field "force"'],
    ["DELETE", "/faults", { rules: [] }, 'unknown field "rules"'],
    ["DELETE", "/scenarios/magic-values", { force: true }, 'unknown field "force"'],
    ["DELETE", "/snapshots/x", { all: true }, 'unknown field "all"'],
    ["POST", "/accounts", { usrname: "x" }, '"usrname"; did you mean "username"?'],
    ["PATCH", "/accounts/acme", { postbackurl: "x" }, '"postbackurl"; did you mean "postback_url"?'],
    ["POST", "/accounts/acme/credentials", { name: "x" }, 'unknown field "name"'],
    ["POST", "/accounts/acme/fund", { curency: "BRL" }, '"curency"; did you mean "currency"?'],
    ["PATCH", "/credentials/CLIENT", { postback: null }, '"postback"; did you mean "postback_url"?'],
    ["POST", "/transactions/CHARGE/pay", { amont: "1.00" }, '"amont"; did you mean "amount"?'],
    ["POST", "/transactions/CHARGE/pay", { payer: { nam: "x" } }, '"payer.nam"; did you mean "name"?'],
    ["POST", "/transactions/CHARGE/expire", { at: "now" }, 'unknown field "at"'],
    ["POST", "/transactions/CHARGE/fail", { reasons: "x" }, '"reasons"; did you mean "reason"?'],
    ["GET", "/webhooks?stauts=pending", undefined, '"stauts"; did you mean "status"?'],
  ] as const;

  test.each(cases)("%s %s %j", async (method, path, input, message) => {
    const world = await file.world();
    const own = path.replace("CHARGE", await makeCharge(world)).replace("CLIENT", world.credentials.clientId);
    const before = await world.journal();
    const { status, body } = await control(world, method, own, input);
    expect([status, body.error.code]).toEqual([400, "INVALID_REQUEST"]);
    expect(body.error.message).toContain(message);
    expect(body.error.details.problems.length).toBeGreaterThan(0);
    expect(await world.journal()).toEqual(before);
  });

  test("every field at fault is named at once", async () => {
    const { status, body } = await control(await file.world(), "POST", "/accounts", {
      username: 5,
      nmae: "x",
      email: "",
    });
    expect(status).toBe(400);
    expect(body.error.details.problems).toHaveLength(3);
    expect(body.error.message).toContain("username must be a text");
    expect(body.error.message).toContain('unknown field "nmae"; did you mean "name"?');
    expect(body.error.message).toContain("email");
  });
});

describe("lists come page by page", () => {
  const lists = [
    "/accounts",
    "/transactions",
    "/webhooks",
    "/inbox",
    "/requests",
    "/journal",
    "/ledger",
    "/timers",
    "/scenarios",
    "/snapshots",
  ];

  /** A world in which every list has several items. */
  async function full() {
    const world = await file.world({ scenarios: ["happy-path", "magic-values"], postback_url: "sandbox://inbox" });
    const merchant = await Merchant.of(world);
    for (let count = 0; count < 3; count++) await world.act(await chargeOf(merchant), "pay");
    for (let count = 0; count < 3; count++) await chargeOf(merchant);
    for (let count = 0; count < 3; count++) await world.takeSnapshot();
    return world;
  }

  test.each(lists)("%s", async (path) => {
    const world = await full();
    const whole = await control(world, "GET", path);
    expect(whole.body.items.length).toBeGreaterThan(1);
    expect(whole.body.next_cursor).toBeNull();
    const items: unknown[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page = await control(world, "GET", `${path}?limit=2${cursor && `&cursor=${cursor}`}`);
      expect(page.body.items.length).toBeLessThanOrEqual(2);
      items.push(...page.body.items);
      cursor = page.body.next_cursor;
    }
    expect(items).toEqual(whole.body.items);
  });

  test.each([...lists, "/worlds"])("%s refuses a limit or a cursor that is none", async (path) => {
    for (const limit of ["0", "1001", "-1", "1.5", "ten", "", "0x10", "1e2", "%205"]) {
      const { status, body } = await control(file.sandbox, "GET", `${path}?limit=${limit}`);
      expect([limit, status, body.error?.code]).toEqual([limit, 400, "INVALID_REQUEST"]);
      expect(body.error.message).toContain("1 to 1000");
    }
    for (const cursor of ["x", "-1", "1;2"]) {
      const { status, body } = await control(file.sandbox, "GET", `${path}?cursor=${encodeURIComponent(cursor)}`);
      expect([cursor, status, body.error?.message]).toEqual([cursor, 400, expect.stringContaining("cursor")]);
    }
    expect((await control(file.sandbox, "GET", `${path}?limit=1000`)).status).toBe(200);
  });

  test("a hundred at a time unless asked for more", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    for (let count = 0; count < 101; count++) await chargeOf(merchant);
    const { body } = await control(world, "GET", "/transactions");
    expect(body.items).toHaveLength(100);
    const rest = await control(world, "GET", `/transactions?cursor=${body.next_cursor}`);
    expect([rest.body.items.length, rest.body.next_cursor]).toEqual([1, null]);
    expect((await control(world, "GET", "/transactions?limit=1000")).body.items).toHaveLength(101);
  });
});

test("interface 3: health is told at a world's own address too, where there is that world", async () => {
  const world = await file.world();
  expect(await control(world, "GET", "/health")).toMatchObject({ status: 200, body: { status: "ok" } });
  const nowhere = await control({ baseUrl: `${file.sandbox.baseUrl}/worlds/nowhere` }, "GET", "/health");
  expect([nowhere.status, nowhere.body.error.code]).toEqual([404, "NOT_FOUND"]);
});

test.each([
  ["GET", "/helth", '; did you mean "/health"?'],
  ["POST", "/clock/advanse", '; did you mean "/clock/advance"?'],
  ["POST", "/clock/advance/", '; did you mean "/clock/advance"?'],
  ["POST", "/transaction/tx-1/pay", '; did you mean "/transactions/tx-1/pay"?'],
  ["GET", "/nothing-like-it", "."],
])("interface 4: %s %s is told the address that was meant, where one is near", async (method, path, near) => {
  const world = await file.world();
  const { status, body } = await control(world, method, path);
  expect([status, body.error.message]).toEqual([404, `There is no ${path} in the control interface${near}`]);
});

test.each([
  ["POST", "/worlds"],
  ["DELETE", "/worlds/other"],
])("interface 4: %s %s at a world's own address is told that it is at the root", async (method, path) => {
  const { status, body } = await control(await file.world(), method, path);
  const message = `There is no ${path} of one world in the control interface; it is at the root: /_sandbox${path}.`;
  expect([status, body.error.message]).toEqual([404, message]);
});
