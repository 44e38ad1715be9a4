//! Queries of the cluster by their forms, without a decision.

use super::fields;
use crate::EngineError;
use domain::visitor::{DocumentAccess, Visitor};
use serde_json::{Value, json};

/// An object with these fields. It takes their values, where `json!` copies each of them whole.
pub fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    let fields = fields.map(|(name, value)| (name.to_owned(), value));
    Value::Object(fields.into_iter().collect())
}

/// Documents whose `field` has this term.
pub fn term(field: &str, value: &str) -> Value {
    json!({"term": {field: {"value": value}}})
}

/// Documents whose texts have this stem.
pub fn in_texts(stem: &str) -> Value {
    term(fields::ALL, &fields::stem_term(stem))
}

/// Documents whose `field` has any of these terms.
pub fn terms<T: serde::Serialize>(field: &str, values: &[T]) -> Value {
    json!({"terms": {field: values}})
}

/// Documents with a term of `field` that begins so.
pub fn prefix(field: &str, value: &str) -> Value {
    json!({"prefix": {field: {"value": value}}})
}

/// Documents with a term of `field` that contains this text.
pub fn containing(field: &str, start: &str, part: &str) -> Value {
    let escaped: String = part
        .chars()
        .flat_map(|c| ["*?\\".contains(c).then_some('\\'), Some(c)])
        .flatten()
        .collect();
    json!({"wildcard": {field: {"value": format!("{start}*{escaped}*")}}})
}

/// Documents that have a value in `field`.
pub fn exists(field: &str) -> Value {
    json!({"exists": {"field": field}})
}

/// Documents that any of `all` matches; none for none.
pub fn any(mut all: Vec<Value>) -> Value {
    match all.len() {
        0 => nothing(),
        1 => all.remove(0),
        _ => enough(1, all),
    }
}

/// Documents by clauses that must, should or must not match.
pub fn boolean<const N: usize>(clauses: [(&str, Value); N]) -> Value {
    object([("bool", object(clauses))])
}

/// Documents that so many of `all` match.
pub fn enough(needed: usize, all: Vec<Value>) -> Value {
    boolean([
        ("should", all.into()),
        ("minimum_should_match", needed.into()),
    ])
}

/// Multiplies the scores of `query` by those of `functions`, which `mode` combines.
pub fn multiplied(query: Value, functions: Vec<Value>, mode: &str) -> Value {
    let own = [
        ("query", query),
        ("functions", functions.into()),
        ("score_mode", mode.into()),
        ("boost_mode", "multiply".into()),
    ];
    object([("function_score", object(own))])
}

/// The scores of documents in the best of `all`, and of each other one this share.
pub fn best(all: Vec<Value>, share: f64) -> Value {
    let own = [("tie_breaker", share.into()), ("queries", all.into())];
    object([("dis_max", object(own))])
}

/// Documents that all of `all` match; all for none.
pub fn every(mut all: Vec<Value>) -> Value {
    match all.len() {
        0 => everything(),
        1 => all.remove(0),
        _ => boolean([("filter", all.into())]),
    }
}

/// Documents that `query` does not match.
pub fn not(query: Value) -> Value {
    boolean([("must_not", vec![query].into())])
}

/// All documents.
pub fn everything() -> Value {
    json!({"match_all": {}})
}

/// No document.
pub fn nothing() -> Value {
    json!({"match_none": {}})
}

/// Documents of `filter`, with this score.
pub fn constant(filter: Value, score: f64) -> Value {
    let own = [("filter", filter), ("boost", score.into())];
    object([("constant_score", object(own))])
}

/// Documents that `visitor` may see; never the one with the watermark.
pub fn visible(visitor: &Visitor) -> Value {
    match &visitor.access {
        DocumentAccess::Unrestricted => exists(fields::ACCESS),
        DocumentAccess::Groups(groups) => {
            let own = groups.iter().map(String::as_str);
            let own = own.filter(|group| ![DocumentAccess::NOBODY, fields::PUBLIC].contains(group));
            let all: Vec<&str> = own.chain([fields::PUBLIC]).collect();
            terms(fields::ACCESS, &all)
        }
    }
}

/// The whole expression of an aggregation that includes terms starting_with so.
pub fn starting_with(text: &str) -> String {
    // Without the group, version 2.19 fails where the text comes after all terms.
    format!("{}(.*)", escaped(text))
}

/// A text as a regular expression of the cluster.
pub fn escaped(text: &str) -> String {
    let pieces = text
        .chars()
        .flat_map(|c| [c.is_ascii_punctuation().then_some('\\'), Some(c)]);
    pieces.flatten().collect()
}

/// The buckets of an aggregation: terms with their documents.
pub fn buckets(aggregation: &Value) -> impl Iterator<Item = (&str, u64)> {
    let all = aggregation["buckets"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    all.iter()
        .filter_map(|own| Some((own["key"].as_str()?, own["doc_count"].as_u64()?)))
}

/// A response that is not what it should be.
pub fn malformed(what: &'static str) -> EngineError {
    EngineError::new("read a response of the search cluster", what)
}

#[cfg(test)]
mod tests {
    //! 1. Text is never read as a pattern. 2. Nobody sees what is open to nobody, and no group sees the watermark.

    use super::*;

    #[test]
    fn text_is_no_pattern() {
        let found = containing("code", "", "a*b?c\\d");
        assert_eq!(found["wildcard"]["code"]["value"], "*a\\*b\\?c\\\\d*");
        assert_eq!(starting_with("features.a|b"), "features\\.a\\|b(.*)");
        assert_eq!(escaped("ñ<1-2>"), "ñ\\<1\\-2\\>");
    }

    #[test]
    fn groups_see_what_is_open_to_them() {
        let groups = ["none", "4", "*"].map(str::to_owned);
        let visitor = Visitor {
            access: DocumentAccess::Groups(groups.into()),
            ..Visitor::default()
        };
        assert_eq!(visible(&visitor), json!({"terms": {"access": ["4", "*"]}}));
        assert_eq!(
            visible(&Visitor::default()),
            json!({"exists": {"field": "access"}})
        );
    }
}
