/** A sandbox in a test's process whose environment has replaced what is global, as those for tests of pages do. */
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type SandboxClient, startSandbox, type WorldClient } from "../../src/index.ts";

let sandbox: SandboxClient;
let world: WorldClient;

/** Like jsdom's: it has what a file has, and is none of Node's. */
class PageFile {
  readonly name: string;
  readonly type: string;
  readonly #content: string;

  constructor([content = ""]: string[], name: string, { type }: { type: string }) {
    this.#content = content;
    this.name = name;
    this.type = type;
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return new TextEncoder().encode(this.#content).buffer;
  }
}

beforeAll(async () => {
  vi.stubGlobal("Uint8Array", runInNewContext("Uint8Array"));
  for (const name of ["Blob", "FormData"]) vi.stubGlobal(name, class {});
  vi.stubGlobal("File", PageFile);
  sandbox = await startSandbox();
  world = await sandbox.createWorld({ postback_url: "sandbox://inbox" });
});

afterAll(async () => {
  vi.unstubAllGlobals();
  await sandbox.stop();
});

test("what the sandbox keeps as bytes of JSON is answered as that", async () => {
  await world.trigger("cashin.confirmed");
  const bundle = await world.export();
  expect(bundle.format).toBe("payments-sandbox-bundle");
  expect((await sandbox.replay(bundle)).identical).toBe(true);
});

test("D51 a dispute is replied to, with a file of the environment's own kind", async () => {
  const { transaction_id, subject } = await world.trigger("chargeback.opened");
  const file = new File(["%PDF-1.7 receipt"], 'the "last" receipt.pdf', { type: "application/pdf" });
  const reply = { infraction_id: subject ?? "", text: "It was\ndelivered.", files: [file] };
  await world.merchant().call("POST /v2/account/infractions/reply", reply);
  const { reply: kept } = await world.disputes.get(subject ?? "");
  expect(kept?.text).toBe("It was\ndelivered.");
  const sent = await world.disputes.file(subject ?? "", 1);
  expect([sent.name, Buffer.from(sent.content).toString()]).toEqual([file.name, "%PDF-1.7 receipt"]);
  expect(await world.trigger("chargeback.lost", { on: transaction_id ?? "" })).toMatchObject({ status: "delivered" });
});
