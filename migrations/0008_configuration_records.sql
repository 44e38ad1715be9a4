-- Synonym groups, rules, filters and the widget's configuration of a store.

-- `number` keeps the order in which groups came; `likeness` is equal exactly for duplicates; `searched` holds the
-- texts of a group in lower case, for the search of the list.
CREATE TABLE synonyms (
    id TEXT NOT NULL PRIMARY KEY,
    store_id TEXT NOT NULL REFERENCES stores (id),
    number BIGINT NOT NULL,
    language TEXT NOT NULL,
    type TEXT NOT NULL,
    input TEXT,
    terms TEXT NOT NULL,
    active BIGINT NOT NULL,
    likeness TEXT NOT NULL,
    searched TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);

CREATE UNIQUE INDEX synonyms_alike ON synonyms (store_id, language, likeness);
CREATE UNIQUE INDEX synonyms_in_order ON synonyms (store_id, number);

CREATE TABLE rules (
    id TEXT NOT NULL PRIMARY KEY,
    store_id TEXT NOT NULL REFERENCES stores (id),
    language TEXT NOT NULL,
    content TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);

CREATE INDEX rules_of_store ON rules (store_id, language);

CREATE TABLE filters (
    id TEXT NOT NULL PRIMARY KEY,
    store_id TEXT NOT NULL REFERENCES stores (id),
    field TEXT NOT NULL,
    content TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);

CREATE UNIQUE INDEX filters_by_field ON filters (store_id, field);

CREATE TABLE widgets (
    store_id TEXT NOT NULL PRIMARY KEY REFERENCES stores (id),
    content TEXT NOT NULL
);
