-- The share of watched queries that a write may move, as JSON; null while the store has no gate.
ALTER TABLE stores ADD COLUMN impact_gate TEXT;

-- Whether a revision passed the gate because its author insisted, and what had been measured, as JSON.
ALTER TABLE revisions ADD COLUMN forced BIGINT NOT NULL DEFAULT 0;
ALTER TABLE revisions ADD COLUMN gate TEXT;
ALTER TABLE audit ADD COLUMN forced BIGINT NOT NULL DEFAULT 0;
