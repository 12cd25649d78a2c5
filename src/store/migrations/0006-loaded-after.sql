-- The journal's last entry before it was loaded: at that instant too, what happened before does not count.
ALTER TABLE scenarios ADD COLUMN loaded_after INTEGER NOT NULL DEFAULT 0;
UPDATE scenarios SET loaded_after = (SELECT coalesce(max(sequence), 0) FROM journal WHERE at < loaded_at);
