//! Offers the documents of a block to the top-k, which other threads may share.

use super::SegmentScan;
use crate::EngineError;
use crate::embedded::postings::bits::Bits;
use crate::embedded::scale::Scale;
use crate::embedded::topk::candidates::Candidates;
use crate::embedded::topk::heap::TopK;
use crate::embedded::topk::score_accumulator::BlockThreshold;
use parking_lot::Mutex;
use tantivy::{DocAddress, DocId};

/// Documents that are loaded before they are offered.
const OFFER_BATCH: usize = 64;

impl<S: Scale> SegmentScan<'_, S> {
    /// Scores documents if the order is by score, and offers them. Without a threshold nothing is skipped, and the
    /// fields in which each of the `candidates` matches are known afterwards.
    pub(super) fn offer_best(
        &mut self,
        candidates: Candidates<'_, S>,
        mut documents: Bits<S>,
        threshold: BlockThreshold<'_, S>,
        top_k: &Mutex<TopK<'_>>,
    ) -> Result<(), EngineError> {
        if top_k.lock().by_score() {
            self.score(candidates, &mut documents, threshold)?;
        }
        if !documents.is_empty() {
            self.offer(candidates.start, &documents, threshold, top_k);
        }
        Ok(())
    }

    fn offer(
        &self,
        start: DocId,
        found: &Bits<S>,
        threshold: BlockThreshold<'_, S>,
        top_k: &Mutex<TopK<'_>>,
    ) {
        let admitted = found
            .iter()
            .filter(|at| threshold.admits(*at, self.accumulator.text[*at]));
        let mut offers = admitted.filter_map(|at| {
            let document = start + at as DocId;
            let seen = self.seen(start, at)?;
            let order = (self.ranks.of(document), self.final_score(at, &seen));
            Some((order, seen, DocAddress::new(self.at as u32, document)))
        });
        // Loading documents means cache misses, so it is not done while holding the lock.
        let mut ready = Vec::new();
        loop {
            ready.extend(offers.by_ref().take(OFFER_BATCH));
            if ready.is_empty() {
                return;
            }
            let mut top_k = top_k.lock();
            for (order, seen, address) in ready.drain(..) {
                top_k.offer(order, &seen, address);
            }
        }
    }
}
