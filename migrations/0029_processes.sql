-- The process that fetches a source: one that is known to be gone holds up nobody.
ALTER TABLE sources ADD COLUMN leased_by TEXT;

-- What opened a run and who that was, and the process that an import belongs to.
ALTER TABLE runs ADD COLUMN origin TEXT NOT NULL DEFAULT 'connector';
ALTER TABLE runs ADD COLUMN opened_by TEXT;
ALTER TABLE runs ADD COLUMN process TEXT;

UPDATE runs SET origin = 'import' WHERE client_run_id LIKE 'import-%';
