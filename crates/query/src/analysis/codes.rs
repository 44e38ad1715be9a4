//! Normalises codes: references, EAN, UPC, ISBN and MPN without separators, in lower case or in their own case.

use super::normalise::normalised;
use super::{composed, lower};
use domain::limits::CODE_CHARACTERS_MAX;

/// First character of the term of a case-sensitive code; compact codes never start with it.
pub const CASE_MARK: char = '\u{1}';

/// The code in lower case without white space, control characters, dots, dashes and slashes; none when the result is
/// empty or too long.
pub fn compact(code: &str) -> Option<String> {
    joined(&lower(&normalised(code)))
}

/// The code in its own case after [`CASE_MARK`]; a code without letters is as in [`compact`].
pub fn cased(code: &str) -> Option<String> {
    let code = joined(&composed(&normalised(code)))?;
    if code.chars().any(char::is_alphabetic) {
        Some(format!("{CASE_MARK}{code}"))
    } else {
        Some(code)
    }
}

fn joined(code: &str) -> Option<String> {
    let joined: String = code.chars().filter(|c| !is_left_out(*c)).collect();
    let length = joined.chars().count();
    (1..=CODE_CHARACTERS_MAX)
        .contains(&length)
        .then_some(joined)
}

fn is_left_out(c: char) -> bool {
    is_separator(c) || c.is_control()
}

/// Whether `c` separates parts of a code: white space, dots, dashes and slashes.
pub fn is_separator(c: char) -> bool {
    c.is_whitespace() || matches!(c, '.' | '-' | '/' | '‐'..='―' | '−')
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

/// All terms under which a document's code is indexed; an article number also without leading zeros.
pub fn spellings(code: &str, is_article_number: bool) -> Vec<String> {
    let mut spellings: Vec<String> = compact(code).into_iter().chain(cased(code)).collect();
    if is_article_number && let Some(first) = spellings.first() {
        spellings.push(article_number(first).to_owned());
    }
    spellings
}

/// Number of characters of a spelling, without its mark.
pub fn characters(spelling: &str) -> usize {
    spelling.trim_start_matches(CASE_MARK).chars().count()
}
