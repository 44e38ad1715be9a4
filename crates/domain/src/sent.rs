//! Documents of a block as sent: each is parsed when it is needed, so that a block is never in memory as one value.

use crate::limits::BLOCK_DOCUMENTS_MAX;
use crate::message::{self, Message};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;

/// Documents of one block, in their order.
#[derive(Clone, Debug, Default)]
pub struct SentDocuments {
    kept: Vec<SentDocument>,
    beyond: usize,
}

/// One document.
#[derive(Clone, Debug)]
enum SentDocument {
    /// Already parsed.
    Value(Value),
    /// JSON text that is parsed later.
    Text(Box<RawValue>),
    /// Not parsed at all, for this reason.
    Unread(Message),
}

impl SentDocuments {
    /// Adds the JSON text of a document; those beyond the maximum of a block are only counted.
    pub fn push(&mut self, text: &RawValue) {
        self.add(|| SentDocument::Text(text.to_owned()));
    }

    /// Adds a document that will be rejected for `reason`.
    pub fn push_unread(&mut self, reason: Message) {
        self.add(|| SentDocument::Unread(reason));
    }

    fn add(&mut self, document: impl FnOnce() -> SentDocument) {
        if self.kept.len() > BLOCK_DOCUMENTS_MAX {
            self.beyond += 1;
        } else {
            self.kept.push(document());
        }
    }

    /// Returns the number of documents that were sent.
    pub fn len(&self) -> usize {
        self.kept.len() + self.beyond
    }

    /// Returns whether no document was sent.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Parses the documents one by one; yields the reason instead of a document that is not parsed.
    pub fn into_values(self) -> impl Iterator<Item = Result<Value, Message>> {
        self.kept.into_iter().map(|document| match document {
            SentDocument::Value(value) => Ok(value),
            SentDocument::Text(text) => {
                serde_json::from_str(text.get()).map_err(|_| message::document::unreadable())
            }
            SentDocument::Unread(reason) => Err(reason),
        })
    }
}

impl From<Vec<Value>> for SentDocuments {
    fn from(values: Vec<Value>) -> Self {
        Self {
            kept: values.into_iter().map(SentDocument::Value).collect(),
            beyond: 0,
        }
    }
}

impl<'de> Deserialize<'de> for SentDocuments {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::<Value>::deserialize(deserializer).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    //! 1. Documents beyond the maximum of a block are counted and not kept.
    //! 2. Each is parsed when it is needed, or yields the reason.

    use super::*;

    #[test]
    fn a_block_keeps_one_document_more_than_the_maximum() {
        let mut sent = SentDocuments::default();
        let text = RawValue::from_string(r#"{"id": "1"}"#.to_owned()).expect("JSON");
        sent.push_unread(message::document::unreadable());
        for _ in 0..10_000 {
            sent.push(&text);
        }
        assert_eq!(sent.len(), 10_001);
        let values: Vec<_> = sent.into_values().collect();
        assert_eq!(values.len(), BLOCK_DOCUMENTS_MAX + 1);
        assert_eq!(values[0], Err(message::document::unreadable()));
        assert_eq!(values[1], Ok(serde_json::json!({"id": "1"})));
    }
}
