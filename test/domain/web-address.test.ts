/** Addresses as people give them, and what is shown of those that are refused. */
import { expect, test } from "vitest";
import { baseAddress, notSuch, serverAddress, webAddress } from "../../src/domain/web-address.ts";

test.each([
  ["http://127.0.0.1:4400/", "http://127.0.0.1:4400"],
  [" https://pay.example/worlds/a// ", "https://pay.example/worlds/a"],
  ["http://pay.example/@b", "http://pay.example/@b"],
])("%j is an address", (text, address) => {
  expect([webAddress(text), baseAddress(text)]).toEqual([address, address]);
});

test.each([
  ["foo", 'not "foo"'],
  ["ftp://pay.example/a@b", 'not "ftp://pay.example/a@b"'],
  ["http://me:secret@pay.example/x", 'not one with credentials, "http://***@pay.example/x"'],
  ["https://:secret@pay.example", 'not one with credentials, "https://***@pay.example"'],
  [" http:/me:sec@ret@pay.example", 'not one with credentials, " http:/***@pay.example"'],
  ["HTTP:me:secret@pay.example", 'not one with credentials, "HTTP:***@pay.example"'],
])("%j is none, and its refusal shows no password", (text, words) => {
  expect([webAddress(text), baseAddress(text), notSuch(text)]).toEqual([null, null, words]);
});

test.each([
  ["127.0.0.1", "127.0.0.1"],
  ["0.0.0.0", "127.0.0.1"],
  ["0", "127.0.0.1"],
  ["::", "127.0.0.1"],
  ["::0", "127.0.0.1"],
  ["::1", "[::1]"],
  ["0:0:0:0:0:0:0:1", "[::1]"],
  ["::ffff:127.0.0.1", "127.0.0.1"],
  ["fe80::fc:1%eth0", "[fe80::fc:1%eth0]"],
  ["Sandbox.example", "sandbox.example"],
])("a server on %s is reached at %s, as clients name it", (host, named) => {
  expect(serverAddress(host, 80)).toBe(`http://${named}:80`);
});
