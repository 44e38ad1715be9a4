//! JSON Schema keywords for checks done in code: they are published, but not used to validate requests.

use crate::language::LANGUAGE_PATTERN;
use crate::limits::{
    DOCUMENT_ID_CHARACTERS_MAX, FILTER_VALUES_MAX, HIDDEN_QUERY_CHARACTERS_MAX,
    NAME_CHARACTERS_MAX, SYNONYM_CHARACTERS_MAX, VALUE_CHARACTERS_MAX,
};
use crate::search::{FilterField, FilterKind};
use serde_json::{Map, Value, json};

/// Key of a schema that holds such keywords. The published schema has them beside its own.
pub const PUBLISHED_KEY: &str = "x-published";

/// Returns the schema of an object with these `properties` and `required` keys, which does not restrict other keys.
///
/// Some linters treat an object without `additionalProperties` as closed, and report a required key without a schema;
/// so both are written.
pub fn part(properties: Value, required: &[&str]) -> Value {
    let mut part = json!({"properties": properties, "additionalProperties": true});
    for key in required {
        let schema = &mut part["properties"][*key];
        if schema.is_null() {
            *schema = json!({});
        }
    }
    if !required.is_empty() {
        part["required"] = json!(required);
    }
    part
}

/// Returns the schema of an object in which `key` has this value.
pub fn is(key: &str, value: &str) -> Value {
    part(json!({ key: {"const": value} }), &[key])
}

/// Control characters, as part of a character class.
const CONTROL: &str = r"\u0000-\u001f\u007f-\u009f";
/// White space except control characters, as part of a character class.
const BLANK: &str = r"\u0020\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000";
/// All white space, as part of a character class.
const SPACE: &str =
    r"\u0009-\u000d\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000";

/// Text that is not blank and has no control characters.
pub fn name() -> Value {
    json!({"pattern": format!("^[^{CONTROL}]*[^{CONTROL}{BLANK}][^{CONTROL}]*$")})
}

/// Text with a character other than white space.
pub fn not_blank() -> Value {
    json!({"pattern": format!("[^{SPACE}]")})
}

/// Texts without control characters, except white space at the ends.
pub fn terms() -> Value {
    let pattern = format!("^[{SPACE}]*[^{CONTROL}]*[{SPACE}]*$");
    json!({"items": {"type": "string", "minLength": 1, "maxLength": SYNONYM_CHARACTERS_MAX, "pattern": pattern}})
}

/// Distinct texts of a bounded length, not blank and without control characters.
pub fn hidden_queries() -> Value {
    let mut text = name();
    text["type"] = json!("string");
    text["maxLength"] = json!(HIDDEN_QUERY_CHARACTERS_MAX);
    json!({"items": text, "uniqueItems": true})
}

/// Distinct ids of documents, none of them blank.
pub fn ids() -> Value {
    let mut id = not_blank();
    id["type"] = json!("string");
    id["minLength"] = json!(1);
    id["maxLength"] = json!(DOCUMENT_ID_CHARACTERS_MAX);
    json!({"items": id, "uniqueItems": true})
}

/// An absolute http or https address.
pub fn url() -> Value {
    json!({"pattern": format!("^{}$", url_pattern())})
}

/// The same, or nothing.
pub fn url_or_nothing() -> Value {
    json!({"pattern": format!("^({})?$", url_pattern())})
}

/// An absolute http or https address, or a path that starts with one slash.
pub fn address() -> Value {
    let bad = bad_in_address();
    json!({"pattern": format!(r"^(/([^/{bad}][^{bad}]*)?|{})$", url_pattern())})
}

fn bad_in_address() -> String {
    format!(r"{CONTROL}{BLANK}\\")
}

fn url_pattern() -> String {
    let bad = bad_in_address();
    let host = format!(r"([^/?#:@{bad}]|[^/?#:{bad}][^/?#{bad}]*[^/?#@{bad}])");
    format!(r"[Hh][Tt][Tt][Pp][Ss]?://{host}([/?#][^{bad}]*)?")
}

/// Texts by language, each of which `text` describes.
pub fn by_language(text: Value) -> Value {
    let mut text = text;
    text["type"] = json!("string");
    json!({"propertyNames": {"pattern": LANGUAGE_PATTERN}, "additionalProperties": text})
}

/// Names by language in the feed.
pub fn names() -> Value {
    by_language(json!({"maxLength": NAME_CHARACTERS_MAX}))
}

/// Names by language in the configuration.
pub fn labels() -> Value {
    let mut text = name();
    text["minLength"] = json!(1);
    text["maxLength"] = json!(NAME_CHARACTERS_MAX);
    by_language(text)
}

/// Names of the fields that shoppers may filter by.
pub fn filter_field() -> Value {
    let fixed = FilterField::FIXED.map(|field| field.to_string()).join("|");
    json!({"pattern": format!(r"^({fixed}|(attributes|features)\.[\s\S]+)$")})
}

/// Returns the names of the fields of this kind.
pub fn fields_of(kind: FilterKind) -> Vec<String> {
    let fixed = FilterField::FIXED.into_iter();
    fixed
        .filter(|field| field.kind() == kind)
        .map(|field| field.to_string())
        .collect()
}

/// The values of each field in a FILTER rule.
pub fn filters_of_rule() -> Value {
    let text = json!({"type": "string", "minLength": 1, "maxLength": VALUE_CHARACTERS_MAX});
    let list = |items: &Value| json!({"type": "array", "items": items, "minItems": 1, "maxItems": FILTER_VALUES_MAX});
    let number = json!({"type": "number"});
    let range = json!({
        "type": "object",
        "properties": {"min": number, "max": number},
        "additionalProperties": false,
        "minProperties": 1
    });
    let state = json!({"enum": ["true", "false"]});
    let flag = json!({"anyOf": [{"type": "boolean"}, state, list(&state)]});
    let ranges = fields_of(FilterKind::Range).into_iter();
    let flags = fields_of(FilterKind::Flag).into_iter();
    let fixed = ranges.map(|field| (field, range.clone()));
    let fixed = fixed.chain(flags.map(|field| (field, flag.clone())));
    json!({
        "propertyNames": filter_field(),
        "properties": Map::from_iter(fixed),
        "additionalProperties": {"anyOf": [text, list(&text)]}
    })
}

#[cfg(test)]
mod tests {
    //! 1. A pattern accepts exactly what the code accepts, for texts built from all pieces that matter to either.

    use super::*;
    use crate::rule::check_address;
    use crate::store::{check_name, check_url};
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;
    use regex::Regex;
    use std::sync::LazyLock;

    fn pattern(stated: &Value) -> Regex {
        let pattern = stated["pattern"].as_str().expect("a pattern");
        Regex::new(pattern).expect("a regular expression")
    }

    /// Name for messages, pattern, and the check in code.
    type Row = (&'static str, Regex, fn(&str) -> bool);

    static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
        vec![
            ("name", pattern(&name()), |text| {
                check_name(text, 255).is_ok()
            }),
            ("url", pattern(&url()), |text| check_url(text).is_ok()),
            ("url or nothing", pattern(&url_or_nothing()), |text| {
                text.is_empty() || check_url(text).is_ok()
            }),
            ("address", pattern(&address()), |text| {
                check_address(text).is_ok()
            }),
            ("not blank", pattern(&not_blank()), |text| {
                !text.trim().is_empty()
            }),
            ("term", pattern(&terms()["items"]), |text| {
                !text.trim().chars().any(char::is_control)
            }),
            ("field", pattern(&filter_field()), |text| {
                FilterField::parse(text).is_some()
            }),
        ]
    });

    fn texts() -> impl Strategy<Value = String> {
        let pieces = [
            "http://", "HTTPS://", "https:", "/", "//", "\\", "?", "#", ":", "@", "a", "é", " ",
            "\t", "\n", "\u{0}", "\u{85}", "\u{a0}", "\u{2028}", "\u{3000}", "\u{7f}", ".",
        ];
        vec(select(pieces.to_vec()), 0..7).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn patterns_accept_what_the_code_accepts(
            text in prop_oneof![
                texts(),
                "(attributes|features|prices|price|tags|inStock|feature_num)?[.\n]?[a-z0-9\n]{0,3}",
            ]
        ) {
            for (what, pattern, check) in ROWS.iter() {
                prop_assert_eq!(pattern.is_match(&text), check(&text), "{} {:?}", what, text);
            }
        }
    }
}
