//! Media types: checks `Content-Type` (415) and `Accept` (406).

use super::failure::Failure;
use crate::message;
use axum::http::header::{ACCEPT, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use domain::{Message, error_codes};

/// Returns 415 for this reason.
pub fn unsupported(reason: Message) -> Failure {
    Failure::new(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        error_codes::UNSUPPORTED_MEDIA_TYPE,
        reason,
    )
}

/// Checks that `Content-Type` is JSON in UTF-8.
pub fn body_is_json(headers: &HeaderMap) -> Result<(), Failure> {
    body_is(headers, &["application/json"])
}

/// Checks that `Content-Type` is JSON in UTF-8, or plain text, as which browsers send JSON without a preflight request.
pub fn body_is_json_or_text(headers: &HeaderMap) -> Result<(), Failure> {
    body_is(headers, &["application/json", "text/plain"])
}

/// Checks that `Content-Type` is one of `types`, in UTF-8.
pub fn body_is(headers: &HeaderMap, types: &[&str]) -> Result<(), Failure> {
    let reject = |reason: Message| Err(unsupported(reason));
    let text = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    let expected = types.join(" or ");
    let Some(text) = text else {
        return reject(message::request::content_type_missing(expected));
    };
    let mut parts = text.split(';').map(str::trim);
    let essence = parts.next().unwrap_or_default();
    if !types
        .iter()
        .any(|known| essence.eq_ignore_ascii_case(known))
    {
        return reject(message::request::content_type(expected));
    }
    let foreign = parts.any(|parameter| {
        parameter.split_once('=').is_some_and(|(name, value)| {
            name.eq_ignore_ascii_case("charset")
                && !value.trim_matches('"').eq_ignore_ascii_case("utf-8")
        })
    });
    if foreign {
        return reject(message::request::charset());
    }
    Ok(())
}

/// Checks that `Accept` allows JSON.
pub fn json_is_acceptable(headers: &HeaderMap) -> Result<(), Failure> {
    let mut best: Option<(u8, bool)> = None;
    for value in headers.get_all(ACCEPT) {
        for range in value.to_str().unwrap_or_default().split(',') {
            let Some(rank) = specificity(range) else {
                best = best.or(Some((0, false)));
                continue;
            };
            if best.is_none_or(|(known, _)| rank >= known) {
                best = Some((rank, !excludes(range)));
            }
        }
    }
    match best {
        Some((_, false)) => Err(Failure::new(
            StatusCode::NOT_ACCEPTABLE,
            error_codes::NOT_ACCEPTABLE,
            message::request::accept(),
        )),
        _ => Ok(()),
    }
}

/// Returns how specifically a range of media types matches JSON, or `None` if it does not.
fn specificity(range: &str) -> Option<u8> {
    let essence = range.split(';').next().unwrap_or_default().trim();
    ["*/*", "application/*", "application/json"]
        .iter()
        .zip(1..)
        .find(|(known, _)| essence.eq_ignore_ascii_case(known))
        .map(|(_, rank)| rank)
}

/// Returns whether a range has the weight 0, which excludes it.
fn excludes(range: &str) -> bool {
    range.split(';').skip(1).any(|parameter| {
        parameter.trim().split_once('=').is_some_and(|(name, q)| {
            name.trim().eq_ignore_ascii_case("q")
                && q.trim().parse::<f32>().is_ok_and(|weight| weight == 0.0)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts(value: &'static str) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, value.parse().expect("a header value"));
        json_is_acceptable(&headers).is_ok()
    }

    #[test]
    fn the_most_specific_range_decides() {
        for good in [
            "*/*",
            "application/json",
            "text/html, application/*;q=0.1",
            "APPLICATION/JSON; charset=utf-8",
            "*/*;q=0, application/json",
        ] {
            assert!(accepts(good), "{good}");
        }
        for bad in [
            "text/html",
            "application/xml",
            "application/json;q=0, */*",
            "*/*;q=0.0",
        ] {
            assert!(!accepts(bad), "{bad}");
        }
        assert!(json_is_acceptable(&HeaderMap::new()).is_ok());
    }

    #[test]
    fn a_body_is_json_in_utf_8() {
        for (value, good) in [
            ("application/json", true),
            ("application/json; charset=UTF-8", true),
            ("application/json; charset=\"utf-8\"", true),
            ("application/json; charset=latin1", false),
            ("text/plain", false),
            ("application/x-www-form-urlencoded", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(CONTENT_TYPE, value.parse().expect("a header value"));
            assert_eq!(body_is_json(&headers).is_ok(), good, "{value}");
            let as_text = good || value == "text/plain";
            assert_eq!(body_is_json_or_text(&headers).is_ok(), as_text, "{value}");
        }
        assert!(body_is_json(&HeaderMap::new()).is_err());
    }
}
