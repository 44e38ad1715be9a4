-- A closed store does not exist for anybody; some days later its removal begins, from which there is no way back.
-- `removing` is 0 before that, then one more than the rows of documents that it had.
ALTER TABLE stores ADD COLUMN closed_at BIGINT;
ALTER TABLE stores ADD COLUMN removing BIGINT NOT NULL DEFAULT 0;
CREATE INDEX stores_closed ON stores (closed_at);

-- The latest documents of each index that the feed rejected. A document that is accepted later leaves the table; those
-- without an id share one row.
CREATE TABLE rejections (
    index_id BIGINT NOT NULL REFERENCES indices (id),
    document_id TEXT NOT NULL,
    at BIGINT NOT NULL,
    code TEXT NOT NULL,
    field TEXT,
    message TEXT NOT NULL,
    PRIMARY KEY (index_id, document_id)
);

-- How often a store opens runs: their number, the last one, and the usual milliseconds between two.
ALTER TABLE stores ADD COLUMN runs_opened BIGINT NOT NULL DEFAULT 0;
ALTER TABLE stores ADD COLUMN last_run_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE stores ADD COLUMN run_interval BIGINT NOT NULL DEFAULT 0;
