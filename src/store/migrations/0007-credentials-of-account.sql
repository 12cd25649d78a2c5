-- A world may have thousands of accounts: those of one were looked for among all.
CREATE INDEX credentials_by_username ON credentials (username, position);
