//! Facets of flags and numbers: states with their counts, and ranges.

use crate::columns::Seen;
use crate::embedded::topk::filters::{ChosenField, Filters, flag, number};
use crate::search_result::{Facet, FacetValue};
use domain::search::{FilterField, FilterKind};

/// What was collected for a field of flags or numbers.
pub enum RangeCollector {
    /// Documents without and with the flag.
    States([u64; 2]),
    /// Lowest and highest number.
    Range(Option<(f64, f64)>),
}

impl RangeCollector {
    /// Returns an empty collector for `field`; none for a field of values.
    pub fn new(field: &FilterField) -> Option<Self> {
        match field.kind() {
            FilterKind::Flag => Some(Self::States([0; 2])),
            FilterKind::Range => Some(Self::Range(None)),
            FilterKind::Values => None,
        }
    }

    /// Adds the flag or number of a document in `field`.
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

    /// Adds what was collected from other documents in the same field.
    pub fn merge(&mut self, other: Self) {
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

    /// Returns the facet of `field`; none if there is nothing to show.
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

/// Returns the states that documents have or that are selected. None if there are none, and for discounts also if no
/// document has one.
fn values(field: &FilterField, states: [u64; 2], filters: &Filters) -> Option<Vec<FacetValue>> {
    let chosen = match filters.chosen(field) {
        Some(ChosenField::Flag(states)) => *states,
        _ => [false; 2],
    };
    let in_use = *field != FilterField::Discount || states[1] > 0 || chosen != [false; 2];
    let values = [(true, "true"), (false, "false")].map(|(state, text)| FacetValue {
        id: text.into(),
        label: text.into(),
        count: states[usize::from(state)],
        selected: chosen[usize::from(state)],
    });
    let shown = values.into_iter().filter(|v| v.count > 0 || v.selected);
    let values: Vec<FacetValue> = shown.collect();
    (in_use && !values.is_empty()).then_some(values)
}
