//! Recognises clients that are no shoppers: robots, and browsers that load a page in advance.

use axum::extract::FromRequestParts;
use axum::http::header::USER_AGENT;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName};
use std::convert::Infallible;

const SEC_PURPOSE: HeaderName = HeaderName::from_static("sec-purpose");

/// Parts of the names of robots, in lower case.
const ROBOTS: [&str; 6] = [
    "bot",
    "crawl",
    "spider",
    "slurp",
    "lighthouse",
    "headlesschrome",
];

/// Whether the client of a request is no shopper, so that nothing of the request counts in statistics.
#[derive(Clone, Copy, Debug)]
pub struct Automated(pub bool);

impl<S: Sync> FromRequestParts<S> for Automated {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::of(&parts.headers))
    }
}

impl Automated {
    /// Decides by the headers of a request.
    pub fn of(headers: &HeaderMap) -> Self {
        let holds = |name: &HeaderName, parts: &[&str]| {
            let values = headers.get_all(name).into_iter();
            let mut texts = values.map(|value| value.as_bytes().to_ascii_lowercase());
            texts.any(|text| {
                let text = String::from_utf8_lossy(&text);
                parts.iter().any(|part| text.contains(part))
            })
        };
        Self(holds(&USER_AGENT, &ROBOTS) || holds(&SEC_PURPOSE, &["prefetch"]))
    }
}

#[cfg(test)]
mod tests {
    //! 1. Robots and prefetches are recognised in any case, browsers are not.

    use super::*;

    #[test]
    fn robots_and_prefetches_are_recognised() {
        let of = |name: &'static str, value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(name, value.parse().expect("a header value"));
            Automated::of(&headers).0
        };
        for robot in [
            "Googlebot/2.1",
            "my-Crawler",
            "SPIDER",
            "Yahoo! Slurp",
            "Chrome-Lighthouse",
            "HeadlessChrome/1",
        ] {
            assert!(of("user-agent", robot), "{robot}");
        }
        assert!(of("sec-purpose", "prefetch;prerender"));
        assert!(!of("user-agent", "Mozilla/5.0 (X11) Chrome/130.0"));
        assert!(!of("sec-purpose", "") && !Automated::of(&HeaderMap::new()).0);
    }
}
