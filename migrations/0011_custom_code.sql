-- Styles and scripts of the control panel for a store's pages: the present ones and former ones, which pages may still
-- name. `number` keeps the order in which they were saved; at most one of each kind is present.
CREATE TABLE custom_code (
    store_id TEXT NOT NULL REFERENCES stores (id),
    kind TEXT NOT NULL,
    hash TEXT NOT NULL,
    content TEXT NOT NULL,
    number BIGINT NOT NULL,
    present BIGINT NOT NULL,
    PRIMARY KEY (store_id, kind, hash)
);
