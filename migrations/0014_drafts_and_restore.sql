-- Notes of revisions, what they restored, and the states that writes replaced.
ALTER TABLE revisions ADD COLUMN note TEXT;
ALTER TABLE revisions ADD COLUMN restores BIGINT;

-- The state of a resource right before a revision that wrote it; `content` is null if it did not exist.
CREATE TABLE former_states (
    store_id TEXT NOT NULL REFERENCES stores (id),
    resource TEXT NOT NULL,
    revision BIGINT NOT NULL,
    content TEXT,
    PRIMARY KEY (store_id, resource, revision)
);

CREATE INDEX former_states_by_revision ON former_states (store_id, revision);

-- The first revision that can be restored: states before it were not kept. Numbers of synonym groups are never used
-- again, so that a group returns to its place.
ALTER TABLE stores ADD COLUMN restorable_from BIGINT NOT NULL DEFAULT 0;
ALTER TABLE stores ADD COLUMN synonyms_made BIGINT NOT NULL DEFAULT 0;
UPDATE stores SET restorable_from = config_revision,
    synonyms_made = COALESCE((SELECT MAX(number) FROM synonyms WHERE synonyms.store_id = stores.id), 0);

-- Queries whose results are watched while the configuration is changed, as JSON.
CREATE TABLE watched_queries (
    store_id TEXT NOT NULL PRIMARY KEY REFERENCES stores (id),
    content TEXT NOT NULL
);
