//! Applies rules to the documents of a block: filters, hidden products, pins.

use super::{SegmentScan, StaticScoreBlock, Task};
use crate::embedded::postings::bits::Bits;
use crate::embedded::scale::Scale;
use crate::embedded::topk::candidates::Candidates;
use crate::embedded::topk::heap::TopK;
use crate::embedded::topk::pins::Pins;
use crate::embedded::topk::score_accumulator::BlockThreshold;
use crate::{EngineError, PinState};
use query::plan::Find;
use tantivy::{DocAddress, DocId};

impl<'a, S: Scale> SegmentScan<'a, S> {
    /// Removes from `found`, and from the pins of the block if it has any, what the visitor may not see and what rules
    /// exclude. Returns the static scores of the block.
    pub(super) fn apply_rules(
        &self,
        number: usize,
        found: &mut Bits<S>,
        pinned: &mut Option<Bits<S>>,
        pins: &mut Pins,
    ) -> &'a StaticScoreBlock<S> {
        let Task {
            ruled,
            static_scores,
            view,
            ..
        } = self.task;
        let segment = (self.at, self.segment);
        let start = (number * S::BLOCK) as DocId;
        let block = static_scores.of(segment, number, view);
        found.keep(&block.shown);
        ruled.restrict(segment, number, found);
        if let Some(pinned) = pinned {
            pinned.keep(&block.shown);
            pins.admit(self.at, start, pinned);
            if let Some(filter_matches) = ruled.filter_matches(segment, number) {
                self.retain_pins(start, pinned, filter_matches, pins);
            }
        }
        block
    }

    /// Removes the pins of a block that are not in `passing`.
    pub(super) fn retain_pins(
        &self,
        start: DocId,
        pinned: &mut Bits<S>,
        passing: &Bits<S>,
        pins: &mut Pins,
    ) {
        pinned.keep(passing);
        pins.reject(self.at, start, pinned, PinState::Filtered);
    }

    /// Scores the pins of a block completely: they are hits whatever they score.
    pub(super) fn score_pins(
        &mut self,
        candidates: Candidates<'_, S>,
        pinned: &Bits<S>,
        block: &StaticScoreBlock<S>,
    ) -> Result<(), EngineError> {
        if self.task.plan.find != Find::Words {
            return Ok(());
        }
        let mut matching = self.code_matches.clone();
        for word in &self.words {
            matching.add(word.found());
        }
        matching.keep(pinned);
        if matching.is_empty() {
            self.accumulator.begin(pinned);
            return Ok(());
        }
        let threshold = BlockThreshold {
            min_score: None,
            block,
        };
        self.score(candidates, &mut pinned.clone(), threshold)?;
        self.rewind()
    }

    /// Puts scored pins on their positions.
    pub(super) fn set_pins(
        &self,
        start: DocId,
        pinned: &Bits<S>,
        pins: &mut Pins,
        top_k: &TopK<'_>,
    ) {
        pins.set_pins(self.at, start, pinned, |at| {
            let seen = self.seen(start, at)?;
            let rank = self.ranks.of(start + at as DocId);
            let address = DocAddress::new(self.at as u32, start + at as DocId);
            Some(top_k.ranked((rank, self.final_score(at, &seen)), &seen, address))
        });
    }
}
