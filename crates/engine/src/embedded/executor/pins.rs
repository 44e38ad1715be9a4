//! Products that rules put before all others: where they stand, and what became of each.

use super::super::scale::Scale;
use super::super::snapshot::EmbeddedSnapshot;
use super::bits::Bits;
use super::ruled::RuledDocument;
use super::top_k::Ranked;
use crate::PinState;
use tantivy::DocId;

/// The pins of a search, in the order of their positions.
pub struct Pins(Vec<LocatedPin>);

struct LocatedPin {
    state: PinState,
    /// Number of its segment and its place there; none when it is in none.
    place: Option<(usize, DocId)>,
    hit: Option<Ranked>,
}

impl Pins {
    /// The products with these `ids` in `snapshot`.
    pub fn new<S: Scale>(snapshot: &EmbeddedSnapshot<S>, ids: &[String]) -> Self {
        let pins = ids.iter().map(|id| {
            let (state, place) = match snapshot.rules.place(snapshot, id) {
                RuledDocument::Unknown => (PinState::Unknown, None),
                RuledDocument::Nowhere => (PinState::Unavailable, None),
                RuledDocument::At(segment, document) => {
                    (PinState::Unavailable, Some((segment, document)))
                }
            };
            LocatedPin {
                state,
                place,
                hit: None,
            }
        });
        Self(pins.collect())
    }

    /// The pins, if there are any, in the window that begins at `start` of segment number `segment`.
    pub fn in_window<S: Scale>(&self, segment: usize, start: DocId) -> Option<Bits<S>> {
        let mut own = self.own::<S>(segment, start).peekable();
        own.peek()?;
        let mut bits = Bits::none();
        own.for_each(|(_, at)| bits.set(at));
        Some(bits)
    }

    /// Number of every pin of a window, with its place in the window.
    fn own<S: Scale>(&self, segment: usize, start: DocId) -> impl Iterator<Item = (usize, usize)> {
        let places = self.0.iter().map(|pin| pin.place).enumerate();
        places.filter_map(move |(number, place)| {
            let (_, document) = place.filter(|(own, _)| *own == segment)?;
            let at = document.checked_sub(start)? as usize;
            (at < S::WINDOW).then_some((number, at))
        })
    }

    /// Notes what is wrong with the pins of a window that are not in `passing`.
    pub fn refuse<S: Scale>(
        &mut self,
        segment: usize,
        start: DocId,
        passing: &Bits<S>,
        state: PinState,
    ) {
        let own: Vec<(usize, usize)> = self.own::<S>(segment, start).collect();
        for (number, at) in own {
            let pin = &mut self.0[number];
            if !passing.has(at) && pin.state == PinState::Shown {
                pin.state = state;
            }
        }
    }

    /// Notes that the pins of a window that are in `passing` may be shown, as far as is known.
    pub fn admit<S: Scale>(&mut self, segment: usize, start: DocId, passing: &Bits<S>) {
        let own: Vec<(usize, usize)> = self.own::<S>(segment, start).collect();
        for (number, at) in own {
            if passing.has(at) {
                self.0[number].state = PinState::Shown;
            }
        }
    }

    /// Puts every pin of a window on its position that `rank` makes a hit of.
    pub fn put<S: Scale>(
        &mut self,
        segment: usize,
        start: DocId,
        passing: &Bits<S>,
        rank: impl Fn(usize) -> Option<Ranked>,
    ) {
        let own: Vec<(usize, usize)> = self.own::<S>(segment, start).collect();
        for (number, at) in own.into_iter().filter(|(_, at)| passing.has(*at)) {
            self.0[number].hit = rank(at);
        }
    }

    /// What became of each, and those that are shown, in the order of their positions.
    pub fn finish(self) -> (Vec<PinState>, Vec<Ranked>) {
        let states = self.0.iter().map(|pin| pin.state).collect();
        let hits = self.0.into_iter().filter_map(|pin| pin.hit);
        (states, hits.collect())
    }
}
