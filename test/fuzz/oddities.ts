/** TABLE: what is done to a message beside its content: headers, framing, address, method. */
import fc from "fast-check";
import { chunked, type Message } from "./message.ts";
import { type Oddity, oddityOf, pick, utf8 } from "./odd-bodies.ts";
import { authorizations, forwarded, hosts, mediaTypes, nonces, signatures, timestamps } from "./odd-headers.ts";

type Doing = (message: Message, n: number) => void;

const set = (message: Message, name: string, value: string | undefined) => {
  message.headers = message.headers.filter(([given]) => given.toLowerCase() !== name.toLowerCase());
  if (value !== undefined) message.headers.push([name, value]);
};

/** What is done to the whole. */
const ofMessages: Readonly<Record<string, Doing>> = {
  content_type: (message, n) => set(message, "Content-Type", pick(mediaTypes, n)),
  two_content_types: (message) => message.headers.push(["Content-Type", "text/plain"]),
  authorization: (message, n) => set(message, "Authorization", pick(authorizations, n)),
  two_authorizations: (message) => message.headers.push(["Authorization", "Bearer x"]),
  timestamp: (message, n) => set(message, "X-Timestamp", pick(timestamps, n)),
  nonce: (message, n) => set(message, "X-Nonce", pick(nonces, n)),
  signature: (message, n) => set(message, "X-Signature", pick(signatures, n)),
  unsigned: (message, n) => set(message, pick(["X-Signature", "X-Timestamp", "X-Nonce"], n), undefined),
  signed_twice: (message, n) => message.headers.push([pick(["X-Signature", "X-Timestamp", "X-Nonce"], n), "1"]),
  forwarded_for: (message, n) => set(message, "X-Forwarded-For", pick(forwarded, n)),
  host: (message, n) => {
    set(message, "Host", pick(hosts, n));
    message.isGarbled = true;
  },
  two_hosts: (message) => {
    message.headers.push(["Host", "127.0.0.1"], ["Host", "x"]);
    message.isGarbled = true;
  },
  many_headers: (message, n) => {
    for (let at = 0; at < pick([10, 500, 3_000], n); at++) message.headers.push([`X-H${at}`, "v"]);
    message.isGarbled = true;
  },
  large_header: (message, n) => {
    message.headers.push(["X-Large", "v".repeat(pick([8_000, 15_000, 17_000, 80_000], n))]);
    message.isGarbled = true;
  },
  odd_header: (message, n) => {
    message.headers.push(
      pick(
        [
          ["X-Odd", "\x00"],
          ["X Odd", "v"],
          ["", "v"],
          ["X-Odd", "\xff\xfe"],
          ["X-Odd\x01", "v"],
          ["X-Odd", " \tv\t "],
        ],
        n,
      ),
    );
    message.isGarbled = true;
  },
  known_header: (message, n) => {
    const known: [string, string][] = [
      ...[
        ["Cookie", "a=b; __proto__=c"],
        ["Range", "bytes=0-1"],
        ["If-None-Match", "*"],
        ["Accept", "text/html"],
        ["Accept-Encoding", "br;q=x"],
      ],
      ...[
        ["Content-Encoding", "gzip"],
        ["Sec-Fetch-Site", "same-origin"],
        ["X-Request-Id", "mine"],
        ["X-HTTP-Method-Override", "DELETE"],
      ],
      ...[
        ["Last-Event-ID", "0"],
        ["Last-Event-ID", "-1"],
        ["Last-Event-ID", "999999999999999"],
        ["__proto__", "x"],
        ["constructor", "x"],
        ["Date", "x"],
      ],
    ] as [string, string][];
    message.headers.push(pick(known, n));
  },
  expect: (message, n) => {
    message.headers.push(["Expect", pick(["100-continue", "200-ok", ""], n)]);
    message.isGarbled = true;
  },
  connection: (message, n) => {
    message.headers.push(
      ["Connection", pick(["close, x-nonce", "close, upgrade", "close"], n)],
      ["Upgrade", pick(["websocket", "h2c", "TLS/1.0"], n)],
    );
    message.isGarbled = true;
  },
  chunked: (message) => {
    message.framing = "chunked";
  },
  broken_chunks: (message, n) => {
    const whole = chunked(message.body);
    const wrong = [
      utf8("zz\r\nx\r\n0\r\n\r\n"),
      utf8("-1\r\n\r\n"),
      utf8("fffffffffffffffff\r\nx"),
      utf8("5\r\nabc\r\n0\r\n\r\n"),
      whole.subarray(0, whole.length - 3),
      utf8("1;x=y\r\na\r\n0\r\nX: y\r\n\r\n"),
    ];
    garble(message, [["Transfer-Encoding", "chunked"]], pick(wrong, n));
  },
  transfer_encoding: (message, n) => {
    garble(
      message,
      [["Transfer-Encoding", pick(["gzip", "chunked, gzip", "identity", "xchunked", "chunked\x0b", ""], n)]],
      message.body,
    );
  },
  both_framings: (message) =>
    garble(
      message,
      [
        ["Transfer-Encoding", "chunked"],
        ["Content-Length", "5"],
      ],
      chunked(message.body),
    ),
  content_length: (message, n) => {
    const length = message.body.length;
    const given = [
      String(length + 10),
      String(Math.max(0, length - 1)),
      "-1",
      "1e3",
      "0x10",
      "99999999999999999999",
      `${length}, ${length}`,
      " ",
    ];
    garble(message, [["Content-Length", pick(given, n)]], message.body);
  },
  two_content_lengths: (message) =>
    garble(
      message,
      [
        ["Content-Length", String(message.body.length)],
        ["Content-Length", "1"],
      ],
      message.body,
    ),
  cut: (message, n) => {
    const { length } = message.body;
    garble(message, [["Content-Length", String(length + 1)]], message.body.subarray(0, n % (length + 1)));
  },
  method: (message, n) => {
    message.method = pick(
      ["HEAD", "OPTIONS", "TRACE", "PUT", "PATCH", "DELETE", "GET", "POST", "PROPFIND", "M-SEARCH"],
      n,
    );
  },
  unknown_method: (message, n) => {
    message.method = pick(["BREW", "post", "G ET", "CONNECT", "", "PRI", "GET\x00", "X".repeat(1_000)], n);
    message.isGarbled = true;
  },
  path: (message, n) => {
    const [path = "", ...query] = message.target.split("?");
    const last = path.slice(path.lastIndexOf("/") + 1);
    const stem = path.slice(0, path.length - last.length);
    const encoded = [...last].map((character) => `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`).join("");
    const paths = [
      ...[
        `${path}/`,
        `${path}//`,
        `/${path}`,
        path.replaceAll("/", "//"),
        path.toUpperCase(),
        `${stem}${encoded}`,
        `${stem}./${last}`,
        `${stem}x/../${last}`,
      ],
      ...[
        `${path}%2F`,
        `${path}%00`,
        `${path}%zz`,
        `${path}%`,
        `${path};x=y`,
        `${path}.json`,
        `${path}/${"a".repeat(10_000)}`,
        `${path}/..`,
        `${path}/%2e%2e`,
      ],
      ...[
        `${path}%ff`,
        `${path}%c0%af`,
        `${stem}%F0%9F%98%80`,
        `${path}/__proto__`,
        `${path}%0d%0aX: y`,
        `${stem}..%2f${last}`,
        `${path}#x`,
        `http://127.0.0.1${path}`,
      ],
    ];
    message.target = [pick(paths, n), ...query].join("?");
    // Neither is a path of this server, and behind a space the version of HTTP is expected.
    message.isGarbled ||= /^\/\/|^http| /.test(message.target);
  },
  odd_target: (message, n) => {
    message.target = pick(
      [
        "*",
        "",
        "\\v2\\oauth\\token",
        "/v2\\oauth",
        "/\x00",
        "/v2/\xe9",
        "v2/oauth/token",
        "/ /v2",
        "ftp://x/",
        "http://",
        "/?".repeat(5_000),
      ],
      n,
    );
    message.isGarbled = true;
  },
};

function garble(message: Message, headers: [string, string][], bytes: Buffer): void {
  message.framing = { headers, bytes };
  message.isGarbled = true;
  message.isCut = true;
}

/** What is done to the whole of a message; mostly nothing, or its other flaws would never come to light. */
export const messageOddities: fc.Arbitrary<Oddity[]> = fc.oneof(
  { arbitrary: fc.constant<Oddity[]>([]), weight: 3 },
  { arbitrary: fc.array(oddityOf(Object.keys(ofMessages)), { minLength: 1, maxLength: 2 }), weight: 1 },
);

/** Does all of it to a message. */
export function makeOdd(message: Message, oddities: readonly Oddity[]): void {
  for (const { kind, n } of oddities) ofMessages[kind]?.(message, n);
}
