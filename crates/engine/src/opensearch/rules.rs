//! The boosts of rules as functions that multiply scores.

use super::fields::{self, pair};
use super::filters::flag;
use super::prices::{VisitorPrices, in_range};
use super::queries::{self, nothing, term};
use domain::label_text::label_text;
use domain::limits::MULTIPLIER_MAX;
use domain::rule::{BoostEntry, Modifier, NumericField, TermField};
use domain::search::{FilterKind, RangeValue};
use query::Plan;
use serde_json::{Value, json};

/// Name of a boost that applies, before the numbers of rule and entry.
pub const BOOST_NAME: &str = "boost";

/// Multiplies the scores of `query` by the boosts of the rules of `plan`, by at most 1,000,000.
pub fn multiplied(query: Value, plan: &Plan, prices: &VisitorPrices, named: bool) -> Value {
    let rules = plan.rules.boosts.iter().enumerate();
    let entries = rules.flat_map(|(rule, own)| {
        own.entries
            .iter()
            .enumerate()
            .map(move |(at, entry)| (rule, at, entry))
    });
    let functions = entries.map(|(rule, at, entry)| {
        let name = named.then(|| format!("{BOOST_NAME}{rule}-{at}"));
        function(entry, prices, name)
    });
    let functions: Vec<Value> = functions.collect();
    if functions.is_empty() {
        return query;
    }
    let mut all = queries::multiplied(query, functions, "multiply");
    all["function_score"]["max_boost"] = MULTIPLIER_MAX.into();
    all
}

fn function(entry: &BoostEntry, prices: &VisitorPrices, name: Option<String>) -> Value {
    let weighted = |filter: Value, weight: f64| {
        let mut own = json!({"filter": [filter]});
        if let Some(name) = name {
            own["_name"] = json!(name);
        }
        json!({"filter": {"bool": own}, "weight": weight})
    };
    match entry {
        BoostEntry::Term {
            field,
            value,
            weight,
        } => weighted(value_of(field, value, prices), *weight),
        BoostEntry::Range {
            field,
            min,
            max,
            weight,
        } => {
            let range = RangeValue {
                min: *min,
                max: *max,
            };
            let within = match field {
                NumericField::Price => prices.within(range),
                other => in_range(number(*other), range),
            };
            weighted(within, *weight)
        }
        BoostEntry::Value {
            field,
            factor,
            modifier,
            missing,
        } => of_value(*field, (*factor, *modifier, *missing), prices),
    }
}

/// Documents with exactly this value.
fn value_of(field: &TermField, value: &str, prices: &VisitorPrices) -> Value {
    let labelled = |name: &str| term(fields::LABELS, &pair(name, &label_text(value)));
    match field {
        TermField::Of(field) if field.kind() == FilterKind::Flag => match value {
            "true" => flag(field, true, prices),
            "false" => flag(field, false, prices),
            _ => nothing(),
        },
        TermField::Of(field) => labelled(&field.to_string()),
        TermField::AnyAttribute => labelled(fields::ANY_ATTRIBUTE),
        TermField::AnyFeature => labelled(fields::ANY_FEATURE),
    }
}

/// The function of a number itself, as `query::rules` defines it.
fn of_value(
    field: NumericField,
    (factor, modifier, missing): (f64, Modifier, Option<f64>),
    prices: &VisitorPrices,
) -> Value {
    let modified = match modifier {
        Modifier::None => "value",
        Modifier::Log1p => "Math.log10(1 + Math.max(value, 0))",
        Modifier::Ln1p => "Math.log1p(Math.max(value, 0))",
        Modifier::Sqrt => "Math.sqrt(Math.max(value, 0))",
    };
    let (source, names) = prices.script(|read| {
        format!(
            "{read} if (value == null) {{ if (params.missing == null) {{ return 1; }} value = params.missing; }} \
             return Math.max(0, params.factor * {modified});"
        )
    });
    let names = match field {
        NumericField::Price => names,
        other => json!([number(other)]),
    };
    json!({"script_score": {"script": {
        "source": source, "params": {"fields": names, "factor": factor, "missing": missing},
    }}})
}

fn number(field: NumericField) -> &'static str {
    match field {
        NumericField::SalesCount => fields::SOLD,
        NumericField::Rating => fields::RATING,
        NumericField::RatingCount => fields::RATING_COUNT,
        NumericField::FeatureNum | NumericField::Price => fields::FEATURE_NUM,
    }
}
