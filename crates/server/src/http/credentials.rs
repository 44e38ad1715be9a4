//! Finds the API key of a request: in one of two headers, never in the query string.

use super::failure::Failure;
use super::query_string;
use crate::message;
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, StatusCode};
use domain::{Message, error_codes};

const X_API_KEY: &str = "x-api-key";

/// Names of query parameters in which keys are sent by mistake, in lower case without dashes and underscores.
const KEY_PARAMETERS: [&str; 8] = [
    "apikey",
    "xapikey",
    "key",
    "accesskey",
    "accesstoken",
    "token",
    "bearer",
    "authorization",
];

/// Returns the key that a request presents.
///
/// Errors: 401 when there is none, when the headers disagree, or when the query string has one.
pub fn presented<'a>(headers: &'a HeaderMap, query: Option<&str>) -> Result<&'a str, Failure> {
    in_headers(headers, query)?
        .ok_or_else(|| unauthorized(error_codes::KEY_MISSING, message::sender::key_needed()))
}

/// Returns the key in the headers of a request, if there is one.
///
/// Errors: 401 when the headers disagree, or when the query string has a key.
pub fn in_headers<'a>(
    headers: &'a HeaderMap,
    query: Option<&str>,
) -> Result<Option<&'a str>, Failure> {
    let mut found: Option<&str> = None;
    for key in api_keys(headers).chain(bearers(headers)) {
        let key = key?;
        if found.is_some_and(|other| other != key) {
            return Err(unauthorized(
                error_codes::KEY_INVALID,
                message::sender::keys_differ(),
            ));
        }
        found = Some(key);
    }
    if query.is_some_and(holds_key) {
        let code = found.map_or(error_codes::KEY_MISSING, |_| error_codes::KEY_INVALID);
        return Err(unauthorized(code, message::sender::key_in_url()));
    }
    Ok(found)
}

/// Returns 401 for a request without a key in its headers or its body.
pub fn missing_in_body() -> Failure {
    let message = message::sender::key_needed_in_body();
    unauthorized(error_codes::KEY_MISSING, message)
}

/// Returns 401 for a request whose body carries another key than its headers.
pub fn different_in_body() -> Failure {
    unauthorized(
        error_codes::KEY_INVALID,
        message::sender::body_key_differs(),
    )
}

fn api_keys(headers: &HeaderMap) -> impl Iterator<Item = Result<&str, Failure>> {
    headers
        .get_all(X_API_KEY)
        .iter()
        .map(|value| text(value.to_str().ok()))
}

fn bearers(headers: &HeaderMap) -> impl Iterator<Item = Result<&str, Failure>> {
    headers
        .get_all(AUTHORIZATION)
        .iter()
        .filter_map(|value| match value.to_str() {
            Err(_) => Some(text(None)),
            Ok(value) => {
                let (scheme, key) = value.trim().split_once(' ')?;
                scheme
                    .eq_ignore_ascii_case("bearer")
                    .then(|| text(Some(key)))
            }
        })
}

fn text(value: Option<&str>) -> Result<&str, Failure> {
    value
        .map(str::trim)
        .ok_or_else(|| unauthorized(error_codes::KEY_INVALID, message::sender::key_invalid()))
}

fn holds_key(query: &str) -> bool {
    let is_key = |name: &str, value: &str| names_key(name) || looks_like_key(value);
    match query_string::parse(query) {
        Ok(parameters) => parameters.iter().any(|(name, value)| is_key(name, value)),
        // The query string is rejected later; a readable key in it counts all the same.
        Err(_) => query_string::pairs(query).any(|(name, value)| is_key(name, value)),
    }
}

fn names_key(name: &str) -> bool {
    let characters = name.chars().filter(|c| c.is_alphanumeric());
    let plain = characters.flat_map(char::to_lowercase);
    let is_known = |known: &&str| plain.clone().eq(known.chars());
    KEY_PARAMETERS.iter().any(is_known)
}

fn looks_like_key(value: &str) -> bool {
    let mut parts = value.trim().splitn(3, '_');
    let prefix = parts.next().unwrap_or_default();
    let is_valid = |part: Option<&str>, min_length: usize| {
        part.is_some_and(|text| {
            text.len() >= min_length && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        })
    };
    domain::KeyKind::from_prefix(prefix).is_some()
        && is_valid(parts.next(), 4)
        && is_valid(parts.next(), 20)
}

fn unauthorized(code: &'static str, message: Message) -> Failure {
    Failure::new(StatusCode::UNAUTHORIZED, code, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| {
                (
                    name.parse().expect("a header name"),
                    value.parse().expect("a header value"),
                )
            })
            .collect()
    }

    fn code(pairs: &[(&'static str, &'static str)], query: Option<&str>) -> Option<&'static str> {
        presented(&headers(pairs), query).err().map(|f| f.code)
    }

    #[test]
    fn both_headers_are_accepted_and_must_agree() {
        let both = headers(&[("x-api-key", "k"), ("authorization", "bearer k")]);
        assert_eq!(presented(&both, None).ok(), Some("k"));
        let bearer = headers(&[("authorization", "Bearer  k ")]);
        assert_eq!(presented(&bearer, None).ok(), Some("k"));
        let differ = [("x-api-key", "k"), ("authorization", "Bearer other")];
        assert_eq!(code(&differ, None), Some("key_invalid"));
        assert_eq!(
            code(&[("x-api-key", "a"), ("x-api-key", "b")], None),
            Some("key_invalid")
        );
    }

    #[test]
    fn no_key_and_another_scheme_are_a_missing_key() {
        assert_eq!(code(&[], None), Some("key_missing"));
        assert_eq!(
            code(&[("authorization", "Basic eDp5")], None),
            Some("key_missing")
        );
        assert_eq!(code(&[("x-api-key", "k")], Some("q=token")), None);
    }

    #[test]
    fn a_key_in_the_query_string_is_rejected_even_with_a_valid_one() {
        for query in ["api_key=x", "X-API-Key=x", "access_token=x", "q=1&key=x"] {
            assert_eq!(code(&[], Some(query)), Some("key_missing"), "{query}");
            assert_eq!(
                code(&[("x-api-key", "k")], Some(query)),
                Some("key_invalid"),
                "{query}"
            );
        }
        let hidden = "q=cfg_ab12cd34_0123456789abcdefghijklmnop";
        assert_eq!(code(&[], Some(hidden)), Some("key_missing"));
        assert_eq!(code(&[("x-api-key", "k")], Some("q=pub_crawl")), None);
    }
}
