//! Boosts of rules, resolved to lookups of the numbers and values of a document.

use crate::columns::{Dictionary, DictionaryEntries, FieldNumber, Seen, ValueId};
use domain::rule::{BoostEntry, Modifier, NumericField, TermField};
use domain::search::{FilterField, FilterKind};
use query::breakdown::RuleMultiplier;
use query::rules::{BoostRule, entry_of_value, of_rule, product};

/// The boosts of all rules that apply.
#[derive(PartialEq)]
pub struct RuleBoosts(Vec<(String, Vec<BoostLookup>)>);

/// One entry of a boost.
#[derive(PartialEq)]
enum BoostLookup {
    /// A weight for any of these values.
    Values(Vec<(FieldNumber, ValueId)>, f64),
    /// A weight for a flag in this state.
    Flag(FilterField, bool, f64),
    /// A weight for a number in this range.
    Range(NumericField, Option<f64>, Option<f64>, f64),
    /// A function of the number itself.
    Value(NumericField, f64, Modifier, Option<f64>),
}

impl RuleBoosts {
    pub fn new(rules: &[BoostRule], dictionary: &Dictionary) -> Self {
        let entries = dictionary.read();
        let rules = rules.iter().map(|rule| {
            let lookups = rule.entries.iter().map(|entry| lookup(entry, &entries));
            (rule.rule.to_string(), lookups.collect())
        });
        Self(rules.collect())
    }

    /// Returns the factor by which the score of a document is multiplied.
    pub fn multiplier(&self, seen: &Seen<'_>) -> f64 {
        product(self.0.iter().map(|(_, lookups)| entries_of(lookups, seen)))
    }

    /// Returns the factor of each rule as it is applied, without factors of 1.
    pub fn by_rule(&self, seen: &Seen<'_>) -> Vec<RuleMultiplier> {
        let all = self.0.iter();
        RuleMultiplier::shown(all.map(|(id, lookups)| (id.clone(), entries_of(lookups, seen))))
    }
}

/// Multiplies the entries of one rule.
fn entries_of(lookups: &[BoostLookup], seen: &Seen<'_>) -> f64 {
    of_rule(lookups.iter().map(|lookup| lookup.multiplier(seen)))
}

fn lookup(entry: &BoostEntry, entries: &DictionaryEntries<'_>) -> BoostLookup {
    match entry {
        BoostEntry::Term {
            field: TermField::Of(field),
            value,
            weight,
        } if field.kind() == FilterKind::Flag => match value.as_str() {
            "true" => BoostLookup::Flag(field.clone(), true, *weight),
            "false" => BoostLookup::Flag(field.clone(), false, *weight),
            _ => BoostLookup::Values(Vec::new(), *weight),
        },
        BoostEntry::Term {
            field,
            value,
            weight,
        } => BoostLookup::Values(values(field, value, entries), *weight),
        BoostEntry::Range {
            field,
            min,
            max,
            weight,
        } => BoostLookup::Range(*field, *min, *max, *weight),
        BoostEntry::Value {
            field,
            factor,
            modifier,
            missing,
        } => BoostLookup::Value(*field, *factor, *modifier, *missing),
    }
}

/// Returns the values of a field with exactly this text.
fn values(
    field: &TermField,
    text: &str,
    entries: &DictionaryEntries<'_>,
) -> Vec<(FieldNumber, ValueId)> {
    if let TermField::Of(field) = field {
        let number = entries.number(field).into_iter();
        let values = number.flat_map(|number| {
            let labelled = entries.labelled(number, text);
            labelled.map(move |value| (number, value))
        });
        return values.collect();
    }
    let meant = |known: &FilterField| match field {
        TermField::Of(field) => known == field,
        TermField::AnyAttribute => matches!(known, FilterField::Attributes(_)),
        TermField::AnyFeature => matches!(known, FilterField::Features(_)),
    };
    let fields = entries.fields().filter(|(_, known, _)| meant(known));
    let values = fields.flat_map(|(field, ..)| {
        let labelled = entries.labelled(field, text);
        labelled.map(move |value| (field, value))
    });
    values.collect()
}

impl BoostLookup {
    fn multiplier(&self, seen: &Seen<'_>) -> f64 {
        let when = |holds: bool, weight: f64| if holds { weight } else { 1.0 };
        match self {
            Self::Values(wanted, weight) => {
                let own = seen.values();
                let mut wanted = wanted.iter();
                let has = |(field, value): &(_, _)| {
                    let of_field = own.of_field(*field);
                    of_field.binary_search(value).is_ok()
                };
                when(wanted.any(has), *weight)
            }
            Self::Flag(field, state, weight) => {
                when(super::filters::flag(field, seen) == *state, *weight)
            }
            Self::Range(field, min, max, weight) => {
                let within = number(*field, seen).is_some_and(|number| {
                    min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max)
                });
                when(within, *weight)
            }
            Self::Value(field, factor, modifier, missing) => {
                entry_of_value(*factor, *modifier, *missing, number(*field, seen))
            }
        }
    }
}

fn number(field: NumericField, seen: &Seen<'_>) -> Option<f64> {
    match field {
        NumericField::Price => seen.price(),
        NumericField::SalesCount => seen.row().sold(),
        NumericField::Rating => seen.row().rating(),
        NumericField::RatingCount => seen.row().rating_count(),
        NumericField::FeatureNum => seen.row().feature_num(),
    }
}
