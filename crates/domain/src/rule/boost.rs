//! Entries of a boost rule: multipliers of the score of a product.

use super::field::{NUMERIC_FIELDS, NumericField, TERM_FIELDS, TermField};
use super::published_schema;
use crate::invalid::Invalid;
use crate::limits::{
    BOOST_WEIGHT_MAX, BOOST_WEIGHT_MIN, FIELD_CHARACTERS_MAX, MULTIPLIER_MAX, VALUE_CHARACTERS_MAX,
};
use crate::message;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What an entry depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum BoostMode {
    /// Whether a field has a value.
    #[default]
    Term,
    /// The value of a numeric field.
    Value,
    /// Whether a numeric field lies in a range.
    Range,
}

/// The function applied to a value before it multiplies the score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Modifier {
    /// Nothing.
    #[default]
    None,
    /// The common logarithm of 1 + the value.
    Log1p,
    /// The natural logarithm of 1 + the value.
    Ln1p,
    /// The square root.
    Sqrt,
}

/// One entry of a boost rule, checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase", tag = "mode")]
pub enum BoostEntry {
    /// `weight` if the field has exactly this value, else 1.
    Term {
        /// The field.
        field: TermField,
        /// The text of the value, exactly as indexed.
        value: String,
        /// The multiplier, 0.1 to 100.
        weight: f64,
    },
    /// `factor` × `modifier` of the field's value.
    Value {
        /// The field.
        field: NumericField,
        /// The factor of the modified value.
        factor: f64,
        /// The function applied to the value first.
        modifier: Modifier,
        /// The value of products without one; if not set, their multiplier is 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        missing: Option<f64>,
    },
    /// `weight` if the field lies within the bounds, inclusive, else 1.
    Range {
        /// The field.
        field: NumericField,
        /// Lower bound.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        min: Option<f64>,
        /// Upper bound.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        max: Option<f64>,
        /// The multiplier, 0.1 to 100.
        weight: f64,
    },
}

/// Its mode determines its keys.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(extend("x-published" = published_schema::keys_of_mode()))]
pub struct BoostInput {
    /// What it depends on.
    #[serde(default)]
    pub mode: BoostMode,
    /// The field.
    #[schemars(length(min = 1, max = FIELD_CHARACTERS_MAX))]
    pub field: String,
    /// Mode term: the text of the value exactly as indexed.
    #[serde(default)]
    #[schemars(with = "String", length(min = 1, max = VALUE_CHARACTERS_MAX))]
    pub value: Option<String>,
    /// Modes term and range: the multiplier.
    #[serde(default)]
    #[schemars(with = "f64", range(min = BOOST_WEIGHT_MIN, max = BOOST_WEIGHT_MAX))]
    pub weight: Option<f64>,
    /// Mode value: the factor of the modified value; 1 if left out.
    #[serde(default)]
    #[schemars(with = "f64", range(min = 0.0, max = MULTIPLIER_MAX))]
    pub factor: Option<f64>,
    /// Mode value: the function applied first; `none` if left out.
    #[serde(default)]
    #[schemars(with = "Modifier")]
    pub modifier: Option<Modifier>,
    /// Mode value: that of products without one; if left out, their multiplier is 1.
    #[serde(default)]
    #[schemars(with = "f64")]
    pub missing: Option<f64>,
    /// Mode range: lower bound, inclusive.
    #[serde(default)]
    #[schemars(with = "f64")]
    pub min: Option<f64>,
    /// Mode range: upper bound, inclusive.
    #[serde(default)]
    #[schemars(with = "f64")]
    pub max: Option<f64>,
}

impl BoostInput {
    /// Checks the entry; returns `None` and adds to `errors` if it is invalid.
    pub(super) fn check(self, errors: &mut Vec<Invalid>) -> Option<BoostEntry> {
        let known = errors.len();
        self.check_keys(errors);
        let entry = match self.mode {
            BoostMode::Term => self.term(errors),
            BoostMode::Value => self.of_value(errors),
            BoostMode::Range => self.range(errors),
        };
        entry.filter(|_| errors.len() == known)
    }

    /// Refuses the keys of other modes.
    fn check_keys(&self, errors: &mut Vec<Invalid>) {
        use BoostMode::{Range, Term, Value};
        let keys: [(&str, bool, &[BoostMode]); 7] = [
            ("value", self.value.is_some(), &[Term]),
            ("weight", self.weight.is_some(), &[Term, Range]),
            ("factor", self.factor.is_some(), &[Value]),
            ("modifier", self.modifier.is_some(), &[Value]),
            ("missing", self.missing.is_some(), &[Value]),
            ("min", self.min.is_some(), &[Range]),
            ("max", self.max.is_some(), &[Range]),
        ];
        let mode = match self.mode {
            Term => "term",
            Value => "value",
            Range => "range",
        };
        for (key, given, modes) in keys {
            if given && !modes.contains(&self.mode) {
                let reason = message::rule::not_of_mode(mode);
                errors.push(Invalid::new(key, reason));
            }
        }
    }

    fn term(self, errors: &mut Vec<Invalid>) -> Option<BoostEntry> {
        let weight = checked_weight(self.weight, errors);
        let value = self.value.filter(|value| {
            let characters = value.chars().count();
            (1..=VALUE_CHARACTERS_MAX).contains(&characters)
        });
        if value.is_none() {
            let reason = message::rule::boosted_value(VALUE_CHARACTERS_MAX);
            errors.push(Invalid::new("value", reason));
        }
        let field = TermField::parse(&self.field);
        if field.is_none() {
            let reason = if NumericField::parse(&self.field).is_some() {
                message::rule::numeric()
            } else {
                message::value::one_of_got(TERM_FIELDS, message::quoted(&self.field))
            };
            errors.push(Invalid::new("field", reason));
        }
        Some(BoostEntry::Term {
            field: field?,
            value: value?,
            weight: weight?,
        })
    }

    fn of_value(self, errors: &mut Vec<Invalid>) -> Option<BoostEntry> {
        let factor = self.factor.unwrap_or(1.0);
        if !(0.0..=MULTIPLIER_MAX).contains(&factor) {
            let reason = message::number::between(0, MULTIPLIER_MAX, factor);
            errors.push(Invalid::new("factor", reason));
        }
        Some(BoostEntry::Value {
            field: numeric(&self.field, errors)?,
            factor,
            modifier: self.modifier.unwrap_or_default(),
            missing: self.missing,
        })
    }

    fn range(self, errors: &mut Vec<Invalid>) -> Option<BoostEntry> {
        let weight = checked_weight(self.weight, errors);
        match (self.min, self.max) {
            (None, None) => errors.push(Invalid::new("min", message::number::range_required())),
            (Some(min), Some(max)) if min > max => {
                let reason = message::number::above_max(max, min);
                errors.push(Invalid::new("min", reason));
            }
            _ => {}
        }
        Some(BoostEntry::Range {
            field: numeric(&self.field, errors)?,
            min: self.min,
            max: self.max,
            weight: weight?,
        })
    }
}

fn numeric(name: &str, errors: &mut Vec<Invalid>) -> Option<NumericField> {
    let field = NumericField::parse(name);
    if field.is_none() {
        let names = message::list(NUMERIC_FIELDS.map(|(_, name)| name));
        let reason = message::rule::not_numeric(names);
        errors.push(Invalid::new("field", reason));
    }
    field
}

fn checked_weight(weight: Option<f64>, errors: &mut Vec<Invalid>) -> Option<f64> {
    match weight {
        Some(weight) if (BOOST_WEIGHT_MIN..=BOOST_WEIGHT_MAX).contains(&weight) => Some(weight),
        Some(weight) => {
            let reason = message::number::between(BOOST_WEIGHT_MIN, BOOST_WEIGHT_MAX, weight);
            errors.push(Invalid::new("weight", reason));
            None
        }
        None => {
            errors.push(Invalid::new("weight", message::value::required()));
            None
        }
    }
}
