//! Which fields the documents of an import fill, and which hardly any does.

use crate::bounds::MISSING_SHARE;
use crate::report::result::FieldReport;
use domain::DocType;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Fields whose absence is reported, each with the fields of documents that count as it.
const EXPECTED: [(&str, &[&str]); 9] = [
    ("name", &["name"]),
    ("url", &["url"]),
    ("image", &["image"]),
    ("price", &["priceInclTax", "priceExclTax"]),
    ("stock", &["inStock", "quantity"]),
    ("manufacturer", &["manufacturer"]),
    ("categories", &["categories", "categoryIds"]),
    ("description", &["description", "short_description"]),
    ("reference", &["reference", "combinationReferences"]),
];

/// Fields that are counted at most, so that memory does not grow with a file that invents names.
const FIELDS_MAX: usize = 2_000;

/// Counts of the fields of documents.
#[derive(Clone, Debug, Default)]
pub struct DocumentStatistics {
    /// Number of documents.
    pub documents: u64,
    filled: BTreeMap<String, u64>,
    expected: [u64; EXPECTED.len()],
}

impl DocumentStatistics {
    /// Adds a document.
    pub fn add(&mut self, fields: &Map<String, Value>) {
        self.documents += 1;
        let is_filled = |name: &str| {
            fields
                .get(name)
                .is_some_and(|value| !crate::rows::is_empty(value))
        };
        for (count, (_, names)) in self.expected.iter_mut().zip(EXPECTED) {
            *count += u64::from(names.iter().any(|name| is_filled(name)));
        }
        for name in fields.keys().filter(|name| is_filled(name)) {
            if let Some(count) = self.filled.get_mut(name) {
                *count += 1;
            } else if self.filled.len() < FIELDS_MAX {
                self.filled.insert(name.clone(), 1);
            }
        }
    }

    /// Returns the fields, the most frequent first.
    pub fn fields(&self) -> Vec<FieldReport> {
        let all = self.filled.iter();
        let mut fields: Vec<FieldReport> = all
            .map(|(field, filled)| FieldReport {
                field: field.clone(),
                filled: *filled,
                share: self.share(*filled),
            })
            .collect();
        fields.sort_by(|a, b| b.filled.cmp(&a.filled).then_with(|| a.field.cmp(&b.field)));
        fields
    }

    /// Returns the fields of products that hardly any document fills; assumed stock is none.
    pub fn missing(&self, doc_type: DocType, is_stock_assumed: bool) -> Vec<&'static str> {
        if doc_type != DocType::Products || self.documents == 0 {
            return Vec::new();
        }
        let counts = EXPECTED.iter().zip(self.expected);
        let missing = counts.filter(|((name, _), count)| {
            let is_assumed = *name == "stock" && is_stock_assumed;
            is_assumed || self.share(*count) < MISSING_SHARE
        });
        missing.map(|((name, _), _)| *name).collect()
    }

    /// Returns a share of the documents, with four decimals.
    fn share(&self, count: u64) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "counts of documents are small")]
        let share = count as f64 / self.documents.max(1) as f64;
        (share * 10_000.0).round() / 10_000.0
    }
}
