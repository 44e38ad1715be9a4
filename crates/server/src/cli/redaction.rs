//! Redacts keys and secrets in log lines.

use std::borrow::Cow;
use std::io::{self, Write};

/// Replaces a secret.
const REDACTED: &[u8] = b"[redacted]";
/// Prefixes of keys, which a public id follows, and of context secrets and one-time links, which have no id.
const PREFIXES: [(&[u8], bool); 8] = [
    (b"cfg", true),
    (b"con", true),
    (b"pub", true),
    (b"ctx", false),
    (b"own", false),
    (b"inv", false),
    (b"res", false),
    (b"dem", false),
];
/// Minimum characters of a secret.
const SECRET_CHARACTERS_MIN: usize = 16;
/// The separator of the parts of a key, plain and percent-encoded.
const SEPARATORS: [&[u8]; 3] = [b"_", b"%5F", b"%5f"];

/// A writer that redacts keys. Each write must be one whole line.
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

/// Returns `line` with the secret part of each key replaced.
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

/// Returns start and end of the secret of a key that starts at `at`.
fn secret(line: &[u8], at: usize) -> Option<(usize, usize)> {
    let (prefix, has_id) = PREFIXES
        .iter()
        .find(|(prefix, _)| line[at..].starts_with(prefix))?;
    let mut start = separator(line, at + prefix.len())?;
    if *has_id {
        start = separator(line, alphanumeric_end(line, start))?;
    }
    let end = alphanumeric_end(line, start);
    (end - start >= SECRET_CHARACTERS_MIN).then_some((start, end))
}

/// Returns the end of the separator at `at`.
fn separator(line: &[u8], at: usize) -> Option<usize> {
    let found = SEPARATORS.iter().find(|s| line[at..].starts_with(s))?;
    Some(at + found.len())
}

/// Returns the end of the alphanumeric characters from `at` on.
fn alphanumeric_end(line: &[u8], at: usize) -> usize {
    let rest = line[at..].iter();
    at + rest.take_while(|byte| byte.is_ascii_alphanumeric()).count()
}

#[cfg(test)]
mod tests {
    //! 1. Only the kind and the public id of a key remain, and the prefix of a context secret.
    //! 2. Everything else is unchanged.

    use super::*;

    fn clean(text: &str) -> String {
        String::from_utf8(redacted(text.as_bytes()).into_owned()).expect("UTF-8")
    }

    #[test]
    fn secrets_are_redacted() {
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
            ("/panel/link#own_SECRET", "/panel/link#own_[redacted]"),
            ("inv_SECRET res_SECRET", "inv_[redacted] res_[redacted]"),
            ("dem%5FSECRET", "dem%5F[redacted]"),
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
    fn everything_else_is_unchanged() {
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
