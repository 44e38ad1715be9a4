//! Availability in words, in the languages and spellings of platforms, and yes and no.

use crate::rows::columns::folded;
use serde::{Deserialize, Serialize};

/// Whether a product can be bought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stock {
    /// In stock.
    Available,
    /// Not in stock, and can be ordered.
    Orderable,
    /// Cannot be ordered.
    Out,
    /// As the product that it is a variant of.
    AsParent,
}

const AVAILABLE: &str = "instock available limitedavailability yes true 1 enstock disponible auflager lieferbar vorratig disponibile emestoque emstock si oui ja";
const ORDERABLE: &str = "preorder backorder onbackorder backordered";
const OUT: &str = "outofstock soldout discontinued unavailable no false 0 agotado sinstock nodisponible rupturedestock epuise ausverkauft nichtauflager esaurito nondisponibile esgotado \
                   indisponivel";

impl Stock {
    /// Parses words; none if they say nothing about stock.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let lower = text.to_lowercase();
        let name = ["https://schema.org/", "http://schema.org/", "schema:"]
            .iter()
            .find_map(|prefix| lower.strip_prefix(prefix));
        let key = words_key(name.unwrap_or(text));
        let is_in = |words: &str| words.split_whitespace().any(|word| word == key);
        if is_in(AVAILABLE) {
            Some(Self::Available)
        } else if is_in(ORDERABLE) {
            Some(Self::Orderable)
        } else if is_in(OUT) {
            Some(Self::Out)
        } else {
            (key == "parent").then_some(Self::AsParent)
        }
    }

    /// Returns `inStock` and `outOfStock`.
    pub fn flags(self) -> (bool, bool) {
        match self {
            Self::Available => (true, false),
            Self::Orderable => (false, false),
            Self::Out | Self::AsParent => (false, true),
        }
    }
}

/// Returns words without accents, marks and white space, in lower case.
pub fn words_key(text: &str) -> String {
    let is_mark = |c: &char| matches!(c, '_' | '-') || c.is_whitespace();
    folded(text.trim()).filter(|c| !is_mark(c)).collect()
}

/// Parses yes and no; none for other words.
pub fn yes_or_no(text: &str) -> Option<bool> {
    match words_key(text).as_str() {
        "1" | "yes" | "y" | "true" | "on" | "active" | "enabled" | "published" | "si" | "oui"
        | "ja" | "sim" | "continue" | "notify" | "2" => Some(true),
        "0" | "no" | "n" | "false" | "off" | "draft" | "archived" | "inactive" | "disabled"
        | "unlisted" | "private" | "nein" | "non" | "nao" | "nee" | "deny" | "-1" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::Stock;

    #[test]
    fn words_of_platforms_and_languages() {
        for (text, stock) in [
            ("in stock", Some(Stock::Available)),
            ("IN_STOCK", Some(Stock::Available)),
            ("https://schema.org/InStock", Some(Stock::Available)),
            ("Vorrätig", Some(Stock::Available)),
            ("backorder", Some(Stock::Orderable)),
            ("out_of_stock", Some(Stock::Out)),
            ("Épuisé", Some(Stock::Out)),
            ("parent", Some(Stock::AsParent)),
            ("soon", None),
        ] {
            assert_eq!(Stock::parse(text), stock, "{text}");
        }
    }
}
