//! Products that rules pin before all others: their doc addresses and states.

use super::heap::Ranked;
use super::rules::RuledDocument;
use super::snapshot::EmbeddedSnapshot;
use crate::PinState;
use crate::embedded::postings::bits::Bits;
use crate::embedded::scale::Scale;
use tantivy::DocId;

/// The pins of a search, in the order of their positions.
pub struct Pins(Vec<LocatedPin>);

struct LocatedPin {
    state: PinState,
    /// Number of the segment and doc id; none if the document is in no segment.
    location: Option<(usize, DocId)>,
    hit: Option<Ranked>,
}

impl Pins {
    /// Returns the pins of the products `ids` in `snapshot`.
    pub fn new<S: Scale>(snapshot: &EmbeddedSnapshot<S>, ids: &[String]) -> Self {
        let pins = ids.iter().map(|id| {
            let (state, location) = match snapshot.rules.locate(snapshot, id) {
                RuledDocument::Unknown => (PinState::Unknown, None),
                RuledDocument::NotIndexed => (PinState::Unavailable, None),
                RuledDocument::At(segment, document) => {
                    (PinState::Unavailable, Some((segment, document)))
                }
            };
            LocatedPin {
                state,
                location,
                hit: None,
            }
        });
        Self(pins.collect())
    }

    /// Returns the pins in the block that begins at `start` of segment number `segment`; none if there are none.
    pub fn in_block<S: Scale>(&self, segment: usize, start: DocId) -> Option<Bits<S>> {
        let mut own = self.of_block::<S>(segment, start).peekable();
        own.peek()?;
        let mut bits = Bits::none();
        own.for_each(|(_, at)| bits.set(at));
        Some(bits)
    }

    /// Returns the index of every pin of a block, with its offset in the block.
    fn of_block<S: Scale>(
        &self,
        segment: usize,
        start: DocId,
    ) -> impl Iterator<Item = (usize, usize)> {
        let locations = self.0.iter().map(|pin| pin.location).enumerate();
        locations.filter_map(move |(number, location)| {
            let (_, document) = location.filter(|(own, _)| *own == segment)?;
            let at = document.checked_sub(start)? as usize;
            (at < S::BLOCK).then_some((number, at))
        })
    }

    /// Sets the state of the pins of a block that are shown so far and not in `passing`.
    pub fn reject<S: Scale>(
        &mut self,
        segment: usize,
        start: DocId,
        passing: &Bits<S>,
        state: PinState,
    ) {
        let own: Vec<(usize, usize)> = self.of_block::<S>(segment, start).collect();
        for (number, at) in own {
            let pin = &mut self.0[number];
            if !passing.has(at) && pin.state == PinState::Shown {
                pin.state = state;
            }
        }
    }

    /// Marks the pins of a block in `passing` as shown, unless they are rejected later.
    pub fn admit<S: Scale>(&mut self, segment: usize, start: DocId, passing: &Bits<S>) {
        let own: Vec<(usize, usize)> = self.of_block::<S>(segment, start).collect();
        for (number, at) in own {
            if passing.has(at) {
                self.0[number].state = PinState::Shown;
            }
        }
    }

    /// Sets the hits of the pins of a block in `passing`; `rank` returns the hit at an offset.
    pub fn set_pins<S: Scale>(
        &mut self,
        segment: usize,
        start: DocId,
        passing: &Bits<S>,
        rank: impl Fn(usize) -> Option<Ranked>,
    ) {
        let own: Vec<(usize, usize)> = self.of_block::<S>(segment, start).collect();
        for (number, at) in own.into_iter().filter(|(_, at)| passing.has(*at)) {
            self.0[number].hit = rank(at);
        }
    }

    /// Returns the state of every pin, and the hits of those that are shown, in the order of their positions.
    pub fn finish(self) -> (Vec<PinState>, Vec<Ranked>) {
        let states = self.0.iter().map(|pin| pin.state).collect();
        let hits = self.0.into_iter().filter_map(|pin| pin.hit);
        (states, hits.collect())
    }
}
