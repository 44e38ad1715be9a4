-- The search log: statistics of searches by day (UTC, days since 1970). It holds no address, browser, session or time of
-- day, and whatever is lost of it concerns nothing else.

CREATE TABLE search_queries (
    store_id TEXT NOT NULL,
    day BIGINT NOT NULL,
    -- Keyed digest of language and query.
    digest BIGINT NOT NULL,
    language TEXT NOT NULL,
    query TEXT NOT NULL,
    -- Products found by the latest search.
    found BIGINT NOT NULL,
    -- Whether the latest anonymous search without filters found products and each word; -1 without such a search.
    offered BIGINT NOT NULL,
    searches BIGINT NOT NULL,
    anonymous BIGINT NOT NULL,
    tracked BIGINT NOT NULL,
    tracked_found BIGINT NOT NULL,
    without_results BIGINT NOT NULL,
    filtered BIGINT NOT NULL,
    clicks BIGINT NOT NULL,
    clicked BIGINT NOT NULL,
    positions BIGINT NOT NULL,
    positioned BIGINT NOT NULL,
    carts BIGINT NOT NULL,
    purchases BIGINT NOT NULL,
    converted BIGINT NOT NULL,
    PRIMARY KEY (store_id, day, digest)
);

CREATE TABLE search_totals (
    store_id TEXT NOT NULL,
    day BIGINT NOT NULL,
    language TEXT NOT NULL,
    surface TEXT NOT NULL,
    searches BIGINT NOT NULL,
    browses BIGINT NOT NULL,
    tracked BIGINT NOT NULL,
    tracked_found BIGINT NOT NULL,
    without_results BIGINT NOT NULL,
    filtered BIGINT NOT NULL,
    clicks BIGINT NOT NULL,
    clicked BIGINT NOT NULL,
    positions BIGINT NOT NULL,
    positioned BIGINT NOT NULL,
    carts BIGINT NOT NULL,
    purchases BIGINT NOT NULL,
    converted BIGINT NOT NULL,
    dropped BIGINT NOT NULL,
    PRIMARY KEY (store_id, day, language, surface)
);

-- One row for each counted event, so that a repeated one is not counted again.
CREATE TABLE event_marks (
    store_id TEXT NOT NULL,
    -- Digest of the id of the response.
    response BIGINT NOT NULL,
    -- Digest of type and object of the event.
    event BIGINT NOT NULL,
    day BIGINT NOT NULL,
    PRIMARY KEY (store_id, response, event)
);

CREATE INDEX event_marks_by_day ON event_marks (store_id, day);

-- One row for each search with a click on a product or a conversion, so that it counts once.
CREATE TABLE search_marks (
    store_id TEXT NOT NULL,
    -- Keyed digest of session and query.
    visit BIGINT NOT NULL,
    -- Milliseconds since 1970.
    started BIGINT NOT NULL,
    clicked BIGINT NOT NULL,
    converted BIGINT NOT NULL,
    PRIMARY KEY (store_id, visit, started)
);
