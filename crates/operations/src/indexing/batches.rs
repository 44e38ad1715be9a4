//! `BatchSizes`: how much an index takes from storage at once.

use storage::PageSize;

/// How much an index takes from storage at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchSizes {
    /// Changes that are read at once, of which a batch has one portion or some.
    pub portion: PageSize,
    /// Portions of a batch where an index is far behind: the more documents are written at once, the less each of them
    /// costs. It comes to so many step by step, for what a shopper waits for is seldom that much.
    pub portions_max: usize,
    /// Bytes of documents from which on a batch takes no further portion.
    pub batch_bytes: usize,
    /// Documents whose numbers are read at once when an index is opened.
    pub loaded: PageSize,
    /// Deletions that are applied at once when a purge comes to an index.
    pub removed: usize,
}

/// Bytes of a page of documents.
const PAGE_BYTES: usize = 8 * 1024 * 1024;

impl Default for BatchSizes {
    fn default() -> Self {
        Self {
            portion: PageSize {
                documents: 4_000,
                bytes: PAGE_BYTES,
            },
            portions_max: 8,
            batch_bytes: 4 * PAGE_BYTES,
            loaded: PageSize {
                documents: 10_000,
                bytes: PAGE_BYTES,
            },
            removed: 10_000,
        }
    }
}

impl BatchSizes {
    /// Sizes with which small catalogues have batches of several portions.
    pub fn small() -> Self {
        let page = PageSize {
            documents: 50,
            bytes: 16 * 1024,
        };
        Self {
            portion: page,
            portions_max: 8,
            batch_bytes: 4 * page.bytes,
            loaded: page,
            removed: 7,
        }
    }
}
