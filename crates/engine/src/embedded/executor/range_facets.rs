//! What facets of flags and of numbers say of the found products: states with their counts, and ranges.

use super::filters::{ChosenField, Filters, flag, number};
use crate::columns::Seen;
use crate::search_result::{Facet, FacetValue};
use domain::search::{FilterField, FilterKind};

/// What was seen so far of a field that has no values of its own.
pub(super) enum RangeCollector {
    /// Documents without and with what the field asks for.
    States([u64; 2]),
    /// Lowest and highest number.
    Range(Option<(f64, f64)>),
}

impl RangeCollector {
    /// Nothing yet of `field`; none for a field of values.
    pub fn new(field: &FilterField) -> Option<Self> {
        match field.kind() {
            FilterKind::Flag => Some(Self::States([0; 2])),
            FilterKind::Range => Some(Self::Range(None)),
            FilterKind::Values => None,
        }
    }

    /// Adds a document, as far as `field` is concerned.
    pub fn add(&mut self, field: &FilterField, seen: &Seen<'_>) {
        match self {
            Self::States(states) => states[usize::from(flag(field, seen))] += 1,
            Self::Range(range) => {
                if let Some(number) = number(field, seen) {
                    let (low, high) = range.unwrap_or((number, number));
                    *range = Some((low.min(number), high.max(number)));
                }
            }
        }
    }

    /// Takes in what was seen of other documents in the same field.
    pub fn absorb(&mut self, other: Self) {
        match (self, other) {
            (Self::States(states), Self::States(others)) => {
                for (own, more) in states.iter_mut().zip(others) {
                    *own += more;
                }
            }
            (Self::Range(range), Self::Range(other)) => {
                let both = [*range, other].into_iter().flatten();
                *range = both.reduce(|(low, high), (least, most)| (low.min(least), high.max(most)));
            }
            (_, Self::States(_) | Self::Range(_)) => unreachable!("a field is of one kind"),
        }
    }

    /// The facet of `field`; none when there is nothing to show.
    pub fn into_facet(self, field: FilterField, filters: &Filters) -> Option<Facet> {
        let (values, range) = match self {
            Self::States(states) => (values(&field, states, filters)?, None),
            Self::Range(range) => (Vec::new(), Some(range?)),
        };
        Some(Facet {
            field,
            group: String::new(),
            values,
            groups: Vec::new(),
            range,
        })
    }
}

/// The states that documents have or that were chosen; none where there are none, and of discounts where nothing has
/// one.
fn values(field: &FilterField, states: [u64; 2], filters: &Filters) -> Option<Vec<FacetValue>> {
    let chosen = match filters.chosen(field) {
        Some(ChosenField::Flag(states)) => *states,
        _ => [false; 2],
    };
    let carried = *field != FilterField::Discount || states[1] > 0 || chosen != [false; 2];
    let values = [(true, "true"), (false, "false")].map(|(state, text)| FacetValue {
        id: text.into(),
        label: text.into(),
        count: states[usize::from(state)],
        selected: chosen[usize::from(state)],
    });
    let shown = values.into_iter().filter(|v| v.count > 0 || v.selected);
    let values: Vec<FacetValue> = shown.collect();
    (carried && !values.is_empty()).then_some(values)
}
