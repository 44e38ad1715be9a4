-- Version of the form of the indexes that a node shares with others: as long as one uses them, they are kept.
ALTER TABLE nodes ADD COLUMN search_format BIGINT;
