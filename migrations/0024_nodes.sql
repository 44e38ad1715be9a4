-- Rises with every committed change of what searches see of a store other than documents.
ALTER TABLE stores ADD COLUMN version BIGINT NOT NULL DEFAULT 0;

-- Rises with every run that purged an index, after which average lengths are computed anew.
ALTER TABLE indices ADD COLUMN completed_runs BIGINT NOT NULL DEFAULT 0;

-- Servers on this database, and when each was last seen, in milliseconds of the database's clock.
CREATE TABLE nodes (
    id TEXT PRIMARY KEY NOT NULL,
    seen_at BIGINT NOT NULL
);

-- How far the index of each node has come: number of its last change, and by how many milliseconds it lags behind.
CREATE TABLE progress (
    index_id BIGINT NOT NULL REFERENCES indices (id),
    node_id TEXT NOT NULL,
    applied BIGINT NOT NULL,
    lag BIGINT NOT NULL,
    PRIMARY KEY (index_id, node_id)
);

-- What only one node does at a time, until an instant of the database's clock.
CREATE TABLE leases (
    name TEXT PRIMARY KEY NOT NULL,
    holder TEXT NOT NULL,
    until BIGINT NOT NULL
);

-- Failed sign-ins in windows of a fixed length, by a digest of who failed.
CREATE TABLE attempts (
    subject TEXT PRIMARY KEY NOT NULL,
    ends_at BIGINT NOT NULL,
    failures BIGINT NOT NULL
);

CREATE INDEX attempts_by_end ON attempts (ends_at);
