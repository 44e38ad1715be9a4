//! An invented catalogue of any size, the same in each run.

use crate::load::sender::gzip;
use evaluation::choices::Choices;
use serde_json::{Value, json};

/// Products of a block.
const BLOCK: usize = 500;
/// Kinds of products; shoppers search for these.
pub const KINDS: [&str; 20] = [
    "tente",
    "veste",
    "lampe",
    "gourde",
    "chaussure",
    "sac",
    "couteau",
    "tasse",
    "livre",
    "montre",
    "gant",
    "bonnet",
    "pantalon",
    "chemise",
    "corde",
    "carte",
    "boussole",
    "casque",
    "trousse",
    "couverture",
];
const QUALITIES: [&str; 12] = [
    "légère", "solide", "rouge", "bleue", "noire", "pliable", "étanche", "chaude", "courte",
    "longue", "double", "compacte",
];
const BRANDS: usize = 40;
/// Words of descriptions, by Zipf's law.
const WORDS: usize = 4_000;
const WORDS_EACH: usize = 30;

/// Returns `count` products from the one with number `first` on.
fn products(first: usize, count: usize) -> Vec<Value> {
    let mut choices = Choices::new(first);
    (first..first + count)
        .map(|number| product(number, &mut choices))
        .collect()
}

fn product(number: usize, choices: &mut Choices) -> Value {
    let kind = KINDS[choices.below(KINDS.len())];
    let quality = QUALITIES[choices.below(QUALITIES.len())];
    let brand = format!("Marque{}", choices.ranked(BRANDS));
    let described: Vec<String> = (0..WORDS_EACH)
        .map(|_| match choices.below(15) {
            0 => KINDS[choices.below(KINDS.len())].to_owned(),
            _ => format!("mot{}", choices.ranked(WORDS)),
        })
        .collect();
    json!({
        "id": number.to_string(),
        "name": format!("{kind} {quality} {brand} {}", choices.ranked(WORDS)),
        "url": format!("https://shop.example/{number}"),
        "reference": format!("REF-{number}"),
        "manufacturer": brand,
        "description": described.join(" "),
        "hash": number.to_string(),
        "inStock": choices.below(10) > 0,
        "priceInclTax": choices.below(50_000) as f64 / 100.0,
        "currency": "EUR",
        "salesCount": choices.below(500),
    })
}

/// Returns all products as compressed blocks.
pub fn blocks(count: usize, language: &str) -> Vec<Vec<u8>> {
    let block = |first: usize| {
        let documents = products(first, BLOCK.min(count - first));
        gzip(
            json!({"language": language, "documents": documents})
                .to_string()
                .as_bytes(),
        )
    };
    (0..count).step_by(BLOCK).map(block).collect()
}

#[cfg(test)]
mod tests {
    use super::{KINDS, blocks, products};

    #[test]
    fn the_catalogue_is_the_same_in_each_run() {
        assert_eq!(products(500, 20), products(500, 20));
        assert_eq!(blocks(1_001, "fr").len(), 3);
        let found = products(0, 400);
        for kind in KINDS {
            let named = |product: &&serde_json::Value| {
                product["name"]
                    .as_str()
                    .is_some_and(|name| name.starts_with(kind))
            };
            assert!(found.iter().filter(named).count() > 4, "{kind}");
        }
    }
}
