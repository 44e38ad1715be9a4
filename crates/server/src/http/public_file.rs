//! A text that is the same for everybody until the program changes: sent small, and only to who has not got it yet.

use axum::body::{Body, Bytes};
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, ETAG, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};

/// A text and its compressed form, each made once.
#[derive(Debug)]
pub struct PublicFile {
    plain: Bytes,
    gzip: Bytes,
    tag: String,
}

impl PublicFile {
    /// The file of this text.
    pub fn new(text: String) -> Self {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        Self {
            // Memory takes what is written into it; otherwise the text itself is still there.
            gzip: packed(text.as_bytes()).unwrap_or_default().into(),
            tag: format!("{:016x}", hasher.finish()),
            plain: text.into(),
        }
    }

    /// The response to a request with these headers: 304 to who has it.
    pub fn answer(&self, headers: &HeaderMap) -> Response {
        let packed = !self.gzip.is_empty() && takes_gzip(headers);
        let kind = if packed { "-gzip" } else { "" };
        let tag = format!("\"{}{kind}\"", self.tag);
        let known = has(headers, &tag);
        let mut response = match (known, packed) {
            (true, _) => StatusCode::NOT_MODIFIED.into_response(),
            (false, true) => Body::from(self.gzip.clone()).into_response(),
            (false, false) => Body::from(self.plain.clone()).into_response(),
        };
        let about = response.headers_mut();
        if packed && !known {
            about.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        about.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        about.insert(VARY, HeaderValue::from_static("Accept-Encoding"));
        if let Ok(tag) = HeaderValue::from_str(&tag) {
            about.insert(ETAG, tag);
        }
        response
    }
}

fn packed(text: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text)?;
    encoder.finish()
}

/// Does the client take gzip, and not only with weight 0?
fn takes_gzip(headers: &HeaderMap) -> bool {
    members(headers, ACCEPT_ENCODING).any(|member| {
        let mut parts = member.split(';').map(str::trim);
        let named = parts
            .next()
            .is_some_and(|name| name.eq_ignore_ascii_case("gzip"));
        let weight = parts.find_map(|part| part.strip_prefix("q=")?.parse::<f64>().ok());
        named && weight.unwrap_or(1.0) > 0.0
    })
}

/// Does the client have what `tag` stands for?
fn has(headers: &HeaderMap, tag: &str) -> bool {
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
    //! 1. Who takes gzip gets the smaller form, and who has it already gets nothing.

    use super::*;

    fn asked(file: &PublicFile, pairs: &[(HeaderName, &str)]) -> Response {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.insert(name, HeaderValue::from_str(value).expect("a header value"));
        }
        file.answer(&headers)
    }

    #[test]
    fn what_is_known_is_not_sent_again() {
        let file = PublicFile::new("text ".repeat(1_000));
        let plain = asked(&file, &[]);
        assert_eq!(plain.headers().get(CONTENT_ENCODING), None);
        for refused in ["gzip;q=0", "br, identity"] {
            let response = asked(&file, &[(ACCEPT_ENCODING, refused)]);
            assert_eq!(response.headers().get(ETAG), plain.headers().get(ETAG));
        }
        let packed = asked(&file, &[(ACCEPT_ENCODING, "br, GZIP;q=0.5")]);
        assert_eq!(packed.headers()[CONTENT_ENCODING], "gzip");
        assert!(file.gzip.len() < 100, "{} bytes", file.gzip.len());
        let tag = packed.headers()[ETAG].to_str().expect("text").to_owned();
        assert_ne!(packed.headers()[ETAG], plain.headers()[ETAG]);
        let again = [
            (ACCEPT_ENCODING, "gzip"),
            (IF_NONE_MATCH, &format!("\"x\", W/{tag}")),
        ];
        assert_eq!(asked(&file, &again).status(), StatusCode::NOT_MODIFIED);
        assert_eq!(asked(&file, &again[1..]).status(), StatusCode::OK);
    }
}
