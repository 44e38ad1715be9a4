-- Rebuilds of indexes that were requested of nodes, and how far each node is: `waiting`, `building`, `done` or `failed`.
CREATE TABLE rebuilds (
    index_id BIGINT NOT NULL REFERENCES indices (id),
    node_id TEXT NOT NULL,
    state TEXT NOT NULL,
    documents BIGINT NOT NULL,
    total BIGINT NOT NULL,
    PRIMARY KEY (index_id, node_id)
);

CREATE INDEX rebuilds_of_node ON rebuilds (node_id, state);
