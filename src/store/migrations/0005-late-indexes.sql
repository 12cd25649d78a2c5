-- What only questions about the past look for is indexed when the first of them is asked; see late-index.ts.
DROP INDEX journal_by_subject;
DROP INDEX postings_by_subject;
DROP INDEX webhooks_by_transaction;

-- Of the last attempts of a credential those at the end of the table are looked through.
DROP INDEX attempts_by_client;

-- As before, but for the index that came with UNIQUE.
CREATE TABLE requests_of_late_index (
  position INTEGER PRIMARY KEY,
  request_id TEXT NOT NULL,
  -- The operation that it was; see inputs.
  ordinal INTEGER NOT NULL,
  entry INTEGER NOT NULL,
  at INTEGER NOT NULL,
  client_id TEXT,
  ip TEXT NOT NULL,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  query TEXT NOT NULL,
  headers TEXT NOT NULL,
  body BLOB NOT NULL,
  too_large INTEGER NOT NULL,
  status INTEGER NOT NULL,
  error_code TEXT,
  response_headers TEXT NOT NULL,
  response_body BLOB NOT NULL,
  wall_at INTEGER NOT NULL,
  -- Calls up to this operation had been answered when it was sent; null where that is not known.
  sent_after INTEGER,
  -- Whether another call was under way when it came.
  in_company INTEGER NOT NULL DEFAULT 0,
  -- What the checks of its secrets found, since the secrets themselves are masked.
  proof TEXT NOT NULL,
  duration_ms INTEGER NOT NULL DEFAULT 0
);
INSERT INTO requests_of_late_index SELECT * FROM requests;
DROP TABLE requests;
ALTER TABLE requests_of_late_index RENAME TO requests;
