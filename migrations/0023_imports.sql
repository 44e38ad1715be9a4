-- Imports of files in the control panel. `content` is the record as JSON; the file itself is in the data directory.
CREATE TABLE imports (
    id TEXT NOT NULL PRIMARY KEY,
    store_id TEXT NOT NULL REFERENCES stores (id),
    state TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    content TEXT NOT NULL
);
CREATE INDEX imports_of_store ON imports (store_id, created_at);

-- When a page of the shop last read the widget's configuration, to about an hour; 0 if none has.
ALTER TABLE stores ADD COLUMN pages_seen_at BIGINT NOT NULL DEFAULT 0;
