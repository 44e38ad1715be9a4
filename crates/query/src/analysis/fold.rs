//! Letters made comparable: lower case, normalised, without accents.

use unicode_normalization::UnicodeNormalization;

/// The text in lower case and composed form, with its accents; apostrophes are straight.
pub fn lower(text: &str) -> String {
    if text
        .bytes()
        .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
    {
        return text.to_owned();
    }
    text.nfkc()
        .flat_map(char::to_lowercase)
        .map(straight)
        .nfc()
        .collect()
}

/// The text in lower case without accents, possessive endings and apostrophes.
pub fn fold(text: &str) -> String {
    if text
        .bytes()
        .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
    {
        return text.to_owned();
    }
    let mut folded = String::with_capacity(text.len());
    for letter in text.nfkd().flat_map(char::to_lowercase).nfkd() {
        push_folded(letter, &mut folded);
    }
    let folded: String = folded.nfc().collect();
    let base = folded.strip_suffix("'s").unwrap_or(&folded);
    base.replace('\'', "")
}

fn push_folded(letter: char, folded: &mut String) {
    match letter {
        // The accents of Latin, Greek and Cyrillic; marks of other scripts carry meaning and stay.
        '\u{300}'..='\u{36f}' => {}
        'ß' => folded.push_str("ss"),
        'æ' => folded.push_str("ae"),
        'œ' => folded.push_str("oe"),
        'ø' => folded.push('o'),
        'ł' => folded.push('l'),
        'đ' | 'ð' => folded.push('d'),
        'þ' => folded.push_str("th"),
        'ı' => folded.push('i'),
        other => folded.push(straight(other)),
    }
}

fn straight(letter: char) -> char {
    if matches!(letter, '’' | '‘' | 'ʼ' | '＇') {
        '\''
    } else {
        letter
    }
}
