//! A data directory with a store of a few products, created by the command line.

use super::{Binary, Client, Outcome, eventually, findwell};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

pub struct SeededStore {
    pub dir: TempDir,
    pub store: String,
    /// A search-only key.
    pub key: String,
}

impl SeededStore {
    /// A store with `count` products in Spanish, each named "Bota" and its number.
    pub fn with(count: usize) -> Self {
        let seeded = Self::empty();
        assert_eq!(seeded.import(0..count).status, 0);
        seeded
    }

    /// A store with `count` products whose index a server has written.
    pub fn indexed(count: usize) -> Self {
        let seeded = Self::with(count);
        let mut server = Binary::serve(seeded.path());
        let total = || seeded.total(&server.client, "bota");
        eventually("it is searchable", || total() == count as u64);
        assert_eq!(server.stop(), 0);
        seeded
    }

    /// A store without products.
    pub fn empty() -> Self {
        Self::of_plan(&json!({}))
    }

    /// A store without products on this plan.
    pub fn of_plan(plan: &Value) -> Self {
        let dir = TempDir::new().expect("a directory");
        let file = dir.path().join("plan.json");
        std::fs::write(&file, plan.to_string()).expect("written");
        let file = file.to_str().expect("a path in UTF-8");
        let new = ["store", "create", "--name", "x", "--language", "es"];
        let created = findwell(dir.path(), &[&new[..], &["--plan", file]].concat());
        let store = created.line().to_owned();
        let arguments = ["key", "create", "--store", &store, "--kind", "search-only"];
        let key = findwell(dir.path(), &arguments).line().to_owned();
        Self { dir, store, key }
    }

    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Imports the products with these numbers.
    pub fn import(&self, numbers: std::ops::Range<usize>) -> Outcome {
        let lines = numbers.map(|at| format!("{{\"id\": \"{at}\", \"name\": \"Bota {at}\"}}\n"));
        self.import_lines("products", &lines.collect::<String>())
    }

    /// Imports documents of a type, one per line.
    pub fn import_lines(&self, doc_type: &str, lines: &str) -> Outcome {
        let file = self.file("documents.ndjson", lines.as_bytes());
        self.import_file(doc_type, &file, &[])
    }

    /// Writes a file beside the data.
    pub fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path().join(name);
        std::fs::write(&path, bytes).expect("written");
        path
    }

    /// Imports a file of documents of a type with `more` options.
    pub fn import_file(&self, doc_type: &str, file: &Path, more: &[&str]) -> Outcome {
        let file = file.to_str().expect("a path in UTF-8");
        let of = ["import", "--store", &self.store, "--language", "es"];
        let what = ["--type", doc_type, file];
        findwell(self.path(), &[&of[..], more, &what].concat())
    }

    /// The directory of the only index.
    pub fn index(&self) -> PathBuf {
        let indexes = self.path().join("indexes");
        let mut entries = std::fs::read_dir(indexes).expect("indexes");
        entries.next().expect("an index").expect("an entry").path()
    }

    /// Returns the number of products that a shopper finds with `q`.
    pub fn total(&self, client: &Client, q: &str) -> u64 {
        let path = format!("/api/v1/search?q={q}&types=products&limit=1&analytics=false");
        let reply = client.call("GET", path).key(&self.key).send().ok();
        let total: &Value = &reply.data()["products"]["total"];
        total.as_u64().expect("a number")
    }
}
