//! Merges of segments: one at a time, in the background, so that a batch never waits for one.

use crate::EngineError;
use parking_lot::Mutex;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use tantivy::IndexWriter;
use tantivy::index::{SegmentId, SegmentMeta};

/// Segments from which on an index merges while it is being written; at rest it always does.
const SEGMENTS_MAX: usize = 8;
/// The same where it is far behind, which it is not for long: what costs a search a little saves most merges.
const SEGMENTS_MAX_FAR_BEHIND: usize = 40;
/// Segments of like size that go together where an index is far behind. A document is written anew only as often as
/// the index becomes so many times as large.
const LIKE_MIN: usize = 8;
/// How many times as large as the smallest one a segment of like size is at most.
const LIKE_RATIO: u32 = 3;
/// Share of deleted documents from which on a segment is written anew, in percent.
const DELETED_PERCENT_MAX: u32 = 25;

/// What an index has before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ahead {
    /// More batches that are there already.
    Batches,
    /// The changes that may come next.
    Changes,
    /// Nothing for some time.
    Rest,
}

/// Whether a merge is under way.
#[derive(Default)]
pub(super) struct Merging {
    running: Arc<AtomicBool>,
    waiting: Mutex<Option<JoinHandle<()>>>,
}

impl Merging {
    /// Whether a merge is under way.
    pub fn is_running(&self) -> bool {
        self.running.load(Ordering::Acquire)
    }

    /// Starts the merge that `segments` call for, if any; tells whether one is under way then.
    ///
    /// Errors: when the thread that waits for its end cannot be started.
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
                tracing::info!(%error, "a merge was given up");
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

    /// Waits for the merge that is under way, after which nothing writes into the index.
    pub fn finish(&self) {
        let waiting = self.waiting.lock().take();
        if waiting.is_some_and(|thread| thread.join().is_err()) {
            tracing::warn!("a merge ended in a panic");
        }
    }
}

/// The segments to merge into one: the small ones beside the large, some of like size, or one with many deleted
/// documents.
fn due(mut segments: Vec<SegmentMeta>, ahead: Ahead) -> Vec<SegmentId> {
    segments.sort_by_key(|segment| std::cmp::Reverse(segment.num_docs()));
    let sizes: Vec<u32> = segments.iter().map(SegmentMeta::num_docs).collect();
    let together = &segments[together(&sizes, ahead)];
    if !together.is_empty() {
        return together.iter().map(SegmentMeta::id).collect();
    }
    let worn = |segment: &&SegmentMeta| {
        segment.num_deleted_docs() * 100 > segment.max_doc() * DELETED_PERCENT_MAX
    };
    segments
        .iter()
        .find(worn)
        .map(SegmentMeta::id)
        .into_iter()
        .collect()
}

/// Which of the segments of these sizes, the largest first, go together.
fn together(sizes: &[u32], ahead: Ahead) -> Range<usize> {
    let small = worth_keeping(sizes)..sizes.len();
    let most = match ahead {
        Ahead::Rest => 1,
        Ahead::Changes => SEGMENTS_MAX,
        Ahead::Batches => SEGMENTS_MAX_FAR_BEHIND,
    };
    if sizes.len() > most && small.len() > 1 {
        return small;
    }
    if ahead == Ahead::Batches {
        return alike(sizes);
    }
    0..0
}

/// Segments of like size, the smallest of which there are enough.
fn alike(sizes: &[u32]) -> Range<usize> {
    let mut end = sizes.len();
    while let Some(smallest) = end.checked_sub(1).map(|last| sizes[last]) {
        let start = sizes.partition_point(|size| *size / LIKE_RATIO > smallest);
        if end - start >= LIKE_MIN {
            return start..end;
        }
        end = start;
    }
    0..0
}

/// How many of the largest segments stay as they are: those more than twice the size of all smaller ones together.
///
/// So few are left, and a document is written anew only as often as the index doubles.
fn worth_keeping(sizes: &[u32]) -> usize {
    let smaller = |at: usize| sizes[at + 1..].iter().sum::<u32>();
    let outweighed = |at: &usize| sizes[*at] <= 2 * smaller(*at);
    (0..sizes.len()).find(outweighed).unwrap_or(sizes.len())
}

#[cfg(test)]
mod tests {
    //! 1. Large segments stay and small ones go together.
    //! 2. Where an index is far behind, only segments of like size do, until there are too many.

    use super::*;

    #[test]
    fn large_segments_stay_and_small_ones_go_together() {
        for (sizes, kept) in [
            (vec![], 0),
            (vec![500], 1),
            (vec![500, 500], 0),
            (vec![100_000, 500, 500], 1),
            (vec![100_000, 20_000, 500, 500], 2),
            (vec![100_000, 60_000, 500], 0),
            (vec![500; 10], 0),
        ] {
            assert_eq!(worth_keeping(&sizes), kept, "{sizes:?}");
        }
        let eight = [90_000, 500, 500, 500, 500, 500, 500, 500];
        assert_eq!(together(&eight, Ahead::Changes), 0..0);
        assert_eq!(together(&eight, Ahead::Rest), 1..8);
        let nine = [90_000, 500, 500, 500, 500, 500, 500, 500, 1];
        assert_eq!(together(&nine, Ahead::Changes), 1..9);
    }

    #[test]
    fn far_behind_segments_of_like_size_go_together() {
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
            assert_eq!(
                together(&sizes(groups), Ahead::Batches),
                range,
                "{groups:?}"
            );
        }
    }
}
