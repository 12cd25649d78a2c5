-- How long an answer was held back, in milliseconds.
ALTER TABLE requests ADD COLUMN duration_ms INTEGER NOT NULL DEFAULT 0;
