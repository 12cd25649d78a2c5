/** TABLE: values of headers that are just not right, or only just. */

export const mediaTypes = [
  ...[
    undefined,
    "",
    "application/json; charset=utf-8",
    "application/json;charset=UTF-16",
    "APPLICATION/JSON",
    "application/json, text/plain",
  ],
  ...[
    "text/plain",
    "text/json",
    "application/x-www-form-urlencoded",
    "application/xml",
    "application/yaml",
    "text/yaml; x",
    "a/b/c",
    ";",
    "/",
  ],
  ...[
    "multipart/form-data",
    "multipart/form-data; boundary=",
    'multipart/form-data; boundary="',
    "multipart/form-data; boundary=\xff",
  ],
  ...[
    `multipart/form-data; boundary=${"x".repeat(5_000)}`,
    "multipart/form-data; boundary=a; boundary=b",
    "application/json\t",
    "x".repeat(4_000),
  ],
];
export const authorizations = [
  ...[
    undefined,
    "",
    "Bearer",
    "Bearer ",
    "Bearer x y",
    "bearer ~{token:0}~",
    "Bearer  ~{token:0}~",
    "Basic ~{token:0}~",
    "Bearer ~{token:0}~x",
  ],
  ...[
    "Basic",
    "Basic !!!",
    "Basic Og==",
    "Basic YTpi",
    "Basic JTAwOiV6eg==",
    `Bearer ${"a".repeat(8_000)}`,
    "Bearer a.b.c",
    "Bearer eyJhbGciOiJub25lIn0.e30.",
  ],
  ...["Bearer \xe9\xff", "Digest username=x", "Bearer ~{token:0}~, Bearer ~{token:0}~"],
];
export const forwarded = [
  "",
  "1.2.3.4",
  "::1",
  "unknown",
  "1.2.3.4, 5.6.7.8",
  "x".repeat(2_000),
  "'; --",
  "127.0.0.1:80",
];
export const hosts = [
  "",
  "a b",
  "evil.example.com",
  "localhost:99999",
  "[::1",
  "[::1]",
  "127.0.0.1/",
  "127.0.0.1@x",
  "xn--",
  "a".repeat(300),
  "127.0.0.1:0",
];
export const timestamps = ["", "0", "-1", "1e9", "99999999999", "999999999999", " 1767268800", "abc", "٣"];
export const nonces = [
  "",
  "x",
  "00000000-0000-0000-0000-000000000000",
  "123E4567-E89B-42D3-A456-426614174000",
  "x".repeat(4_000),
];
export const signatures = ["", "0".repeat(64), "F".repeat(64), "zz", "0".repeat(4_000), "\xe9"];
