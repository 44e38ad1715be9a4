//! The demo catalogue as feed documents, read from the TOML files next to the sources.

mod codes;
mod product;
mod shelves;
mod source;
#[cfg(test)]
mod tests;

use product::Builder;
use serde_json::Value;
use source::{Shelf, Shop};

/// Languages of every document; the first is the shop's default.
pub const LANGUAGES: [&str; 2] = ["en", "es"];

const SHOP: &str = include_str!("../../../demo/shop.toml");

const SHELVES: [(&str, &str); 12] = [
    ("camping", include_str!("../../../demo/camping.toml")),
    ("fitness", include_str!("../../../demo/fitness.toml")),
    ("jackets", include_str!("../../../demo/jackets.toml")),
    ("tops", include_str!("../../../demo/tops.toml")),
    ("trainers", include_str!("../../../demo/trainers.toml")),
    ("boots", include_str!("../../../demo/boots.toml")),
    ("audio", include_str!("../../../demo/audio.toml")),
    (
        "accessories",
        include_str!("../../../demo/accessories.toml"),
    ),
    ("cookware", include_str!("../../../demo/cookware.toml")),
    ("coffee", include_str!("../../../demo/coffee.toml")),
    ("novels", include_str!("../../../demo/novels.toml")),
    ("guides", include_str!("../../../demo/guides.toml")),
];

/// Returns the products in `language`, with URLs below `base` (such as `http://127.0.0.1:7700`).
pub fn documents(language: &str, base: &str) -> Vec<Value> {
    let (shop, shelves) = read();
    let mut builder = Builder::new(&shop, language, base);
    let mut documents = Vec::new();
    for (key, shelf) in &shelves {
        documents.extend(shelf.products.iter().map(|p| builder.document(key, p)));
    }
    documents
}

/// Returns the departments and categories in `language`.
pub fn categories(language: &str, base: &str) -> Vec<Value> {
    let (shop, shelves) = read();
    shelves::categories(&shop, &shelves, language, base)
}

/// Returns the brands in `language`.
pub fn brands(language: &str, base: &str) -> Vec<Value> {
    let (shop, shelves) = read();
    shelves::brands(&shop, &shelves, language, base)
}

fn read() -> (Shop, Vec<(&'static str, Shelf)>) {
    let shop =
        toml::from_str(SHOP).expect("the shop's file is part of the program and a test reads it");
    let shelves = SHELVES
        .iter()
        .map(|(key, text)| {
            let shelf = toml::from_str(text)
                .expect("the shelves' files are part of the program and a test reads them");
            (*key, shelf)
        })
        .collect();
    (shop, shelves)
}
