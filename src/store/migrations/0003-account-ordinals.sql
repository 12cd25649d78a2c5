-- Where a transaction stands among those of its account, from 1: a page far down a list is found by it.
ALTER TABLE transactions ADD COLUMN account_ordinal INTEGER NOT NULL DEFAULT 0;
UPDATE transactions SET account_ordinal = ranked.ordinal
  FROM (SELECT position, row_number() OVER (PARTITION BY username ORDER BY position) AS ordinal FROM transactions) AS ranked
  WHERE ranked.position = transactions.position;
DROP INDEX transactions_by_account;
CREATE UNIQUE INDEX transactions_by_account ON transactions (username, account_ordinal);
