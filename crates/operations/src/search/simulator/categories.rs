//! The names of the categories of hits, which indexes do not return: they are read from the stored documents.

use crate::Service;
use domain::{Language, Permit, access};
use engine::Hit;
use serde::Deserialize;
use std::collections::HashMap;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::time::timeout;

/// Most categories of a hit.
const CATEGORIES_MAX: usize = 10;
/// How long documents are waited for: a simulation does without them.
const TIME: Duration = Duration::from_secs(1);

/// Reads the categories of products in one language.
pub(super) struct StoredCategories {
    service: Service,
    permit: Permit<access::Read>,
    language: Language,
}

/// What is read of a stored product.
#[derive(Deserialize)]
struct Categorised {
    #[serde(default)]
    categories: Vec<StoredCategory>,
}

#[derive(Deserialize)]
struct StoredCategory {
    #[serde(default)]
    name: String,
}

impl StoredCategories {
    /// Returns what reads for `permit`.
    pub fn new(service: &Service, permit: Permit<access::Read>, language: Language) -> Self {
        Self {
            service: service.clone(),
            permit,
            language,
        }
    }

    /// Returns the names of the categories of hits by id; none where the documents cannot be read. Blocks.
    pub fn of(&self, hits: &[Hit]) -> HashMap<String, Vec<String>> {
        let ids: Vec<&str> = hits.iter().map(|hit| hit.id.as_str()).collect();
        let storage = &self.service.storage;
        let reading = storage.product_texts(&self.permit, &self.language, &ids);
        let reading = async { timeout(TIME, reading).await };
        let texts = match Handle::current().block_on(reading) {
            Ok(Ok(texts)) => texts,
            Ok(Err(error)) => {
                tracing::warn!(store = %self.permit.store(), ?error, "categories of hits could not be read");
                return HashMap::new();
            }
            Err(_) => return HashMap::new(),
        };
        let named = texts.into_iter().map(|(id, text)| {
            let read = serde_json::from_str::<Categorised>(&text).ok();
            let all = read.map(|read| read.categories).unwrap_or_default();
            let names = all.into_iter().map(|category| category.name);
            let names = names.filter(|name| !name.is_empty());
            (id, names.take(CATEGORIES_MAX).collect())
        });
        named.collect()
    }
}
