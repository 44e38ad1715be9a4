//! Where an index is: in a folder, or in the cluster of one node.

use crate::node_access::access;
use crate::{Outcome, node_address};
use domain::document::DocType;
use domain::{IndexId, Language};
use engine::{EmbeddedEngine, Engine, Index, IndexSpec, OpenSearchEngine, SEARCH_SHARDS};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;

const PREFIX: &str = "figures";

/// An engine, and where it keeps its index.
pub enum Place {
    Folder(EmbeddedEngine, TempDir),
    Cluster(OpenSearchEngine, String),
}

impl Place {
    pub fn embedded() -> Outcome<Self> {
        let folder = tempfile::tempdir()?;
        let engine = EmbeddedEngine::new(folder.path().to_owned());
        Ok(Self::Folder(engine, folder))
    }

    pub fn cluster() -> Outcome<Self> {
        let address = node_address::address().ok_or("no node runs: cargo xtask nodes up")?;
        let access = access(address.clone(), PREFIX.to_owned(), SEARCH_SHARDS);
        Ok(Self::Cluster(OpenSearchEngine::new(&access)?, address))
    }

    pub fn name(&self) -> &'static str {
        match self {
            Self::Folder(..) => "embedded",
            Self::Cluster(..) => "OpenSearch",
        }
    }

    fn engine(&self) -> &dyn Engine {
        match self {
            Self::Folder(engine, _) => engine,
            Self::Cluster(engine, _) => engine,
        }
    }

    fn spec() -> Outcome<IndexSpec> {
        Ok(IndexSpec {
            id: IndexId(1),
            identity: "figures".to_owned(),
            doc_type: DocType::Products,
            language: Language::parse("en").map_err(|_| "no language")?,
            partial: false,
        })
    }

    /// Returns an empty index.
    pub fn index(&self) -> Outcome<Arc<dyn Index>> {
        Ok(self.engine().renew(&Self::spec()?)?)
    }

    /// Deletes the index.
    pub fn discard(&self) -> Outcome<()> {
        Ok(self.engine().discard(Self::spec()?.id)?)
    }

    /// Returns the bytes of the index on disk.
    pub fn disk(&self) -> Outcome<u64> {
        match self {
            Self::Folder(_, folder) => Ok(bytes_in(folder.path())?),
            Self::Cluster(_, address) => {
                let stats = format!("{address}/{PREFIX}-*/_stats/store");
                let stats: Value = ureq::get(stats).call()?.body_mut().read_json()?;
                let bytes = &stats["_all"]["primaries"]["store"]["size_in_bytes"];
                Ok(bytes.as_u64().ok_or("the size of an index")?)
            }
        }
    }
}

fn bytes_in(folder: &Path) -> std::io::Result<u64> {
    let mut sum = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let meta = entry.metadata()?;
        sum += match meta.is_dir() {
            true => bytes_in(&entry.path())?,
            false => meta.len(),
        };
    }
    Ok(sum)
}
