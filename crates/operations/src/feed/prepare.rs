//! Prepares a block for storage: parsed, fingerprinted, one document per id.

use super::clip::clip;
use super::oversize::oversize;
use domain::document::price::PriceField;
use domain::feed::unknown_names;
use domain::{DocType, Document, Message, Rejection, SentDocuments, error_codes};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::sync::Arc;

/// A document that can be stored, with fingerprints by which changes are detected.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PreparedDocument {
    /// Index in the block.
    pub at: usize,
    /// The shop's id.
    pub id: String,
    /// When the shop built it.
    pub rev: Option<i64>,
    /// The shop's hash of what it sent.
    pub hash: String,
    /// Whether anything was cut off because it was too long.
    pub is_clipped: bool,
    /// Names of its fields that the service does not know.
    pub unknown_fields: Vec<String>,
    /// Its JSON text.
    pub body: String,
    /// Fingerprint of `body`.
    pub body_hash: i64,
    /// Fingerprint of the fields that are analysed, without the numbers.
    pub text_hash: i64,
    /// The document as [`Document::from_stored`] would read it from `body`, without the body itself.
    pub document: Arc<Document>,
}

/// Documents and rejections of a block.
#[derive(Debug, Default)]
pub(super) struct PreparedBlock {
    /// One document per id, in the order of the block; of several with the same id the last counts.
    pub documents: Vec<PreparedDocument>,
    /// Rejected documents.
    pub rejected: Vec<Rejection>,
}

/// Fields that change often and are kept outside the text index, so that a change of them needs no analysis.
const NUMBERS: [&str; 9] = [
    "quantity",
    "inStock",
    "outOfStock",
    "sales_count",
    "rating",
    "ratingCount",
    "feature_num",
    "dateAdd",
    "accessGroups",
];

/// Parses the documents of a block.
pub(super) fn prepare(doc_type: DocType, sent: SentDocuments) -> PreparedBlock {
    let mut block = PreparedBlock::default();
    let mut places: HashMap<String, usize> = HashMap::with_capacity(sent.len());
    for (at, value) in sent.into_values().enumerate() {
        match prepared(doc_type, at, value) {
            Err(rejection) => block.rejected.push(rejection),
            Ok(prepared) => match places.get(&prepared.id) {
                Some(place) => block.documents[*place] = prepared,
                None => {
                    places.insert(prepared.id.clone(), block.documents.len());
                    block.documents.push(prepared);
                }
            },
        }
    }
    block
}

/// Parses `value`, item `at` of its block, and clips it to the stored limits.
///
/// Its JSON is dropped before the next document is parsed.
fn prepared(
    doc_type: DocType,
    at: usize,
    value: Result<Value, Message>,
) -> Result<PreparedDocument, Rejection> {
    let mut value = value.map_err(|reason| Rejection {
        index: at,
        id: None,
        code: error_codes::INVALID_DOCUMENT,
        field: None,
        message: reason.text,
        translatable: reason.translatable,
    })?;
    let is_clipped = clip(doc_type, &mut value);
    let mut document = Document::parse(doc_type, at, value)?;
    let text = serde_json::to_string(&WithoutNumbers(&document.body))
        .expect("a map with text keys has a JSON form");
    let body = serde_json::to_string(&document.body).expect("the same map has one too");
    if let Some(rejection) = oversize(at, &document, body.len()) {
        return Err(rejection);
    }
    Ok(PreparedDocument {
        at,
        id: document.id.clone(),
        rev: document.rev.take(),
        hash: std::mem::take(&mut document.hash),
        is_clipped,
        unknown_fields: unknown_names(document.body.keys()),
        body_hash: hash(&body),
        text_hash: hash(&text),
        body,
        document: Arc::new(document.without_body()),
    })
}

/// Serialises the body of a document without the fields in [`NUMBERS`] and the prices, in the same order.
struct WithoutNumbers<'a>(&'a Map<String, Value>);

impl Serialize for WithoutNumbers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().filter(|(name, _)| !is_number(name)))
    }
}

fn is_number(name: &str) -> bool {
    NUMBERS.contains(&name) || PriceField::parse(name).is_some()
}

/// Returns the first 64 bits of the SHA-256 of `text`.
fn hash(text: &str) -> i64 {
    let digest = Sha256::digest(text.as_bytes());
    let mut head = [0; 8];
    head.copy_from_slice(&digest[..8]);
    i64::from_be_bytes(head)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn one(value: Value) -> PreparedDocument {
        let mut block = prepare(DocType::Products, vec![value].into());
        block.documents.pop().expect("a sound document")
    }

    #[test]
    fn numbers_change_the_body_and_not_the_text() {
        let base = one(json!({"id": "1", "name": "x", "priceInclTax": 1, "url": "https://a/1"}));
        for change in [
            json!({"id": "1", "name": "x", "priceInclTax": 2, "url": "https://a/1"}),
            json!({"id": "1", "name": "x", "priceInclTax": 1, "url": "https://a/1", "priceInclTax_USD_t4": 3}),
            json!({"id": "1", "name": "x", "priceInclTax": 1, "url": "https://a/1", "inStock": true,
                   "accessGroups": ["none"], "dateAdd": "2026-11-20T15:00:00Z"}),
        ] {
            let changed = one(change);
            assert_ne!(changed.body_hash, base.body_hash);
            assert_eq!(changed.text_hash, base.text_hash);
        }
        let renamed = one(json!({"id": "1", "name": "y", "priceInclTax": 1, "url": "https://a/1"}));
        assert_ne!(renamed.text_hash, base.text_hash);
    }

    #[test]
    fn rev_and_hash_are_not_part_of_the_content() {
        let one_way = one(json!({"id": "1", "name": "x", "rev": 1, "hash": "a"}));
        let other = one(json!({"id": "1", "name": "x", "rev": 2, "hash": "b"}));
        assert_eq!(one_way.body_hash, other.body_hash);
        assert_eq!((one_way.rev, other.hash.as_str()), (Some(1), "b"));
    }

    #[test]
    fn the_document_equals_the_one_parsed_from_its_text() {
        let values = [
            json!({"id": "1", "name": "x", "rev": 1, "hash": "a", "surplus": {"a": [1, 2.50, null]}}),
            json!({"id": "2", "name": "y", "priceInclTax": 1e2, "priceInclTax_USD_t4": 3, "rating": null,
                   "features": [{"feature": "Weight", "value": "2 kg"}], "accessGroups": ["1"],
                   "categories": [{"id": "7", "name": "Shoes"}], "tags": ["a", "b"], "quantity": 3}),
        ];
        for value in values {
            let prepared = one(value);
            let stored = Document::from_stored(DocType::Products, &prepared.body);
            let stored = stored.map(Document::without_body);
            assert_eq!(Ok(&*prepared.document), stored.as_ref());
        }
    }

    #[test]
    fn the_last_of_two_with_the_same_id_counts() {
        let values = vec![
            json!({"id": "1", "name": "first"}),
            json!({"id": "2", "name": "x"}),
            json!({"id": "1", "name": "second"}),
            json!({"id": "2", "name": ""}),
        ];
        let block = prepare(DocType::Products, values.into());
        assert_eq!(block.documents.len(), 2);
        assert!(block.documents[0].body.contains("second"));
        assert!(block.documents[1].body.contains("\"x\""));
        assert_eq!((block.rejected.len(), block.rejected[0].index), (1, 3));
    }
}
