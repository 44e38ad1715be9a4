//! Elided articles before an apostrophe: l'eau, dell'olio, l'home.

/// Whether `before`, which stands before an apostrophe, is one of the articles `elided` of the word `after`.
pub(super) fn is_elided(before: &str, after: &str, elided: &[&str]) -> bool {
    !elided.is_empty()
        && after.starts_with(char::is_alphabetic)
        && elided.contains(&super::lower(before).as_str())
}
