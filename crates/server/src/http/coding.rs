//! Compressed bodies: detects the content coding and decompresses with a size limit.

use super::failure::Failure;
use super::{body, media};
use crate::message;
use axum::http::HeaderMap;
use axum::http::header::CONTENT_ENCODING;
use domain::Invalid;
use flate2::read::MultiGzDecoder;
use std::io::Read;

/// Maximum compression ratio of deflate.
pub const RATIO_MAX: usize = 1_032;

/// The content coding of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    /// Not compressed.
    Identity,
    /// Compressed with gzip.
    Gzip,
}

/// Returns the coding of a body; only some endpoints accept gzip.
///
/// Errors: 415 for any other coding, and for several at once.
pub fn of(headers: &HeaderMap, accepts_gzip: bool) -> Result<Coding, Failure> {
    let mut found = Coding::Identity;
    for coding in headers.get_all(CONTENT_ENCODING) {
        let named = |name: &[u8]| coding.as_bytes().eq_ignore_ascii_case(name);
        if named(b"identity") {
            continue;
        }
        let gzip = named(b"gzip") || named(b"x-gzip");
        match (gzip, accepts_gzip, found) {
            (true, true, Coding::Identity) => found = Coding::Gzip,
            (_, true, _) => return Err(media::unsupported(message::request::gzip_only())),
            (_, false, _) => {
                return Err(media::unsupported(message::request::no_encoding()));
            }
        }
    }
    Ok(found)
}

/// Decompresses a body of at most `max` bytes of content.
///
/// Errors: 413 as soon as there is more, 400 when the data is corrupt.
pub fn decompress(bytes: Vec<u8>, coding: Coding, max: usize) -> Result<Vec<u8>, Failure> {
    if coding == Coding::Identity {
        return Ok(bytes);
    }
    let mut content = Vec::new();
    let bound = u64::try_from(max).unwrap_or(u64::MAX).saturating_add(1);
    MultiGzDecoder::new(bytes.as_slice())
        .take(bound)
        .read_to_end(&mut content)
        .map_err(|_| {
            Failure::invalid(vec![Invalid::new(
                "body",
                message::request::gzip_incomplete(),
            )])
        })?;
    if content.len() > max {
        return Err(body::too_large(max));
    }
    Ok(content)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::StatusCode;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn compressed(content: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(content).expect("memory takes it");
        encoder.finish().expect("memory takes it")
    }

    #[test]
    fn the_limit_applies_to_the_decompressed_bytes() {
        let full = vec![b' '; 1000];
        let whole = decompress(compressed(&full), Coding::Gzip, 1000).expect("fits");
        assert_eq!(whole, full);
        let over = decompress(compressed(&full), Coding::Gzip, 999).expect_err("too large");
        assert_eq!(over.status, StatusCode::PAYLOAD_TOO_LARGE);
    }

    #[test]
    fn corrupt_data_is_an_error() {
        let whole = compressed(b"{\"a\": 1}");
        let mut cut_off = whole.clone();
        cut_off.truncate(whole.len() - 3);
        let mut changed = whole.clone();
        // A byte of the checksum: changed content may decompress to anything, even too much.
        changed[whole.len() - 6] ^= 0x55;
        let mut trailed = whole.clone();
        trailed.extend_from_slice(b"more");
        for broken in [cut_off, changed, trailed, b"{}".to_vec(), Vec::new()] {
            let error = decompress(broken, Coding::Gzip, 100).expect_err("broken");
            assert_eq!(
                (error.status, error.code),
                (StatusCode::BAD_REQUEST, "invalid_request")
            );
        }
        let twice = [compressed(b"{}"), compressed(b" ")].concat();
        assert_eq!(
            decompress(twice, Coding::Gzip, 100).expect("two members"),
            b"{} "
        );
    }

    #[test]
    fn gzip_is_accepted_where_allowed() {
        for (value, taken, coding) in [
            ("gzip", true, Some(Coding::Gzip)),
            ("X-GZIP", true, Some(Coding::Gzip)),
            ("identity", false, Some(Coding::Identity)),
            ("gzip", false, None),
            ("br", true, None),
            ("gzip, gzip", true, None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(CONTENT_ENCODING, value.parse().expect("a header value"));
            assert_eq!(of(&headers, taken).ok(), coding, "{value}");
        }
    }
}
