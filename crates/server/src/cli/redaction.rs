//! Takes keys and secrets out of text that goes to the log, wherever they came from.

use std::borrow::Cow;
use std::io::{self, Write};

/// What stands in the place of a secret.
const REDACTED: &[u8] = b"[redacted]";
/// First letters of keys, whose public id follows, and of secrets of contexts, which have none.
const PREFIXES: [(&[u8], bool); 4] = [
    (b"cfg", true),
    (b"con", true),
    (b"pub", true),
    (b"ctx", false),
];
/// Letters from which on something in the place of a secret is taken for one.
const SECRET_LETTERS_MIN: usize = 16;
/// The ways to write the letter that separates the parts of a key.
const SEPARATORS: [&[u8]; 3] = [b"_", b"%5F", b"%5f"];

/// A writer that lets no key through. One write holds one line.
pub struct Redacting<W>(pub W);

impl<W: Write> Write for Redacting<W> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.0.write_all(&redacted(line))?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// `line` without the secret part of each key in it.
fn redacted(line: &[u8]) -> Cow<'_, [u8]> {
    let mut clean = Vec::new();
    let mut copied = 0;
    let mut at = 0;
    while at < line.len() {
        let Some((start, end)) = secret(line, at) else {
            at += 1;
            continue;
        };
        clean.extend_from_slice(&line[copied..start]);
        clean.extend_from_slice(REDACTED);
        (copied, at) = (end, end);
    }
    if copied == 0 {
        return Cow::Borrowed(line);
    }
    clean.extend_from_slice(&line[copied..]);
    Cow::Owned(clean)
}

/// Where the secret of a key that begins at `at` begins and ends.
fn secret(line: &[u8], at: usize) -> Option<(usize, usize)> {
    let (prefix, has_id) = PREFIXES
        .iter()
        .find(|(prefix, _)| line[at..].starts_with(prefix))?;
    let mut start = separator(line, at + prefix.len())?;
    if *has_id {
        start = separator(line, letters(line, start))?;
    }
    let end = letters(line, start);
    (end - start >= SECRET_LETTERS_MIN).then_some((start, end))
}

/// Where the separator at `at` ends.
fn separator(line: &[u8], at: usize) -> Option<usize> {
    let found = SEPARATORS.iter().find(|s| line[at..].starts_with(s))?;
    Some(at + found.len())
}

/// Where the letters and figures from `at` on end.
fn letters(line: &[u8], at: usize) -> usize {
    let rest = line[at..].iter();
    at + rest.take_while(|byte| byte.is_ascii_alphanumeric()).count()
}

#[cfg(test)]
mod tests {
    //! 1. Of a key only its kind and its public id are left, of a context secret its prefix.
    //! 2. Everything else passes unchanged.

    use super::*;

    fn clean(text: &str) -> String {
        String::from_utf8(redacted(text.as_bytes()).into_owned()).expect("UTF-8")
    }

    #[test]
    fn secrets_are_taken_out() {
        let secret = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789";
        for (before, after) in [
            (
                "key=cfg_abcdefgh1234_SECRET.",
                "key=cfg_abcdefgh1234_[redacted].",
            ),
            ("con_a_SECRET", "con_a_[redacted]"),
            (
                "xpub_a_SECRET pub_b_SECRET",
                "xpub_a_[redacted] pub_b_[redacted]",
            ),
            ("ctx_SECRET\n", "ctx_[redacted]\n"),
            (
                "/me%2Fcfg%5Fabc%5FSECRET%20",
                "/me%2Fcfg%5Fabc%5F[redacted]%20",
            ),
            ("ccfg_a_SECRET", "ccfg_a_[redacted]"),
        ] {
            assert_eq!(clean(&before.replace("SECRET", secret)), after);
        }
    }

    #[test]
    fn everything_else_passes() {
        for text in [
            "",
            "cfg",
            "cfg_",
            "cfg_a_",
            "pub_crawl_tonight",
            "con_é_x",
            "ctx_short",
        ] {
            assert!(
                matches!(redacted(text.as_bytes()), Cow::Borrowed(_)),
                "{text}"
            );
            assert_eq!(clean(text), text);
        }
    }
}
