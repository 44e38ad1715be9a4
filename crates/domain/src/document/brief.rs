//! A stored document without its long texts, for callers that need only its numbers and labels.

use super::{DocType, Document};
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt::{Formatter, Result as FormatResult};

/// The fields that are skipped: most of a document's bytes, and no number or label depends on them.
const LONG_TEXTS: [&str; 5] = [
    "description",
    "short_description",
    "ai_description",
    "ai_description_manual",
    "content",
];

struct Brief(Map<String, Value>);

impl Document {
    /// Parses a stored document as [`Document::from_stored`] does, but skips its long texts.
    ///
    /// Errors: as [`Document::from_stored`].
    pub fn from_stored_in_brief(doc_type: DocType, body: &str) -> Result<Self, String> {
        let Brief(fields) = serde_json::from_str(body).map_err(|error| error.to_string())?;
        Self::parse(doc_type, 0, Value::Object(fields)).map_err(|rejection| rejection.message)
    }
}

impl<'de> Deserialize<'de> for Brief {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(BriefFields)
    }
}

struct BriefFields;

impl<'de> Visitor<'de> for BriefFields {
    type Value = Brief;

    fn expecting(&self, f: &mut Formatter<'_>) -> FormatResult {
        f.write_str("the fields of a document")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Brief, A::Error> {
        let mut kept = Map::new();
        while let Some(name) = fields.next_key::<String>()? {
            if LONG_TEXTS.contains(&name.as_str()) {
                fields.next_value::<IgnoredAny>()?;
            } else {
                kept.insert(name, fields.next_value()?);
            }
        }
        Ok(Brief(kept))
    }
}

#[cfg(test)]
mod tests {
    //! 1. A document read in brief lacks its long texts only. 2. Damaged text is an error.

    use super::*;
    use serde_json::json;

    #[test]
    fn only_long_texts_are_missing() {
        let body = json!({
            "id": "1", "name": "Tent", "description": "long \"text\"", "short_description": "s",
            "ai_description": "a", "ai_description_manual": "m", "content": "c", "reference": "R-1",
            "tags": ["red"], "categories": [{"id": "2", "name": "Tents"}], "priceInclTax": 9.5,
            "attributes": [{"group": "colour", "value": "red"}], "sales_count": 3, "unknown": [1],
        });
        let whole = Document::from_stored(DocType::Products, &body.to_string()).expect("whole");
        let brief = Document::from_stored_in_brief(DocType::Products, &body.to_string());
        let brief = brief.expect("brief");
        let mut expected = whole.clone();
        for text in [
            &mut expected.texts.description,
            &mut expected.texts.short_description,
            &mut expected.texts.ai_description,
            &mut expected.texts.ai_description_manual,
        ] {
            text.clear();
        }
        expected
            .body
            .retain(|name, _| !LONG_TEXTS.contains(&name.as_str()));
        assert_eq!(format!("{brief:?}"), format!("{expected:?}"));
        assert!(Document::from_stored_in_brief(DocType::Products, "{\"id\": \"1\"").is_err());
        assert!(Document::from_stored_in_brief(DocType::Products, "[]").is_err());
    }
}
