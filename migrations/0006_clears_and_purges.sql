-- Whether a close that would delete very much waits for the owner.
ALTER TABLE stores ADD COLUMN purge_breaker BIGINT NOT NULL DEFAULT 1;

-- Number of the change that emptied the index last: nothing up to it is left. 0 when it never was.
ALTER TABLE indices ADD COLUMN cleared BIGINT NOT NULL DEFAULT 0;

-- The index's number of writes when the shop announced a rebuild that keeps serving, until a later run purges.
ALTER TABLE indices ADD COLUMN rebuild BIGINT;
