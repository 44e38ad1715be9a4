//! `If-Match`: the precondition of a write (RFC 9110 section 13.1.1).

use super::failure::Failure;
use crate::App;
use crate::message;
use axum::extract::{FromRequest, Request};
use axum::http::HeaderMap;
use axum::http::header::IF_MATCH;
use domain::{Invalid, Message};
use operations::Precondition;

/// An input and the precondition of its write. Errors of the input are reported before those of the header.
#[derive(Debug)]
pub struct Guarded<E>(pub E, pub Precondition);

impl<E, M> FromRequest<App, M> for Guarded<E>
where
    E: FromRequest<App, M, Rejection = Failure>,
{
    type Rejection = Failure;

    async fn from_request(request: Request, app: &App) -> Result<Self, Failure> {
        let guard = precondition(request.headers());
        let input = E::from_request(request, app).await?;
        Ok(Self(input, guard.map_err(invalid)?))
    }
}

fn invalid(reason: Message) -> Failure {
    Failure::invalid(vec![Invalid::new("header.If-Match", reason)])
}

/// Parses `If-Match`, in one header or several.
fn precondition(headers: &HeaderMap) -> Result<Precondition, Message> {
    let fields: Vec<&[u8]> = headers
        .get_all(IF_MATCH)
        .iter()
        .map(|value| value.as_bytes().trim_ascii())
        .collect();
    match fields.as_slice() {
        [] | [b"*"] => return Ok(Precondition::None),
        fields if fields.contains(&b"*".as_slice()) => {
            return Err(message::tags::star_or_list());
        }
        _ => {}
    }
    let mut tags = Vec::new();
    let mut members = 0;
    for field in fields {
        let mut rest = field;
        while let Some(member) = next_tag(&mut rest)? {
            members += 1;
            // Comparison is strong: a weak tag matches nothing.
            if let EntityTag::Strong(tag) = member {
                tags.push(String::from_utf8_lossy(tag).into_owned());
            }
        }
    }
    if members == 0 {
        return Err(message::tags::empty());
    }
    Ok(Precondition::OneOf(tags))
}

enum EntityTag<'a> {
    Strong(&'a [u8]),
    Weak,
}

/// Takes the next tag off the front of a list; returns `None` at the end. Empty members are skipped, as in every list.
fn next_tag<'a>(rest: &mut &'a [u8]) -> Result<Option<EntityTag<'a>>, Message> {
    while let [b' ' | b'\t' | b',', more @ ..] = *rest {
        *rest = more;
    }
    if rest.is_empty() {
        return Ok(None);
    }
    let weak = rest.starts_with(b"W/");
    let quoted = &rest[if weak { 2 } else { 0 }..];
    let [b'"', inner @ ..] = quoted else {
        return Err(message::tags::unquoted());
    };
    let length = inner.iter().position(|b| *b == b'"');
    let length = length.ok_or_else(message::tags::unclosed)?;
    let (tag, after) = (&inner[..length], &inner[length + 1..]);
    if tag.iter().any(|byte| *byte <= b' ' || *byte == 0x7F) {
        return Err(message::tags::characters());
    }
    let after = after.trim_ascii_start();
    if !after.is_empty() && !after.starts_with(b",") {
        return Err(message::tags::commas());
    }
    *rest = after;
    Ok(Some(if weak {
        EntityTag::Weak
    } else {
        EntityTag::Strong(tag)
    }))
}

#[cfg(test)]
mod tests {
    //! 1. Lists, wildcards, empty members, commas inside tags and several headers mean what RFC 9110 says.
    //! 2. Weak tags are accepted and never match.
    //! 3. Anything else is rejected.
    //! 4. Requests with and without a body can be guarded.

    use super::*;
    use crate::http::{Body, NoInput};
    use axum::http::HeaderValue;

    fn parsed(values: &[&[u8]]) -> Result<Precondition, Message> {
        let mut headers = HeaderMap::new();
        for value in values {
            let value = HeaderValue::from_bytes(value).expect("a header value");
            headers.append(IF_MATCH, value);
        }
        precondition(&headers)
    }

    fn one_of(tags: &[&str]) -> Result<Precondition, Message> {
        let tags = tags.iter().map(|tag| (*tag).to_owned()).collect();
        Ok(Precondition::OneOf(tags))
    }

    #[test]
    fn valid_headers_are_parsed() {
        assert_eq!(parsed(&[]), Ok(Precondition::None));
        assert_eq!(parsed(&[b" * "]), Ok(Precondition::None));
        assert_eq!(parsed(&[b"\"a\""]), one_of(&["a"]));
        assert_eq!(parsed(&[b"\"\""]), one_of(&[""]));
        assert_eq!(
            parsed(&[b", \"a\",,\t\"b,c\" ,", b"\"d\""]),
            one_of(&["a", "b,c", "d"])
        );
        assert_eq!(parsed(&[b"W/\"a\", \"b\""]), one_of(&["b"]));
        assert_eq!(parsed(&[b"W/\"a\""]), one_of(&[]));
        assert_eq!(parsed(&[b"\"*\""]), one_of(&["*"]));
        assert_eq!(parsed(&[b"\"\xFF\""]), one_of(&["\u{FFFD}"]));
    }

    #[test]
    fn every_input_can_be_guarded() {
        // That it compiles is the proof.
        fn is_extractor<E, M>()
        where
            E: FromRequest<App, M>,
        {
        }
        is_extractor::<Guarded<Body<domain::store::StorePatch>>, _>();
        is_extractor::<Guarded<NoInput>, _>();
    }

    #[test]
    fn invalid_headers_are_rejected() {
        let bad: [&[&[u8]]; 11] = [
            &[b""],
            &[b" , ,"],
            &[b"a"],
            &[b"\"a"],
            &[b"w/\"a\""],
            &[b"W/a"],
            &[b"\"a\" \"b\""],
            &[b"\"a b\""],
            &[b"*, \"a\""],
            &[b"\"a\"", b"*"],
            &[b"*", b"*"],
        ];
        for values in bad {
            assert!(parsed(values).is_err(), "{values:?}");
        }
    }
}
