//! A data directory with a store of a few products, made by the command line.

use super::{Client, Outcome, findwell};
use serde_json::Value;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

pub struct Furnished {
    pub dir: TempDir,
    pub store: String,
    /// A search-only key.
    pub key: String,
}

impl Furnished {
    /// A store with `count` products in Spanish, each called "bota" and its number.
    pub fn with(count: usize) -> Self {
        let dir = TempDir::new().expect("a directory");
        let made = findwell(
            dir.path(),
            &["store", "create", "--name", "x", "--language", "es"],
        );
        let store = made.line().to_owned();
        let arguments = ["key", "create", "--store", &store, "--kind", "search-only"];
        let key = findwell(dir.path(), &arguments).line().to_owned();
        let furnished = Self { dir, store, key };
        assert_eq!(furnished.import(0..count).status, 0);
        furnished
    }

    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Imports the products of these numbers.
    pub fn import(&self, numbers: std::ops::Range<usize>) -> Outcome {
        let lines = numbers.map(|at| format!("{{\"id\": \"{at}\", \"name\": \"Bota {at}\"}}\n"));
        self.import_lines("products", &lines.collect::<String>())
    }

    /// Imports documents of a type, one a line.
    pub fn import_lines(&self, doc_type: &str, lines: &str) -> Outcome {
        let file = self.path().join("documents.ndjson");
        std::fs::write(&file, lines).expect("written");
        let file = file.to_str().expect("a path in UTF-8");
        let options = [
            "import",
            "--store",
            &self.store,
            "--language",
            "es",
            "--type",
        ];
        findwell(self.path(), &[&options[..], &[doc_type, file]].concat())
    }

    /// The folder of its only index.
    pub fn index(&self) -> PathBuf {
        let indexes = self.path().join("indexes");
        let mut entries = std::fs::read_dir(indexes).expect("indexes");
        entries.next().expect("an index").expect("an entry").path()
    }

    /// Number of products that a shopper finds by `q`.
    pub fn total(&self, client: &Client, q: &str) -> u64 {
        let path = format!("/api/v1/search?q={q}&types=products&limit=1");
        let reply = client.call("GET", path).key(&self.key).send().ok();
        let total: &Value = &reply.data()["products"]["total"];
        total.as_u64().expect("a number")
    }
}
