/** Calls that come behind one another on one connection, before the first of them has been answered. */
import { expect, test } from "vitest";
import { Merchant } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";
import { headOf, openSocket, untilClosed } from "../support/socket.ts";

const file = useSandbox();

test("calls are carried out in the order in which a connection brings them, those without a body too", async () => {
  const world = await file.world({ scenarios: [] });
  const { token } = await Merchant.of(world);
  const { pathname } = new URL(world.baseUrl);
  const call = (method: string, path: string, body = "", further: Readonly<Record<string, string>> = {}) => {
    const headers = { Authorization: `Bearer ${token}`, "Content-Length": String(body.length), ...further };
    return headOf(world.baseUrl, method, `${pathname}${path}`, headers) + body;
  };
  const charge = (length: number) =>
    call("POST", "/v2/transactions/cashin", `{"currency": "BRL", "amount": 5, "note": "${"x".repeat(length)}"}`, {
      "Content-Type": "application/json",
    });
  const socket = await openSocket(world.baseUrl);
  const answered = untilClosed(socket);
  socket.write(
    charge(1) +
      call("GET", "/v2/account/balance") +
      charge(200_000) +
      call("GET", "/_sandbox/transactions") +
      call("GET", "/v2/account/limits", "", { Connection: "close" }),
  );

  const transactions = /\{"items":.*?"next_cursor":null\}/s.exec(await answered)?.[0] ?? "{}";
  expect(JSON.parse(transactions).items).toHaveLength(2);
  const entries = await world.journal();
  const paths = entries.filter(({ kind }) => kind === "request").map(({ data }) => data.path);
  const [cashin, balance, limits] = ["/v2/transactions/cashin", "/v2/account/balance", "/v2/account/limits"];
  expect(paths.slice(-4)).toEqual([cashin, balance, cashin, limits]);
});
