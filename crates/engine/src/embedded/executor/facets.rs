//! Counts of the values of the found products: each facet ignores its own choice and honours all others.

use super::filters::{Filters, Verdict};
use crate::columns::{Columns, Dictionary, NumberRow, ValueId};
use crate::found::{Facet, FacetValue};
use domain::limits::FACET_VALUES_MAX;
use domain::search::FilterField;

/// Running counts.
pub struct FacetCounts {
    wanted: bool,
    values: Vec<u32>,
    stock: [u64; 2],
    price: Option<(f64, f64)>,
}

impl FacetCounts {
    /// Counts for a dictionary of `values` values.
    pub fn new(wanted: bool, values: usize) -> Self {
        let values = if wanted { vec![0; values] } else { Vec::new() };
        Self {
            wanted,
            values,
            stock: [0; 2],
            price: None,
        }
    }

    /// Counts a document that matches the question, with what the choices say of it.
    pub fn count(&mut self, verdict: Verdict, columns: &Columns, ordinal: u32, row: &NumberRow) {
        if !self.wanted || verdict == Verdict::Fails {
            return;
        }
        let counts = |field| verdict == Verdict::Passes || verdict == Verdict::FailsOnly(field);
        if counts(FilterField::Manufacturer) {
            self.add(row.brand);
        }
        if counts(FilterField::Categories) {
            for value in columns.categories(ordinal) {
                self.add(*value);
            }
        }
        if counts(FilterField::InStock) {
            self.stock[usize::from(row.in_stock())] += 1;
        }
        if counts(FilterField::Price)
            && let Some(price) = row.price()
        {
            let (low, high) = self.price.unwrap_or((price, price));
            self.price = Some((low.min(price), high.max(price)));
        }
    }

    fn add(&mut self, value: ValueId) {
        // Values that came after this snapshot are no values of its documents.
        if let Some(count) = self.values.get_mut(value as usize) {
            *count += 1;
        }
    }

    /// The facets that have values, in the order in which they are shown.
    pub fn into_facets(self, filters: &Filters, dictionary: &Dictionary) -> Vec<Facet> {
        if !self.wanted {
            return Vec::new();
        }
        let facets = FilterField::ALL.map(|field| match field {
            FilterField::Price => Facet {
                field,
                values: Vec::new(),
                range: self.price,
            },
            FilterField::InStock => self.stock_facet(filters),
            FilterField::Manufacturer | FilterField::Categories => {
                self.value_facet(field, filters, dictionary)
            }
        });
        facets
            .into_iter()
            .filter(|f| !f.values.is_empty() || f.range.is_some())
            .collect()
    }

    fn stock_facet(&self, filters: &Filters) -> Facet {
        let values = [true, false].map(|state| FacetValue {
            id: state.to_string(),
            label: state.to_string(),
            count: self.stock[usize::from(state)],
            selected: filters.selects_stock(state),
        });
        let shown = values
            .into_iter()
            .filter(|value| value.count > 0 || value.selected);
        Facet {
            field: FilterField::InStock,
            values: shown.collect(),
            range: None,
        }
    }

    fn value_facet(&self, field: FilterField, filters: &Filters, dictionary: &Dictionary) -> Facet {
        let counted = self.values.iter().enumerate();
        let found = counted
            .filter(|(value, count)| **count > 0 || filters.selects(field, *value as ValueId));
        let mut values: Vec<FacetValue> = found
            .filter_map(|(value, count)| {
                let (id, label) = dictionary.entry_of(field.as_str(), value as ValueId)?;
                let selected = filters.selects(field, value as ValueId);
                Some(FacetValue {
                    id,
                    label,
                    count: u64::from(*count),
                    selected,
                })
            })
            .collect();
        values.sort_by(|a, b| (b.count, &a.label, &a.id).cmp(&(a.count, &b.label, &b.id)));
        let mut kept = 0;
        values.retain(|value| {
            kept += 1;
            kept <= FACET_VALUES_MAX || value.selected
        });
        Facet {
            field,
            values,
            range: None,
        }
    }
}
