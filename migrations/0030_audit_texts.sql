-- What a search in the audit trail compares with its text: summary, resource, operation and actor, one per line, in lower case
-- of all letters, which not every database knows. Records of earlier versions have none.
ALTER TABLE audit ADD COLUMN lowered TEXT;
