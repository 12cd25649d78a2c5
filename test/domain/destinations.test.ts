/** D63: where webhooks may go. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { destinationFault, INBOX, isLocalHost, portFault } from "../../src/domain/destinations.ts";
import { webhookTargets } from "../../src/domain/settings.ts";

/** Hosts of this machine and its private networks. */
const LOCAL = [
  ...["127.0.0.1", "127.255.255.254", "10.0.0.1", "10.255.255.255", "192.168.0.1", "192.168.255.255"],
  ...["172.16.0.1", "172.31.255.255", "169.254.169.254"],
  ...["[::1]", "[fc00::1]", "[fd12:3456::1]", "[fe80::1]", "[febf::1]"],
  ...[
    "localhost",
    "app.localhost",
    "a.b.localhost",
    "app.internal",
    "host.docker.internal",
    "host.containers.internal",
  ],
  ...["localhost.", "app.localhost.", "app.internal.", "[::ffff:127.0.0.1]", "[::ffff:10.1.2.3]", "[0::FFFF:7F00:1]"],
  ...["merchant-app", "merchant_app", "app1", "1app", "LOCALHOST", "Merchant-App"],
];

/** Hosts of the public network, some of which look local at first sight. */
const PUBLIC = [
  ...["example.com", "merchant.example", "8.8.8.8", "172.15.0.1", "172.32.0.1", "192.167.0.1", "192.169.0.1"],
  ...["[::ffff:8.8.8.8]", "[::127.0.0.1]", "localhost.example.", "com."],
  ...["11.0.0.1", "128.0.0.1", "169.253.0.1", "[2001:db8::1]", "[::2]", "[::1:2]", "[fbff::1]", "[fec0::1]"],
  ...[
    "localhost.example.com",
    "internal.example.com",
    "example.com.internal.net",
    "notlocalhost.com",
    "app.notlocalhost",
    "app.notinternal",
    "docker.internal.io",
  ],
  ...["10.example.com", "127.0.0.1.example.com", "192.168.1.evil.com", "172.16.attacker.net", "169.254.169.254.nip.io"],
];

/** Other ways to write an address that a URL makes the same. */
const LOCAL_IN_DISGUISE = ["http://127.1/", "http://0x7f.0.0.1/", "http://2130706433/", "http://0177.0.0.1/"];

/** Of 2 048 characters. */
const LONGEST = "https://merchant.example/".padEnd(2_048, "a");

test("a port that there is is never at fault, whatever else is", () => {
  expect(portFault("http://localhost:65535/?page")).toBeNull();
  expect(portFault("http://localhost:65536/?page")).toBe("must have a port of at most 65535");
});

describe("WH-13 D63 plain http", () => {
  test.each(LOCAL)("to %s is let through by local, refused by strict", (host) => {
    const url = `http://${host}:3000/hook`;
    expect(destinationFault(url, "local")).toBeNull();
    expect(destinationFault(url, "strict")).toContain("http is rejected");
    expect(destinationFault(url, "any")).toBeNull();
  });

  test.each(PUBLIC)("to %s is refused by local and strict", (host) => {
    const url = `http://${host}/hook`;
    expect(destinationFault(url, "local")).toMatch(/https/);
    expect(destinationFault(url, "strict")).toMatch(/https/);
    expect(destinationFault(url, "any")).toBeNull();
  });

  test.each(LOCAL_IN_DISGUISE)("%s is this machine", (url) => {
    expect(destinationFault(url, "local")).toBeNull();
  });

  test.each(["0.0.0.0", "[::]"])("to %s, where a server says that it listens, is told where it is reached", (host) => {
    const fault = destinationFault(`http://${host}:5000/hook?a=b`, "local");
    expect(fault).toMatch(/^must be an https URL.*; what listens at .* is reached at /);
    const [, address = ""] = fault?.split("reached at ") ?? [];
    expect([address, destinationFault(address, "local")]).toEqual(["http://127.0.0.1:5000/hook?a=b", null]);
  });

  test.each([
    "https:///hook",
    "http:localhost/hook",
    "https:\\\\localhost/hook",
    " https://a.example",
    "https://a.example/a b",
    "https://",
  ])("%j names no host as a URL does", (text) => {
    for (const targets of webhookTargets)
      expect(destinationFault(text, targets)).toMatch(/^must be (an https|a URL without blanks)/);
  });

  test.each(["https://example.com:65536/", "http://localhost:99999", "https://[::1]:100000?x"])(
    "%s has a port that there is not",
    (text) => {
      for (const targets of webhookTargets)
        expect(destinationFault(text, targets)).toBe("must have a port of at most 65535");
    },
  );

  test("any name below a public one is public", () => {
    const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,10}[a-z0-9])?$/);
    fc.assert(
      fc.property(
        fc.array(label, { minLength: 1, maxLength: 4 }),
        fc.constantFrom("com", "net", "io"),
        (labels, top) => {
          const name = `${labels.join(".")}.${top}`;
          fc.pre(URL.canParse(`http://${name}/`));
          expect([name, isLocalHost(new URL(`http://${name}/`).hostname)]).toEqual([name, false]);
        },
      ),
    );
  });

  test("any address of a private network is local, its neighbours are not", () => {
    const byte = fc.nat(255);
    fc.assert(
      fc.property(byte, byte, byte, byte, (a, b, c, d) => {
        const isPrivate =
          a === 10 ||
          a === 127 ||
          (a === 192 && b === 168) ||
          (a === 172 && b >= 16 && b <= 31) ||
          (a === 169 && b === 254);
        expect(isLocalHost(`${a}.${b}.${c}.${d}`)).toBe(isPrivate);
        expect(isLocalHost(`10.${b}.${c}.${d}`)).toBe(true);
      }),
    );
  });
});

describe.each(webhookTargets)("D63 with webhook_targets: %s", (targets) => {
  test.each([
    "https://merchant.example/hook",
    "https://localhost:8443/",
    "https://10.0.0.1",
    INBOX,
    "HTTPS://EXAMPLE.COM",
    LONGEST,
  ])("%s may be a destination", (url) => {
    expect(destinationFault(url, targets)).toBeNull();
  });

  test.each([
    ...["", " ", "merchant", "/hook", "//merchant.example/hook", "merchant.example/hook", "localhost:3000/hook"],
    ...[
      "http://",
      "https://",
      "https:///",
      "http://?",
      "https://exa mple.com/",
      "https://[::1",
      "http://localhost:99999",
    ],
    ...["ftp://localhost/", "file:///etc/passwd", "javascript:alert(1)", "data:text/plain,x", "ws://localhost/"],
    ...["sandbox://outbox", "sandbox://inbox/", "SANDBOX://INBOX", "sandbox:inbox", "mailto:a@b.example"],
    ...["https://user:secret@merchant.example/", "http://user@localhost/", "https://:secret@merchant.example/"],
    `${LONGEST}a`,
  ])("%j may not", (url) => {
    expect(destinationFault(url, targets)).toMatch(/^must .*[^.]$/);
  });

  test("no text makes it throw", () => {
    const anyUrl = fc.oneof(
      fc.string(),
      fc.webUrl(),
      fc.webUrl().map((url) => url.replace("https", "http")),
    );
    fc.assert(
      fc.property(anyUrl, (text) => {
        const fault = destinationFault(text, targets);
        if (fault === null && text !== INBOX) expect(new URL(text).protocol).toMatch(/^https?:$/);
        if (fault === null && targets === "strict") expect(text.trim().toLowerCase()).toMatch(/^(https:|sandbox:)/);
      }),
    );
  });
});
