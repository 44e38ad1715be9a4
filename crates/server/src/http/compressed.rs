//! Compressed responses: gzip at the fastest level for clients that accept it. What responses have in common is compressed
//! once: a deflate stream may be made of parts, so head and tail of a body stand uncompressed around it.

use super::public_file::accepts_gzip;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use flate2::{Compress, Compression, Crc, FlushCompress};
use operations::search::SharedCompression;
use std::convert::Infallible;
use std::ops::Range;

/// Bodies from this size on are compressed.
pub const BYTES_MIN: usize = 1_024;
/// Longest part that stands uncompressed in one block of deflate.
const STORED_MAX: usize = 65_535;
/// The header of gzip: deflate, without name or time, at the fastest level, of no named system.
const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255];

/// Whether the client of a request accepts gzip.
#[derive(Clone, Copy, Debug)]
pub struct AcceptsGzip(pub bool);

impl<S: Sync> FromRequestParts<S> for AcceptsGzip {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(accepts_gzip(&parts.headers)))
    }
}

/// Returns the gzip form of `body`, of which all clients get the same `common` part. `None` if it is too small, or cannot
/// be put together.
pub fn gzip(body: &[u8], common: Range<usize>, shared: &SharedCompression) -> Option<Vec<u8>> {
    if body.len() < BYTES_MIN {
        return None;
    }
    let (head, tail) = (body.get(..common.start)?, body.get(common.end..)?);
    let middle = body.get(common)?;
    let compressed = shared.get_or_compress(|| deflated(middle).unwrap_or_default());
    // A part that could not be compressed is empty.
    if compressed.is_empty() || head.len() > STORED_MAX || tail.len() > STORED_MAX {
        return None;
    }
    let mut bytes = Vec::with_capacity(compressed.len() + head.len() + tail.len() + 40);
    bytes.extend_from_slice(&HEADER);
    store(&mut bytes, head, false);
    bytes.extend_from_slice(&compressed);
    store(&mut bytes, tail, true);
    let mut checksum = Crc::new();
    checksum.update(body);
    bytes.extend_from_slice(&checksum.sum().to_le_bytes());
    bytes.extend_from_slice(&checksum.amount().to_le_bytes());
    Some(bytes)
}

/// Returns a part of a deflate stream that ends at a byte and refers to nothing outside itself.
fn deflated(content: &[u8]) -> Option<Vec<u8>> {
    let mut compress = Compress::new(Compression::fast(), false);
    // At most what uncompressed blocks would take, with the empty one of the flush.
    let mut bytes = Vec::with_capacity(content.len() + content.len() / 1_000 + 64);
    let status = compress.compress_vec(content, &mut bytes, FlushCompress::Sync);
    let all = usize::try_from(compress.total_in()) == Ok(content.len());
    (status.is_ok() && all && bytes.ends_with(&[0, 0, 0xff, 0xff])).then_some(bytes)
}

/// Appends an uncompressed block of deflate, of at most [`STORED_MAX`] bytes.
fn store(bytes: &mut Vec<u8>, part: &[u8], last: bool) {
    let length = u16::try_from(part.len()).unwrap_or(u16::MAX);
    bytes.push(u8::from(last));
    bytes.extend_from_slice(&length.to_le_bytes());
    bytes.extend_from_slice(&(!length).to_le_bytes());
    bytes.extend_from_slice(part);
}

#[cfg(test)]
mod tests {
    //! 1. What is put together is decompressed to the body, whatever stands in it, also if its common part was compressed
    //!    before; small bodies stay as they are.

    use super::*;
    use flate2::read::GzDecoder;
    use proptest::prelude::*;
    use std::io::Read;

    fn decompressed(bytes: &[u8]) -> Vec<u8> {
        let mut content = Vec::new();
        GzDecoder::new(bytes)
            .read_to_end(&mut content)
            .expect("is whole");
        content
    }

    proptest! {
        #[test]
        fn what_is_put_together_is_the_body(
            heads in proptest::collection::vec("[ -~é\n]{0,200}", 2),
            word in "[ -~é]{1,30}",
            times in 0_usize..400,
            tail in "[ -~]{0,300}",
        ) {
            let middle = word.repeat(times);
            let shared = SharedCompression::default();
            for head in heads {
                let body = format!("{head}{middle}{tail}").into_bytes();
                let common = head.len()..head.len() + middle.len();
                match gzip(&body, common, &shared) {
                    Some(bytes) => prop_assert_eq!(decompressed(&bytes), body),
                    None => prop_assert!(body.len() < BYTES_MIN),
                }
            }
        }
    }
}
