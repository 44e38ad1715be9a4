-- Who declared it: `connector`, `import` or `settings`. What a connector declared is changed by a connector only.
ALTER TABLE declarations ADD COLUMN origin TEXT NOT NULL DEFAULT 'connector';
