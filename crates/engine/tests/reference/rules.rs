//! Random effects of rules, and their effect on a document: whether it matches, its multiplier, and its pin.

use super::expected::{all_numbers, all_values, meets};
use super::test_query::choices;
use domain::document::Document;
use domain::rule::{BoostEntry, Modifier, NumericField, TermField};
use domain::search::{FilterChoice, FilterField};
use domain::visitor::Visitor;
use engine::PinState;
use proptest::collection::vec;
use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::select;
use query::Plan;
use query::rules::{BoostRule, PlanRules};

pub fn rules() -> impl Strategy<Value = PlanRules> {
    // Ids are those of the history; some do not exist.
    let ids = |count| vec((0..61u32).prop_map(|number| format!("p{number}")), count);
    let boosts = vec(vec(entries(), 1..3), 0..3);
    let some = (ids(0..8), ids(0..5), choices(), boosts);
    let some = some.prop_map(|(hidden, pins, filters, boosts)| {
        let mut distinct: Vec<String> = Vec::new();
        for pin in pins {
            if !hidden.contains(&pin) && !distinct.contains(&pin) {
                distinct.push(pin);
            }
        }
        let boosts = boosts
            .into_iter()
            .enumerate()
            .map(|(at, entries)| BoostRule {
                rule: format!("rule {at}").into(),
                entries: entries.into(),
            });
        PlanRules {
            hidden,
            filters,
            boosts: boosts.collect(),
            pins: distinct,
        }
    });
    prop_oneof![1 => Just(PlanRules::default()), 2 => some]
}

fn entries() -> impl Strategy<Value = BoostEntry> {
    let weight = || select(vec![0.1, 0.5, 2.0, 5.0, 100.0]);
    let term = (terms(), weight()).prop_map(|((field, value), weight)| BoostEntry::Term {
        field,
        value: value.to_owned(),
        weight,
    });
    let number = || {
        select(vec![
            NumericField::Price,
            NumericField::SalesCount,
            NumericField::Rating,
            NumericField::RatingCount,
            NumericField::FeatureNum,
        ])
    };
    let end = || weighted(0.7, select(vec![0.0, 4.5, 5.0, 10.0, 12.0]));
    let range = (number(), end(), end(), weight()).prop_map(|(field, min, max, weight)| {
        BoostEntry::Range {
            field,
            min,
            max,
            weight,
        }
    });
    use Modifier::{Ln1p, Log1p, None, Sqrt};
    let value = (
        number(),
        select(vec![0.0, 0.5, 1.0, 3.0, 1_000_000.0]),
        select(vec![None, Log1p, Ln1p, Sqrt]),
        weighted(0.5, select(vec![-1.0, 0.0, 2.0])),
    );
    let value = value.prop_map(|(field, factor, modifier, missing)| BoostEntry::Value {
        field,
        factor,
        modifier,
        missing,
    });
    prop_oneof![3 => term, 2 => range, 2 => value]
}

fn terms() -> impl Strategy<Value = (TermField, &'static str)> {
    let brand = super::shop::BRANDS.iter().map(|(_, name)| *name).collect();
    let category = super::shop::CATEGORIES.iter();
    let category = category.flat_map(|(id, name)| [*name, *id]).collect();
    let of = |field: FilterField, values: Vec<&'static str>| {
        select(values).prop_map(move |value| (TermField::Of(field.clone()), value))
    };
    let any = prop_oneof![Just(TermField::AnyAttribute), Just(TermField::AnyFeature)];
    prop_oneof![
        of(FilterField::Manufacturer, brand),
        of(FilterField::Categories, category),
        of(FilterField::Tags, vec!["tent", "red", "A4"]),
        of(FilterField::InStock, vec!["true", "false", "yes"]),
        of(FilterField::Discount, vec!["true", "false"]),
        (any, select(vec!["1", "value 1", "tent"])),
    ]
}

/// Whether rules allow a document to match.
pub fn allow(plan: &Plan, document: &Document, visitor: &Visitor) -> bool {
    !plan.rules.hidden.contains(&document.id) && meets_filters(plan, document, visitor)
}

fn meets_filters(plan: &Plan, document: &Document, visitor: &Visitor) -> bool {
    let mut filters = plan.rules.filters.iter();
    filters.all(|choice: &FilterChoice| meets(document, visitor, choice))
}

/// The multiplier of rules for a document, 0 to 1,000,000.
pub fn multiplier(plan: &Plan, document: &Document, visitor: &Visitor) -> f64 {
    let entries = plan
        .rules
        .boosts
        .iter()
        .flat_map(|rule| rule.entries.iter());
    let all: Vec<f64> = entries
        .map(|entry| of_entry(entry, document, visitor))
        .collect();
    if all.contains(&0.0) {
        return 0.0;
    }
    // By logarithms, which cannot overflow.
    let logarithm: f64 = all.iter().map(|one| one.ln()).sum();
    logarithm.exp().min(1_000_000.0)
}

fn of_entry(entry: &BoostEntry, document: &Document, visitor: &Visitor) -> f64 {
    let number = |field: &NumericField| match field {
        NumericField::Price => all_numbers(document, visitor).remove(&FilterField::Price),
        // With returns a shop may report negative sales, which count as 0 everywhere.
        NumericField::SalesCount => document.numbers.sales_count.map(|sold| sold.max(0.0)),
        NumericField::Rating => document.numbers.rating,
        NumericField::RatingCount => document.numbers.rating_count,
        NumericField::FeatureNum => document.numbers.feature_num,
    };
    match entry {
        BoostEntry::Term {
            field,
            value,
            weight,
        } => {
            let meant = |known: &FilterField| match field {
                TermField::Of(field) => field == known,
                TermField::AnyAttribute => matches!(known, FilterField::Attributes(_)),
                TermField::AnyFeature => matches!(known, FilterField::Features(_)),
            };
            let values = all_values(document, visitor).into_iter();
            let mut own = values
                .filter(|(known, _)| meant(known))
                .flat_map(|(_, v)| v);
            if own.any(|(_, text)| text == *value) {
                *weight
            } else {
                1.0
            }
        }
        BoostEntry::Range {
            field,
            min,
            max,
            weight,
        } => {
            let (min, max) = (
                min.unwrap_or(f64::NEG_INFINITY),
                max.unwrap_or(f64::INFINITY),
            );
            match number(field) {
                Some(number) if (min..=max).contains(&number) => *weight,
                _ => 1.0,
            }
        }
        BoostEntry::Value {
            field,
            factor,
            modifier,
            missing,
        } => match number(field).or(*missing) {
            None => 1.0,
            Some(value) if value <= 0.0 => 0.0,
            Some(value) => {
                factor
                    * match modifier {
                        Modifier::None => value,
                        Modifier::Log1p => (1.0 + value).log10(),
                        Modifier::Ln1p => (1.0 + value).ln(),
                        Modifier::Sqrt => value.powf(0.5),
                    }
            }
        },
    }
}

/// The expected state of every pin.
pub fn pin_states<'a>(
    plan: &Plan,
    visitor: &Visitor,
    find: impl Fn(&str) -> Option<(&'a Document, bool)>,
    choices: &[FilterChoice],
) -> Vec<PinState> {
    let states = plan.rules.pins.iter().map(|id| match find(id) {
        None => PinState::Unknown,
        Some((_, false)) => PinState::Unavailable,
        Some((document, true)) => {
            let mut chosen = choices.iter();
            let passes = chosen.all(|choice| meets(document, visitor, choice));
            match passes && meets_filters(plan, document, visitor) {
                true => PinState::Shown,
                false => PinState::Filtered,
            }
        }
    });
    states.collect()
}
