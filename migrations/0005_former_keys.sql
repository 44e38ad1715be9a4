-- `installations` holds the key and secret before the last rotation. What the rotations before that put out of use,
-- and is still in its time of grace, is held here.

CREATE TABLE former_installation_keys (
    store_id TEXT NOT NULL,
    instance_id TEXT NOT NULL,
    key_id TEXT NOT NULL REFERENCES keys (id),
    context_secret TEXT NOT NULL,
    grace_until BIGINT NOT NULL,
    PRIMARY KEY (store_id, instance_id, key_id),
    FOREIGN KEY (store_id, instance_id) REFERENCES installations (store_id, instance_id)
);
