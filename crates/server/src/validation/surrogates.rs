//! Mends texts that were cut within a character: half of a surrogate pair becomes U+FFFD, as a browser shows it.
//!
//! A program that cuts a text at a number of UTF-16 units leaves such a half behind; the rest of the document or query is
//! as it was meant.

use std::borrow::Cow;

/// Bytes of an escape such as `\ud83d`.
const ESCAPE: usize = 6;
/// Escape of the replacement character, as long as the one that it replaces, so that positions in errors hold.
const REPLACEMENT: &[u8; ESCAPE] = b"\\ufffd";

/// Which half of a surrogate pair an escape is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    High,
    Low,
}

/// The JSON text `bytes`, in which every escaped half of a surrogate pair without the other half is replaced.
pub(super) fn mended(bytes: &[u8]) -> Cow<'_, [u8]> {
    let mut text = Cow::Borrowed(bytes);
    let mut at = 0;
    while let Some(escape) = bytes[at..].iter().position(|byte| *byte == b'\\') {
        at += escape;
        at += match (half(&bytes[at..]), bytes.get(at + ESCAPE..).and_then(half)) {
            (Some(Half::High), Some(Half::Low)) => 2 * ESCAPE,
            (Some(_), _) => {
                text.to_mut()[at..at + ESCAPE].copy_from_slice(REPLACEMENT);
                ESCAPE
            }
            // Another escape: its second character may be a backslash.
            (None, _) => 2,
        };
        at = at.min(bytes.len());
    }
    text
}

/// Which half the escape at the start of `bytes` is; none if it is none.
fn half(bytes: &[u8]) -> Option<Half> {
    let digits = bytes.strip_prefix(b"\\u")?.get(..4)?;
    let code = u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    match code {
        0xd800..=0xdbff => Some(Half::High),
        0xdc00..=0xdfff => Some(Half::Low),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    //! 1. Halves alone are replaced, pairs and escaped backslashes stay.

    use super::mended;

    #[test]
    fn halves_alone_are_replaced() {
        for (text, expected) in [
            (r#""tent \ud83d""#, r#""tent \ufffd""#),
            (
                r#""\udc00\ud83d\ude00\uD83D""#,
                r#""\ufffd\ud83d\ude00\ufffd""#,
            ),
            (r#""\\ud83d \n\ud83dx""#, r#""\\ud83d \n\ufffdx""#),
            (r#""\ud8"#, r#""\ud8"#),
            ("\"plain\\", "\"plain\\"),
        ] {
            let mended = mended(text.as_bytes());
            assert_eq!(String::from_utf8_lossy(&mended), expected);
        }
    }
}
