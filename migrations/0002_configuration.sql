-- The configuration of a store, its immutable revisions and the audit trail.

CREATE TABLE relevance (
    store_id TEXT NOT NULL PRIMARY KEY REFERENCES stores (id),
    overrides TEXT NOT NULL
);

CREATE TABLE revisions (
    store_id TEXT NOT NULL REFERENCES stores (id),
    revision BIGINT NOT NULL,
    parent BIGINT,
    at BIGINT NOT NULL,
    key_id TEXT,
    actor TEXT NOT NULL,
    operation TEXT NOT NULL,
    resource TEXT NOT NULL,
    summary TEXT NOT NULL,
    changes TEXT NOT NULL,
    PRIMARY KEY (store_id, revision)
);

CREATE TABLE audit (
    id BIGINT NOT NULL PRIMARY KEY,
    at BIGINT NOT NULL,
    account_id TEXT,
    store_id TEXT,
    key_id TEXT,
    actor TEXT NOT NULL,
    operation TEXT NOT NULL,
    resource TEXT NOT NULL,
    summary TEXT NOT NULL,
    changes TEXT NOT NULL,
    request_id TEXT,
    revision BIGINT
);

CREATE INDEX audit_of_store ON audit (store_id, id);
