/** Secrets are told where they are asked for, and nowhere else: journal, logs, exports and records show masks. */
import { on } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { controlRoutes } from "../../src/control/routes.ts";
import { connectSandbox, startSandbox } from "../../src/index.ts";
import { paidWebhook } from "../support/charges.ts";
import { type RunningCommand, runCommand, startCommand, terminate } from "../support/command.ts";
import { control } from "../support/control.ts";
import { testFolder } from "../support/folder.ts";
import { startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";
import { hmacOf, SigningMerchant } from "../support/signing.ts";

const CONTROL_TOKEN = "canary-control-token";
const BASIC = btoa("acme:canary-basic");
const FORM = "application/x-www-form-urlencoded";
const authorized = { Authorization: `Bearer ${CONTROL_TOKEN}` };

const guarded = useSandbox({ controlToken: CONTROL_TOKEN });
const open = useSandbox();

/** TABLE: calls with what callers should not have sent, each with a canary that nobody may ever read again. */
const careless: readonly [path: string, init: RequestInit][] = [
  // Before the secrets that are wrong: after five of them nobody's are looked at.
  ["/v2/account/info/profile?client%5F%73ecret=canary-escaped&access%5Ftoken=canary-token-too", {}],
  ["/v2/account/info/profile?access_token=canary-query&client_secret=canary-in-query", {}],
  ["/v2/account/info/profile", { headers: { Authorization: "Bearer canary-bearer" } }],
  ["/v2/account/info/profile", { headers: { Authorization: "Digest a b c canary-digest" } }],
  ["/v2/account/info/profile", { headers: { "Proxy-Authorization": "canary-proxy", "X-Api-Key": "canary-key" } }],
  ["/v2/account/balance", { headers: { Authentication: "Bearer canary-slip", "X-Jwt": "canary-jwt" } }],
  ["/v2/account/balance", { headers: { "X-Session-Id": "canary-session", "X-Credential": "canary-credential" } }],
  ["/v2/account/info/profile", { headers: { Authorization: "canary-bare x", "X-Signature": "canary-sign x" } }],
  [
    "/v2/account/info/profile",
    { headers: { Cookie: "canary-biscuit x", Api_Key: "canary-under", Passwd: "canary-pass" } },
  ],
  ["/v2/account/info/profile", { headers: { Cookie: "session=canary-cookie", "X-Auth-Token": "canary-x-token" } }],
  ["/v2/oauth/token", post("application/json", '{"client_id":"acme","client_secret":"canary-json"}')],
  ["/v2/oauth/token", post("application/json", '{"client_id":"acme","\\u0063lient_secret":"canary-escaped"}')],
  ["/v2/oauth/token", post("application/json", '{"client_secret":"canary-broken')],
  ["/v2/oauth/token", post(FORM, "client_id=acme&client_secret=canary-form")],
  ["/v2/oauth/token", post("text/plain", "{}", { Authorization: `Basic ${BASIC}` })],
  ["/v2/oauth/token", post("multipart/form-data; boundary=b", part("canary-part"))],
  ["/v2/oauth/token", post("multipart/form-data; boundary==b", part("canary-part-of-a-form", "=b"))],
  ["/v2/oauth/token", post("application/json", '{"client_secret":["canary-list"],"more":{"a":"canary-deep"}}')],
  ["/v2/oauth/token", post("application/json", '{"client_secret":{"a":"canary-object"},"client_secret":null}')],
  ["/v2/oauth/token", post("application/json", '{"client_id":"acme","client_secret":canary-unquoted}')],
  ["/v2/oauth/token", post("application/json", '{"clientSecret":"canary-camel","signing_key":"canary-signing"}')],
  ["/v2/oauth/token", post("application/json", '{"access_token":"canary-access","data":"canary-data"}')],
  ["/v2/oauth/token", post("application/json", JSON.stringify('{"client_secret":"canary-twice"}'))],
  ["/v2/oauth/token", post("application/json", "client_id=acme client_secret=canary-blank")],
  ["/v2/oauth/token", post(FORM, 'client_id=acme&client_secret=ab"canary-quote&client_secret=c\\canary-backslash')],
  ["/v2/oauth/token", post(FORM, '{"client_id":"acme","client_secret":"ab&canary-json-as-form"}')],
  ["/v2/oauth/token", post("text/plain", " client_secret=canary-indented")],
  ["/v2/oauth/token", post("application/yaml", "client_id: acme\nclient_secret: canary-yaml")],
  ["/v2/oauth/tokens", post("application/json", '{"client_secret":"canary-nowhere"}')],
  ["/v2/oauth/tokens", post("multipart/form-data; boundary=b", part("canary-part-nowhere"))],
  ["/v2/oauth/tokens", post(FORM, "client%5F%73ecret=canary-form-nowhere")],
  ["/v2/transactions/cashout", post("application/json", "{}", { "X-Signature": "canary-signature" })],
];

describe.each(["json", "pretty"])("with --log %s", (log) => {
  test("nothing that can be read has a secret, but the places that are there to tell it", async () => {
    const folder = testFolder();
    const env = { PAYMENTS_SANDBOX_CONTROL_TOKEN: CONTROL_TOKEN };
    const running = startCommand(["--port", "0", "--data", folder, "--clock", "frozen", "--log", log], { env });
    const baseUrl = await baseUrlOf(running);
    const sandbox = await connectSandbox(baseUrl, { controlToken: CONTROL_TOKEN });
    const world = await sandbox.defaultWorld();
    const merchant = await SigningMerchant.ofAccount(world);
    const { signatures } = await makeHistory(merchant, world.baseUrl);
    for (const [path, init] of careless) await fetch(baseUrl + path, init).then((answer) => answer.arrayBuffer());
    await control({ baseUrl }, "GET", "/clock", undefined, { Authorization: "Bearer canary-wrong-token" });
    await control({ baseUrl }, "POST", "/snapshots", { name: "kept" }, authorized);
    await world.advance("1m");

    const told = [merchant.clientSecret, merchant.signingKey];
    const never = [merchant.token, ...signatures, CONTROL_TOKEN, BASIC];
    const read = await readAll(baseUrl);
    expect(read.size).toBeGreaterThan(30);
    for (const [place, text] of read) {
      const isToTell = /^\/(accounts(\/|$)|$|worlds$)/.test(place);
      expect([place, found(text, isToTell ? never : [...never, ...told])]).toEqual([place, []]);
    }
    const reports = ["pretty", "json", "junit", "html"].map((reporter) =>
      runCommand(["report", "--url", baseUrl, "--reporter", reporter], { env }),
    );
    for (const { stdout, stderr } of await Promise.all(reports)) {
      expect(stdout.length).toBeGreaterThan(100);
      expect(found(stdout + stderr, [...never, ...told])).toEqual([]);
    }

    const { stdout, stderr } = await terminate(running);
    // The first lines tell the credentials, and are there for that.
    const logged = log === "json" ? stdout.slice(stdout.indexOf("\n")) : stdout.slice(stdout.indexOf("  curl -s"));
    expect(logged).toMatch(/cashin|v2\/transactions/);
    expect(found(withoutCurl(logged) + stderr, [...never, ...told])).toEqual([]);
    for (const [file, bytes] of filesIn(folder)) {
      // Keys are kept there, since the service works with them.
      expect([file, found(bytes, never)]).toEqual([file, []]);
    }
  });
});

test("what a receiver answers with is shown and exported with masks, and replays", async () => {
  await using receiver = await startReceiver((_request, response) => {
    response.setHeader("Set-Cookie", ["session=canary-cookie; Path=/", "b=canary-second"]);
    response.setHeader("X-Auth-Token", "canary-token");
    response.writeHead(200, { Authorization: "Bearer canary-bearer", "X-Trace": "7" }).end("ok");
  });
  const world = await open.world({ postback_url: receiver.url });
  const { webhook_id } = await paidWebhook(world);
  await world.settle();
  const webhook = await world.webhook(webhook_id);
  expect(webhook.attempts[0]?.response?.headers).toMatchObject({
    "set-cookie": ["*** ***", "***"],
    "x-auth-token": "***",
    authorization: "Bearer ***",
    "x-trace": "7",
  });
  const bundle = await world.export();
  expect(found(JSON.stringify([webhook, bundle]), [])).toEqual([]);
  const { world: again, ...outcome } = await open.sandbox.replay(bundle);
  expect(outcome).toMatchObject({ identical: true, entries: bundle.journal.length });
  expect((await again.export()).inputs.filter(({ kind }) => kind === "landing")).toEqual(
    bundle.inputs.filter(({ kind }) => kind === "landing"),
  );
});

test("the control token is no part of a refusal, whatever was sent", async () => {
  const { sandbox } = guarded;
  for (const headers of [{}, { Authorization: "Bearer canary-wrong" }, { Authorization: `Basic ${CONTROL_TOKEN}` }]) {
    const { status, body, text } = await control(sandbox, "GET", "/", undefined, headers as Record<string, string>);
    const message = "The control token is missing or wrong; send Authorization: Bearer TOKEN.";
    expect([status, body]).toEqual([401, { error: { code: "UNAUTHORIZED", message, details: {} } }]);
    expect(found(text, [CONTROL_TOKEN])).toEqual([]);
  }
});

test.each(["", "canary with blanks", "canary-ü", `canary-${"x".repeat(1_024)}`])(
  "a control token that no caller could send is refused, and not repeated: %j",
  async (token) => {
    const rule = "must be 1 to 1024 letters, digits and signs of ASCII, without blanks.";
    await expect(startSandbox({ controlToken: token })).rejects.toThrow(`controlToken ${rule}`);
    if (token !== "canary with blanks") return;
    const { code, stderr } = await runCommand(["--port", "0", "--control-token", token]);
    expect([code, stderr]).toEqual([2, `payments-sandbox: --control-token ${rule}\n`]);
  },
);

/** The address that a start tells, in lines for people or for programs. */
async function baseUrlOf({ child }: RunningCommand): Promise<string> {
  let text = "";
  for await (const [chunk] of on(child.stdout, "data", { close: ["end"] })) {
    text += chunk;
    const [, url] = /(?:base URL +|"base_url":")(http:\/\/[\d.]+:\d+)["\n]/.exec(text) ?? [];
    if (url && text.endsWith("\n")) return url;
  }
  throw new Error(`The sandbox did not start: ${text}`);
}

/** A charge, a signed cash-out, a webhook to an address with a token, and the signatures that were sent. */
async function makeHistory(merchant: SigningMerchant, baseUrl: string): Promise<{ signatures: string[] }> {
  const postback_url = "http://127.0.0.1:1/hooks?token=visible-in-webhooks-alone";
  await merchant.cashin({ currency: "BRL", amount: 10, external_id: "order-1", postback_url });
  const signatures: string[] = [];
  const body = { currency: "BRL", amount: 5, key: "893f5960-df90-419f-b5b5-13a9155ffd55", external_id: "payout-1" };
  for (const key of [merchant.signingKey, "another-key"]) {
    await merchant.signed("/v2/transactions/cashout", body, {
      sign: ({ timestamp, nonce, body: text }) => {
        const signature = hmacOf(key, `${timestamp}.${nonce}.${text}`);
        signatures.push(signature);
        return signature;
      },
    });
  }
  await control({ baseUrl }, "PATCH", "/accounts/acme", { postback_url }, authorized);
  return { signatures };
}

/** Every reading of the control interface, of everything that it lists, and what is shown without a token. */
async function readAll(baseUrl: string): Promise<Map<string, string>> {
  const read = new Map<string, string>();
  const get = async (path: string) => {
    const { status, text } = await control({ baseUrl }, "GET", path, undefined, authorized);
    expect([path, status]).toEqual([path, 200]);
    read.set(path, text);
    return JSON.parse(text) as { items?: Readonly<Record<string, unknown>>[] };
  };
  const paths = controlRoutes.filter(({ method }) => method === "GET").map(({ path }) => path);
  for (const path of paths.filter((text) => !text.includes(":"))) {
    const { items = [] } = await get(path);
    if (!paths.some((other) => other.startsWith(`${path}/:`))) continue;
    for (const item of items) await get(`${path}/${String(Object.values(item)[0])}`);
  }
  const { items = [] } = JSON.parse(read.get("/requests") ?? "{}") as { items: { request_id: string }[] };
  for (const { request_id } of items) await get(`/explain/${request_id}`);
  for (const path of ["/", "/openapi.json", "/v2/nowhere"]) {
    read.set(`open ${path}`, await (await fetch(baseUrl + path)).text());
  }
  return read;
}

/** The canaries and the secrets that a text has. */
function found(text: string, secrets: readonly string[]): string[] {
  return [...(text.match(/canary-[\w-]+/g) ?? []), ...secrets.filter((secret) => text.includes(secret))];
}

function filesIn(folder: string): [name: string, bytes: string][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name)).toString("latin1")]);
}

/** The line of the start that is there to be pasted has the client secret. */
function withoutCurl(text: string): string {
  return text.replace(/^ {2}curl -s .*$/m, "");
}

function post(type: string, body: string, headers: Record<string, string> = {}): RequestInit {
  return { method: "POST", body, headers: { "Content-Type": type, ...headers } };
}

/** A form of parts, as some clients ask for a token. */
function part(secret: string, boundary = "b"): string {
  const head = 'Content-Disposition: form-data; name="client_secret"';
  return `--${boundary}\r\n${head}\r\n\r\n${secret}\r\n--${boundary}--\r\n`;
}
