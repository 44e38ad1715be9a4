-- What a shop declares of its prices and customer groups: one row per store and kind, each replaced as a whole.

CREATE TABLE declarations (
    store_id TEXT NOT NULL REFERENCES stores (id),
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    -- Counts the changes of all declarations of the store.
    revision BIGINT NOT NULL,
    declared_at BIGINT NOT NULL,
    PRIMARY KEY (store_id, kind)
);
