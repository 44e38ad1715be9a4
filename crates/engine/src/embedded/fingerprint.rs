//! The fingerprint of a document as an index holds it, by which a check tells what is outdated.

use crate::indexed_document::IndexedDocument;
use std::hash::{Hash, Hasher};

/// The fingerprint of everything that is written of `document`.
pub fn of(document: &IndexedDocument) -> u64 {
    let mut hasher = Fnv(0xcbf2_9ce4_8422_2325);
    document.hash(&mut hasher);
    hasher.finish()
}

/// Fowler, Noll and Vo's hash (1a): it stands on disk, and the library's own may change with every release.
struct Fnv(u64);

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
