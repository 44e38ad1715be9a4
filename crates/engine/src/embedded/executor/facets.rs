//! Counts over the found products: each facet ignores its own choice and honours all others.
//!
//! Documents are noted while they are found and counted at the end, field by field: only what is shown is counted,
//! and short loops over many documents wait for memory less often than long ones.

use super::filters::{Filters, Verdict, flag, number};
use super::value_counts::ValueCounts;
use crate::columns::{Entries, FieldNumber, OwnValues, ValueId, View};
use domain::search::FilterField;

/// The documents that count, by their ordinals.
pub struct Counted {
    /// Those that meet all choices.
    passing: Vec<u32>,
    /// Those that fail one choice alone, by its place: they count for the field of that choice.
    failing: Vec<Vec<u32>>,
}

impl Counted {
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

    /// The documents that count for `field`.
    fn of<'a>(
        &'a self,
        field: &FilterField,
        filters: &Filters,
    ) -> impl Iterator<Item = u32> + use<'a> {
        let own = filters.tests().iter().position(|test| test.field == *field);
        let failing = own.map_or(&[][..], |at| &self.failing[at]);
        self.passing.iter().chain(failing).copied()
    }

    /// Documents without and with what `field` asks for.
    pub fn flag(&self, field: &FilterField, filters: &Filters, view: &View<'_>) -> [u64; 2] {
        let mut states = [0; 2];
        for seen in self.of(field, filters).filter_map(|at| view.see(at)) {
            states[usize::from(flag(field, &seen))] += 1;
        }
        states
    }

    /// Lowest and highest number of `field`.
    pub fn range(
        &self,
        field: &FilterField,
        filters: &Filters,
        view: &View<'_>,
    ) -> Option<(f64, f64)> {
        let seen = self.of(field, filters).filter_map(|at| view.see(at));
        let numbers = seen.filter_map(|seen| number(field, &seen));
        numbers.fold(None, |range: Option<(f64, f64)>, number| {
            let (low, high) = range.unwrap_or((number, number));
            Some((low.min(number), high.max(number)))
        })
    }

    /// Documents that carry each field, by its number.
    pub fn carriers(&self, filters: &Filters, entries: &Entries<'_>, view: &View<'_>) -> Vec<u32> {
        let mut carriers = vec![0; entries.fields().len()];
        for values in self.values(view) {
            for field in values.fields() {
                carriers[field as usize] += 1;
            }
        }
        for (test, failing) in filters.tests().iter().zip(&self.failing) {
            if let Some(field) = entries.number(&test.field) {
                let own = values_of(failing, view).map(|values| values.of_field(field));
                carriers[field as usize] += own.filter(|own| !own.is_empty()).count() as u32;
            }
        }
        carriers
    }

    /// Documents by value for every one of `fields`.
    pub fn value_counts(
        &self,
        fields: &[FieldNumber],
        filters: &Filters,
        entries: &Entries<'_>,
        view: &View<'_>,
    ) -> Vec<ValueCounts> {
        let found = self.passing.len();
        let mut counts: Vec<ValueCounts> = (fields.iter())
            .map(|field| ValueCounts::new(entries.values_of(*field), found))
            .collect();
        let mut place_of: Vec<Option<u16>> = vec![None; entries.fields().len()];
        for (place, field) in (0..).zip(fields) {
            place_of[*field as usize] = Some(place);
        }
        for values in self.values(view) {
            for (field, own) in values {
                if let Some(place) = place_of[field as usize] {
                    counts[usize::from(place)].add(own);
                }
            }
        }
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
        let own = filters.tests().iter().position(|test| test.field == *field);
        let failing = own.map_or(&[][..], |at| &self.failing[at]);
        let all = self.values(view).chain(values_of(failing, view));
        all.map(move |values| values.of_field(number))
    }

    fn values<'a>(&'a self, view: &'a View<'_>) -> impl Iterator<Item = OwnValues<'a>> {
        values_of(&self.passing, view)
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
