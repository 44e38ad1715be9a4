-- How many stores the users of an account may have; null for the default.
ALTER TABLE accounts ADD COLUMN max_stores BIGINT;
