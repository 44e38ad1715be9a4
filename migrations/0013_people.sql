-- People who use the control panel: what they may do in which account, and how they come in.

-- `password` is a PHC string of argon2id; null for a user who enters by links only.
CREATE TABLE users (
    id TEXT NOT NULL PRIMARY KEY,
    email TEXT NOT NULL,
    name TEXT NOT NULL,
    language TEXT NOT NULL,
    password TEXT,
    created_at BIGINT NOT NULL,
    last_sign_in_at BIGINT,
    deactivated_at BIGINT
);

CREATE UNIQUE INDEX users_by_email ON users (email);

-- `stores` is null for all stores of the account.
CREATE TABLE memberships (
    user_id TEXT NOT NULL REFERENCES users (id),
    account_id TEXT NOT NULL REFERENCES accounts (id),
    role TEXT NOT NULL,
    stores TEXT,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, account_id)
);

CREATE INDEX memberships_of_account ON memberships (account_id);

-- The token of a session is not stored, only its SHA-256. `confirmed_at` is when the password was given last.
CREATE TABLE sessions (
    digest TEXT NOT NULL PRIMARY KEY,
    id TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES users (id),
    signed_in_at BIGINT NOT NULL,
    used_at BIGINT NOT NULL,
    confirmed_at BIGINT,
    address TEXT NOT NULL,
    browser TEXT NOT NULL
);

CREATE INDEX sessions_of_user ON sessions (user_id);

-- One-time links, of which only the SHA-256 of the token is stored.
CREATE TABLE links (
    id TEXT NOT NULL PRIMARY KEY,
    digest TEXT NOT NULL,
    kind TEXT NOT NULL,
    account_id TEXT REFERENCES accounts (id),
    user_id TEXT REFERENCES users (id),
    email TEXT,
    role TEXT,
    stores TEXT,
    made_by TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at BIGINT,
    revoked_at BIGINT
);

CREATE UNIQUE INDEX links_by_digest ON links (digest);
CREATE INDEX links_of_account ON links (account_id, created_at);

ALTER TABLE audit ADD COLUMN user_id TEXT;
ALTER TABLE revisions ADD COLUMN user_id TEXT;

-- Who created a key, by name and, for a user, by id.
ALTER TABLE keys ADD COLUMN made_by TEXT;
ALTER TABLE keys ADD COLUMN made_by_id TEXT;

-- Every record about a store names its account from now on.
UPDATE audit SET account_id = (SELECT account_id FROM stores WHERE stores.id = audit.store_id)
WHERE account_id IS NULL AND store_id IS NOT NULL;

CREATE INDEX audit_of_account ON audit (account_id, id);
