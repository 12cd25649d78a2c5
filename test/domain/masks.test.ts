/** What is kept of what has secrets in it: as much as helps to see what was wrong with a call. */
import { describe, expect, test } from "vitest";
import { maskedHeader, maskedQuery, maskedTokenCall, namesSecret } from "../../src/domain/masks.ts";

test.each([
  ["authorization", "Bearer abc", "Bearer ***"],
  ["authorization", "bearer  a b", "bearer  *** ***"],
  ["proxy-authorization", "Basic abc=", "Basic ***"],
  ["authorization", "abc def", "*** ***"],
  ["authorization", "Bearer", "***"],
  ["authorization", "", ""],
  ["cookie", "a=1; b=2", "*** ***"],
  ["x-signature", "Basic abc", "*** ***"],
  ["api_key", "abc", "***"],
  ["x-apikey", "abc", "***"],
  ["x-auth-key", "abc", "***"],
  ["x-access-key", "abc", "***"],
  ["x-passphrase", "abc def", "*** ***"],
  ["idempotency-key", "abc", "abc"],
  ["x-nonce", "abc", "abc"],
  ["user-agent", "token/1.0", "token/1.0"],
])("the header %s: %s", (name, value, kept) => {
  expect(maskedHeader(name, value)).toBe(kept);
});

test.each([
  ["page=2&currency=BRL", "page=2&currency=BRL"],
  ["client_secret=a=b&page=2&Access%5FToken=c", "client_secret=***&page=2&Access%5FToken=***"],
  ["%74oken=a&token&&", "%74oken=***&***&&"],
])("the query %s", (query, kept) => {
  expect(maskedQuery(query)).toBe(kept);
});

describe("a call for a token", () => {
  const layout = (secret: string) =>
    `{\n  "client_id": "acme-1",\n  "client_secret" : ${secret},\n  "grant_type": "client_credentials"\n}`;
  const clientSecret = `secret-${"a1".repeat(16)}`;

  test.each([
    [layout('"ab\\"c"'), layout('"***"')],
    [layout("null"), layout("null")],
    [layout("5"), layout('"***"')],
    [layout('["a", {"client_id": "b"}]'), layout('["***", {"client_id": "***"}]')],
    ['{"client_id":5,"scope":"read write","audience":"x"}', '{"client_id":5,"scope":"read write","audience":"***"}'],
    ['{"client_id":"a&client_secret=b"}', '{"client_id":"***"}'],
    [`{"client_id":"${clientSecret}","client_secret":"acme-1"}`, '{"client_id":"***","client_secret":"***"}'],
    [`client_id=${clientSecret}&scope=${"0a".repeat(32)}`, "client_id=***&scope=***"],
    ['{"client_id":"secret-0123456789abcdef"}', '{"client_id":"secret-0123456789abcdef"}'],
    ['{"client_id":["a"],"scope":"read"}', '{"client_id":["***"],"scope":"read"}'],
    ['[{"client_id":"a"},"b"]', '[{"client_id":"***"},"***"]'],
    ['"{}"', '"***"'],
    ["client_id=acme-1&client_secret=a%22b&scope=", "client_id=acme-1&client_secret=***&scope="],
    ["client_id=acme-1&client_secret=a&b", "client_id=acme-1&client_secret=***&***"],
    ["\nclientSecret=a", "\nclientSecret=***"],
    ["client_id=a\nclient_secret=b", "client_id=***"],
    ['{"client_secret":"a', "*** (19 bytes)"],
    ["client_secret: a", "*** (16 bytes)"],
  ])("%s", (body, kept) => {
    expect(maskedTokenCall(body)).toBe(kept);
    // The replay of a replay has no more than that.
    expect(maskedTokenCall(kept)).toBe(kept);
  });

  test("in UTF-16 is a mask, and is known by the name of the secret", () => {
    const body = Buffer.from('{"client_secret":"a"}', "utf16le").toString("latin1");
    expect([namesSecret(body), maskedTokenCall(body)]).toEqual([true, "*** (42 bytes)"]);
  });
});
