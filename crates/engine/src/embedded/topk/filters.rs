//! The filters of a request as tests on the numbers and values of a document.

use crate::columns::{Dictionary, FieldNumber, Seen, ValueId};
use domain::search::{FilterChoice, FilterField, FilterKind, RangeValue};

/// The filters of a request, by field.
#[derive(PartialEq)]
pub struct Filters {
    tests: Vec<Test>,
}

/// The filter of one field.
#[derive(PartialEq)]
pub struct Test {
    /// The field.
    pub field: FilterField,
    /// What is selected in it.
    pub chosen: ChosenField,
}

/// What is selected in a field.
#[derive(PartialEq)]
pub enum ChosenField {
    /// Any of these values.
    Values(ChosenValues),
    /// States of a flag: whether false, and whether true is selected.
    Flag([bool; 2]),
    /// A number within this range.
    Range(RangeValue),
}

/// Values that are selected in a field.
#[derive(PartialEq)]
pub struct ChosenValues {
    /// Number of the field; none if no document ever had a value in it.
    field: Option<FieldNumber>,
    /// The values, in order.
    pub all: Vec<ValueId>,
}

/// Which filters a document passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All filters.
    Passes,
    /// All filters except the one with this index, so it counts for the facet of that field.
    FailsOnly(usize),
    /// Two or more filters fail.
    Fails,
}

impl Filters {
    pub fn new(choices: &[FilterChoice], dictionary: &Dictionary) -> Self {
        let tests = choices.iter().map(|choice| Test {
            field: choice.field().clone(),
            chosen: match choice {
                FilterChoice::Range(_, range) => ChosenField::Range(*range),
                FilterChoice::Any(field, values) if field.kind() == FilterKind::Flag => {
                    let has = |text: &str| values.iter().any(|value| value == text);
                    ChosenField::Flag([has("false"), has("true")])
                }
                FilterChoice::Any(field, values) => values_of(field, values, dictionary),
            },
        });
        Self {
            tests: tests.collect(),
        }
    }

    /// Applies the filters to a document.
    pub fn verdict(&self, seen: &Seen<'_>) -> Verdict {
        let mut verdict = Verdict::Passes;
        for (at, test) in self.tests.iter().enumerate() {
            if !test.passes(seen) {
                match verdict {
                    Verdict::Passes => verdict = Verdict::FailsOnly(at),
                    _ => return Verdict::Fails,
                }
            }
        }
        verdict
    }

    /// Returns the filters, in the order of their indices in verdicts.
    pub fn tests(&self) -> &[Test] {
        &self.tests
    }

    /// Returns what is selected in `field`.
    pub fn chosen(&self, field: &FilterField) -> Option<&ChosenField> {
        let test = self.tests.iter().find(|test| test.field == *field);
        test.map(|test| &test.chosen)
    }
}

fn values_of(field: &FilterField, wanted: &[String], dictionary: &Dictionary) -> ChosenField {
    let entries = dictionary.read();
    let wanted = wanted.iter();
    let mut all: Vec<ValueId> = wanted.flat_map(|text| entries.find(field, text)).collect();
    all.sort_unstable();
    all.dedup();
    ChosenField::Values(ChosenValues {
        field: entries.number(field),
        all,
    })
}

impl Test {
    fn passes(&self, seen: &Seen<'_>) -> bool {
        match &self.chosen {
            ChosenField::Values(chosen) => {
                let own = (chosen.field).map_or(&[][..], |field| seen.values().of_field(field));
                chosen
                    .all
                    .iter()
                    .any(|value| own.binary_search(value).is_ok())
            }
            ChosenField::Flag(states) => states[usize::from(flag(&self.field, seen))],
            ChosenField::Range(range) => number(&self.field, seen).is_some_and(|number| {
                range.min.is_none_or(|min| number >= min)
                    && range.max.is_none_or(|max| number <= max)
            }),
        }
    }
}

/// Returns the flag of a document in `field`.
pub fn flag(field: &FilterField, seen: &Seen<'_>) -> bool {
    match field {
        FilterField::Discount => seen.discounted(),
        _ => seen.row().in_stock(),
    }
}

/// Returns the number of a document in `field`.
pub fn number(field: &FilterField, seen: &Seen<'_>) -> Option<f64> {
    match field {
        FilterField::Price => seen.price(),
        FilterField::Rating => seen.row().rating(),
        _ => seen.row().feature_num(),
    }
}
