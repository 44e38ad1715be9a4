//! Texts of shops as plain text: tags become blanks, entities their letters, white space single blanks.

use std::borrow::Cow;

/// The text without HTML. Scripts, styles and comments are left out with their content.
pub fn plain_text(html: &str) -> Cow<'_, str> {
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

fn strip_tags(html: &str) -> String {
    let mut text = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        text.push_str(&rest[..at]);
        let tail = &rest[at..];
        match end_of_markup(tail) {
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
fn end_of_markup(tail: &str) -> Option<usize> {
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
    tail.find('>').map(|at| at + 1)
}

fn end_of_element(tail: &str, element: &str) -> usize {
    let lower = tail.to_ascii_lowercase();
    match lower.find(&format!("</{element}")) {
        Some(close) => tail[close..]
            .find('>')
            .map_or(tail.len(), |at| close + at + 1),
        None => tail.len(),
    }
}
