//! Texts of shops as plain text: tags become blanks, entities their letters, white space single blanks.

use domain::first_characters;
use domain::limits::TEXT_LETTERS_MAX;
use std::borrow::Cow;

/// Bytes of a text that are looked at; far more than the letters that are indexed.
const TEXT_BYTES_MAX: usize = 10 * TEXT_LETTERS_MAX;

/// The text without HTML. Scripts, styles and comments are left out with their content.
///
/// What lies beyond ten times the letters that are indexed is cut off before any work is done.
pub fn plain_text(html: &str) -> Cow<'_, str> {
    whole(clipped(html))
}

/// What stands for a text that was too long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClippedText {
    /// The plain text, or as much of it as there may be.
    pub text: String,
    /// Whether plain text was left out; where markup alone made it too long, none was.
    pub is_cut: bool,
}

/// The first `max` characters of the plain text of `html`; none where `html` has no more as it stands.
///
/// Pictures in a text and other long tags take no part in it. The cost is in proportion to the length of `html`.
pub fn clipped_text(html: &str, max: usize) -> Option<ClippedText> {
    if first_characters(html, max).len() == html.len() {
        return None;
    }
    let plain = whole(html);
    let first = first_characters(&plain, max);
    Some(ClippedText {
        text: first.trim_end().to_owned(),
        is_cut: first.len() < plain.len(),
    })
}

fn whole(html: &str) -> Cow<'_, str> {
    if !html.contains(['<', '&', '\n', '\r', '\t', '\u{a0}']) && !html.contains("  ") {
        return Cow::Borrowed(html.trim());
    }
    let without_tags = if html.contains('<') {
        strip_tags(html)
    } else {
        html.to_owned()
    };
    let decoded = html_escape::decode_html_entities(&without_tags);
    // A shop that escapes twice sends tags as entities, which appear only now.
    let decoded = if decoded.contains('<') {
        strip_tags(&decoded)
    } else {
        decoded.into_owned()
    };
    Cow::Owned(decoded.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn clipped(text: &str) -> &str {
    let mut end = text.len().min(TEXT_BYTES_MAX);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

fn strip_tags(html: &str) -> String {
    let mut text = String::with_capacity(html.len());
    let mut rest = html;
    // Where no tag ends any more, every further sign is an ordinary one; looking again would cost the square.
    let last_end = html.rfind('>').map_or(0, |at| at + 1);
    while let Some(at) = rest.find('<') {
        let start = html.len() - rest.len() + at;
        text.push_str(&rest[..at]);
        let tail = &rest[at..];
        match end_of_markup(tail, last_end.saturating_sub(start)) {
            Some(length) => {
                text.push(' ');
                rest = &tail[length..];
            }
            None => {
                text.push('<');
                rest = &tail[1..];
            }
        }
    }
    text.push_str(rest);
    text
}

/// How many bytes of `tail`, which starts with `<`, are markup; none when it is an ordinary sign.
///
/// The last `>` of the tail ends at `last_end`, or is gone when that is 0.
fn end_of_markup(tail: &str, last_end: usize) -> Option<usize> {
    let next = tail[1..].chars().next()?;
    if !(next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?')) {
        return None;
    }
    if tail.starts_with("<!--") {
        return Some(tail.find("-->").map_or(tail.len(), |at| at + 3));
    }
    for element in ["script", "style"] {
        let named = tail
            .get(1..=element.len())
            .is_some_and(|n| n.eq_ignore_ascii_case(element));
        let ended = tail[1..]
            .chars()
            .nth(element.len())
            .is_none_or(|c| !c.is_ascii_alphanumeric());
        if named && ended {
            return Some(end_of_element(tail, element));
        }
    }
    if last_end == 0 {
        return None;
    }
    tail.find('>').map(|at| at + 1)
}

fn end_of_element(tail: &str, element: &str) -> usize {
    let mut from = 0;
    while let Some(at) = tail[from..].find("</") {
        let name = from + at + 2;
        let closes = tail
            .get(name..name + element.len())
            .is_some_and(|n| n.eq_ignore_ascii_case(element));
        if closes {
            return tail[name..]
                .find('>')
                .map_or(tail.len(), |end| name + end + 1);
        }
        from = name;
    }
    tail.len()
}
