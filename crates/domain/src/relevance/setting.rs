//! The table of search settings: name, type and range, recommended maximum and description.

use super::setting_values::{Fuzziness, Percent, ReferenceMode, percent};
use crate::message::{self, Message, MessageValue};
use serde::{Deserialize, Serialize};
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

/// Where the control panel shows a setting: the settings of a group stand together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingGroup {
    /// Tolerance of typos.
    Typos,
    /// How many words must match.
    Words,
    /// Words close together.
    Closeness,
    /// Factors from facts of a product.
    Facts,
    /// Queries that are codes.
    CodeSearch,
    /// Products that are left out.
    LeftOut,
}

impl SettingGroup {
    /// All groups, in the order in which they are shown.
    pub const ALL: [Self; 6] = [
        Self::Typos,
        Self::Words,
        Self::Closeness,
        Self::Facts,
        Self::CodeSearch,
        Self::LeftOut,
    ];

    /// Returns the name, the key of its text in the panel.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Typos => "typos",
            Self::Words => "words",
            Self::Closeness => "closeness",
            Self::Facts => "facts",
            Self::CodeSearch => "codeSearch",
            Self::LeftOut => "leftOut",
        }
    }
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
    /// Group in which the panel shows it.
    pub group: SettingGroup,
    /// Place in its group, from 1.
    pub place: u8,
    /// Description, for schemas and forms.
    pub meaning: &'static str,
}

/// Declares the settings. A row is a field of [`SearchSettings`] and an entry of [`SETTINGS`]: field and type, then name,
/// kind, default, recommended maximum, group with the place in it, and description.
macro_rules! settings {
    ($($field:ident: $type:ty = $name:literal, $kind:expr, $default:expr, $recommended_max:expr, $group:ident, $place:literal,
        $meaning:literal;)*) => {
        /// The effective search settings; the table [`SETTINGS`] describes each.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub struct SearchSettings {
            $(#[doc = $meaning] #[serde(rename = $name)] pub $field: $type,)*
        }

        /// All search settings, in the order of docs/api.md.
        pub const SETTINGS: [Setting; [$($name),*].len()] = [$(Setting {
            name: $name,
            kind: $kind,
            default: $default,
            recommended_max: $recommended_max,
            group: SettingGroup::$group,
            place: $place,
            meaning: $meaning,
        }),*];
    };
}

use SettingDefault::{Bool, Decimal, Text, Whole};
use SettingKind::{Choice, Flag, Integer, Number};

settings! {
    fuzziness: Fuzziness = "fuzziness", Choice(&["AUTO", "0", "1", "2"]), Text("AUTO"), None, Typos, 1,
        "Typos tolerated in a word; AUTO depends on its length.";
    fuzzy_prefix_length: u32 = "fuzzyPrefixLength", Integer(0, 2), Whole(2), None, Typos, 2,
        "Leading characters of a word in which no typo is tolerated.";
    min_match_short: Percent = "minMatchShort", SettingKind::Percent, Text("75%"), None, Words, 1,
        "Share of the words that must match in short queries.";
    min_match_long: Percent = "minMatchLong", SettingKind::Percent, Text("30%"), None, Words, 2,
        "Share of the words that must match in long queries.";
    long_query_threshold: u32 = "longQueryThreshold", Integer(1, 20), Whole(5), None, Words, 3,
        "Number of words from which a query is long.";
    phrase_boost: f64 = "phraseBoost", Number(0.0, 300.0), Decimal(8.0), Some(30.0), Closeness, 1,
        "Bonus if the name or one tag contains the words as a phrase.";
    exact_ref_boost: f64 = "exactRefBoost", Number(0.0, 500.0), Decimal(20.0), Some(50.0), CodeSearch, 1,
        "Bonus if the query is exactly a reference, EAN, UPC or MPN.";
    cross_fields_boost: f64 = "crossFieldsBoost", Number(0.0, 200.0), Decimal(3.0), Some(20.0), Closeness, 2,
        "Weight of a match across several fields.";
    stock_boost: f64 = "stockBoost", Number(0.0, 50.0), Decimal(1.5), Some(5.0), Facts, 1,
        "Factor added for products in stock; 0 turns it off.";
    sales_boost: f64 = "salesBoost", Number(0.0, 50.0), Decimal(0.5), None, Facts, 2,
        "Factor from units sold, by their logarithm.";
    rating_boost: f64 = "ratingBoost", Number(0.0, 50.0), Decimal(0.3), None, Facts, 3,
        "Factor from the rating, by its logarithm.";
    discount_boost: f64 = "discountBoost", Number(0.0, 50.0), Decimal(1.1), None, Facts, 4,
        "Factor added for products with an active discount.";
    hide_out_of_stock: bool = "hideOutOfStock", Flag, Bool(false), None, LeftOut, 1,
        "Leaves out products that cannot be ordered.";
    exact_reference_search: bool = "exactReferenceSearch", Flag, Bool(true), None, CodeSearch, 3,
        "True: a reference must match as a whole; false: a substring also matches.";
    reference_case_sensitive: bool = "referenceCaseSensitive", Flag, Bool(false), None, CodeSearch, 4,
        "True only if codes of the shop differ by case alone.";
    score_cutoff: u32 = "scoreCutoff", Integer(0, 100), Whole(0), None, LeftOut, 2,
        "Drops products that score below this percentage of the best; 0 is off.";
    reference_mode: ReferenceMode = "referenceMode", Choice(&["off", "priority", "strict"]), Text("off"), None, CodeSearch, 2,
        "How a query that is a code is searched.";
}

impl Setting {
    /// Returns the setting called `name`.
    pub fn named(name: &str) -> Option<&'static Self> {
        SETTINGS.iter().find(|setting| setting.name == name)
    }

    /// Returns the value in canonical form (`73.0` of an integer becomes `73`).
    ///
    /// Errors: the reason, without the field, if the value is of the wrong type or out of range.
    pub fn check(&self, value: &Value) -> Result<Value, Message> {
        match self.kind {
            Choice(allowed) => match value.as_str() {
                Some(text) if allowed.contains(&text) => Ok(value.clone()),
                _ => Err(message::value::one_of_got(
                    quoted(allowed),
                    value.to_string(),
                )),
            },
            Flag if value.is_boolean() => Ok(value.clone()),
            Flag => Err(must_be(message::kind::flag(), value)),
            Integer(min, max) => match whole(value) {
                Some(number) if (min..=max).contains(&number) => Ok(json!(number)),
                Some(number) => Err(message::number::between(min, max, number)),
                None => Err(must_be(message::kind::whole(), value)),
            },
            Number(min, max) => match value.as_f64() {
                Some(number) if (min..=max).contains(&number) => Ok(json!(number)),
                Some(_) => Err(message::number::between(min, max, value.to_string())),
                None => Err(must_be(message::kind::number(), value)),
            },
            SettingKind::Percent => match value.as_str().and_then(percent) {
                Some(_) => Ok(value.clone()),
                None => Err(must_be(message::expected::percentage(), value)),
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
            SettingKind::Percent => json!({
                "type": "string",
                "pattern": "^(100|[1-9]?[0-9])%$",
                "x-expected": message::expected::percentage().text
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

fn must_be(expected: Message, got: &Value) -> Message {
    message::value::must_be_got(expected, got.to_string())
}

fn quoted(texts: &[&str]) -> MessageValue {
    message::list(texts.iter().map(|text| format!("\"{text}\"")))
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
    fn groups_number_their_settings() {
        for group in SettingGroup::ALL {
            let own = SETTINGS.iter().filter(|setting| setting.group == group);
            let mut places: Vec<u8> = own.map(|setting| setting.place).collect();
            places.sort_unstable();
            assert!(
                (1..).zip(places).all(|(at, place)| at == place),
                "{group:?}"
            );
        }
    }
}
