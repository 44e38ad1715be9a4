//! Builds the feed documents of the categories and brands.

use super::source::{Shelf, Shop};
use serde_json::{Value, json};

type Shelves = [(&'static str, Shelf)];

/// Returns the departments, each followed by its categories.
pub(super) fn categories(shop: &Shop, shelves: &Shelves, language: &str, base: &str) -> Vec<Value> {
    let count = |key: &str| {
        let shelf = shelves.iter().find(|(known, _)| *known == key);
        shelf.map_or(0, |(_, shelf)| shelf.products.len())
    };
    let url = |id: &str| format!("{base}/?lang={language}&categories={id}");
    let mut documents = Vec::new();
    for (position, department) in shop.departments.iter().enumerate() {
        let inner = shop
            .categories
            .iter()
            .filter(|c| c.department == department.id);
        let total: usize = inner.clone().map(|category| count(&category.key)).sum();
        let parent = department.name.of(language);
        documents.push(json!({
            "id": department.id,
            "url": url(&department.id),
            "name": parent,
            "description": department.about.of(language),
            "path": [parent],
            "level": 1,
            "position": position,
            "productCount": total,
        }));
        for (position, category) in inner.enumerate() {
            let name = category.name.of(language);
            documents.push(json!({
                "id": category.id,
                "url": url(&category.id),
                "name": name,
                "description": category.about.of(language),
                "parentId": department.id,
                "path": [parent, name],
                "level": 2,
                "position": position,
                "productCount": count(&category.key),
            }));
        }
    }
    documents
}

/// Returns the brands that have products.
pub(super) fn brands(shop: &Shop, shelves: &Shelves, language: &str, base: &str) -> Vec<Value> {
    let products = || shelves.iter().flat_map(|(_, shelf)| &shelf.products);
    let mut documents = Vec::new();
    for brand in &shop.brands {
        let total = products().filter(|p| p.brand == brand.name).count();
        if total > 0 {
            documents.push(json!({
                "id": brand.id,
                "type": "MANUFACTURER",
                "url": format!("{base}/?lang={language}&manufacturer={}", brand.id),
                "name": brand.name,
                "description": brand.about.of(language),
                "productCount": total,
            }));
        }
    }
    documents
}
