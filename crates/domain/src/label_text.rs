//! The text of labels: of brands, categories, tags, groups and their values. Two writings of one label are one.

use crate::plain_text::plain_text;
use unicode_normalization::UnicodeNormalization;

/// `text` as people read it: entities decoded, composed (NFC), without marks of direction, with single blanks and none at
/// its ends. Empty if nothing is left of it.
pub fn label_text(text: &str) -> String {
    if text.is_ascii() && !text.contains(['<', '&']) {
        return single_blanks(text);
    }
    let plain = plain_text(text);
    let seen = plain.chars().filter(|c| !is_bidi_or_break(*c));
    single_blanks(&seen.nfc().collect::<String>())
}

fn single_blanks(text: &str) -> String {
    let mut words = text.split_whitespace();
    let mut single = words.next().unwrap_or_default().to_owned();
    for word in words {
        single.push(' ');
        single.push_str(word);
    }
    single
}

/// Whether `c` only controls the direction of text or where a line may break. Joiners and variation selectors, which
/// analysis ignores too, change how a label looks and stay.
fn is_bidi_or_break(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    //! 1. Two writings of one label are one; what is left blank is empty; signs stay.

    use super::label_text;

    #[test]
    fn two_writings_are_one() {
        for (text, label) in [
            ("Cafe\u{301}", "Café"),
            (" Nike\u{a0}", "Nike"),
            ("Black &amp; Decker", "Black & Decker"),
            ("Tech  &\tGadgets", "Tech & Gadgets"),
            ("\u{202a}Foo\u{202c}", "Foo"),
            (" \u{a0}\u{200b}", ""),
            ("<p></p>", ""),
            ("Foo, Bar & Co. (Ltd): `x`", "Foo, Bar & Co. (Ltd): `x`"),
            ("2 m²", "2 m²"),
            ("< 5 kg", "< 5 kg"),
        ] {
            assert_eq!(label_text(text), label, "{text}");
        }
    }
}
