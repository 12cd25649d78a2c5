/** What `advance`, `trigger`, `tail`, `resend` and `report` refuse, with the nearest right word. */
import { expect, test } from "vitest";
import { runCommand } from "../support/command.ts";
import { useSandbox } from "../support/sandbox.ts";

const file = useSandbox();

test("trigger says how a block in a frozen world ends", async () => {
  const world = await file.world();
  const wrong = { client_id: world.credentials.clientId, client_secret: "wrong" };
  const init = { method: "POST", body: JSON.stringify(wrong), headers: { "Content-Type": "application/json" } };
  for (let count = 0; count < 5; count++) await fetch(`${world.baseUrl}/v2/oauth/token`, init);
  const { code, stderr } = await runCommand(["trigger", "cashin.confirmed", "--url", world.baseUrl]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/IP_BLOCKED_TEMPORARILY: .+ The clock of this world is frozen/);
});

test.each([
  [["trigger", "cashin.confirmd"], 2, 'There is no event "cashin.confirmd"; did you mean "cashin.confirmed"?'],
  [["trigger", "refund_confirmed"], 2, "refund_confirmed is sent beside chargeback.confirmed"],
  [["trigger", "cashin.confirmed", "--set", "amount"], 2, "path=value"],
  [["trigger", "--set", "amount=5", "cashin.confirmed"], 2, "the event stands before --set"],
  [["trigger", "cashin.confirmed", "--on", "nobody"], 1, "nobody"],
  [["trigger", "cashin.confirmed", "--set", "amont=5"], 2, 'did you mean "amount"?'],
  [["trigger", "cashin.confirmed", "--set", "amount=abc"], 2, "INVALID_REQUEST: amount"],
  [["trigger", "cashin.confirmed", "--set", "currency=XXX"], 2, "INVALID_CURRENCY"],
  [["trigger", "cashout.failed", "--set", "error_code=NOPE"], 2, "error_code must be one of"],
  [["trigger", "cashout.confirmed", "--set", "amount=20000"], 1, "INSUFFICIENT_BALANCE"],
  [["resend", "evt_nobody"], 1, "evt_nobody"],
  [["advance", "soon"], 2, 'There is no "soon" to advance to; it takes a duration'],
  [["advance", "idel"], 2, 'to advance to; did you mean "idle"?'],
  [["advance", "1h 30m"], 2, 'There is no "1h 30m" to advance to; did you mean "1h30m"?'],
  [["advance", "5 minutes"], 2, 'to advance to; did you mean "5m"?'],
  [["advance", "99999999999w"], 2, "99999999999w is too long; the longest duration is 104249991d."],
  [["advance", "1.5s"], 2, 'to advance to; did you mean "1s500ms"?'],
  [["advance", "2026-02-01"], 2, "with time and zone, such as 2026-02-01T00:00:00Z."],
  [["advance", "2026-02-01T10:00"], 2, "with time and zone, such as 2026-02-01T10:00Z."],
  [["advance", "1969-12-31T23:59:59Z"], 2, "give one from 1970 to the year 9999, in ISO 8601"],
  [["advance", "cashin.confirmd"], 2, 'There is no event "cashin.confirmd"; did you mean "cashin.confirmed"?'],
  [["advance", "no.such"], 2, 'There is no event "no.such"; known are cashin.'],
  [["advance", "-5s"], 2, "The clock goes forward only, and not by -5s; "],
  [["tail", "--kind", "transitoin"], 2, 'of the kind "transitoin"; did you mean "transition"?'],
  [["tail", "--kind", "request", "webhok.*"], 2, 'of the kind "webhok.*"; did you mean "webhook.*"?'],
  [["tail", "--kind", "foo"], 2, 'of the kind "foo"; known are world.created, '],
  [["report", "--world", "defalt"], 2, '; did you mean "default"?'],
  [["tail", "--after", "x"], 2, "--after"],
  [["tail", "--all", "--after", "5"], 2, "--all and --after begin at two places; leave one of them out."],
  [["tail", "--subject", ""], 2, "--subject takes the id of a resource, and is empty."],
  [["resend", ""], 1, 'There is nothing with the id "".'],
  [["explain", ".."], 1, 'There is nothing with the id "..".'],
  [["trigger", "cashin.confirmed", "--on", ".."], 1, 'wallet or transfer "..".'],
  [["advance", "5s", "--world", ".."], 2, 'There is no world ".." at '],
])("%j is told in one line, exit %i", async (args, code, words) => {
  const ended = await runCommand([...args, "--url", file.sandbox.baseUrl]);
  expect(ended.stderr).toMatch(/^payments-sandbox: [^\n]+\n$/);
  expect(ended.stderr).toContain(words);
  expect(ended).toMatchObject({ code, stdout: "" });
});

test("an external id that is taken is the world's no, exit 1", async () => {
  const trigger = ["trigger", "cashin.confirmed", "--set", "external_id=zz1", "--url", file.sandbox.baseUrl];
  expect(await runCommand(trigger)).toMatchObject({ code: 0, stderr: "" });
  const { code, stderr } = await runCommand(trigger);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^payments-sandbox: The external_id "zz1" is taken by \w+: /),
  ]);
});
