//! Words of texts in Latin letters, found letter by letter: the same words as those of UAX 29, at a fraction of the cost.
//!
//! A text is cut at blanks into stretches of plain letters and others. A word never goes across a blank, so each
//! stretch can be read without its neighbours; `pieces` proves it against the rules.

use std::ops::Range;

/// What a byte is to the rules about words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A Latin letter, or one of its two bytes.
    Letter,
    Digit,
    Underscore,
    /// Part of a word between two letters.
    InLetters,
    /// Part of a word between two digits.
    InDigits,
    /// Part of a word between two letters and between two digits.
    InBoth,
    Other,
}

const KINDS: [Kind; 256] = kinds();

const fn kinds() -> [Kind; 256] {
    let mut kinds = [Kind::Other; 256];
    let mut byte = 0;
    while byte < kinds.len() {
        kinds[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | 0x80.. => Kind::Letter,
            b'0'..=b'9' => Kind::Digit,
            b'_' => Kind::Underscore,
            b':' => Kind::InLetters,
            b',' | b';' => Kind::InDigits,
            b'.' | b'\'' => Kind::InBoth,
            _ => Kind::Other,
        };
        byte += 1;
    }
    kinds
}

fn kind(byte: u8) -> Kind {
    KINDS[usize::from(byte)]
}

/// How much of `text` at its front is plain, up to the blank before the first letter that is not.
pub(super) fn plain_length(text: &str) -> usize {
    match first_other(text.as_bytes()) {
        None => text.len(),
        Some(at) => text[..at].rfind(' ').unwrap_or(0),
    }
}

/// How much of `text`, which is not plain up to its first blank or the one after, goes before the next plain stretch.
pub(super) fn other_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut end = 0;
    while end < bytes.len() {
        let after = end + 1;
        let blank = bytes[after..].iter().position(|byte| *byte == b' ');
        let next = blank.map_or(bytes.len(), |at| after + at);
        if end > 0 && first_other(&bytes[end..next]).is_none() {
            break;
        }
        end = next;
    }
    end
}

/// Where the first letter starts that is neither ASCII nor between `À` and `ſ`.
fn first_other(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    while at < bytes.len() {
        at += match (bytes[at], bytes.get(at + 1)) {
            (0..=0x7f, _) => 1,
            // Times and divided stand among the letters.
            (0xc3, Some(0x97 | 0xb7)) => return Some(at),
            (0xc3..=0xc5, Some(_)) => 2,
            _ => return Some(at),
        };
    }
    None
}

/// Calls `found` with the place of every word of `text`, which is plain.
pub(super) fn each_word(text: &str, mut found: impl FnMut(Range<usize>)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        if !matches!(
            kind(bytes[at]),
            Kind::Letter | Kind::Digit | Kind::Underscore
        ) {
            at += 1;
            continue;
        }
        at = end_of_word(bytes, start);
        found(start..at);
    }
}

/// Where the word ends that starts at `start`.
fn end_of_word(bytes: &[u8], start: usize) -> usize {
    let kind_at = |at: usize| bytes.get(at).map_or(Kind::Other, |byte| kind(*byte));
    let mut at = start + 1;
    loop {
        at += match kind_at(at) {
            Kind::Letter | Kind::Digit | Kind::Underscore => 1,
            Kind::Other => return at,
            sign => {
                let around = (kind_at(at - 1), kind_at(at + 1));
                let letters = around == (Kind::Letter, Kind::Letter) && sign != Kind::InDigits;
                let digits = around == (Kind::Digit, Kind::Digit) && sign != Kind::InLetters;
                if !letters && !digits {
                    return at;
                }
                2
            }
        };
    }
}
