//! Products, and queries for them: words of their names, some with a typo or another noise.

use crate::Outcome;
use crate::filling::set_numbers;
use domain::Language;
use domain::document::{DocType, Document};
use evaluation::known_items::{KnownItem, sample};
use evaluation::product_names::ProductNames;
use serde_json::{Value, json};
use std::sync::Arc;

/// Seed of all queries.
const SEED: usize = 39;
/// One of so many products is for customers of this group only.
const RESTRICTED: usize = 10;
/// The group that sees those.
pub const GROUP: &str = "4";

/// Products of one language, and their names.
pub struct Catalogue {
    pub language: Language,
    pub documents: Vec<Arc<Document>>,
    names: ProductNames,
}

impl Catalogue {
    /// Creates an empty catalogue.
    pub fn new(language: Language) -> Self {
        let names = ProductNames::new(language.base());
        Self {
            language,
            documents: Vec::new(),
            names,
        }
    }

    /// Adds a product, with numbers by which factors and ties differ, and for some a group that sees it alone.
    ///
    /// Errors: the body is no product.
    pub fn add(&mut self, mut body: Value) -> Outcome<()> {
        let at = self.documents.len();
        set_numbers(&mut body, at);
        if at % RESTRICTED == RESTRICTED - 1 {
            body["accessGroups"] = json!([GROUP]);
        }
        let document = Document::parse(DocType::Products, at, body);
        let document = document.map_err(|_| format!("product {} is none", at + 1))?;
        self.names.add(&document.id, &document.texts.name);
        self.documents.push(Arc::new(document));
        Ok(())
    }

    /// Returns at most `count` queries of two to four words of names; every third one is noisy where it can be.
    pub fn queries(&self, count: usize) -> Vec<String> {
        let items = sample(&self.names, SEED, count).into_iter().enumerate();
        items.map(|(at, item)| typed(at, item)).collect()
    }
}

fn typed(at: usize, mut item: KnownItem) -> String {
    match at % 3 == 2 && !item.noisy.is_empty() {
        true => item.noisy.swap_remove(at / 3 % item.noisy.len()).1,
        false => item.query,
    }
}
