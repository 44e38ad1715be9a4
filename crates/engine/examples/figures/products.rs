//! The products of a file, again and again with other ids, and the words that they are searched by.

use crate::filling::set_numbers;
use crate::{Outcome, product_file};
use domain::document::{DocType, Document};
use engine::DocumentChange;
use evaluation::known_items::{KnownItem, sample};
use evaluation::product_names::ProductNames;
use serde_json::{Value, json};
use std::path::Path;

/// Seed of the queries, and how many are drawn.
const SEED: usize = 39;
const QUERIES: usize = 200;

/// A file of products.
pub struct Products {
    bodies: Vec<Value>,
    names: ProductNames,
}

impl Products {
    /// Reads a file of documents, one on each line, compressed.
    pub fn read(file: &Path) -> Outcome<Self> {
        let (mut bodies, mut names) = (Vec::new(), ProductNames::new("en"));
        for body in product_file::bodies(file)? {
            let body = body?;
            let text = |field: &str| body[field].as_str().unwrap_or_default();
            names.add(text("id"), text("name"));
            bodies.push(body);
        }
        Ok(Self { bodies, names })
    }

    /// Returns the change that puts the product `at` in its place, or gives it another price.
    pub fn change(&self, at: usize, is_new: bool) -> Outcome<DocumentChange> {
        let mut body = self.bodies[at % self.bodies.len()].clone();
        body["id"] = json!(at.to_string());
        set_numbers(&mut body, at);
        if !is_new {
            body["priceInclTax"] = json!(4.5);
        }
        let document = Document::parse(DocType::Products, at, body);
        Ok(DocumentChange {
            ordinal: at as u32,
            document: Some(document.map_err(|_| format!("product {at} is none"))?),
            texts_changed: is_new,
        })
    }

    /// Returns queries of two to four words of names, with their noisy forms.
    pub fn items(&self) -> Vec<KnownItem> {
        sample(&self.names, SEED, QUERIES)
    }
}
