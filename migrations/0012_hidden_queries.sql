-- The queries that a store never suggests: one row per store, as a JSON list of texts.

CREATE TABLE hidden_queries (
    store_id TEXT PRIMARY KEY REFERENCES stores (id),
    queries TEXT NOT NULL
);
