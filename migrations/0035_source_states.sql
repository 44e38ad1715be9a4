-- How the last fetch of a source ended, or that it is not fetched, so that sources are counted without their settings.
ALTER TABLE sources ADD COLUMN status TEXT NOT NULL DEFAULT 'new';

UPDATE sources SET status = CASE
    WHEN settings LIKE '%"active":false%' OR state LIKE '%"secretMissing":true%' THEN 'inactive'
    WHEN state LIKE '{"status":"ok"%' THEN 'ok'
    WHEN state LIKE '{"status":"held"%' THEN 'held'
    WHEN state LIKE '{"status":"failing"%' THEN 'failing'
    ELSE 'new' END;

CREATE INDEX sources_by_status ON sources (status, leased_until, store_id);
