//! Counts over the found products: each facet ignores its own choice and honours all others.
//!
//! Documents are noted while they are found and counted at the end, field by field: only what is shown is counted,
//! and short loops over many documents wait for memory less often than long ones. Cores that are idle share the counting
//! of many documents.

use super::super::scale::Scale;
use super::filters::{Filters, Verdict};
use super::range_facets::RangeCollector;
use super::value_counts::ValueCounts;
use crate::columns::{DictionaryEntries, FieldNumber, OwnValues, ValueId, View};
use crate::parallel::{threads, together};
use domain::search::FilterField;

/// Shares of documents for each thread, so that all end at about the same time.
const SHARES: usize = 8;

/// The documents that count, by their ordinals.
pub struct CountedDocuments {
    /// Those that meet all choices.
    passing: Vec<u32>,
    /// Those that fail one choice alone, by its place: they count for the field of that choice.
    failing: Vec<Vec<u32>>,
}

impl CountedDocuments {
    /// No document yet, under choices of so many fields.
    pub fn new(choices: usize) -> Self {
        Self {
            passing: Vec::new(),
            failing: vec![Vec::new(); choices],
        }
    }

    /// Notes a document that matches the question, with what the choices say of it.
    pub fn note(&mut self, verdict: Verdict, ordinal: u32) {
        match verdict {
            Verdict::Passes => self.passing.push(ordinal),
            Verdict::FailsOnly(at) => self.failing[at].push(ordinal),
            Verdict::Fails => {}
        }
    }

    /// Takes in what was noted elsewhere under the same choices.
    pub fn absorb(&mut self, other: Self) {
        self.passing.extend(other.passing);
        for (own, others) in self.failing.iter_mut().zip(other.failing) {
            own.extend(others);
        }
    }

    /// Ends the noting: puts the documents in the order in which their values lie.
    pub fn settle(&mut self) {
        in_order(&mut self.passing);
        self.failing.iter_mut().for_each(in_order);
    }

    /// What the documents say of each of `fields`, which have no values of their own.
    pub fn figures<'f, S: Scale>(
        &self,
        fields: impl Iterator<Item = &'f FilterField>,
        filters: &Filters,
        view: &View<'_>,
    ) -> Vec<RangeCollector> {
        let fields: Vec<&FilterField> = fields.collect();
        let fresh = || {
            let of = fields.iter();
            let of = of.filter_map(|field| Some((*field, RangeCollector::new(field)?)));
            of.collect::<Vec<_>>()
        };
        let add = |all: &mut Vec<(&FilterField, RangeCollector)>, documents: &[u32]| {
            for seen in documents.iter().filter_map(|at| view.see(*at)) {
                for (field, figures) in &mut *all {
                    figures.add(field, &seen);
                }
            }
        };
        let mut all = self.shared::<S, _>(fresh, add, |all, more| {
            for ((_, figures), (_, more)) in all.iter_mut().zip(more) {
                figures.absorb(more);
            }
        });
        for (field, figures) in &mut all {
            for seen in (self.failing(field, filters).iter()).filter_map(|at| view.see(*at)) {
                figures.add(field, &seen);
            }
        }
        all.into_iter().map(|(_, figures)| figures).collect()
    }

    /// What `add` makes of what is `fresh` and the documents that meet all choices, put together by `absorb` where
    /// several threads share them.
    fn shared<S: Scale, T: Send>(
        &self,
        fresh: impl Fn() -> T + Sync,
        add: impl Fn(&mut T, &[u32]) + Sync,
        absorb: impl Fn(&mut T, T),
    ) -> T {
        let threads = if self.passing.len() < S::SHARED_MIN {
            1
        } else {
            threads()
        };
        let share = self.passing.len().div_ceil(threads * SHARES).max(1);
        let shares: Vec<&[u32]> = self.passing.chunks(share).collect();
        let counted = together(threads, &shares, |own| {
            let mut counts = fresh();
            own.for_each(|documents| add(&mut counts, documents));
            counts
        });
        let counted = counted.into_iter().reduce(|mut all, more| {
            absorb(&mut all, more);
            all
        });
        counted.expect("the thread that calls answers too")
    }

    /// The documents that fail the choice of `field` alone.
    fn failing(&self, field: &FilterField, filters: &Filters) -> &[u32] {
        let own = filters.tests().iter().position(|test| test.field == *field);
        own.map_or(&[], |at| &self.failing[at])
    }

    /// Documents that carry each field, by its number.
    pub fn carriers<S: Scale>(
        &self,
        filters: &Filters,
        entries: &DictionaryEntries<'_>,
        view: &View<'_>,
    ) -> Vec<u32> {
        let fields = entries.fields().len();
        let add = |carriers: &mut Vec<u32>, documents: &[u32]| {
            for values in values_of(documents, view) {
                for field in values.fields() {
                    carriers[field as usize] += 1;
                }
            }
        };
        let mut carriers = self.shared::<S, _>(
            || vec![0; fields],
            add,
            |all, more| {
                all.iter_mut()
                    .zip(more)
                    .for_each(|(own, more)| *own += more)
            },
        );
        for (test, failing) in filters.tests().iter().zip(&self.failing) {
            if let Some(field) = entries.number(&test.field) {
                let own = values_of(failing, view).map(|values| values.of_field(field));
                carriers[field as usize] += own.filter(|own| !own.is_empty()).count() as u32;
            }
        }
        carriers
    }

    /// Documents by value for every one of `fields`.
    pub fn value_counts<S: Scale>(
        &self,
        fields: &[FieldNumber],
        filters: &Filters,
        entries: &DictionaryEntries<'_>,
        view: &View<'_>,
    ) -> Vec<ValueCounts> {
        let found = self.passing.len();
        let values: Vec<usize> = (fields.iter())
            .map(|field| entries.values_of(*field))
            .collect();
        let fresh = || {
            let values = values.iter();
            let fresh = values.map(|values| ValueCounts::new(*values, found));
            fresh.collect::<Vec<_>>()
        };
        let mut place_of: Vec<Option<u16>> = vec![None; entries.fields().len()];
        for (place, field) in (0..).zip(fields) {
            place_of[*field as usize] = Some(place);
        }
        let add = |counts: &mut Vec<ValueCounts>, documents: &[u32]| {
            for values in values_of(documents, view) {
                for (field, own) in values {
                    if let Some(place) = place_of[field as usize] {
                        counts[usize::from(place)].add(own);
                    }
                }
            }
        };
        let mut counts = self.shared::<S, _>(fresh, add, |all, more| {
            for (own, more) in all.iter_mut().zip(more) {
                own.absorb(more);
            }
        });
        for (test, failing) in filters.tests().iter().zip(&self.failing) {
            let field = entries.number(&test.field);
            let place = field.and_then(|field| place_of[field as usize]);
            if let (Some(field), Some(place)) = (field, place) {
                let own = values_of(failing, view).map(|values| values.of_field(field));
                own.for_each(|own| counts[usize::from(place)].add(own));
            }
        }
        counts
    }

    /// The values of `field`, whose number is given, of each document that counts for it.
    pub fn own_values<'a>(
        &'a self,
        field: &FilterField,
        number: FieldNumber,
        filters: &Filters,
        view: &'a View<'_>,
    ) -> impl Iterator<Item = &'a [ValueId]> {
        let failing = values_of(self.failing(field, filters), view);
        let all = self.values(view).chain(failing);
        all.map(move |values| values.of_field(number))
    }

    fn values<'a>(&'a self, view: &'a View<'_>) -> impl Iterator<Item = OwnValues<'a>> {
        values_of(&self.passing, view)
    }
}

/// Documents for each bit of a set from which going through a set costs more than sorting.
const SPARSE: usize = 64;

/// Sorts `documents`, none of which is there twice.
fn in_order(documents: &mut Vec<u32>) {
    let places = documents.iter().max().map_or(0, |last| *last as usize + 1);
    if documents.len() * SPARSE < places {
        documents.sort_unstable();
        return;
    }
    let mut held = vec![0u64; places.div_ceil(64)];
    for document in documents.drain(..) {
        held[document as usize / 64] |= 1 << (document % 64);
    }
    for (mut bits, first) in held.into_iter().zip((0..).step_by(64)) {
        while bits != 0 {
            documents.push(first + bits.trailing_zeros());
            bits &= bits - 1;
        }
    }
}

/// The values of `documents`, which are looked up some at a time so that their waits for memory overlap.
fn values_of<'a>(documents: &'a [u32], view: &'a View<'_>) -> impl Iterator<Item = OwnValues<'a>> {
    let some = documents.chunks(64);
    some.flat_map(|documents| {
        let mut values = [OwnValues::default(); 64];
        for (own, document) in values.iter_mut().zip(documents) {
            *own = view.columns().values(*document);
        }
        values.into_iter().take(documents.len())
    })
}
