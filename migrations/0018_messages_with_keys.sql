-- Texts for people also have a key and values, as JSON, by which the control panel shows them in its language. Texts that
-- were stored before have none and stay English.
ALTER TABLE audit ADD COLUMN translatable TEXT;
ALTER TABLE revisions ADD COLUMN translatable TEXT;
ALTER TABLE rejections ADD COLUMN translatable TEXT;
