//! Codes made comparable: references, EAN, UPC, ISBN and MPN without case and separators.

use super::lower;
use domain::limits::CODE_LETTERS_MAX;

/// The code in lower case without blanks, control characters, dots, dashes and slashes; none when nothing or too much is left.
pub fn compact(code: &str) -> Option<String> {
    let compact: String = lower(code)
        .chars()
        .filter(|c| !c.is_whitespace() && !c.is_control())
        .filter(|c| !matches!(c, '.' | '-' | '/' | '‐' | '‑' | '–'))
        .collect();
    let letters = compact.chars().count();
    (1..=CODE_LETTERS_MAX).contains(&letters).then_some(compact)
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
