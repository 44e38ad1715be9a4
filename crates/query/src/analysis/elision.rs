//! Elided articles before an apostrophe: l'eau, dell'olio, l'home.

/// Where the word proper starts in `word`, in bytes, when the text before its apostrophe is one of `elided`.
pub(super) fn elided(word: &str, elided: &[&str]) -> Option<usize> {
    if elided.is_empty() {
        return None;
    }
    let (at, apostrophe) = word.char_indices().find(|(_, c)| is_apostrophe(*c))?;
    let article = super::lower(&word[..at]);
    let rest = at + apostrophe.len_utf8();
    let is_elided =
        elided.contains(&article.as_str()) && word[rest..].starts_with(char::is_alphabetic);
    is_elided.then_some(rest)
}

/// Whether `c` is an apostrophe, straight or typographic.
pub(super) fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | '‘' | 'ʼ' | '＇')
}
