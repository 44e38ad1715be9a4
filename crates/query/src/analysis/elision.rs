//! Articles that lean on the next word with an apostrophe: l'eau, dell'olio, l'home.

/// Where the word proper starts in `word`, in bytes, when what stands before its apostrophe is among `elided`.
pub(super) fn elided(word: &str, elided: &[&str]) -> Option<usize> {
    if elided.is_empty() {
        return None;
    }
    let (at, apostrophe) = word
        .char_indices()
        .find(|(_, letter)| is_apostrophe(*letter))?;
    let article = super::lower(&word[..at]);
    let rest = at + apostrophe.len_utf8();
    let leans = elided.contains(&article.as_str()) && word[rest..].starts_with(char::is_alphabetic);
    leans.then_some(rest)
}

/// Whether a letter is an apostrophe, straight or not.
pub(super) fn is_apostrophe(letter: char) -> bool {
    matches!(letter, '\'' | '’' | '‘' | 'ʼ' | '＇')
}
