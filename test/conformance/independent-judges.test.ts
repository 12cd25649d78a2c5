/** What others make of what the sandbox makes: a stock OAuth 2.0 client, and a public validator of addresses. */
import validator from "multicoin-address-validator";
import * as oauth from "oauth4webapi";
import { describe, expect, test } from "vitest";
import { Merchant } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";

const file = useSandbox();

describe("a stock OAuth 2.0 client", () => {
  test.each([
    ["client_secret_post", oauth.ClientSecretPost],
    ["client_secret_basic", oauth.ClientSecretBasic],
  ] as const)("D10 TOK-01 gets a token that the endpoints accept, by %s", async (_name, authentication) => {
    const world = await file.world();
    const server = { issuer: world.baseUrl, token_endpoint: `${world.baseUrl}/v2/oauth/token` };
    const client = { client_id: world.credentials.clientId };
    const method = authentication(world.credentials.clientSecret);
    const options = { [oauth.allowInsecureRequests]: true };
    const response = await oauth.clientCredentialsGrantRequest(server, client, method, {}, options);
    const token = await oauth.processClientCredentialsResponse(server, client, response);
    expect(token.token_type).toBe("bearer");
    expect(token.expires_in).toBe(3600);
    const merchant = new Merchant(world, world.credentials);
    merchant.token = token.access_token;
    expect((await merchant.call("GET", "/v2/account/balance")).status).toBe(200);
  });
});

describe("a public validator of addresses", () => {
  test.each([
    ["tron", "USDT", "trx"],
    ["ethereum", "USDT", "eth"],
    ["bsc", "BNB", "eth"],
    ["polygon", "USDC", "eth"],
    ["arbitrum", "USDC", "eth"],
    ["base", "USDC", "eth"],
    ["optimism", "ETH", "eth"],
    ["bitcoin", "BTC", "btc"],
    ["solana", "SOL", "sol"],
  ])("CIN-05 WAL-02 accepts every address on %s, charges' and wallets'", async (chain, currency, code) => {
    const world = await file.world({ settings: { protections: "off" } });
    const merchant = await Merchant.of(world);
    for (let count = 0; count < 10; count++) {
      const charge = await merchant.cashin({ currency, amount: "1", chain });
      const wallet = await merchant.call("POST", "/v2/transactions/wallet", { currency, chain });
      for (const { address } of [charge.body.data, wallet.body.data]) {
        expect(validator.validate(address, code), address).toBe(true);
      }
    }
  });
});
