-- Taking many documents out of an index is one write; their rows follow it in portions.

-- The index's number of writes when it was emptied last: rows that were written up to then are gone.
ALTER TABLE indices ADD COLUMN cleared_writes BIGINT NOT NULL DEFAULT 0;

-- Deletion marks that were written up to this number keep no upsert out.
ALTER TABLE indices ADD COLUMN forgiven_writes BIGINT NOT NULL DEFAULT 0;

-- The last purge. `purge_run` is the run that closed, null once the rows have followed; `purge_opened` the index's
-- number of writes when that run was opened, `purge_written` that of the purge. The rows take the sequence numbers
-- from `purge_first` to `purge_last`, of which `purge_next` is the next.
ALTER TABLE indices ADD COLUMN purge_run BIGINT;
ALTER TABLE indices ADD COLUMN purge_opened BIGINT NOT NULL DEFAULT 0;
ALTER TABLE indices ADD COLUMN purge_written BIGINT NOT NULL DEFAULT 0;
ALTER TABLE indices ADD COLUMN purge_first BIGINT NOT NULL DEFAULT 0;
ALTER TABLE indices ADD COLUMN purge_last BIGINT NOT NULL DEFAULT 0;
ALTER TABLE indices ADD COLUMN purge_next BIGINT NOT NULL DEFAULT 0;

-- The index's number of writes at the clear or purge whose rows have not all followed; 0 when all have.
ALTER TABLE indices ADD COLUMN unswept BIGINT NOT NULL DEFAULT 0;

-- A mark of an id that no document had takes no number of a document: it counts down from here.
ALTER TABLE indices ADD COLUMN next_mark BIGINT NOT NULL DEFAULT -1;

CREATE INDEX unswept_indices ON indices (id) WHERE unswept > 0;

DROP INDEX deletion_marks;
CREATE INDEX deletion_marks_by_age ON documents (index_id, deleted_at) WHERE deleted = 1;

CREATE INDEX ended_runs ON runs (ended_at) WHERE ended_at IS NOT NULL;
