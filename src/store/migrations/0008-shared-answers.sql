-- What the answers of several calls begin with: who waits for a payment asks for the same list over and over.
CREATE TABLE answer_beginnings (
  id INTEGER PRIMARY KEY,
  text TEXT NOT NULL
);
-- Of the beginning that stands before response_body; null where that is the whole answer.
ALTER TABLE requests ADD COLUMN beginning INTEGER;
