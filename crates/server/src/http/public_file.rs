//! Responses that anybody may cache, with gzip and `ETag`.

use axum::body::{Body, Bytes};
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, ETAG, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use operations::content_hash;
use std::io::{self, Write};

/// A browser asks at each use whether the file has changed.
pub const NO_CACHE: HeaderValue = HeaderValue::from_static("no-cache");
/// The file never changes.
pub const IMMUTABLE: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// A file and its gzip form, each prepared once.
#[derive(Clone, Debug)]
pub struct PublicFile {
    plain: Bytes,
    gzip: Bytes,
    hash: String,
}

impl PublicFile {
    /// Creates a file that is sent many times.
    pub fn new(content: impl Into<Bytes>) -> Self {
        Self::compressed(content.into(), Compression::best())
    }

    /// Creates a file that is sent once.
    pub fn sent_once(content: impl Into<Bytes>) -> Self {
        Self::compressed(content.into(), Compression::fast())
    }

    fn compressed(plain: Bytes, level: Compression) -> Self {
        Self {
            // Writing into memory does not fail; if it did, the plain form is sent.
            gzip: compressed(&plain, level).unwrap_or_default().into(),
            hash: content_hash(&plain),
            plain,
        }
    }

    /// Returns the hash of the content: 16 hexadecimal digits.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// Returns the response to a request with these headers: 304 if the client has the current version.
    pub fn respond(&self, headers: &HeaderMap) -> Response {
        self.respond_cached(headers, NO_CACHE)
    }

    /// Returns the response to a request with these headers, with this `Cache-Control`: 304 if the client has the
    /// current version.
    pub fn respond_cached(&self, headers: &HeaderMap, cache_control: HeaderValue) -> Response {
        let use_gzip = !self.gzip.is_empty() && accepts_gzip(headers);
        let kind = if use_gzip { "-gzip" } else { "" };
        let tag = format!("\"{}{kind}\"", self.hash);
        let known = matches_etag(headers, &tag);
        let mut response = match (known, use_gzip) {
            (true, _) => StatusCode::NOT_MODIFIED.into_response(),
            (false, true) => Body::from(self.gzip.clone()).into_response(),
            (false, false) => Body::from(self.plain.clone()).into_response(),
        };
        let about = response.headers_mut();
        if use_gzip && !known {
            about.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        about.insert(CACHE_CONTROL, cache_control);
        about.insert(VARY, HeaderValue::from_static("Accept-Encoding"));
        if let Ok(tag) = HeaderValue::from_str(&tag) {
            about.insert(ETAG, tag);
        }
        response
    }
}

fn compressed(content: &[u8], level: Compression) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), level);
    encoder.write_all(content)?;
    encoder.finish()
}

/// Returns whether the client accepts gzip with a weight above 0.
pub fn accepts_gzip(headers: &HeaderMap) -> bool {
    members(headers, ACCEPT_ENCODING).any(|member| {
        let mut parts = member.split(';').map(str::trim);
        let named = parts
            .next()
            .is_some_and(|name| name.eq_ignore_ascii_case("gzip"));
        let weight = parts.find_map(|part| part.strip_prefix("q=")?.parse::<f64>().ok());
        named && weight.unwrap_or(1.0) > 0.0
    })
}

/// Returns whether `If-None-Match` lists `tag`.
pub fn matches_etag(headers: &HeaderMap, tag: &str) -> bool {
    members(headers, IF_NONE_MATCH)
        .any(|member| member == "*" || member.trim_start_matches("W/") == tag)
}

fn members(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &str> {
    let fields = headers.get_all(name).into_iter();
    let texts = fields.filter_map(|field| field.to_str().ok());
    texts.flat_map(|text| text.split(',')).map(str::trim)
}

#[cfg(test)]
mod tests {
    //! 1. A client that accepts gzip gets the compressed form, and one that has the current version gets no body.

    use super::*;

    fn requested(file: &PublicFile, pairs: &[(HeaderName, &str)]) -> Response {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.insert(name, HeaderValue::from_str(value).expect("a header value"));
        }
        file.respond(&headers)
    }

    #[test]
    fn a_version_that_the_client_has_is_not_sent_again() {
        let file = PublicFile::new("text ".repeat(1_000));
        let plain = requested(&file, &[]);
        assert_eq!(plain.headers().get(CONTENT_ENCODING), None);
        for refused in ["gzip;q=0", "br, identity"] {
            let response = requested(&file, &[(ACCEPT_ENCODING, refused)]);
            assert_eq!(response.headers().get(ETAG), plain.headers().get(ETAG));
        }
        let compressed = requested(&file, &[(ACCEPT_ENCODING, "br, GZIP;q=0.5")]);
        assert_eq!(compressed.headers()[CONTENT_ENCODING], "gzip");
        assert!(file.gzip.len() < 100, "{} bytes", file.gzip.len());
        let tag = compressed.headers()[ETAG]
            .to_str()
            .expect("text")
            .to_owned();
        assert_ne!(compressed.headers()[ETAG], plain.headers()[ETAG]);
        let again = [
            (ACCEPT_ENCODING, "gzip"),
            (IF_NONE_MATCH, &format!("\"x\", W/{tag}")),
        ];
        assert_eq!(requested(&file, &again).status(), StatusCode::NOT_MODIFIED);
        assert_eq!(requested(&file, &again[1..]).status(), StatusCode::OK);
    }
}
