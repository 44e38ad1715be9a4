-- Accounts, their stores, the keys of both, and the shop installations that hold a public key.
-- Instants are milliseconds since 1970, flags are 0 or 1, lists and maps are JSON text.

CREATE TABLE counters (
    name TEXT NOT NULL PRIMARY KEY,
    value BIGINT NOT NULL
);

INSERT INTO counters (name, value) VALUES ('index', 0), ('run', 0), ('audit', 0);

CREATE TABLE accounts (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE TABLE stores (
    id TEXT NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    name TEXT NOT NULL,
    url TEXT NOT NULL,
    dev_url TEXT NOT NULL,
    status TEXT NOT NULL,
    platform TEXT NOT NULL,
    languages TEXT NOT NULL,
    plan TEXT NOT NULL,
    config_revision BIGINT NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE INDEX stores_of_account ON stores (account_id);

CREATE TABLE keys (
    id TEXT NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    store_id TEXT REFERENCES stores (id),
    kind TEXT NOT NULL,
    scope TEXT,
    name TEXT NOT NULL,
    digest TEXT NOT NULL,
    last_four TEXT NOT NULL,
    readable TEXT,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    deactivated_at BIGINT,
    last_used_at BIGINT
);

CREATE INDEX keys_of_store ON keys (store_id);

CREATE TABLE installations (
    store_id TEXT NOT NULL REFERENCES stores (id),
    instance_id TEXT NOT NULL,
    origin TEXT NOT NULL,
    key_id TEXT NOT NULL REFERENCES keys (id),
    context_secret TEXT NOT NULL,
    former_key_id TEXT REFERENCES keys (id),
    former_context_secret TEXT,
    grace_until BIGINT,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (store_id, instance_id)
);

-- What the connector of a store says about itself in its client header.
CREATE TABLE connectors (
    store_id TEXT NOT NULL PRIMARY KEY REFERENCES stores (id),
    client TEXT NOT NULL,
    module_version TEXT,
    platform_version TEXT,
    php_version TEXT,
    seen_at BIGINT NOT NULL
);
