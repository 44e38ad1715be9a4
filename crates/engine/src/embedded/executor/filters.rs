//! What a shopper chose, as tests on the numbers of a document.

use crate::columns::{Columns, Dictionary, NumberRow, ValueId};
use domain::search::{Choice, FilterField, RangeValue};

/// The choices of a request, by field.
pub struct Filters {
    tests: Vec<(FilterField, Test)>,
}

enum Test {
    /// One of these values, sorted.
    Values(Vec<ValueId>),
    /// Either of these states.
    InStock { wanted: bool, or_not: bool },
    /// A price within these ends.
    Price(RangeValue),
}

/// Which choices a document meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All of them.
    Passes,
    /// All but that of one field, so that it counts for the facet of that field.
    FailsOnly(FilterField),
    /// Two or more fail.
    Fails,
}

impl Filters {
    pub fn new(choices: &[Choice], dictionary: &Dictionary) -> Self {
        let tests = choices.iter().map(|choice| match choice {
            Choice::Price(range) => (FilterField::Price, Test::Price(*range)),
            Choice::Any(FilterField::InStock, values) => {
                let has = |text: &str| values.iter().any(|value| value == text);
                (
                    FilterField::InStock,
                    Test::InStock {
                        wanted: has("true"),
                        or_not: has("false"),
                    },
                )
            }
            Choice::Any(field, values) => (*field, Test::Values(dictionary.find(*field, values))),
        });
        Self {
            tests: tests.collect(),
        }
    }

    /// What the choices say of a document.
    pub fn verdict(&self, columns: &Columns, ordinal: u32, row: &NumberRow) -> Verdict {
        let mut verdict = Verdict::Passes;
        for (field, test) in &self.tests {
            if !test.passes(*field, columns, ordinal, row) {
                match verdict {
                    Verdict::Passes => verdict = Verdict::FailsOnly(*field),
                    _ => return Verdict::Fails,
                }
            }
        }
        verdict
    }

    /// Whether the shopper chose `value` of `field`.
    pub fn selects(&self, field: FilterField, value: ValueId) -> bool {
        self.selected(field).contains(&value)
    }

    /// All values of `field` that the shopper chose.
    pub fn selected(&self, field: FilterField) -> &[ValueId] {
        let test = self.tests.iter().find(|(of, _)| *of == field);
        match test {
            Some((_, Test::Values(values))) => values,
            _ => &[],
        }
    }

    /// Whether the shopper chose one of the two states of stock.
    pub fn selects_stock(&self, state: bool) -> bool {
        self.tests.iter().any(|(_, test)| match test {
            Test::InStock { wanted, or_not } => (state && *wanted) || (!state && *or_not),
            _ => false,
        })
    }
}

impl Test {
    fn passes(&self, field: FilterField, columns: &Columns, ordinal: u32, row: &NumberRow) -> bool {
        match self {
            Self::Values(values) if field == FilterField::Manufacturer => {
                values.binary_search(&row.brand).is_ok()
            }
            Self::Values(values) => columns
                .categories(ordinal)
                .iter()
                .any(|value| values.binary_search(value).is_ok()),
            Self::InStock { wanted, or_not } => {
                if row.in_stock() {
                    *wanted
                } else {
                    *or_not
                }
            }
            Self::Price(range) => row.price().is_some_and(|price| {
                range.min.is_none_or(|min| price >= min) && range.max.is_none_or(|max| price <= max)
            }),
        }
    }
}
