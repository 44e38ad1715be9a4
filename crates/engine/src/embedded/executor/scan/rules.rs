//! What rules do to the documents of a window: which are left, which are pinned, what multiplies their scores.

use super::super::super::scale::Scale;
use super::super::bits::Bits;
use super::super::candidates::Candidates;
use super::super::pins::Pins;
use super::super::score_accumulator::BlockThreshold;
use super::super::top_k::TopK;
use super::{SegmentScan, StaticScoreBlock, Task};
use crate::{EngineError, PinState};
use query::plan::Find;
use tantivy::{DocAddress, DocId};

impl<'a, S: Scale> SegmentScan<'a, S> {
    /// Leaves of `found`, and of the pins of a window if it has any, what may be shown and rules leave; what these
    /// documents stand for.
    pub(super) fn rule(
        &self,
        number: usize,
        found: &mut Bits<S>,
        pinned: &mut Option<Bits<S>>,
        pins: &mut Pins,
    ) -> &'a StaticScoreBlock<S> {
        let Task {
            ruled,
            standing,
            view,
            ..
        } = self.task;
        let segment = (self.at, self.segment);
        let start = (number * S::WINDOW) as DocId;
        let window = standing.of(segment, number, view);
        found.keep(&window.shown);
        ruled.restrict(segment, number, found);
        if let Some(pinned) = pinned {
            pinned.keep(&window.shown);
            pins.admit(self.at, start, pinned);
            if let Some(meeting) = ruled.meeting(segment, number) {
                self.keep_pins(start, pinned, meeting, pins);
            }
        }
        window
    }

    /// Leaves of the pins of a window what is in `passing`.
    pub(super) fn keep_pins(
        &self,
        start: DocId,
        pinned: &mut Bits<S>,
        passing: &Bits<S>,
        pins: &mut Pins,
    ) {
        pinned.keep(passing);
        pins.refuse(self.at, start, pinned, PinState::Filtered);
    }

    /// Scores the pins of a window to the end, for nothing decides whether they matter.
    pub(super) fn score_pins(
        &mut self,
        among: Candidates<'_, S>,
        pinned: &Bits<S>,
        window: &StaticScoreBlock<S>,
    ) -> Result<(), EngineError> {
        if self.task.plan.find != Find::Words {
            return Ok(());
        }
        let mut matching = self.coded.clone();
        for word in &self.words {
            matching.add(word.found());
        }
        matching.keep(pinned);
        if matching.is_empty() {
            self.sheet.begin(pinned);
            return Ok(());
        }
        let bar = BlockThreshold {
            worst: None,
            window,
        };
        self.score(among, &mut pinned.clone(), bar)?;
        self.rewind()
    }

    /// Puts pins that are scored on their positions.
    pub(super) fn put_pins(&self, start: DocId, pinned: &Bits<S>, pins: &mut Pins, top: &TopK<'_>) {
        pins.put(self.at, start, pinned, |at| {
            let seen = self.seen(start, at)?;
            let rank = self.ranks.of(start + at as DocId);
            let address = DocAddress::new(self.at as u32, start + at as DocId);
            Some(top.ranked((rank, self.with_factors(at, &seen)), &seen, address))
        });
    }
}
