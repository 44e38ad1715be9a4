//! What a shopper chose, as tests on the numbers and values of a document.

use crate::columns::{Dictionary, FieldNumber, Seen, ValueId};
use domain::search::{FilterChoice, FilterField, FilterKind, RangeValue};
use std::collections::HashSet;

/// The choices of a request, by field.
#[derive(PartialEq)]
pub struct Filters {
    tests: Vec<Test>,
}

/// The choice of one field.
#[derive(PartialEq)]
pub struct Test {
    /// The field.
    pub field: FilterField,
    /// What was chosen of it.
    pub chosen: ChosenField,
}

/// What was chosen of a field.
#[derive(PartialEq)]
pub enum ChosenField {
    /// Any of these values.
    Values(ChosenValues),
    /// States: without it, with it.
    Flag([bool; 2]),
    /// A number within these ends.
    Range(RangeValue),
}

/// Values that were chosen of a field.
#[derive(PartialEq)]
pub struct ChosenValues {
    /// Number of the field; none when no document ever had it.
    field: Option<FieldNumber>,
    /// The values, in order.
    pub all: Vec<ValueId>,
    /// The texts that were sent, each with the values that it means.
    pub sent: Vec<(String, Vec<ValueId>)>,
}

/// Which choices a document meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All of them.
    Passes,
    /// All but the one of this place, so that it counts for the facet of that field.
    FailsOnly(usize),
    /// Two or more fail.
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

    /// What the choices say of a document.
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

    /// The choices, in the order of the verdicts.
    pub fn tests(&self) -> &[Test] {
        &self.tests
    }

    /// What was chosen of `field`.
    pub fn chosen(&self, field: &FilterField) -> Option<&ChosenField> {
        let test = self.tests.iter().find(|test| test.field == *field);
        test.map(|test| &test.chosen)
    }
}

fn values_of(field: &FilterField, wanted: &[String], dictionary: &Dictionary) -> ChosenField {
    let entries = dictionary.read();
    let mut sent: Vec<(String, Vec<ValueId>)> = Vec::new();
    let mut met = HashSet::new();
    for text in wanted.iter().filter(|text| met.insert(text.as_str())) {
        sent.push((text.clone(), entries.find(field, text)));
    }
    let mut all: Vec<ValueId> = sent.iter().flat_map(|(_, own)| own).copied().collect();
    all.sort_unstable();
    all.dedup();
    ChosenField::Values(ChosenValues {
        field: entries.number(field),
        all,
        sent,
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

/// Whether a document has the state that `field` asks for.
pub fn flag(field: &FilterField, seen: &Seen<'_>) -> bool {
    match field {
        FilterField::Discount => seen.discounted(),
        _ => seen.row().in_stock(),
    }
}

/// The number of a document in `field`.
pub fn number(field: &FilterField, seen: &Seen<'_>) -> Option<f64> {
    match field {
        FilterField::Price => seen.price(),
        FilterField::Rating => seen.row().rating(),
        _ => seen.row().feature_num(),
    }
}
