//! Ordinals by document id, partitioned so that a change copies little.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// Number of partitions: enough that a batch of new documents copies little of a large index.
const PARTITIONS: usize = 1024;

/// Digests of ids with the ordinals of their documents. Ids may share a digest, so candidates must be compared.
#[derive(Clone)]
pub(super) struct Ids(Arc<Vec<SortedDigests>>);

/// Sorted digests with ordinals.
type SortedDigests = Arc<Vec<(u32, u32)>>;

impl Default for Ids {
    fn default() -> Self {
        Self(Arc::new(vec![Arc::default(); PARTITIONS]))
    }
}

impl Ids {
    /// Ordinals of documents that may have the id `id`.
    pub fn candidates(&self, id: &str) -> impl Iterator<Item = u32> {
        let (partition, digest) = digest(id);
        let entries = &self.0[partition];
        let from = entries.partition_point(|(other, _)| *other < digest);
        let same = entries[from..].iter();
        same.take_while(move |(other, _)| *other == digest)
            .map(|(_, ordinal)| *ordinal)
    }

    /// Updates the id of a document; an empty id means none.
    pub fn change(&mut self, ordinal: u32, before: &str, after: &str) {
        if before == after {
            return;
        }
        for (id, is_new) in [(before, false), (after, true)] {
            if id.is_empty() {
                continue;
            }
            let (partition, digest) = digest(id);
            let entries = Arc::make_mut(&mut Arc::make_mut(&mut self.0)[partition]);
            match (entries.binary_search(&(digest, ordinal)), is_new) {
                (Err(at), true) => entries.insert(at, (digest, ordinal)),
                (Ok(at), false) => drop(entries.remove(at)),
                _ => {}
            }
        }
    }
}

fn digest(id: &str) -> (usize, u32) {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    let hash = hasher.finish();
    (hash as usize % PARTITIONS, (hash >> 32) as u32)
}
