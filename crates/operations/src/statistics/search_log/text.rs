//! The text of a query as the search log keeps it, and texts that it never keeps.

use domain::first_characters;
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

/// Returns what the log keeps of a query, which `found` products or none: its unified text, cut, or [`HIDDEN`].
///
/// Whether it may identify a person is decided on the whole query: the first half of an address is personal, too.
pub(crate) fn logged(query: &str, found: bool) -> String {
    let text = unified(query);
    if is_personal(&text, found) {
        HIDDEN.to_owned()
    } else {
        cut(&text).to_owned()
    }
}

/// Returns the query in compatibility form, lower case and with single spaces.
pub(crate) fn unified(query: &str) -> String {
    let words = query.split(|c: char| c.is_whitespace() || c.is_control());
    let words = words.filter(|word| !word.is_empty()).map(lower);
    words.collect::<Vec<_>>().join(" ")
}

/// Returns the first 100 characters of a unified text.
pub(crate) fn cut(text: &str) -> &str {
    first_characters(text, LOGGED_QUERY_CHARACTERS_MAX).trim_end()
}

/// Returns whether a unified text may identify a person: it has an e-mail address, or a long number that found nothing
/// and is no article number.
fn is_personal(text: &str, found: bool) -> bool {
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
    //! 4. An address or a long number hides a query, wherever it is in it. What is kept is the beginning of the query.

    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_part_of_an_address_is_kept(
            before in "[a-zñ漢 ]{0,450}",
            address in "[a-z0-9._-]{1,40}[@＠]([a-z0-9]{1,20}\\.[a-z]{2,6})?",
            after in "([^\\w].{0,40})?",
            found in any::<bool>(),
        ) {
            prop_assert_eq!(logged(&format!("{before}{address}{after}"), found), HIDDEN);
        }

        #[test]
        fn no_part_of_a_long_number_is_kept(
            before in "([a-zñ漢 ]{0,450}[a-z] ?)?",
            number in "(00|\\+)?[0-9]([ ./-]?[0-9]){8}",
            after in "( [a-zñ ]{0,40})?",
        ) {
            prop_assert_eq!(logged(&format!("{before}{number}{after}"), false), HIDDEN);
        }

        #[test]
        fn what_is_kept_is_the_beginning(query in ".{0,500}", found in any::<bool>()) {
            let kept = logged(&query, found);
            prop_assert!(kept.chars().count() <= LOGGED_QUERY_CHARACTERS_MAX);
            prop_assert!(kept == HIDDEN || unified(&query).starts_with(&kept));
        }
    }

    #[test]
    fn texts_are_unified_and_cut() {
        let logged = |query: &str| super::logged(query, true);
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
        let late = format!("{} ana.ruiz@shop.example", "x".repeat(95));
        assert_eq!(
            logged(&late),
            HIDDEN,
            "only `ana.` would be left of the address"
        );
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
