-- When the content of a document was last received, and whether something of it was cut off because it was too long.
-- Documents that were stored before have no time, and count as whole until they are sent again.
ALTER TABLE documents ADD COLUMN received_at BIGINT;
ALTER TABLE documents ADD COLUMN clipped BIGINT NOT NULL DEFAULT 0;
