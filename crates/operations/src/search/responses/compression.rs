//! `SharedCompression`: the compressed form of what all copies of a cached response have in common, created when the first
//! client accepts it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// The compressed form of a response, shared by its copies. It counts towards the bytes of the response cache, where a
/// response has room for it from the start.
#[derive(Clone, Debug, Default)]
pub struct SharedCompression(Arc<CompressionSlot>);

#[derive(Debug, Default)]
struct CompressionSlot {
    /// The most bytes that are stored; 0 for a response that is not cached.
    bytes_max: AtomicUsize,
    stored: OnceLock<Arc<[u8]>>,
}

impl SharedCompression {
    /// Makes room for `bytes` bytes.
    pub(super) fn reserve(&self, bytes: usize) {
        self.0.bytes_max.store(bytes, Ordering::Relaxed);
    }

    /// Returns the stored form, else the one that `compress` returns, which is stored if there is room for it.
    pub fn get_or_compress(&self, compress: impl FnOnce() -> Vec<u8>) -> Arc<[u8]> {
        if let Some(stored) = self.0.stored.get() {
            return Arc::clone(stored);
        }
        let compressed: Arc<[u8]> = compress().into();
        if compressed.len() <= self.0.bytes_max.load(Ordering::Relaxed) {
            // Another request may have stored the same meanwhile.
            let _ = self.0.stored.set(Arc::clone(&compressed));
        }
        compressed
    }
}

#[cfg(test)]
mod tests {
    //! 1. What fits is compressed once for all copies, what does not fit each time.

    use super::*;

    #[test]
    fn what_fits_is_compressed_once() {
        let first = SharedCompression::default();
        let copy = first.clone();
        first.reserve(3);
        let mut calls = 0;
        let mut compress = |of: &SharedCompression, bytes: usize| {
            let made = || {
                calls += 1;
                vec![0; bytes]
            };
            of.get_or_compress(made).len()
        };
        assert_eq!((compress(&first, 4), compress(&copy, 4)), (4, 4));
        assert_eq!((compress(&first, 3), compress(&copy, 3)), (3, 3));
        assert_eq!(calls, 3);
        let uncached = SharedCompression::default();
        uncached.get_or_compress(|| vec![0]);
        assert!(uncached.0.stored.get().is_none());
    }
}
