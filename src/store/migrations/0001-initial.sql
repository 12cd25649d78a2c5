-- One world: its clock, accounts, ledger, timers, journal, webhooks and scenarios.
-- Instants are milliseconds since 1970 on the world's clock; amounts are minor units of their currency.

CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE accounts (
  username TEXT PRIMARY KEY,
  position INTEGER NOT NULL UNIQUE,
  name TEXT NOT NULL,
  document TEXT NOT NULL,
  email TEXT NOT NULL,
  status TEXT NOT NULL,
  postback_url TEXT,
  created_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE credentials (
  client_id TEXT PRIMARY KEY,
  position INTEGER NOT NULL UNIQUE,
  username TEXT NOT NULL REFERENCES accounts (username),
  client_secret TEXT NOT NULL,
  signing_key TEXT NOT NULL,
  postback_url TEXT,
  limits TEXT NOT NULL DEFAULT '[]',
  created_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE transactions (
  position INTEGER PRIMARY KEY,
  transaction_id TEXT NOT NULL UNIQUE,
  username TEXT NOT NULL,
  client_id TEXT NOT NULL,
  type TEXT NOT NULL,
  external_id TEXT,
  currency TEXT NOT NULL,
  amount INTEGER NOT NULL,
  fee INTEGER NOT NULL,
  amount_net INTEGER NOT NULL,
  refunded INTEGER NOT NULL DEFAULT 0,
  status TEXT NOT NULL,
  source TEXT,
  network TEXT NOT NULL,
  chain TEXT,
  postback_url TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  confirmed_at INTEGER,
  details TEXT NOT NULL DEFAULT '{}'
);

CREATE TABLE external_ids (
  username TEXT NOT NULL,
  external_id TEXT NOT NULL,
  operation TEXT NOT NULL,
  body_digest TEXT NOT NULL,
  resource_id TEXT NOT NULL,
  PRIMARY KEY (username, external_id)
) WITHOUT ROWID;

CREATE TABLE postings (
  position INTEGER PRIMARY KEY,
  entry INTEGER NOT NULL,
  at INTEGER NOT NULL,
  subject TEXT NOT NULL,
  source TEXT NOT NULL,
  destination TEXT NOT NULL,
  currency TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount > 0)
);
CREATE INDEX postings_by_subject ON postings (subject);

CREATE TABLE balances (
  account TEXT NOT NULL,
  currency TEXT NOT NULL,
  amount INTEGER NOT NULL,
  PRIMARY KEY (account, currency)
) WITHOUT ROWID;

CREATE TABLE usage (
  client_id TEXT NOT NULL,
  operation TEXT NOT NULL,
  currency TEXT NOT NULL,
  window TEXT NOT NULL,
  used INTEGER NOT NULL,
  PRIMARY KEY (client_id, operation, currency, window)
) WITHOUT ROWID;

-- The order of all that waits: (due, sequence), nothing else.
CREATE TABLE timers (
  due INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  cause INTEGER,
  rule TEXT,
  recurring INTEGER NOT NULL DEFAULT 0,
  payload TEXT NOT NULL DEFAULT '{}',
  PRIMARY KEY (due, sequence)
) WITHOUT ROWID;
CREATE INDEX timers_by_subject ON timers (subject, kind);

CREATE TABLE journal (
  sequence INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  subject TEXT,
  cause INTEGER,
  rule TEXT,
  data TEXT NOT NULL
);
CREATE INDEX journal_by_subject ON journal (subject);

CREATE TABLE requests (
  position INTEGER PRIMARY KEY,
  request_id TEXT NOT NULL UNIQUE,
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
  proof TEXT NOT NULL
);

CREATE TABLE rate_windows (
  scope TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  used INTEGER NOT NULL,
  PRIMARY KEY (scope, endpoint)
) WITHOUT ROWID;

CREATE TABLE webhooks (
  position INTEGER PRIMARY KEY,
  webhook_id TEXT NOT NULL UNIQUE,
  entry INTEGER NOT NULL,
  event TEXT NOT NULL,
  subject_type TEXT NOT NULL,
  subject TEXT NOT NULL,
  transaction_id TEXT NOT NULL,
  username TEXT NOT NULL,
  client_id TEXT NOT NULL,
  destination TEXT,
  body BLOB NOT NULL,
  status TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  first_attempt_at INTEGER,
  next_attempt_at INTEGER
);
CREATE INDEX webhooks_by_transaction ON webhooks (transaction_id);
CREATE INDEX webhooks_waiting ON webhooks (status) WHERE status IN ('pending', 'throttled');

CREATE TABLE attempts (
  position INTEGER PRIMARY KEY,
  webhook_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  manual INTEGER NOT NULL DEFAULT 0,
  -- A wrong sender's address, and whether it is a further copy: what fault rules made of it.
  source TEXT,
  duplicate INTEGER NOT NULL DEFAULT 0,
  -- The journal entry that led to it.
  cause INTEGER,
  client_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- The timer that this attempt took; put back when the process dies with the request in the air.
  timer_due INTEGER,
  timer_sequence INTEGER,
  destination TEXT NOT NULL,
  request_headers TEXT NOT NULL,
  outcome TEXT,
  status INTEGER,
  response_headers TEXT,
  response_body BLOB,
  response_truncated INTEGER NOT NULL DEFAULT 0,
  error TEXT,
  duration_ms REAL
);
CREATE INDEX attempts_by_webhook ON attempts (webhook_id, position);
CREATE INDEX attempts_by_client ON attempts (client_id, at);
CREATE INDEX attempts_in_the_air ON attempts (position) WHERE outcome IS NULL;

CREATE TABLE inbox (
  position INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  webhook_id TEXT NOT NULL,
  headers TEXT NOT NULL,
  body BLOB NOT NULL
);

CREATE TABLE scenarios (
  name TEXT PRIMARY KEY,
  position INTEGER NOT NULL UNIQUE,
  file TEXT NOT NULL,
  source TEXT NOT NULL,
  loaded_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE rule_counters (
  scenario TEXT NOT NULL,
  rule INTEGER NOT NULL,
  matched INTEGER NOT NULL,
  fired INTEGER NOT NULL,
  PRIMARY KEY (scenario, rule)
) WITHOUT ROWID;
