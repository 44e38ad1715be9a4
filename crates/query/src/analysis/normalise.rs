//! The first step of the analysis: signs that people read as the same become the same, before a text is split into words.
//!
//! It is Unicode's compatibility form (NFKC, UAX 15) character by character, with the exceptions of a shop: trade marks
//! are no letters, a fraction does not merge with the digit before it, spacing accents are apostrophes. Composing and
//! folding letters comes later, word by word.

use std::borrow::Cow;
use std::ops::Range;
use unicode_normalization::UnicodeNormalization;

/// A normalised text that knows where its characters come from.
#[derive(Debug)]
pub(super) struct NormalisedText<'a> {
    /// The text.
    pub text: Cow<'a, str>,
    /// For each byte of a changed text, the range in the original of the character that it comes from; else empty.
    origins: Vec<(u32, u32)>,
}

impl<'a> NormalisedText<'a> {
    /// Normalises `text`; one without any sign to replace is borrowed.
    pub fn new(text: &'a str) -> Self {
        let Some(first) = first_replaced(text) else {
            return Self {
                text: Cow::Borrowed(text),
                origins: Vec::new(),
            };
        };
        let mut writer = SignReplacer {
            text: String::with_capacity(text.len() + 8),
            origins: Vec::with_capacity(text.len() + 8),
        };
        for (at, c) in text.char_indices() {
            let origin = (at as u32, (at + c.len_utf8()) as u32);
            if at < first {
                writer.push(c, origin);
            } else {
                writer.replace(c, origin, &text[at + c.len_utf8()..]);
            }
        }
        Self {
            text: Cow::Owned(writer.text),
            origins: writer.origins,
        }
    }

    /// The range in the original of a range of the normalised text, which is not empty.
    pub fn original(&self, range: Range<usize>) -> Range<usize> {
        let first = self.origins.get(range.start);
        let last = self.origins.get(range.end.saturating_sub(1));
        match (first, last) {
            (Some((start, _)), Some((_, end))) => *start as usize..*end as usize,
            _ => range,
        }
    }
}

/// Normalises `text`: what every other step of the analysis reads.
pub fn normalised(text: &str) -> Cow<'_, str> {
    NormalisedText::new(text).text
}

/// Start of the first character that [`SignReplacer::replace`] changes, if any.
fn first_replaced(text: &str) -> Option<usize> {
    if text.is_ascii() {
        return None;
    }
    let mut characters = text.char_indices();
    characters
        .find(|(_, c)| !c.is_ascii() && class(*c) != Class::Other)
        .map(|(at, _)| at)
}

/// What becomes of a character.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// It stays.
    Other,
    /// It is left out: marks of direction, joiners, variation selectors, soft hyphens.
    Invisible,
    /// A blank; one that groups digits is left out.
    Blank,
    Hyphen,
    Apostrophe,
    /// The abbreviation mark of Hebrew.
    Gershayim,
    Slash,
    /// `×`, which people type as a letter.
    Times,
    /// A sign of a trade mark.
    Trade,
    Fraction,
    /// Its compatibility form.
    Compatible,
}

fn class(c: char) -> Class {
    match c {
        '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{2028}' | '\u{2029}' => Class::Blank,
        '\u{202f}' | '\u{205f}' | '\u{3000}' | '\u{85}' => Class::Blank,
        c if is_ignorable(c) => Class::Invisible,
        '\u{2010}'..='\u{2015}' | '\u{2043}' | '\u{2212}' | '\u{58a}' | '\u{5be}' => Class::Hyphen,
        '\u{2e3a}' | '\u{2e3b}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' => Class::Hyphen,
        c if is_apostrophe(c) => Class::Apostrophe,
        '\u{5f4}' => Class::Gershayim,
        '\u{2044}' | '\u{2215}' | '\u{29f8}' => Class::Slash,
        '×' | '✕' | '✖' | '⨯' => Class::Times,
        '\u{2122}' | '\u{2120}' => Class::Trade,
        '¼'..='¾' | '\u{2150}'..='\u{215f}' | '\u{2189}' => Class::Fraction,
        // Letters with ordinal and spacing forms, digits above and below the line, letter-like signs, numbers in circles,
        // squared units, ligatures, wide and narrow forms.
        '\u{a8}' | 'ª' | '²' | '³' | 'µ' | '¹' | 'º' | '\u{2b0}'..='\u{2b8}' => {
            Class::Compatible
        }
        '\u{2070}'..='\u{209c}' | '\u{2100}'..='\u{214f}' | '\u{2160}'..='\u{2188}' => {
            Class::Compatible
        }
        '\u{2460}'..='\u{24ff}' | '\u{3200}'..='\u{33ff}' | '\u{fb00}'..='\u{fb06}' => {
            Class::Compatible
        }
        '\u{ff01}'..='\u{ffee}' | '\u{1d400}'..='\u{1d7ff}' => Class::Compatible,
        _ => Class::Other,
    }
}

/// Whether `c` only controls direction, joining, line breaking or the look of its neighbour: what Unicode calls default
/// ignorable, as far as texts have it.
pub(super) fn is_ignorable(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180e}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{206f}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0100}'..='\u{e01ef}')
}

/// Whether people type or see `c` as an apostrophe.
pub(super) fn is_apostrophe(c: char) -> bool {
    matches!(
        c,
        '\'' | '`'
            | '´'
            | '‘'
            | '’'
            | '‛'
            | '′'
            | 'ʹ'
            | 'ʻ'
            | 'ʼ'
            | 'ʽ'
            | 'ʾ'
            | 'ʿ'
            | 'ˈ'
            | '՚'
            | '׳'
            | 'ꞌ'
            | '＇'
            | '\u{1fbd}'
            | '\u{1fbf}'
    )
}

struct SignReplacer {
    text: String,
    origins: Vec<(u32, u32)>,
}

impl SignReplacer {
    fn push(&mut self, c: char, origin: (u32, u32)) {
        self.text.push(c);
        self.origins.resize(self.text.len(), origin);
    }

    /// Writes what becomes of `c`, which stands before `rest`.
    fn replace(&mut self, c: char, origin: (u32, u32), rest: &str) {
        match class(c) {
            Class::Other => self.push(c, origin),
            Class::Invisible => {}
            Class::Blank if c != '\u{3000}' && self.groups_digits(rest) => {}
            Class::Blank | Class::Trade => self.push(' ', origin),
            Class::Hyphen => self.push('-', origin),
            Class::Apostrophe => self.push('\'', origin),
            Class::Gershayim => self.push('"', origin),
            Class::Slash => self.push('/', origin),
            Class::Times => self.push('x', origin),
            Class::Fraction => {
                if self.text.ends_with(|before: char| before.is_ascii_digit()) {
                    self.push(' ', origin);
                }
                self.push_compatible(c, origin);
            }
            Class::Compatible => self.push_compatible(c, origin),
        }
    }

    fn push_compatible(&mut self, c: char, origin: (u32, u32)) {
        for compatible in std::iter::once(c).nfkc() {
            match class(compatible) {
                Class::Slash => self.push('/', origin),
                Class::Invisible => {}
                _ if is_apostrophe(compatible) => self.push('\'', origin),
                _ => self.push(compatible, origin),
            }
        }
    }

    /// Whether a blank before `rest` separates groups of three digits of one number.
    fn groups_digits(&self, rest: &str) -> bool {
        let rest = rest.as_bytes();
        let group = rest.len() >= 3 && rest[..3].iter().all(u8::is_ascii_digit);
        let ends = !rest.get(3).is_some_and(u8::is_ascii_digit);
        let before = self.text.bytes().rev().take_while(u8::is_ascii_digit);
        group && ends && before.count() > 0
    }
}

#[cfg(test)]
mod tests {
    //! 1. Signs that people read as the same become the same; letters stay.
    //! 2. Every range of the normalised text has its range in the original.
    //! 3. Normalising twice changes nothing more.

    use super::*;
    use proptest::prelude::*;

    #[test]
    fn signs_become_the_same() {
        for (text, expected) in [
            ("T‑shirt Wi–Fi −5", "T-shirt Wi-Fi -5"),
            ("L´Oréal O`Neill Levi’s", "L'Oréal O'Neill Levi's"),
            (
                "water\u{ad}proof \u{2066}suede\u{2069} \u{202a}KT\u{202c}",
                "waterproof suede KT",
            ),
            ("2 m² CO₂ 500㎖ ½ 1½", "2 m2 CO2 500ml 1/2 1 1/2"),
            ("Ｗｉ-Ｆｉ ﬁt Nike™ №5", "Wi-Fi fit Nike  No5"),
            ("1\u{202f}000 m 12\u{a0}000 a\u{a0}b", "1000 m 12000 a b"),
            ("20 × 30", "20 x 30"),
            ("ס״מ", "ס\"מ"),
            ("Žluťoučký kůň ñ ß", "Žluťoučký kůň ñ ß"),
        ] {
            assert_eq!(NormalisedText::new(text).text, expected);
        }
    }

    proptest! {
        #[test]
        fn ranges_lead_back(text in "[a1 ½²㎖™\u{ad}\u{2066}×é¨ﬁ´–\u{202f}Ａｶﾞ]{0,16}") {
            let normalised = NormalisedText::new(&text);
            for (at, c) in normalised.text.char_indices() {
                let range = normalised.original(at..at + c.len_utf8());
                prop_assert!(text.is_char_boundary(range.start) && text.is_char_boundary(range.end));
                prop_assert!(range.start < range.end && range.end <= text.len());
            }
            prop_assert_eq!(&super::normalised(&normalised.text), &normalised.text);
        }
    }
}
