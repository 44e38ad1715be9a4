//! `BatchSizes`: how much an index reads from storage at once.

use storage::PageSize;

/// How much an index reads from storage at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchSizes {
    /// Page of changes; a batch consists of one or more.
    pub portion: PageSize,
    /// Most portions of a batch while an index is far behind: the larger the batch, the less each document costs. The
    /// number doubles step by step, because most batches are small.
    pub portions_max: usize,
    /// Bytes of documents above which a batch takes no further portion.
    pub batch_bytes: usize,
    /// Page of documents whose numeric fields are loaded when an index is opened.
    pub loaded: PageSize,
    /// Deletions of a purge that are applied at once.
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
    /// Returns sizes with which even small catalogues need batches of several portions, for tests.
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
