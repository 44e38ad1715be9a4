//! Offers the documents of a block to the top-k.

use super::SegmentScan;
use crate::EngineError;
use crate::embedded::postings::bits::Bits;
use crate::embedded::scale::Scale;
use crate::embedded::topk::candidates::Candidates;
use crate::embedded::topk::heap::TopK;
use crate::embedded::topk::score_accumulator::BlockThreshold;
use tantivy::{DocAddress, DocId};

impl<S: Scale> SegmentScan<'_, S> {
    /// Scores documents if the order is by score, and offers them. Without a threshold nothing is skipped, and the
    /// fields in which each of the `candidates` matches are known afterwards.
    pub(super) fn offer_best(
        &mut self,
        candidates: Candidates<'_, S>,
        mut documents: Bits<S>,
        threshold: BlockThreshold<'_, S>,
        top_k: &mut TopK<'_>,
    ) -> Result<(), EngineError> {
        if top_k.by_score() {
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
        top_k: &mut TopK<'_>,
    ) {
        for at in found.iter() {
            if !threshold.admits(at, self.accumulator.text[at]) {
                continue;
            }
            if let Some(seen) = self.seen(start, at) {
                let document = start + at as DocId;
                let score = match top_k.by_score() {
                    true => self.final_score(at, &seen),
                    // Nothing was scored, so there is only what other documents have left.
                    false => 0.0,
                };
                let order = (self.ranks.of(document), score);
                let address = DocAddress::new(self.at as u32, document);
                top_k.offer(order, &seen, address);
            }
        }
    }
}
