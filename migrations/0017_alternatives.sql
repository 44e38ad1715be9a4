-- By what else a synonym group is triggered: a JSON list. The alternatives of a rule are in its content.
ALTER TABLE synonyms ADD COLUMN alternatives TEXT NOT NULL DEFAULT '[]';
