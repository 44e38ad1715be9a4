-- A word sealed with the master key, so that another key is noticed before it seals anything.

CREATE TABLE seals (
    name TEXT PRIMARY KEY NOT NULL,
    sealed TEXT NOT NULL
);
