//! The table of search settings: name, type and range, recommended maximum and description.

use serde_json::{Map, Value, json};

/// The type and range of a setting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SettingKind {
    /// One of a list of texts.
    Choice(&'static [&'static str]),
    /// A whole number from minimum to maximum.
    Integer(i64, i64),
    /// A number from minimum to maximum.
    Number(f64, f64),
    /// A whole percentage as text, `0%` to `100%`.
    Percent,
    /// True or false.
    Flag,
}

/// The default of a setting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SettingDefault {
    /// Of a choice or a percentage.
    Text(&'static str),
    /// Of a whole number.
    Whole(i64),
    /// Of a number.
    Decimal(f64),
    /// Of a flag.
    Bool(bool),
}

/// One search setting.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Name in the API.
    pub name: &'static str,
    /// Type and range.
    pub kind: SettingKind,
    /// The value in effect unless another one was saved.
    pub default: SettingDefault,
    /// Recommended maximum; the advice warns above it.
    pub recommended_max: Option<f64>,
    /// Description, for schemas and forms.
    pub meaning: &'static str,
}

const fn setting(
    name: &'static str,
    kind: SettingKind,
    default: SettingDefault,
    recommended_max: Option<f64>,
    meaning: &'static str,
) -> Setting {
    Setting {
        name,
        kind,
        default,
        recommended_max,
        meaning,
    }
}

use SettingDefault::{Bool, Decimal, Text, Whole};
use SettingKind::{Choice, Flag, Integer, Number, Percent};

/// All search settings, in the order of docs/api.md.
pub const SETTINGS: [Setting; 17] = [
    setting(
        "fuzziness",
        Choice(&["AUTO", "0", "1", "2"]),
        Text("AUTO"),
        None,
        "Typos tolerated in a word; AUTO depends on its length.",
    ),
    setting(
        "fuzzyPrefixLength",
        Integer(0, 2),
        Whole(2),
        None,
        "Leading characters of a word in which no typo is tolerated.",
    ),
    setting(
        "minMatchShort",
        Percent,
        Text("75%"),
        None,
        "Share of the words that must match in short queries.",
    ),
    setting(
        "minMatchLong",
        Percent,
        Text("30%"),
        None,
        "Share of the words that must match in long queries.",
    ),
    setting(
        "longQueryThreshold",
        Integer(1, 20),
        Whole(5),
        None,
        "Number of words from which a query is long.",
    ),
    setting(
        "phraseBoost",
        Number(0.0, 300.0),
        Decimal(8.0),
        Some(30.0),
        "Bonus if the name or one tag contains the words as a phrase.",
    ),
    setting(
        "exactRefBoost",
        Number(0.0, 500.0),
        Decimal(20.0),
        Some(50.0),
        "Bonus if the query is exactly a reference, EAN, UPC or MPN.",
    ),
    setting(
        "crossFieldsBoost",
        Number(0.0, 200.0),
        Decimal(3.0),
        Some(20.0),
        "Weight of a match across several fields.",
    ),
    setting(
        "stockBoost",
        Number(0.0, 50.0),
        Decimal(1.5),
        Some(5.0),
        "Factor added for products in stock; 0 turns it off.",
    ),
    setting(
        "salesBoost",
        Number(0.0, 50.0),
        Decimal(0.5),
        None,
        "Factor from units sold, by their logarithm.",
    ),
    setting(
        "ratingBoost",
        Number(0.0, 50.0),
        Decimal(0.3),
        None,
        "Factor from the rating, by its logarithm.",
    ),
    setting(
        "discountBoost",
        Number(0.0, 50.0),
        Decimal(1.1),
        None,
        "Factor added for products with an active discount.",
    ),
    setting(
        "hideOutOfStock",
        Flag,
        Bool(false),
        None,
        "Leaves out products that cannot be ordered.",
    ),
    setting(
        "exactReferenceSearch",
        Flag,
        Bool(true),
        None,
        "True: a reference must match as a whole; false: a substring also matches.",
    ),
    setting(
        "referenceCaseSensitive",
        Flag,
        Bool(false),
        None,
        "True only if codes of the shop differ by case alone.",
    ),
    setting(
        "scoreCutoff",
        Integer(0, 100),
        Whole(0),
        None,
        "Drops products that score below this percentage of the best; 0 is off.",
    ),
    setting(
        "referenceMode",
        Choice(&["off", "priority", "strict"]),
        Text("off"),
        None,
        "How a query that is a code is searched.",
    ),
];

impl Setting {
    /// Returns the setting called `name`.
    pub fn named(name: &str) -> Option<&'static Self> {
        SETTINGS.iter().find(|setting| setting.name == name)
    }

    /// Returns the value in canonical form (`73.0` of an integer becomes `73`).
    ///
    /// Errors: the reason, without the field, if the value is of the wrong type or out of range.
    pub fn check(&self, value: &Value) -> Result<Value, String> {
        match self.kind {
            Choice(allowed) => match value.as_str() {
                Some(text) if allowed.contains(&text) => Ok(value.clone()),
                _ => Err(format!("must be one of {}, got {value}", quoted(allowed))),
            },
            Flag if value.is_boolean() => Ok(value.clone()),
            Flag => Err(format!("must be true or false, got {value}")),
            Integer(min, max) => match whole(value) {
                Some(number) if (min..=max).contains(&number) => Ok(json!(number)),
                Some(number) => Err(format!("must be between {min} and {max}, got {number}")),
                None => Err(format!("must be a whole number, got {value}")),
            },
            Number(min, max) => match value.as_f64() {
                Some(number) if (min..=max).contains(&number) => Ok(json!(number)),
                Some(_) => Err(format!("must be between {min} and {max}, got {value}")),
                None => Err(format!("must be a number, got {value}")),
            },
            Percent => match value.as_str().and_then(percent) {
                Some(_) => Ok(value.clone()),
                None => Err(format!("must be {PERCENT_EXPECTED}, got {value}")),
            },
        }
    }

    /// Returns the JSON schema of the setting's values.
    pub fn schema(&self) -> Value {
        let mut schema = match self.kind {
            Choice(allowed) => json!({"type": "string", "enum": allowed}),
            Flag => json!({"type": "boolean"}),
            Integer(min, max) => json!({"type": "integer", "minimum": min, "maximum": max}),
            Number(min, max) => json!({"type": "number", "minimum": min, "maximum": max}),
            Percent => json!({
                "type": "string",
                "pattern": "^(100|[1-9]?[0-9])%$",
                "x-expected": PERCENT_EXPECTED
            }),
        };
        schema["description"] = json!(self.meaning);
        schema
    }
}

impl From<SettingDefault> for Value {
    fn from(default: SettingDefault) -> Self {
        match default {
            Text(text) => json!(text),
            Whole(number) => json!(number),
            Decimal(number) => json!(number),
            Bool(flag) => json!(flag),
        }
    }
}

/// Description of a percentage for error messages; also `x-expected` of the schema.
const PERCENT_EXPECTED: &str = "a percentage text from \"0%\" to \"100%\" such as \"75%\"";

/// Parses a percentage such as `75%`.
pub fn percent(text: &str) -> Option<u32> {
    let digits = text.strip_suffix('%')?;
    let valid = !digits.is_empty()
        && digits.len() <= 3
        && digits.bytes().all(|b| b.is_ascii_digit())
        && (digits == "0" || !digits.starts_with('0'));
    let number: u32 = if valid {
        digits.parse().ok()?
    } else {
        return None;
    };
    (number <= 100).then_some(number)
}

/// Returns the JSON schema of the object `searchSettings`.
pub fn settings_schema() -> Value {
    let properties: Map<String, Value> = SETTINGS
        .iter()
        .map(|s| (s.name.to_owned(), s.schema()))
        .collect();
    json!({"type": "object", "properties": properties, "additionalProperties": false})
}

fn whole(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| {
        value
            .as_f64()
            .filter(|f| f.fract() == 0.0 && f.abs() < 9e15)
            .map(|f| f as i64)
    })
}

fn quoted(texts: &[&str]) -> String {
    texts
        .iter()
        .map(|t| format!("\"{t}\""))
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bound_is_accepted_and_one_step_beyond_is_not() {
        for setting in &SETTINGS {
            let (min, max) = match setting.kind {
                Integer(min, max) => (min as f64, max as f64),
                Number(min, max) => (min, max),
                _ => continue,
            };
            for (value, good) in [
                (min - 1.0, false),
                (min, true),
                (max, true),
                (max + 1.0, false),
            ] {
                assert_eq!(
                    setting.check(&json!(value)).is_ok(),
                    good,
                    "{} {value}",
                    setting.name
                );
            }
        }
    }

    #[test]
    fn percent_texts_are_whole_and_at_most_one_hundred() {
        for good in ["0%", "7%", "75%", "100%"] {
            assert!(percent(good).is_some(), "{good}");
        }
        for bad in [
            "", "%", "75", "075%", "101%", "7.5%", "-1%", " 75%", "75 %", "١%",
        ] {
            assert!(percent(bad).is_none(), "{bad}");
        }
    }
}
