//! What is shown of documents, as far as it was read lately: who tries settings asks for the same hits again and again.

use crate::found::Card;
use parking_lot::Mutex;
use query::{Analyser, Token};
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
use tantivy::DocId;

/// Documents of one segment that are remembered, a few megabytes at most.
const REMEMBERED_MAX: usize = 4_096;

/// What is shown of a document.
#[derive(Debug, Default)]
pub(super) struct Shown {
    /// Its card.
    pub card: Arc<Card>,
    words: OnceLock<Vec<Token>>,
}

impl Shown {
    /// What a document with this card shows.
    pub fn new(card: Card) -> Self {
        Self {
            card: Arc::new(card),
            words: OnceLock::new(),
        }
    }

    /// The words of its name.
    pub fn words(&self, analyser: &Analyser) -> &[Token] {
        self.words
            .get_or_init(|| analyser.document_words(&self.card.name))
    }
}

/// What was read of one segment lately.
#[derive(Debug, Default)]
pub(super) struct Remembered(Mutex<HashMap<DocId, Arc<Shown>>>);

impl Remembered {
    /// What was read of `document`.
    pub fn get(&self, document: DocId) -> Option<Arc<Shown>> {
        self.0.lock().get(&document).map(Arc::clone)
    }

    /// Remembers what was read of `document`.
    pub fn put(&self, document: DocId, shown: &Arc<Shown>) {
        let mut remembered = self.0.lock();
        if remembered.len() >= REMEMBERED_MAX {
            remembered.clear();
        }
        remembered.insert(document, Arc::clone(shown));
    }
}
