-- Conversions, transfers, wallets, disputes, and what protects the service.

CREATE TABLE conversions (
  position INTEGER PRIMARY KEY,
  conversion_id TEXT NOT NULL UNIQUE,
  username TEXT NOT NULL,
  client_id TEXT NOT NULL,
  external_id TEXT,
  currency_from TEXT NOT NULL,
  amount_from INTEGER NOT NULL,
  currency_to TEXT NOT NULL,
  amount_to INTEGER NOT NULL,
  rate TEXT NOT NULL,
  fee INTEGER NOT NULL,
  spread INTEGER NOT NULL,
  status TEXT NOT NULL,
  completed_at INTEGER NOT NULL
);

CREATE TABLE quotes (
  position INTEGER PRIMARY KEY,
  username TEXT NOT NULL,
  currency_from TEXT NOT NULL,
  currency_to TEXT NOT NULL,
  amount_from INTEGER NOT NULL,
  rate TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  consumed INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX quotes_by_pair ON quotes (username, currency_from, currency_to, amount_from, position);

CREATE TABLE transfers (
  position INTEGER PRIMARY KEY,
  transaction_id TEXT NOT NULL UNIQUE,
  username TEXT NOT NULL,
  client_id TEXT NOT NULL,
  recipient TEXT NOT NULL,
  external_id TEXT,
  currency TEXT NOT NULL,
  amount INTEGER NOT NULL,
  fee INTEGER NOT NULL,
  status TEXT NOT NULL,
  description TEXT,
  -- The cash-in that it is a split of.
  split_of TEXT,
  created_at INTEGER NOT NULL
);

CREATE TABLE wallets (
  wallet_id INTEGER PRIMARY KEY,
  username TEXT NOT NULL,
  client_id TEXT NOT NULL,
  currency TEXT NOT NULL,
  chain TEXT,
  network TEXT NOT NULL,
  address TEXT NOT NULL,
  min_confirmations INTEGER NOT NULL,
  status TEXT NOT NULL,
  created_at INTEGER NOT NULL
);
CREATE INDEX wallets_by_client ON wallets (client_id);

CREATE TABLE disputes (
  position INTEGER PRIMARY KEY,
  infraction_id TEXT NOT NULL UNIQUE,
  transaction_id TEXT NOT NULL,
  username TEXT NOT NULL,
  client_id TEXT NOT NULL,
  amount INTEGER NOT NULL,
  currency TEXT NOT NULL,
  e2e_id TEXT,
  status TEXT NOT NULL,
  reason TEXT NOT NULL,
  deadline_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  reply_id INTEGER,
  reply_text TEXT,
  responded_at INTEGER,
  resolved_at INTEGER
);
CREATE INDEX disputes_by_transaction ON disputes (transaction_id);

CREATE TABLE reply_files (
  reply_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  content BLOB NOT NULL,
  PRIMARY KEY (reply_id, number)
);

CREATE INDEX transactions_by_account ON transactions (username, position);

CREATE TABLE nonces (client_id TEXT NOT NULL, nonce TEXT NOT NULL, used_at INTEGER NOT NULL, PRIMARY KEY (client_id, nonce)) WITHOUT ROWID;
-- Failures of authentication by address, refusals by credential: what blocks are counted from.
CREATE TABLE offences (position INTEGER PRIMARY KEY, scope TEXT NOT NULL, at INTEGER NOT NULL);
CREATE INDEX offences_by_scope ON offences (scope, at);
CREATE TABLE blocks (scope TEXT PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE blacklist (ip TEXT PRIMARY KEY) WITHOUT ROWID;

-- What came from outside, by the number of the operation it was, so that the same can be played again; calls of the
-- service are in requests. All other operations are timers, which follow from these.
CREATE TABLE inputs (
  ordinal INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  at INTEGER NOT NULL,
  data TEXT NOT NULL
);
