-- Proposals: changes that a key proposed. Until a person decides about one, nothing of it is in the configuration.

CREATE TABLE proposals (
    id TEXT NOT NULL PRIMARY KEY,
    store_id TEXT NOT NULL REFERENCES stores (id),
    key_id TEXT NOT NULL,
    key_name TEXT NOT NULL,
    kind TEXT NOT NULL,
    -- open, applied, rejected or withdrawn; an open one whose end is over is expired.
    state TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    -- When it was decided; while it is open, until when it can be.
    ends_at BIGINT NOT NULL,
    base_revision BIGINT NOT NULL,
    -- Of what it does, by which equal ones are found.
    digest TEXT NOT NULL,
    -- What lists show, and what it does, as JSON.
    outline TEXT NOT NULL,
    content TEXT NOT NULL,
    -- What was found out about it when it was created or last added to, as JSON.
    findings TEXT
);

CREATE INDEX proposals_of_store ON proposals (store_id, created_at);
CREATE INDEX open_proposals ON proposals (store_id, ends_at) WHERE state = 'open';

-- The proposal that a revision applied, and the key that proposed it.
ALTER TABLE revisions ADD COLUMN proposal TEXT;
ALTER TABLE revisions ADD COLUMN proposed_by TEXT;
CREATE INDEX revisions_of_proposal ON revisions (store_id, proposal) WHERE proposal IS NOT NULL;
