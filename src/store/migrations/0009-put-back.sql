-- The journal entry that tells that the webhook was first put back since it was last attempted: put-back ones keep the
-- order of these.
ALTER TABLE webhooks ADD COLUMN put_back INTEGER;
CREATE INDEX webhooks_put_back ON webhooks (client_id, put_back) WHERE status = 'throttled';
