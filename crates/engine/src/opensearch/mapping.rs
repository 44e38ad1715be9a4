//! What an index of the cluster is made of: its settings with the similarities, and its fields.

use super::fields::{self, HOLE, SAME_PLACE, SEPARATOR};
use domain::relevance::field::FieldId;
use query::scoring::{norm, saturated, saturation};
use serde_json::{Map, Value, json};

/// Longest place of a text, in characters: some words of at most 64.
const PLACE_CHARACTERS_MAX: u32 = 10_000;
/// Fields of one index: prices are the most of them.
const FIELDS_MAX: u32 = 5_000;
/// Hits up to which pages are served.
const DEPTH_MAX: u32 = 10_000;
/// The names of analysers.
pub const PLACES: &str = "places";
pub const TERMS: &str = "terms";

/// The settings and fields of a new index of so many shards, with these averages of lengths, and with `meta` about it.
pub fn index(shards: u16, averages: &[(FieldId, f64)], meta: &Value) -> Value {
    json!({
        "settings": {"index": settings(shards, averages)},
        "mappings": {
            "_meta": meta,
            "dynamic": false,
            "_source": {"includes": [fields::CARD, format!("{}.*", fields::NUMBERS)]},
            "dynamic_templates": [{
                "prices": {"path_match": "price.*", "mapping": {"type": "double"}},
            }],
            "properties": properties(),
        },
    })
}

fn settings(shards: u16, averages: &[(FieldId, f64)]) -> Value {
    json!({
        "number_of_shards": shards,
        "number_of_replicas": 0,
        "auto_expand_replicas": "0-1",
        // Only we decide what is seen when, so that a batch is visible as a whole.
        "refresh_interval": "-1",
        // A deletion is known for so long that no earlier write can arrive after it.
        "gc_deletes": "1h",
        "max_result_window": DEPTH_MAX,
        "mapping": {"total_fields": {"limit": FIELDS_MAX}},
        "analysis": {
            "tokenizer": {"places": {
                "type": "char_group",
                "tokenize_on_chars": [SEPARATOR.to_string()],
                "max_token_length": PLACE_CHARACTERS_MAX,
            }},
            "filter": {
                "same_place": {
                    "type": "pattern_capture",
                    "preserve_original": false,
                    "patterns": [format!("([^{SAME_PLACE}]+)")],
                },
                "holes": {"type": "stop", "stopwords": [HOLE.to_string()]},
            },
            "analyzer": {
                PLACES: {"type": "custom", "tokenizer": "places", "filter": ["same_place", "holes"]},
                TERMS: {"type": "custom", "tokenizer": "places"},
            },
        },
        "similarity": similarities(averages),
    })
}

/// The similarities of all texts: the arithmetic of `query::scoring` with the averages of this index.
pub fn similarities(averages: &[(FieldId, f64)]) -> Value {
    let all = averages.iter().map(|(field, average)| {
        let kind = saturation(field.kind());
        let [at_nothing, at_one] = [0.0, 1.0].map(|length| norm(kind, length, *average));
        let most = saturated(kind, 1.0, 0.0);
        let source = format!(
            "return query.boost * {most:?} * doc.freq / (doc.freq + {at_nothing:?} + {:?} * doc.length);",
            at_one - at_nothing
        );
        let similarity = json!({"type": "scripted", "script": {"source": source}});
        (fields::similarity(*field), similarity)
    });
    Value::Object(all.collect())
}

fn properties() -> Value {
    let mut all = Map::new();
    let mut put = |name: String, mapping: Value| drop(all.insert(name, mapping));
    for field in FieldId::texts() {
        put(
            fields::text(field),
            json!({
                "type": "text",
                "analyzer": PLACES,
                "similarity": fields::similarity(field),
                "index_options": "positions",
                "position_increment_gap": fields::VALUE_GAP,
            }),
        );
        put(
            fields::length(field),
            json!({"type": "integer", "index": false}),
        );
    }
    for field in FieldId::codes() {
        put(fields::code(field), json!({"type": "keyword"}));
    }
    put_others(&mut all);
    Value::Object(all)
}

/// Adds the fields that hold no text and no code.
fn put_others(all: &mut Map<String, Value>) {
    let mut put = |name: &str, mapping: Value| drop(all.insert(name.to_owned(), mapping));
    let terms = json!({"type": "text", "analyzer": TERMS, "index_options": "docs", "norms": false});
    put(fields::ALL, terms);
    for name in [fields::PREFIXES, fields::SUBSTRINGS] {
        put(name, json!({"type": "keyword", "doc_values": false}));
    }
    for name in [
        fields::ID,
        fields::STEMS,
        fields::FORMS,
        fields::FILLED,
        fields::VALUES,
        fields::VALUE_IDS,
        fields::LABELS,
        fields::CARRIED,
        fields::GROUPS,
        fields::ACCESS,
        fields::CHEAPER,
        fields::NAME_KEY,
    ] {
        put(name, json!({"type": "keyword"}));
    }
    for name in [fields::IN_STOCK, fields::HIDDEN_WHEN_OUT] {
        put(name, json!({"type": "boolean"}));
    }
    for name in [
        fields::SALES,
        fields::SOLD,
        fields::SALES_LOG,
        fields::RATING,
        fields::RATING_LOG,
        fields::RATING_COUNT,
        fields::FEATURE_NUM,
        fields::ADDED,
    ] {
        put(name, json!({"type": "double"}));
    }
    for name in [fields::ORDINAL, fields::FINGERPRINT, fields::WATERMARK] {
        put(name, json!({"type": "long"}));
    }
    put("price", json!({"type": "object", "dynamic": true}));
    for name in [fields::CARD, fields::NUMBERS] {
        put(name, json!({"type": "object", "enabled": false}));
    }
}

#[cfg(test)]
mod tests {
    //! 1. A similarity is the arithmetic of `query::scoring`.

    use super::*;
    use query::scoring::frequency;

    #[test]
    fn a_similarity_is_the_arithmetic_of_scoring() {
        for (average, length, tf) in [(0.0, 3.0, 1.0), (4.5, 3.0, 2.0), (60.25, 200.0, 7.0)] {
            let kind = saturation(FieldId::NAME.kind());
            let all = similarities(&[(FieldId::NAME, average)]);
            let source = all["frequency_name"]["script"]["source"].as_str();
            let source = source.expect("a script").replace([';', '(', ')'], "");
            let numbers = source.split([' ', '*', '/', '+']);
            let numbers: Vec<f64> = numbers.filter_map(|own| own.parse().ok()).collect();
            let [most, constant, by_length] = numbers[..] else {
                panic!("three numbers: {source}");
            };
            let scored = most * tf / (tf + constant + by_length * length);
            assert!((scored - frequency(kind, tf, length, average)).abs() < 1e-12);
        }
    }
}
