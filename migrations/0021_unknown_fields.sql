-- Which fields of the documents of a run the service does not know, with the number of documents, as JSON.
ALTER TABLE run_scopes ADD COLUMN unknown_fields TEXT;
