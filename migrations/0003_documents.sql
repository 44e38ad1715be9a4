-- Indices and their documents: one narrow row for the bookkeeping, one wide row for the text.

CREATE TABLE indices (
    id BIGINT NOT NULL PRIMARY KEY,
    store_id TEXT NOT NULL REFERENCES stores (id),
    type TEXT NOT NULL,
    language TEXT NOT NULL,
    -- Number of the last change that the search index must follow.
    sequence BIGINT NOT NULL,
    -- Number of the last write of any kind, one that changed nothing included.
    writes BIGINT NOT NULL,
    next_ordinal BIGINT NOT NULL,
    documents BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (store_id, type, language)
);

CREATE TABLE documents (
    index_id BIGINT NOT NULL,
    id TEXT NOT NULL,
    ordinal BIGINT NOT NULL,
    rev BIGINT NOT NULL,
    hash TEXT NOT NULL,
    body_hash BIGINT NOT NULL,
    text_hash BIGINT NOT NULL,
    seq BIGINT NOT NULL,
    text_seq BIGINT NOT NULL,
    written BIGINT NOT NULL,
    -- Number of the last run that sent or touched it; 0 when none did.
    seen_run BIGINT NOT NULL,
    deleted BIGINT NOT NULL,
    deleted_at BIGINT,
    PRIMARY KEY (index_id, id)
);

CREATE UNIQUE INDEX documents_by_ordinal ON documents (index_id, ordinal);
CREATE INDEX documents_by_seq ON documents (index_id, seq);
CREATE INDEX deletion_marks ON documents (deleted_at) WHERE deleted = 1;

CREATE TABLE document_bodies (
    index_id BIGINT NOT NULL,
    ordinal BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (index_id, ordinal)
);
