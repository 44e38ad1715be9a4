//! The merge policy: merges run one at a time in the background, so that a batch never waits for one.
//!
//! Tiers of sizes, as of the log-structured merge tree (O'Neil, Cheng, Gawlick & O'Neil, 1996) and the
//! `LogMergePolicy` of Lucene.

use crate::EngineError;
use parking_lot::Mutex;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use tantivy::IndexWriter;
use tantivy::index::{SegmentId, SegmentMeta};

/// Most segments before an index merges while it is written; an idle index always merges.
const SEGMENTS_MAX: usize = 8;
/// Most segments while more batches are waiting: searches are a little slower for a short time, and most merges are
/// saved.
const SEGMENTS_MAX_CATCHING_UP: usize = 40;
/// Number of segments of similar size that are merged while catching up. A document is rewritten only each time the index
/// grows by this factor.
const SIMILAR_MIN: usize = 8;
/// Largest size ratio of segments of similar size.
const SIMILAR_RATIO: u32 = 3;
/// Percentage of deleted documents above which a segment is rewritten.
const DELETED_PERCENT_MAX: u32 = 25;

/// What comes next for an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ahead {
    /// More batches are waiting.
    Batches,
    /// Changes may come at any time.
    Changes,
    /// Nothing for some time: the index is idle.
    Idle,
}

/// The running merge, if any.
#[derive(Default)]
pub struct Merging {
    running: Arc<AtomicBool>,
    waiting: Mutex<Option<JoinHandle<()>>>,
}

impl Merging {
    /// Whether a merge is running.
    pub fn is_running(&self) -> bool {
        self.running.load(Ordering::Acquire)
    }

    /// Starts the merge that is due for `segments`, if any; returns whether one is running.
    ///
    /// Errors: when the thread that waits for the merge cannot be started.
    pub fn start(
        &self,
        writer: &mut IndexWriter,
        segments: Vec<SegmentMeta>,
        ahead: Ahead,
    ) -> Result<bool, EngineError> {
        if self.is_running() {
            return Ok(true);
        }
        let due = due(segments, ahead);
        if due.is_empty() {
            return Ok(false);
        }
        self.running.store(true, Ordering::Release);
        let (running, merge) = (Arc::clone(&self.running), writer.merge(&due));
        let wait = move || {
            if let Err(error) = merge.wait() {
                tracing::info!(%error, "a merge was abandoned");
            }
            running.store(false, Ordering::Release);
        };
        let thread = std::thread::Builder::new().name("merge".to_owned());
        match thread.spawn(wait) {
            Ok(waiting) => {
                *self.waiting.lock() = Some(waiting);
                Ok(true)
            }
            Err(error) => {
                self.running.store(false, Ordering::Release);
                Err(EngineError::new("start a merge", error))
            }
        }
    }

    /// Waits for the running merge, after which nothing writes into the index.
    pub fn finish(&self) {
        let waiting = self.waiting.lock().take();
        if waiting.is_some_and(|thread| thread.join().is_err()) {
            tracing::warn!("a merge panicked");
        }
    }
}

/// The segments to merge into one: all small ones, several of similar size, or one with many deleted documents.
fn due(mut segments: Vec<SegmentMeta>, ahead: Ahead) -> Vec<SegmentId> {
    segments.sort_by_key(|segment| std::cmp::Reverse(segment.num_docs()));
    let sizes: Vec<u32> = segments.iter().map(SegmentMeta::num_docs).collect();
    let merged = &segments[merged(&sizes, ahead)];
    if !merged.is_empty() {
        return merged.iter().map(SegmentMeta::id).collect();
    }
    let has_many_deleted = |segment: &&SegmentMeta| {
        segment.num_deleted_docs() * 100 > segment.max_doc() * DELETED_PERCENT_MAX
    };
    segments
        .iter()
        .find(has_many_deleted)
        .map(SegmentMeta::id)
        .into_iter()
        .collect()
}

/// The range of segments to merge, of segments of these sizes, the largest first.
fn merged(sizes: &[u32], ahead: Ahead) -> Range<usize> {
    let small = kept(sizes)..sizes.len();
    let max = match ahead {
        Ahead::Idle => 1,
        Ahead::Changes => SEGMENTS_MAX,
        Ahead::Batches => SEGMENTS_MAX_CATCHING_UP,
    };
    if sizes.len() > max && small.len() > 1 {
        return small;
    }
    if ahead == Ahead::Batches {
        return similar(sizes);
    }
    0..0
}

/// The smallest segments of similar size of which there are enough.
fn similar(sizes: &[u32]) -> Range<usize> {
    let mut end = sizes.len();
    while let Some(smallest) = end.checked_sub(1).map(|last| sizes[last]) {
        let start = sizes.partition_point(|size| *size / SIMILAR_RATIO > smallest);
        if end - start >= SIMILAR_MIN {
            return start..end;
        }
        end = start;
    }
    0..0
}

/// How many of the largest segments are kept: those more than twice the size of all smaller ones together.
///
/// This leaves few segments, and a document is rewritten only each time the index doubles.
fn kept(sizes: &[u32]) -> usize {
    let smaller = |at: usize| sizes[at + 1..].iter().sum::<u32>();
    let outweighed = |at: &usize| sizes[*at] <= 2 * smaller(*at);
    (0..sizes.len()).find(outweighed).unwrap_or(sizes.len())
}

#[cfg(test)]
mod tests {
    //! 1. Large segments are kept and small ones are merged.
    //! 2. While batches are waiting, only segments of similar size are merged, until there are too many.

    use super::*;

    #[test]
    fn large_segments_are_kept_and_small_ones_merged() {
        for (sizes, kept) in [
            (vec![], 0),
            (vec![500], 1),
            (vec![500, 500], 0),
            (vec![100_000, 500, 500], 1),
            (vec![100_000, 20_000, 500, 500], 2),
            (vec![100_000, 60_000, 500], 0),
            (vec![500; 10], 0),
        ] {
            assert_eq!(super::kept(&sizes), kept, "{sizes:?}");
        }
        let eight = [90_000, 500, 500, 500, 500, 500, 500, 500];
        assert_eq!(merged(&eight, Ahead::Changes), 0..0);
        assert_eq!(merged(&eight, Ahead::Idle), 1..8);
        let nine = [90_000, 500, 500, 500, 500, 500, 500, 500, 1];
        assert_eq!(merged(&nine, Ahead::Changes), 1..9);
    }

    #[test]
    fn segments_of_similar_size_are_merged_while_catching_up() {
        let sizes = |groups: &[(u32, usize)]| -> Vec<u32> {
            let each = groups.iter().flat_map(|(size, count)| vec![*size; *count]);
            each.collect()
        };
        for (groups, range) in [
            (&[(8_000, 7)][..], 0..0),
            (&[(8_000, 8)], 0..8),
            (&[(64_000, 8), (8_000, 3)], 0..8),
            (&[(64_000, 2), (8_000, 9), (100, 1)], 2..11),
            (&[(24_000, 4), (8_000, 4)], 0..8),
            (
                &[
                    (100_000, 7),
                    (30_000, 7),
                    (8_000, 7),
                    (2_000, 7),
                    (500, 7),
                    (100, 6),
                ],
                0..41,
            ),
        ] {
            assert_eq!(merged(&sizes(groups), Ahead::Batches), range, "{groups:?}");
        }
    }
}
