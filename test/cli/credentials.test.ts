import { expect, test } from "vitest";
import { startProcess } from "../support/process.ts";
import { SigningMerchant } from "../support/signing.ts";

test("D12 the signing key of the ready line is the control interface's, and what it signs is accepted", async () => {
  const sandbox = await startProcess();
  const { accounts } = await sandbox.world.info();
  const [credential] = accounts[0]?.credentials ?? [];
  const { client_id = "", client_secret = "", signing_key = "" } = sandbox.ready;
  expect({ client_id, client_secret, signing_key, postback_url: null }).toEqual(credential);
  const merchant = await SigningMerchant.ofCredential(sandbox.world, { client_id, client_secret, signing_key });
  const cashout = await merchant.cashout({ currency: "BRL", amount: 10, key: "12345678909" });
  await sandbox.end("SIGTERM");
  expect(cashout.status).toBe(202);
});
