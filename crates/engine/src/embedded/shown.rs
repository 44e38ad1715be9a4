//! What is shown of documents, as far as it was read lately: who tries settings asks for the same hits again and again.

use crate::Card;
use parking_lot::Mutex;
use std::sync::Arc;
use tantivy::DocId;
use tantivy::schema::document::{
    DeserializeError, DocumentDeserialize, DocumentDeserializer, ValueDeserialize,
    ValueDeserializer,
};

/// Cards of one segment that are remembered, a few megabytes at most.
const REMEMBERED_MAX: usize = 4_096;

/// A place with the document that has it and its card.
type Place = Option<(DocId, Arc<Card>)>;

/// What was read of one segment lately. Each document has one place, which it takes from the one that had it before.
#[derive(Debug, Default)]
pub(super) struct Remembered(Mutex<Vec<Place>>);

impl Remembered {
    /// The card of `document`.
    pub fn get(&self, document: DocId) -> Option<Arc<Card>> {
        let places = self.0.lock();
        match places.get(place(document)) {
            Some(Some((of, card))) if *of == document => Some(Arc::clone(card)),
            _ => None,
        }
    }

    /// Remembers the card of `document`.
    pub fn put(&self, document: DocId, card: &Arc<Card>) {
        let mut places = self.0.lock();
        if places.is_empty() {
            places.resize(REMEMBERED_MAX, None);
        }
        places[place(document)] = Some((document, Arc::clone(card)));
    }
}

fn place(document: DocId) -> usize {
    document as usize % REMEMBERED_MAX
}

/// The bytes of a card: all that is stored of a document.
#[derive(Default)]
pub(super) struct StoredCard(pub Vec<u8>);

impl DocumentDeserialize for StoredCard {
    fn deserialize<'de, D: DocumentDeserializer<'de>>(
        mut document: D,
    ) -> Result<Self, DeserializeError> {
        let first = document.next_field::<Self>()?;
        Ok(first.map(|(_, card)| card).unwrap_or_default())
    }
}

impl ValueDeserialize for StoredCard {
    fn deserialize<'de, D: ValueDeserializer<'de>>(value: D) -> Result<Self, DeserializeError> {
        value.deserialize_bytes().map(Self)
    }
}
