//! `X-Change-Note`: the note of a write, as UTF-8 or, because most clients send only ASCII in headers, percent-encoded.

use super::query_string::escaped;
use crate::message;
use axum::http::HeaderMap;
use domain::{ChangeNote, Invalid, Message, NOTE_HEADER_FIELD};

/// Name of the header.
pub const CHANGE_NOTE: &str = "x-change-note";

/// Returns the note of a request, if it has the header.
///
/// Errors: the header is there twice, is not UTF-8 or no note.
pub fn of_headers(headers: &HeaderMap) -> Result<Option<ChangeNote>, Invalid> {
    let mut values = headers.get_all(CHANGE_NOTE).iter();
    let Some(value) = values.next() else {
        return Ok(None);
    };
    let note = match values.next() {
        Some(_) => Err(message::value::given_twice()),
        None => note_of(value.as_bytes()),
    };
    note.map_err(|reason| Invalid::new(NOTE_HEADER_FIELD, reason))
}

fn note_of(value: &[u8]) -> Result<Option<ChangeNote>, Message> {
    let text = String::from_utf8(decoded(value));
    let text = text.map_err(|_| message::text::utf8_or_percent())?;
    ChangeNote::parse(&text)
}

/// Decodes each `%` with two hexadecimal digits; any other `%` stands for itself, and so does `+`.
fn decoded(value: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(value.len());
    let mut rest = value;
    while let [first, after @ ..] = rest {
        let (byte, after) = escaped(rest).unwrap_or((*first, after));
        bytes.push(byte);
        rest = after;
    }
    bytes
}

#[cfg(test)]
mod tests {
    //! 1. Raw and percent-encoded UTF-8 are the same note, and may be mixed; a `%` without two digits is itself.
    //! 2. What is not UTF-8 in the end, is too long or is there twice is rejected, by the path of the header.

    use super::*;
    use axum::http::HeaderValue;

    fn read(values: &[&[u8]]) -> Result<Option<String>, String> {
        let mut headers = HeaderMap::new();
        for value in values {
            let value = HeaderValue::from_bytes(value).expect("a header value");
            headers.append(CHANGE_NOTE, value);
        }
        let note = of_headers(&headers).map_err(|wrong| wrong.field);
        note.map(|note| note.map(|note| note.as_str().to_owned()))
    }

    #[test]
    fn both_encodings_are_the_same_note() {
        let same = Ok(Some("Recogida n\u{ba} 3".to_owned()));
        let forms: [&[u8]; 4] = [
            b"Recogida%20n%C2%BA%203",
            b"Recogida%20n%c2%ba 3",
            "Recogida n\u{ba} 3".as_bytes(),
            b" Recogida n%C2\xBA 3 ",
        ];
        for form in forms {
            assert_eq!(read(&[form]), same, "{form:?}");
        }
        for (value, note) in [
            ("100% cotton", "100% cotton"),
            ("100%", "100%"),
            ("5%2", "5%2"),
            ("%%41%zz", "%A%zz"),
            ("a+b", "a+b"),
            ("a%0Ab", "a\nb"),
            ("%2541", "%41"),
        ] {
            assert_eq!(read(&[value.as_bytes()]), Ok(Some(note.to_owned())));
        }
        assert_eq!(read(&[]), Ok(None));
        assert_eq!(read(&[b"%20"]), Ok(None));
    }

    #[test]
    fn what_is_no_note_is_rejected() {
        let long = [b'x'; 501];
        let wrong: [&[&[u8]]; 6] = [
            &[b"\xC2"],
            &[b"%FF"],
            &[b"a%00b"],
            &[b"a%1b[2J"],
            &[&long],
            &[b"a", b"a"],
        ];
        for values in wrong {
            assert_eq!(
                read(values),
                Err(NOTE_HEADER_FIELD.to_owned()),
                "{values:?}"
            );
        }
    }
}
