//! Ordinals by the ids of documents, in parts of which a change copies few.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// Parts: so many that a block of new documents copies little of a large index.
const PARTS: usize = 1024;

/// Digests of ids with the ordinals of their documents. Two ids may share a digest, so what is found must be compared.
#[derive(Clone)]
pub(super) struct Ids(Arc<Vec<SortedDigests>>);

/// Digests with ordinals, in order.
type SortedDigests = Arc<Vec<(u32, u32)>>;

impl Default for Ids {
    fn default() -> Self {
        Self(Arc::new(vec![Arc::default(); PARTS]))
    }
}

impl Ids {
    /// Ordinals of documents that may have the id.
    pub fn candidates(&self, id: &str) -> impl Iterator<Item = u32> {
        let (part, digest) = digest(id);
        let entries = &self.0[part];
        let from = entries.partition_point(|(other, _)| *other < digest);
        let same = entries[from..].iter();
        same.take_while(move |(other, _)| *other == digest)
            .map(|(_, ordinal)| *ordinal)
    }

    /// Notes that a document has another id than before; an empty one is none.
    pub fn change(&mut self, ordinal: u32, before: &str, after: &str) {
        if before == after {
            return;
        }
        for (id, is_new) in [(before, false), (after, true)] {
            if id.is_empty() {
                continue;
            }
            let (part, digest) = digest(id);
            let entries = Arc::make_mut(&mut Arc::make_mut(&mut self.0)[part]);
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
    (hash as usize % PARTS, (hash >> 32) as u32)
}
