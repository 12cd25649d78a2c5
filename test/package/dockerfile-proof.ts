/**
 * The container without a container engine: `npm run proof:dockerfile` performs the Dockerfile in an empty folder,
 * starts its entry point as its user, asks its health check, makes a call, and ends it as a container is ended.
 */
import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Ready } from "../support/command.ts";
import { buildImage, inside, putProgram, type Stage, startInside } from "../support/image.ts";

const checkout = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "payments-sandbox-image-"));
// The user of the image is not the one who builds it.
chmodSync(folder, 0o755);

/** What a proof that fails leaves running. */
const started = new Set<ChildProcess>();

try {
  const stage = await buildImage({
    dockerfile: readFileSync(join(checkout, "Dockerfile"), "utf8"),
    dockerignore: readFileSync(join(checkout, ".dockerignore"), "utf8"),
    context: checkout,
    folder,
    tell: ({ line, keyword, text }) => say(`Dockerfile:${line}: ${keyword} ${text}`),
  });
  await proveInMemory(stage);
  await proveWithVolume(stage);
  await proveCommands(stage);
  say("The Dockerfile holds.");
} finally {
  for (const child of started) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
}

/** Nothing is mounted: it works, and leaves nothing behind. */
async function proveInMemory(stage: Stage): Promise<void> {
  const port = await freePort();
  assert.notEqual(await exitOfHealthCheck(stage, port), 0, "the health check fails where nothing listens");
  const { child, ready } = await start(stage, port);
  assert.equal(await exitOfHealthCheck(stage, port), 0, "the health check holds once it listens");
  await makeCharge(ready);
  await end(child);
  assert.deepEqual(readdirSync(inside(stage, "/data")), [], "nothing is kept where no volume is mounted");
  say("In memory: healthy, a charge made and paid, ended by SIGTERM with 0.");
}

/** A volume is mounted: what was there is there after the next start. */
async function proveWithVolume(stage: Stage): Promise<void> {
  putProgram(stage, "mountpoint", "exit 0");
  const port = await freePort();
  const first = await start(stage, port);
  await makeCharge(first.ready);
  await end(first.child);
  const second = await start(stage, port);
  const { items } = await getJson(`${second.ready.base_url}/_sandbox/transactions`);
  assert.equal(items.length, 1, "the charge of the first start is there in the second");
  await end(second.child);
  say("With a volume: the charge is there after a restart.");
}

/** Other commands are given in the place of the server's options. */
async function proveCommands(stage: Stage): Promise<void> {
  const child = startInside(stage, [...stage.entrypoint, "check", "happy-path"], { stdio: "ignore" });
  const [code] = await once(child, "exit");
  assert.equal(code, 0, "the command of the image takes other commands");
}

interface Started {
  readonly child: ChildProcess;
  readonly ready: Ready;
}

async function start(stage: Stage, port: number): Promise<Started> {
  const env = { PAYMENTS_SANDBOX_PORT: String(port) };
  const child = startInside(stage, stage.entrypoint, { env, stdio: ["ignore", "pipe", "inherit"] });
  started.add(child);
  child.once("exit", () => started.delete(child));
  if (!child.stdout) throw new Error("The entry point has no stdout.");
  const lines = createInterface({ input: child.stdout });
  const line = await Promise.race([once(lines, "line").then(([text]) => text), once(child, "exit").then(() => null)]);
  assert.ok(line, "the entry point says that it is ready");
  return { child, ready: JSON.parse(line) as Ready };
}

async function exitOfHealthCheck(stage: Stage, port: number): Promise<number> {
  const env = { PAYMENTS_SANDBOX_PORT: String(port) };
  const [code] = await once(startInside(stage, stage.healthcheck, { env, stdio: "ignore" }), "exit");
  return code;
}

/** With the credentials of the ready line, as a merchant in another container. */
async function makeCharge({ base_url: baseUrl, client_id, client_secret }: Ready): Promise<void> {
  const { access_token: token } = await postJson(`${baseUrl}/v2/oauth/token`, { client_id, client_secret });
  const headers = { Authorization: `Bearer ${token}` };
  const charge = { currency: "BRL", amount: "150.00", external_id: "order-1" };
  const { data } = await postJson(`${baseUrl}/v2/transactions/cashin`, charge, headers);
  assert.equal(data.status, "pending");
  await postJson(`${baseUrl}/_sandbox/clock/advance`, { by: "5s" });
  const paid = await getJson(`${baseUrl}/_sandbox/transactions/${data.transaction_id}`);
  assert.equal(paid.status, "confirmed");
  const page = await fetch(`${baseUrl}/`);
  assert.match(await page.text(), /dashboard\.js/, "the dashboard was built");
}

/** As `docker stop` does. */
async function end(child: ChildProcess): Promise<void> {
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  assert.deepEqual(await exit, [0, null], "SIGTERM ends it with 0");
}

// biome-ignore lint/suspicious/noExplicitAny: a proof looks into bodies freely.
async function postJson(url: string, body: object, headers: Record<string, string> = {}): Promise<any> {
  const all = { "Content-Type": "application/json", ...headers };
  return answerOf(await fetch(url, { method: "POST", headers: all, body: JSON.stringify(body) }));
}

// biome-ignore lint/suspicious/noExplicitAny: a proof looks into bodies freely.
async function getJson(url: string): Promise<any> {
  return answerOf(await fetch(url));
}

async function answerOf(response: Response): Promise<unknown> {
  assert.ok(response.ok, `${response.url} answered ${response.status}`);
  return response.json();
}

/** The image listens on all addresses of its container, here on those of the machine: not where others look for it. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
