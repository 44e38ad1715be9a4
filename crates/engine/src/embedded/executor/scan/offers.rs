//! What of a window is offered to the best hits, which other threads may offer to as well.

use super::super::super::scale::Scale;
use super::super::bits::Bits;
use super::super::candidates::Candidates;
use super::super::score_accumulator::BlockThreshold;
use super::super::top_k::TopK;
use super::SegmentScan;
use crate::EngineError;
use parking_lot::Mutex;
use tantivy::{DocAddress, DocId};

/// Documents whose numbers are read before they are offered.
const OFFERED_TOGETHER: usize = 64;

impl<S: Scale> SegmentScan<'_, S> {
    /// Scores documents where scores order them, and offers them. Without a bar nothing is passed over, and of all that
    /// are `among` it is known in which fields they match.
    pub(super) fn offer_best(
        &mut self,
        among: Candidates<'_, S>,
        mut documents: Bits<S>,
        bar: BlockThreshold<'_, S>,
        top: &Mutex<TopK<'_>>,
    ) -> Result<(), EngineError> {
        if top.lock().by_score() {
            self.score(among, &mut documents, bar)?;
        }
        if !documents.is_empty() {
            self.offer(among.start, &documents, bar, top);
        }
        Ok(())
    }

    fn offer(
        &self,
        start: DocId,
        found: &Bits<S>,
        bar: BlockThreshold<'_, S>,
        top: &Mutex<TopK<'_>>,
    ) {
        let admitted = found
            .iter()
            .filter(|at| bar.admits(*at, self.sheet.text[*at]));
        let mut offers = admitted.filter_map(|at| {
            let document = start + at as DocId;
            let seen = self.seen(start, at)?;
            let order = (self.ranks.of(document), self.with_factors(at, &seen));
            Some((order, seen, DocAddress::new(self.at as u32, document)))
        });
        // Reading numbers waits for memory, so no thread does it while others wait for it.
        let mut ready = Vec::new();
        loop {
            ready.extend(offers.by_ref().take(OFFERED_TOGETHER));
            if ready.is_empty() {
                return;
            }
            let mut top = top.lock();
            for (order, seen, address) in ready.drain(..) {
                top.offer(order, &seen, address);
            }
        }
    }
}
