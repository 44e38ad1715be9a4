//! A cache of query-independent results by block of documents: computed when a block is first needed, and carried over to
//! the next state of an index, where only changed documents are computed again.
//!
//! Like the query cache of Lucene (`LRUQueryCache`), it is kept by segment; unlike it, by block, and it survives
//! deletions.

use super::succession::Succession;
use crate::columns::{Seen, View};
use crate::embedded::postings::segment::SegmentView;
use crate::embedded::postings::text_index::TextIndex;
use crate::embedded::scale::Scale;
use parking_lot::Mutex;
use std::sync::{Arc, OnceLock};
use tantivy::DocId;

/// A computation over all documents of a block. Its result depends on the key and the documents alone.
pub trait BlockQuery<S: Scale>: PartialEq {
    /// The result for one block.
    type BlockResult: Clone;

    /// The result for a block without documents.
    fn empty(&self) -> Self::BlockResult;

    /// Records what is at offset `at` of a block: a document that the visitor may see, or none.
    fn record(&self, result: &mut Self::BlockResult, at: usize, seen: Option<&Seen<'_>>);

    /// Completes the result after calls of [`Self::note`].
    fn finish(&self, _result: &mut Self::BlockResult) {}
}

/// The cached blocks of a segment.
type SegmentBlocks<T> = Vec<CachedBlock<T>>;

/// The cached result of a block.
struct CachedBlock<T> {
    result: OnceLock<Arc<T>>,
    stale: Option<StaleBlock<T>>,
}

/// The result of a block before some of its documents changed. Only those are computed again, and only when the block is
/// needed.
struct StaleBlock<T> {
    result: Arc<T>,
    changed: Vec<DocId>,
}

impl<T> CachedBlock<T> {
    fn empty() -> Self {
        Self {
            result: OnceLock::new(),
            stale: None,
        }
    }

    /// The entry after the documents `changed` were changed or deleted, in a block of at most `block_size` documents.
    fn after(&self, changed: &[DocId], block_size: usize) -> Self {
        let cached = match (self.result.get(), &self.stale) {
            (Some(result), _) => Some((result, [].as_slice())),
            (None, Some(stale)) => Some((&stale.result, stale.changed.as_slice())),
            (None, None) => None,
        };
        // When that many documents changed, updating the stale result saves nothing.
        let usable = cached.filter(|(_, before)| before.len() + changed.len() < block_size);
        Self {
            result: OnceLock::new(),
            stale: usable.map(|(result, before)| StaleBlock {
                result: Arc::clone(result),
                changed: [before, changed].concat(),
            }),
        }
    }
}

impl<T> Clone for CachedBlock<T> {
    fn clone(&self) -> Self {
        match self.result.get() {
            Some(result) => Self {
                result: OnceLock::from(Arc::clone(result)),
                stale: None,
            },
            None => self.after(&[], usize::MAX),
        }
    }
}

/// The results for one key.
pub struct BlockResults<S: Scale, Q: BlockQuery<S>> {
    key: Arc<Q>,
    segments: Vec<SegmentBlocks<Q::BlockResult>>,
}

impl<S: Scale, Q: BlockQuery<S>> BlockResults<S, Q> {
    fn new(key: Q, texts: &TextIndex) -> Self {
        Self {
            key: Arc::new(key),
            segments: texts.segments.iter().map(empty_blocks::<S, _>).collect(),
        }
    }

    /// The result of block `number` of `segment`, which has index `at`, computed in `view` when it is not cached.
    pub fn of(
        &self,
        (at, segment): (usize, &SegmentView),
        number: usize,
        view: &View<'_>,
    ) -> &Q::BlockResult {
        let block = &self.segments[at][number];
        block.result.get_or_init(|| {
            let start = number * S::BLOCK;
            let end = (start + S::BLOCK).min(segment.reader.max_doc() as usize);
            if let Some(stale) = &block.stale {
                let mut result = Q::BlockResult::clone(&stale.result);
                let changed = stale.changed.iter().copied();
                self.note(&mut result, segment, changed, view);
                return Arc::new(result);
            }
            let mut result = self.key.empty();
            self.note(&mut result, segment, start as DocId..end as DocId, view);
            Arc::new(result)
        })
    }

    /// The cached result of block `number` of the segment with index `at`.
    pub fn cached(&self, at: usize, number: usize) -> Option<&Q::BlockResult> {
        self.segments[at][number].result.get().map(Arc::as_ref)
    }

    fn note(
        &self,
        result: &mut Q::BlockResult,
        segment: &SegmentView,
        documents: impl Iterator<Item = DocId>,
        view: &View<'_>,
    ) {
        for document in documents {
            let alive = segment.is_alive(document);
            let seen = alive.then(|| view.see(segment.ordinal(document)));
            let at = document as usize % S::BLOCK;
            self.key.record(result, at, seen.flatten().as_ref());
        }
        self.key.finish(result);
    }

    fn carried(&self, succession: &Succession<'_>) -> Self {
        let segments = succession.new.segments.iter().zip(succession.same());
        let segments = segments.map(|(segment, same)| match same {
            Some((at, changed)) => self.changed(*at, changed),
            None => empty_blocks::<S, _>(segment),
        });
        Self {
            key: Arc::clone(&self.key),
            segments: segments.collect(),
        }
    }

    /// The blocks of the segment with index `at` after its documents `changed`, in order, were changed or deleted.
    fn changed(&self, at: usize, changed: &[DocId]) -> SegmentBlocks<Q::BlockResult> {
        let mut blocks = self.segments[at].clone();
        for changed in changed.chunk_by(|a, b| *a as usize / S::BLOCK == *b as usize / S::BLOCK) {
            let number = changed[0] as usize / S::BLOCK;
            blocks[number] = self.segments[at][number].after(changed, S::BLOCK);
        }
        blocks
    }
}

fn empty_blocks<S: Scale, T>(segment: &SegmentView) -> SegmentBlocks<T> {
    (0..segment.blocks::<S>())
        .map(|_| CachedBlock::empty())
        .collect()
}

/// The results for the keys that were used last, the latest first.
pub struct BlockCache<S: Scale, Q: BlockQuery<S>, const MAX: usize>(ResultsByQuery<S, Q>);

type ResultsByQuery<S, Q> = Mutex<Vec<Arc<BlockResults<S, Q>>>>;

impl<S: Scale, Q: BlockQuery<S>, const MAX: usize> Default for BlockCache<S, Q, MAX> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<S: Scale, Q: BlockQuery<S>, const MAX: usize> BlockCache<S, Q, MAX> {
    /// The results for `key` in `texts`.
    pub fn of(&self, key: Q, texts: &TextIndex) -> Arc<BlockResults<S, Q>> {
        let mut cached = self.0.lock();
        let at = cached.iter().position(|other| *other.key == key);
        let results = match at {
            Some(at) => cached.remove(at),
            None => Arc::new(BlockResults::new(key, texts)),
        };
        cached.insert(0, Arc::clone(&results));
        cached.truncate(MAX);
        results
    }

    /// The cache for the next state of the index.
    pub fn carried(&self, succession: &Succession<'_>) -> Self {
        let cached = self.0.lock().clone();
        let carried = cached.iter().map(|results| results.carried(succession));
        Self(Mutex::new(carried.map(Arc::new).collect()))
    }
}
