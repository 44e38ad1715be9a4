//! Converts HTML to plain text: tags become spaces, except those of inline elements, entities are decoded, white space
//! is collapsed.

use crate::first_characters;
use crate::limits::TEXT_CHARACTERS_MAX;
use std::borrow::Cow;

/// Bytes of a text that are read; far more than the characters that are indexed.
const TEXT_BYTES_MAX: usize = 10 * TEXT_CHARACTERS_MAX;

/// The text without HTML. Scripts, styles and comments are left out with their content.
///
/// Text beyond ten times the number of indexed characters is cut off first.
pub fn plain_text(html: &str) -> Cow<'_, str> {
    whole(clipped(html))
}

/// The replacement of a text that was too long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClippedText {
    /// The plain text, cut to the limit.
    pub text: String,
    /// Whether plain text was cut; false when only markup exceeded the limit.
    pub is_cut: bool,
}

/// The first `max` characters of the plain text of `html`; none when `html` itself is not longer.
///
/// Embedded images and other long tags do not count. The cost is proportional to the length of `html`.
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
    // Text that was escaped twice has its tags as entities, which appear only now.
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
    // After the last `>` every `<` is ordinary text; searching again for each would cost quadratic time.
    let last_end = html.rfind('>').map_or(0, |at| at + 1);
    while let Some(at) = rest.find('<') {
        let start = html.len() - rest.len() + at;
        text.push_str(&rest[..at]);
        let tail = &rest[at..];
        match end_of_markup(tail, last_end.saturating_sub(start)) {
            Some(length) => {
                if !is_inline(&tail[..length]) {
                    text.push(' ');
                }
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

/// Elements that stand within a line, so that a word goes on through their tags (HTML, phrasing content).
const INLINE: [&str; 31] = [
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em",
    "font", "i", "ins", "kbd", "mark", "nobr", "q", "s", "samp", "small", "span", "strike",
    "strong", "sub", "sup", "u", "var", "wbr",
];

/// Whether `markup` is a tag of an inline element.
fn is_inline(markup: &str) -> bool {
    let name = markup.trim_start_matches('<').trim_start_matches('/');
    let end = name.find(|c: char| !c.is_ascii_alphanumeric());
    let name = &name[..end.unwrap_or(name.len())];
    INLINE
        .iter()
        .any(|inline| inline.eq_ignore_ascii_case(name))
}

/// Length in bytes of the markup at the start of `tail`, which starts with `<`; none when the `<` is ordinary text.
///
/// The last `>` of the tail ends at `last_end`; 0 when there is none.
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
