//! Merges of segments: one at a time, in the background, so that a batch never waits for one.

use crate::EngineError;
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use tantivy::IndexWriter;
use tantivy::index::{SegmentId, SegmentMeta};

/// Segments from which on an index merges while it is being written; at rest it always does.
const SEGMENTS_MAX: usize = 8;
/// Share of deleted documents from which on a segment is written anew, in percent.
const DELETED_PERCENT_MAX: u32 = 25;

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
        at_rest: bool,
    ) -> Result<bool, EngineError> {
        if self.is_running() {
            return Ok(true);
        }
        let due = due(segments, at_rest);
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

/// The segments to merge into one: the small ones beside the large, or one with many deleted documents.
fn due(mut segments: Vec<SegmentMeta>, at_rest: bool) -> Vec<SegmentId> {
    segments.sort_by_key(|segment| std::cmp::Reverse(segment.num_docs()));
    let sizes: Vec<u32> = segments.iter().map(SegmentMeta::num_docs).collect();
    let small = &segments[worth_keeping(&sizes)..];
    let many = segments.len() > if at_rest { 1 } else { SEGMENTS_MAX };
    if many && small.len() > 1 {
        return small.iter().map(SegmentMeta::id).collect();
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
    use super::worth_keeping;

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
    }
}
