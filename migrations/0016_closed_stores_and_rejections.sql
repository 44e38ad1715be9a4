-- A closed store does not exist for anybody; some days later its removal begins, from which there is no way back.
-- `removing` is 0 before that, then one more than the rows of documents that it had.
ALTER TABLE stores ADD COLUMN closed_at BIGINT;
ALTER TABLE stores ADD COLUMN removing BIGINT NOT NULL DEFAULT 0;
CREATE INDEX stores_closed ON stores (closed_at);

-- The latest documents of each index that the feed rejected, with their errors as JSON. A document that is accepted
-- later leaves the table.
CREATE TABLE rejections (
    index_id BIGINT NOT NULL REFERENCES indices (id),
    document_id TEXT NOT NULL,
    at BIGINT NOT NULL,
    errors TEXT NOT NULL,
    PRIMARY KEY (index_id, document_id)
);
