-- Why a write was made, in the words of its author.
ALTER TABLE audit ADD COLUMN note TEXT;
