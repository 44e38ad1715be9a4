//! What rules do to the documents of a window: which are left, which are pinned, what multiplies their scores.

use super::super::WINDOW;
use super::super::bits::Bits;
use super::super::pins::Pins;
use super::super::ruled::Lifted;
use super::super::sheet::Bar;
use super::super::top::Top;
use super::{Scan, Window};
use crate::{EngineError, PinState};
use query::plan::Find;
use tantivy::{DocAddress, DocId};

impl Scan<'_> {
    /// Leaves of `found` what may be shown and rules leave; the pins of the window that may be shown, if it has any.
    pub(super) fn rule(
        &self,
        number: usize,
        window: &Window,
        found: &mut Bits,
        pins: &mut Pins,
    ) -> Option<Bits> {
        let ruled = self.task.ruled;
        let segment = (self.at, self.segment);
        let start = (number * WINDOW) as DocId;
        found.keep(&window.shown);
        ruled.restrict(segment, number, found);
        let mut pinned = pins.in_window(self.at, start)?;
        pinned.keep(&window.shown);
        pins.admit(self.at, start, &pinned);
        if let Some(meeting) = ruled.meeting(segment, number) {
            self.keep_pins(start, &mut pinned, meeting, pins);
        }
        Some(pinned)
    }

    /// Leaves of the pins of a window what is in `passing`.
    pub(super) fn keep_pins(
        &self,
        start: DocId,
        pinned: &mut Bits,
        passing: &Bits,
        pins: &mut Pins,
    ) {
        pinned.keep(passing);
        pins.refuse(self.at, start, pinned, PinState::Filtered);
    }

    /// Scores the pins of a window to the end, for nothing decides whether they matter.
    pub(super) fn score_pins(
        &mut self,
        start: DocId,
        pinned: &Bits,
        window: &Window,
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
        self.score(start, &mut pinned.clone(), bar(window.into(), None))?;
        self.rewind()
    }

    /// Puts pins that are scored on their positions.
    pub(super) fn put_pins(&self, start: DocId, pinned: &Bits, pins: &mut Pins, top: &Top<'_>) {
        pins.put(self.at, start, pinned, |at| {
            let seen = self.seen(start, at)?;
            let rank = self.ranks.of(start + at as DocId);
            let address = DocAddress::new(self.at as u32, start + at as DocId);
            Some(top.ranked((rank, self.with_factors(at, &seen)), &seen, address))
        });
    }

    /// Factors of the documents `found` with what rules multiply; none where nothing multiplies.
    pub(super) fn lifted(&mut self, window: &Window, found: &Bits) -> Option<Lifted> {
        let lifts = self.lifts?;
        let lifted = |at: usize| (f64::from(window.factors[at]) * lifts[at]) as f32;
        Some(Lifted::new(std::mem::take(&mut self.lifted), found, lifted))
    }
}

/// What the text scores of a window are multiplied with.
#[derive(Clone, Copy)]
pub(super) struct Factors<'a> {
    of: &'a [f32],
    highest: f32,
}

impl<'a> From<&'a Window> for Factors<'a> {
    fn from(window: &'a Window) -> Self {
        Self {
            of: &window.factors,
            highest: window.highest,
        }
    }
}

impl<'a> From<&'a Lifted> for Factors<'a> {
    fn from(lifted: &'a Lifted) -> Self {
        Self {
            of: &lifted.factors,
            highest: lifted.highest,
        }
    }
}

/// What documents of a window must reach.
pub(super) fn bar(factors: Factors<'_>, worst: Option<f64>) -> Bar<'_> {
    Bar {
        worst,
        factors: factors.of,
        highest: factors.highest,
    }
}
