-- Sources: addresses from which the catalogue of a store is fetched.

CREATE TABLE sources (
    id TEXT NOT NULL PRIMARY KEY,
    store_id TEXT NOT NULL REFERENCES stores (id),
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    -- Counts writes of the settings, so that a fetch of former settings changes nothing of newer ones.
    version BIGINT NOT NULL,
    -- The settings, as JSON.
    settings TEXT NOT NULL,
    -- The secret, sealed.
    secret TEXT,
    -- What became of the last fetches, as JSON.
    state TEXT NOT NULL,
    -- When the next fetch is due; null while it rests.
    next_fetch_at BIGINT,
    -- Until when a node fetches it.
    leased_until BIGINT
);

CREATE INDEX sources_of_store ON sources (store_id);
CREATE INDEX due_sources ON sources (next_fetch_at) WHERE next_fetch_at IS NOT NULL;

-- The last fetches of each source, as JSON.
CREATE TABLE source_fetches (
    source_id TEXT NOT NULL REFERENCES sources (id),
    number BIGINT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (source_id, number)
);
