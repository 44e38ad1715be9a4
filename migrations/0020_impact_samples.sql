-- The queries by which the impact of a change is measured, made from the search log and the catalogue, as JSON: the same
-- for all servers of one database, so that two impacts are comparable.
CREATE TABLE impact_samples (
    store_id TEXT NOT NULL PRIMARY KEY REFERENCES stores (id),
    made_at BIGINT NOT NULL,
    content TEXT NOT NULL
);
