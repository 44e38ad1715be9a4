-- Indexing runs and the scopes that they cover.

CREATE TABLE runs (
    id TEXT NOT NULL PRIMARY KEY,
    -- The short name by which documents say which run saw them last.
    number BIGINT NOT NULL UNIQUE,
    store_id TEXT NOT NULL REFERENCES stores (id),
    client_run_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    state TEXT NOT NULL,
    opened_at BIGINT NOT NULL,
    last_used_at BIGINT NOT NULL,
    ended_at BIGINT,
    result TEXT,
    UNIQUE (store_id, client_run_id)
);

CREATE INDEX open_runs ON runs (last_used_at) WHERE state = 'open';

CREATE TABLE run_scopes (
    run_number BIGINT NOT NULL REFERENCES runs (number),
    position BIGINT NOT NULL,
    index_id BIGINT NOT NULL REFERENCES indices (id),
    -- The index's number of writes when the run was opened: what is above it was written since.
    opened_writes BIGINT NOT NULL,
    -- Different documents that the run sent or touched.
    seen BIGINT NOT NULL,
    PRIMARY KEY (run_number, index_id)
);
