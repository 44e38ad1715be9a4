//! Folds characters: lower case, Unicode normalisation, no accents.

use super::normalise::{is_apostrophe, is_ignorable};
use unicode_normalization::UnicodeNormalization;

/// The text in lower case and composed form, with its accents, straight apostrophes and no invisible characters.
pub fn lower(text: &str) -> String {
    if text
        .bytes()
        .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
    {
        return text.to_owned();
    }
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.nfkc()
        .filter(|c| !is_ignorable(*c))
        .flat_map(char::to_lowercase)
        .map(straight)
        .nfc()
        .collect()
}

/// The text in composed form and its own case, with straight apostrophes.
pub fn composed(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    text.nfkc().map(straight).nfc().collect()
}

/// The text in lower case without accents, possessive endings and apostrophes. Variants of a letter are unified: one yeh,
/// one kaf, one alef, one sigma, ASCII digits, katakana for hiragana.
pub fn fold(text: &str) -> String {
    if text
        .bytes()
        .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
    {
        return text.to_owned();
    }
    if text.is_ascii() {
        return without_apostrophes(&text.to_ascii_lowercase());
    }
    without_apostrophes(&unaccented(text)).nfc().collect()
}

/// Without possessive endings, apostrophes and the abbreviation mark of Hebrew.
fn without_apostrophes(folded: &str) -> String {
    let base = folded.strip_suffix("'s").unwrap_or(folded);
    base.replace(['\'', '"'], "")
}

/// The text in lower case without accents, with variants of a letter unified; punctuation is kept.
pub fn unaccented(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut folded = String::with_capacity(text.len());
    for c in text.nfkd().flat_map(char::to_lowercase).nfkd() {
        push_folded(c, &mut folded);
    }
    folded.nfc().collect()
}

fn push_folded(c: char, folded: &mut String) {
    match c {
        // In Cyrillic these are letters of their own, which only look like a letter with an accent.
        '\u{306}' if folded.ends_with(['и', 'у']) => folded.push(c),
        '\u{308}' if folded.ends_with('і') => folded.push(c),
        // The accents of Latin, Greek and Cyrillic; marks of most other scripts carry meaning and stay.
        '\u{300}'..='\u{36f}' => {}
        'ß' => folded.push_str("ss"),
        'æ' => folded.push_str("ae"),
        'œ' => folded.push_str("oe"),
        'ø' => folded.push('o'),
        'ł' => folded.push('l'),
        'đ' | 'ð' => folded.push('d'),
        'þ' => folded.push_str("th"),
        'ı' => folded.push('i'),
        'ς' => folded.push('σ'),
        other => push_other(other, folded),
    }
}

/// Adds a character, unifying variants in scripts other than Latin.
fn push_other(c: char, folded: &mut String) {
    match c {
        // Vowel points of Arabic and Hebrew, the stretching of Arabic, its hamza on a carrier, the nukta of Hindi.
        '\u{610}'..='\u{61a}' | '\u{640}' | '\u{64b}'..='\u{65f}' | '\u{670}' => {}
        '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}' | '\u{5c2}' | '\u{5c7}' | '\u{93c}' => {}
        'ٱ' => folded.push('ا'),
        'ى' | 'ی' => folded.push('ي'),
        'ک' => folded.push('ك'),
        'ة' => folded.push('ه'),
        'ँ' => folded.push('ं'),
        // Hiragana is typed for katakana before an input method converts it.
        'ぁ'..='ゖ' | 'ゝ' | 'ゞ' => folded.push(katakana(c)),
        other if is_ignorable(other) => {}
        other => folded.push(straight(ascii_digit(other))),
    }
}

fn katakana(hiragana: char) -> char {
    /// Distance between the two blocks.
    const DISTANCE: u32 = 0x60;
    char::from_u32(u32::from(hiragana) + DISTANCE).unwrap_or(hiragana)
}

fn ascii_digit(c: char) -> char {
    const ZEROS: [u32; 7] = [0x660, 0x6f0, 0x966, 0xe50, 0xed0, 0x1040, 0x17e0];
    let code = u32::from(c);
    let value = ZEROS
        .iter()
        .map(|zero| code.wrapping_sub(*zero))
        .find(|value| *value < 10);
    value
        .and_then(|value| char::from_digit(value, 10))
        .unwrap_or(c)
}

fn straight(c: char) -> char {
    if is_apostrophe(c) { '\'' } else { c }
}
