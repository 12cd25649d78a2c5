-- Texts that several calls have in common, each kept once; see shared-texts.ts.
CREATE TABLE shared_texts (
  id INTEGER PRIMARY KEY,
  text TEXT NOT NULL
);
-- The shared text that stands before response_body; null where that is the whole answer.
ALTER TABLE requests ADD COLUMN beginning INTEGER;
-- The shared text that is its headers; null where they stand in headers.
ALTER TABLE requests ADD COLUMN shared_headers INTEGER;
-- Of the headers of an answer what does not follow from its call: limit, remaining, reset, world and the rarer ones.
UPDATE requests SET response_headers = json_array(
  CAST(response_headers ->> '$."X-RateLimit-Limit"' AS INTEGER),
  CAST(response_headers ->> '$."X-RateLimit-Remaining"' AS INTEGER),
  CAST(response_headers ->> '$."X-RateLimit-Reset"' AS INTEGER),
  response_headers ->> '$."X-Sandbox-World"',
  json_remove(response_headers, '$."Content-Type"', '$."X-RateLimit-Limit"', '$."X-RateLimit-Remaining"',
    '$."X-RateLimit-Reset"', '$."X-Request-Id"', '$."X-Sandbox-World"', '$."X-Sandbox-Time"')
);
