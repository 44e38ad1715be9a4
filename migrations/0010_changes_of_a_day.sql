-- Bytes of the changes of a store's configuration on one day, which is counted since 1970.
ALTER TABLE stores ADD COLUMN changed_day BIGINT NOT NULL DEFAULT 0;
ALTER TABLE stores ADD COLUMN changed_bytes BIGINT NOT NULL DEFAULT 0;
