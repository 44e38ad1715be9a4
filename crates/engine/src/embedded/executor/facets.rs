//! Counts over the found products: each facet ignores its own choice and honours all others.

use super::filters::{Filters, Test, Verdict, flag, number};
use crate::columns::{Dictionary, Seen, ValueId};
use domain::search::{FilterField, FilterKind};

/// Running counts. What is counted of every document stands in arrays; what is counted of a few, beside them.
pub struct Counts {
    /// Documents by value, and by what stands for several values of one group.
    pub values: Vec<u32>,
    flags: Vec<(FilterField, [u64; 2])>,
    ranges: Vec<(FilterField, Option<(f64, f64)>)>,
    /// For every choice of values, which values belong to its field.
    members: Vec<Vec<bool>>,
}

impl Counts {
    /// Counts for the values of `dictionary`.
    pub fn new(filters: &Filters, dictionary: &Dictionary) -> Self {
        let entries = dictionary.read();
        let all = entries.field_of();
        let members = filters.tests().iter().map(|test| {
            let field = entries.number(&test.field);
            match test.field.kind() {
                FilterKind::Values => all.iter().map(|of| Some(*of) == field).collect(),
                FilterKind::Flag | FilterKind::Range => Vec::new(),
            }
        });
        let wanted = |kind: FilterKind| {
            let fields = FilterField::FIXED.into_iter();
            fields.filter(move |field| {
                let shown = *field != FilterField::FeatureNum || filters.chosen(field).is_some();
                field.kind() == kind && shown
            })
        };
        Self {
            values: vec![0; all.len()],
            flags: wanted(FilterKind::Flag)
                .map(|field| (field, [0; 2]))
                .collect(),
            ranges: wanted(FilterKind::Range)
                .map(|field| (field, None))
                .collect(),
            members: members.collect(),
        }
    }

    /// Counts a document that matches the question, with what the choices say of it.
    pub fn count(&mut self, verdict: Verdict, filters: &Filters, seen: &Seen<'_>) {
        match verdict {
            Verdict::Passes => self.count_all(seen),
            Verdict::FailsOnly(at) => self.count_own(at, &filters.tests()[at], seen),
            Verdict::Fails => {}
        }
    }

    fn count_all(&mut self, seen: &Seen<'_>) {
        for value in seen.values() {
            self.add(*value);
        }
        for (field, states) in &mut self.flags {
            states[usize::from(flag(field, seen))] += 1;
        }
        for (field, range) in &mut self.ranges {
            widen(range, number(field, seen));
        }
    }

    /// Counts a document for the one field whose choice it does not meet.
    fn count_own(&mut self, at: usize, test: &Test, seen: &Seen<'_>) {
        match test.field.kind() {
            FilterKind::Values => {
                for value in seen.values() {
                    if self.members[at].get(*value as usize) == Some(&true) {
                        self.add(*value);
                    }
                }
            }
            FilterKind::Flag => {
                let own = self
                    .flags
                    .iter_mut()
                    .find(|(field, _)| *field == test.field);
                if let Some((field, states)) = own {
                    states[usize::from(flag(field, seen))] += 1;
                }
            }
            FilterKind::Range => {
                let own = self
                    .ranges
                    .iter_mut()
                    .find(|(field, _)| *field == test.field);
                if let Some((field, range)) = own {
                    widen(range, number(field, seen));
                }
            }
        }
    }

    fn add(&mut self, value: ValueId) {
        // Values that came after this snapshot are no values of its documents.
        if let Some(count) = self.values.get_mut(value as usize) {
            *count += 1;
        }
    }

    /// Documents without and with what `field` asks for.
    pub fn flag(&self, field: &FilterField) -> [u64; 2] {
        let own = self.flags.iter().find(|(of, _)| of == field);
        own.map_or([0; 2], |(_, states)| *states)
    }

    /// Lowest and highest number of `field`.
    pub fn range(&self, field: &FilterField) -> Option<(f64, f64)> {
        let own = self.ranges.iter().find(|(of, _)| of == field);
        own.and_then(|(_, range)| *range)
    }
}

fn widen(range: &mut Option<(f64, f64)>, number: Option<f64>) {
    if let Some(number) = number {
        let (low, high) = range.unwrap_or((number, number));
        *range = Some((low.min(number), high.max(number)));
    }
}
