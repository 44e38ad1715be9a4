//! Codes as people paste them: with the brackets, quotes and number signs around them, and the label before them.

use crate::analysis::{normalised, unaccented};

/// Words that stand before a code in English, Spanish, French, German, Italian and Portuguese, folded.
const LABELS: [&str; 62] = [
    "art",
    "article",
    "articolo",
    "articulo",
    "artigo",
    "artikel",
    "artikelnr",
    "artikelnummer",
    "artnr",
    "barcode",
    "bestellnr",
    "bestellnummer",
    "cod",
    "code",
    "codice",
    "codigo",
    "de",
    "del",
    "di",
    "do",
    "du",
    "ean",
    "ean13",
    "gtin",
    "id",
    "isbn",
    "item",
    "mod",
    "model",
    "modele",
    "modell",
    "modello",
    "modelnr",
    "modelo",
    "mpn",
    "n",
    "no",
    "nr",
    "num",
    "number",
    "numero",
    "nummer",
    "part",
    "pn",
    "produit",
    "produkt",
    "produktnr",
    "product",
    "producto",
    "produktnummer",
    "prodotto",
    "produto",
    "ref",
    "reference",
    "referencia",
    "referenz",
    "refnr",
    "rif",
    "riferimento",
    "sku",
    "teilenummer",
    "upc",
];

/// What of `text` may be the code: all of it, and what follows a label at its start, both without the signs around them.
/// Codes may begin as labels do: `NR-2001`, `DE 294`.
pub(crate) fn possible_codes(text: &str) -> impl Iterator<Item = &str> {
    let bare = without_label(text);
    let all = unwrapped(text);
    [all].into_iter().chain((bare != all).then_some(bare))
}

/// `text` without a label at its start and without the signs around it; as it is where that leaves no digit.
pub(crate) fn without_label(text: &str) -> &str {
    let mut rest = unwrapped(text);
    while let Some(next) = after_label(rest) {
        rest = unwrapped(next);
    }
    if rest.contains(char::is_numeric) {
        rest
    } else {
        unwrapped(text)
    }
}

/// `text` after its first word, if that is a label; what follows has a digit.
fn after_label(text: &str) -> Option<&str> {
    let ends = |c: char| c.is_whitespace() || matches!(c, ':' | '#' | '=' | '.' | '°' | 'º');
    let end = text.find(ends)?;
    // A hyphen may stand within a label: `Art.-Nr.`
    let word = unaccented(text[..end].trim_matches('-'));
    let rest = text[end..].trim_start_matches(|c: char| ends(c) || c == '-');
    let is_label = word.is_empty() || LABELS.contains(&word.as_str());
    (is_label && !rest.is_empty() && rest.len() < text.len()).then_some(rest)
}

/// `text` without brackets, quotes, asterisks, number signs and punctuation around it.
fn unwrapped(text: &str) -> &str {
    let wraps = |c: char| {
        c.is_whitespace()
            || matches!(
                c,
                '(' | ')'
                    | '['
                    | ']'
                    | '{'
                    | '}'
                    | '<'
                    | '>'
                    | '*'
                    | '#'
                    | ':'
                    | ','
                    | ';'
                    | '!'
                    | '?'
                    | '|'
            )
            || matches!(
                c,
                '"' | '\'' | '`' | '´' | '‘'..='‟' | '«' | '»' | '‹' | '›'
            )
            || normalised(c.encode_utf8(&mut [0; 4])).is_empty()
    };
    text.trim_matches(wraps)
        .trim_end_matches(|c: char| wraps(c) || c == '.')
}

#[cfg(test)]
mod tests {
    //! 1. Signs and labels around a code are left out; what is no label stays.
    //! 2. A label may be the beginning of the code.

    use super::{possible_codes, without_label};

    #[test]
    fn a_label_may_begin_the_code() {
        for (text, codes) in [
            ("(NR-2001)", &["NR-2001"][..]),
            ("[NR 2001]", &["NR 2001", "2001"]),
            ("de 294 0", &["de 294 0", "294 0"]),
            ("ref: nr.7", &["ref: nr.7", "7"]),
        ] {
            assert_eq!(possible_codes(text).collect::<Vec<_>>(), codes, "{text}");
        }
    }

    #[test]
    fn signs_and_labels_are_left_out() {
        for (text, code) in [
            ("(KT-1200)", "KT-1200"),
            ("\"KT-1200\"", "KT-1200"),
            ("«KT-1200».", "KT-1200"),
            ("#KT-1200", "KT-1200"),
            ("*KT-1200*", "KT-1200"),
            ("ref:KT-1200", "KT-1200"),
            ("Ref.: KT-1200", "KT-1200"),
            ("SKU KT-1200", "KT-1200"),
            ("Art.-Nr. KT-1200", "KT-1200"),
            ("Código de artículo: 77", "77"),
            ("EAN: 5055288404878", "5055288404878"),
            ("n° 12", "12"),
            ("Part No. (KT-1200)", "KT-1200"),
            ("\u{202a}KT-1200\u{202c}", "KT-1200"),
            ("tent KT-1200", "tent KT-1200"),
            ("ref: tent", "ref: tent"),
            ("KT-1200+", "KT-1200+"),
            ("00:1A:2B", "00:1A:2B"),
        ] {
            assert_eq!(without_label(text), code, "{text}");
        }
    }
}
