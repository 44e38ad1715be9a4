//! Ids of groups, values and categories, made of their labels, so that two imports agree on them.

use crate::bounds::ID_CHARACTERS_MAX;
use crate::rows::columns::folded;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use unicode_normalization::UnicodeNormalization;

/// What colour and size are called, so that one filter serves all languages.
const SYNONYMS: [(&str, &[&str]); 2] = [
    ("color", &["colour", "farbe", "couleur", "colore", "cor"]),
    ("size", &["talla", "grosse", "taille", "taglia", "tamanho"]),
];

/// Returns the id of a group of attributes or features.
pub fn group_id(label: &str) -> String {
    let mut id = String::new();
    for c in folded(label) {
        // Sharp s is no accent, and stands for two characters where accents are left out.
        match c {
            'ß' => id.push_str("ss"),
            c if c.is_alphanumeric() => id.push(c),
            _ if id.ends_with('_') => {}
            _ => id.push('_'),
        }
    }
    let id = id.trim_matches('_');
    let synonym = SYNONYMS.iter().find(|(_, names)| names.contains(&id));
    let id = synonym.map_or(id, |(name, _)| name);
    or_hash(id.to_owned(), label)
}

/// Returns the id of a value.
pub fn value_id(text: &str) -> String {
    let lower: String = text.nfkc().flat_map(char::to_lowercase).collect();
    let words: Vec<&str> = lower.split_whitespace().collect();
    or_hash(words.join(" "), text)
}

/// Returns the id of a category, by the names from its root down to it.
pub fn category_id(path: &[String]) -> String {
    let steps: Vec<String> = path.iter().map(|name| value_id(name)).collect();
    let id = steps.join(" > ");
    or_hash(id.clone(), &id)
}

fn or_hash(id: String, text: &str) -> String {
    if !id.is_empty() && id.chars().count() <= ID_CHARACTERS_MAX {
        return id;
    }
    let digest = Sha256::digest(text.as_bytes());
    let mut hash = "h_".to_owned();
    for byte in &digest[..16] {
        // Writing to a text does not fail.
        let _ = write!(hash, "{byte:02x}");
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::{category_id, group_id, value_id};

    #[test]
    fn ids_are_the_same_in_every_spelling() {
        for (label, id) in [
            ("Pack size", "pack_size"),
            ("Farbe", "color"),
            ("Größe", "size"),
            ("Talla", "size"),
            ("Couleur", "color"),
            ("  Año—modelo ", "ano_modelo"),
        ] {
            assert_eq!(group_id(label), id, "{label}");
        }
        assert!(group_id("***").starts_with("h_"));
        assert_eq!(value_id("  C++ "), "c++");
        assert_eq!(value_id("Rojo  Vivo"), "rojo vivo");
        assert_eq!(value_id(&"x".repeat(300)).len(), 34);
        let path = ["Home & Garden".to_owned(), "Kitchen, Dining".to_owned()];
        assert_eq!(category_id(&path), "home & garden > kitchen, dining");
    }
}
