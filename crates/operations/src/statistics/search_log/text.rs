//! The text of a query as the search log keeps it, and texts that it never keeps.

use domain::limits::LOGGED_QUERY_CHARACTERS_MAX;
use query::analysis::lower;

/// What is kept of a query that may identify a person.
pub(crate) const HIDDEN: &str = "(hidden)";

/// Digits in a row from which a text without results may be a telephone number.
const PHONE_DIGITS: usize = 9;
/// Digits in a row of a text that is never suggested.
const SUGGESTED_DIGITS: usize = 6;
/// Characters of a suggested text.
const SUGGESTED_CHARACTERS: std::ops::RangeInclusive<usize> = 3..=60;

/// Returns the query in compatibility form, lower case and with single spaces; its first 100 characters.
pub(crate) fn logged(query: &str) -> String {
    let mut text = String::with_capacity(query.len().min(4 * LOGGED_QUERY_CHARACTERS_MAX));
    let mut left = LOGGED_QUERY_CHARACTERS_MAX;
    let words = query.split(|c: char| c.is_whitespace() || c.is_control());
    for word in words.filter(|word| !word.is_empty()) {
        if !text.is_empty() && left > 0 {
            text.push(' ');
            left -= 1;
        }
        if left == 0 {
            break;
        }
        for c in lower(word).chars().take(left) {
            text.push(c);
            left -= 1;
        }
    }
    text.truncate(text.trim_end().len());
    text
}

/// Returns whether a logged text may identify a person: it has an e-mail address, or a long number that found nothing
/// and is no article number.
pub(crate) fn is_personal(text: &str, found: bool) -> bool {
    has_address(text) || (!found && has_phone_number(text))
}

/// An `@` with something before it, for addresses are searched while they are typed, too.
fn has_address(text: &str) -> bool {
    let mut before = ' ';
    text.chars().any(|c| {
        let joins = c == '@' && before != ' ';
        before = c;
        joins
    })
}

/// Nine digits in a row, grouped by single separators or not, that are no article number.
fn has_phone_number(text: &str) -> bool {
    let mut run: Vec<u8> = Vec::new();
    let mut separated = false;
    let mut found = false;
    for c in text.chars().chain(['\u{0}', '\u{0}']) {
        match c.to_digit(10) {
            Some(digit) => {
                run.extend(u8::try_from(digit));
                separated = false;
            }
            None if matches!(c, ' ' | '-' | '.' | '/' | '(' | ')') && !separated => {
                separated = true
            }
            None => {
                found |= run.len() >= PHONE_DIGITS && !is_article_number(&run);
                run.clear();
                separated = false;
            }
        }
    }
    found
}

/// Returns whether digits are a GTIN of 8, 12, 13 or 14 digits with a valid check digit.
fn is_article_number(digits: &[u8]) -> bool {
    let weighted = digits.iter().rev().zip([1, 3].iter().cycle());
    let sum: u32 = weighted
        .map(|(digit, weight)| u32::from(*digit) * weight)
        .sum();
    matches!(digits.len(), 8 | 12 | 13 | 14) && sum.is_multiple_of(10)
}

/// Returns whether a logged text may be suggested to other shoppers.
pub(crate) fn may_be_suggested(text: &str) -> bool {
    let mut digits = 0;
    let numbers = text.chars().any(|c| {
        digits = if c.is_numeric() { digits + 1 } else { 0 };
        digits >= SUGGESTED_DIGITS
    });
    SUGGESTED_CHARACTERS.contains(&text.chars().count())
        && text != HIDDEN
        && !text.contains('@')
        && !numbers
}

#[cfg(test)]
mod tests {
    //! 1. Texts are unified and cut. 2. Addresses and telephone numbers are personal, article numbers are not.
    //! 3. What may be suggested has no address, no long number and a usual length.

    use super::*;

    #[test]
    fn texts_are_unified_and_cut() {
        assert_eq!(logged("  Ｃafé\t\u{1}ROJO \n"), "café rojo");
        assert_eq!(logged(" \u{3000} "), "");
        let long = "Ñandú ".repeat(50);
        let cut = logged(&long);
        assert!(
            cut.chars().count() <= 100 && cut.starts_with("ñandú ñandú"),
            "{cut}"
        );
        assert_eq!(logged(&"x".repeat(500)).len(), 100);
        assert_eq!(logged(&format!("{} y", "x".repeat(99))), "x".repeat(99));
    }

    #[test]
    fn personal_texts_are_recognised() {
        for text in ["ana@x.es", "mail ana@", "a b@c d"] {
            assert!(is_personal(text, true), "{text}");
        }
        for text in [
            "600123456",
            "tel 600 123 456 ana",
            "+34 600-123-456",
            "(91) 512.34.56.78",
            "1234567890",
        ] {
            assert!(is_personal(text, false), "{text}");
            assert!(!is_personal(text, true), "{text}");
        }
        for text in [
            "@home",
            "a @ b",
            "bota 41",
            "12345678",
            "4006381333931",
            "036000291452",
            "2026 11 2",
            "60012 x 3456",
        ] {
            assert!(!is_personal(text, false), "{text}");
        }
        assert!(is_personal("4006381333932", false), "a wrong check digit");
    }

    #[test]
    fn suggested_texts_are_harmless() {
        for text in ["bota", "bota 41", "ñu y", "iphone 12345"] {
            assert!(may_be_suggested(text), "{text}");
        }
        let long = "x".repeat(61);
        for text in ["ab", &long, "a@b", "bota 123456", HIDDEN] {
            assert!(!may_be_suggested(text), "{text}");
        }
    }
}
