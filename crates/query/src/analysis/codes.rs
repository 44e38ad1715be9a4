//! Codes made comparable: references, EAN, UPC, ISBN and MPN without separators, with and without their case.

use super::{composed, lower};
use domain::limits::CODE_LETTERS_MAX;

/// First letter of a code that is compared with its case; compact codes never start with it.
pub const CASE_MARK: char = '\u{1}';

/// The code in lower case without blanks, control characters, dots, dashes and slashes; none when nothing or too much is left.
pub fn compact(code: &str) -> Option<String> {
    joined(&lower(code))
}

/// The code in its own case, behind [`CASE_MARK`]; one without letters, which has no case, as [`compact`].
pub fn cased(code: &str) -> Option<String> {
    let code = joined(&composed(code))?;
    if code.chars().any(char::is_alphabetic) {
        Some(format!("{CASE_MARK}{code}"))
    } else {
        Some(code)
    }
}

fn joined(code: &str) -> Option<String> {
    let joined: String = code.chars().filter(|c| !is_left_out(*c)).collect();
    let letters = joined.chars().count();
    (1..=CODE_LETTERS_MAX).contains(&letters).then_some(joined)
}

fn is_left_out(letter: char) -> bool {
    is_separator(letter) || letter.is_control()
}

/// Whether `letter` only separates the parts of a code: blanks, dots, dashes and slashes.
pub fn is_separator(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '.' | '-' | '/' | '‐' | '‑' | '–')
}

/// The compact form of an EAN or UPC: with 8, 12, 13 or 14 digits, without leading zeros.
pub fn article_number(compact: &str) -> &str {
    let number = compact.bytes().all(|b| b.is_ascii_digit());
    if number && matches!(compact.len(), 8 | 12 | 13 | 14) {
        let trimmed = compact.trim_start_matches('0');
        if trimmed.is_empty() { compact } else { trimmed }
    } else {
        compact
    }
}

/// All spellings under which a document's code is indexed; an article number also without its leading zeros.
pub fn spellings(code: &str, is_article_number: bool) -> Vec<String> {
    let mut spellings: Vec<String> = compact(code).into_iter().chain(cased(code)).collect();
    if is_article_number && let Some(first) = spellings.first() {
        spellings.push(article_number(first).to_owned());
    }
    spellings
}

/// Number of letters of a spelling, without its mark.
pub fn letters(spelling: &str) -> usize {
    spelling.trim_start_matches(CASE_MARK).chars().count()
}
