//! Facets of flags and numbers: states with their counts, and ranges.

use crate::columns::Seen;
use crate::embedded::topk::filters::{flag, number};
use crate::facet_policy::FacetPolicy;
use crate::search_result::Facet;
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

    /// Returns the facet of `field` under `policy`; none if there is nothing to show.
    pub fn into_facet(self, field: FilterField, policy: &FacetPolicy<'_>) -> Option<Facet> {
        match self {
            Self::States(states) => policy.flag(field, states),
            Self::Range(range) => policy.range(field, range),
        }
    }
}
