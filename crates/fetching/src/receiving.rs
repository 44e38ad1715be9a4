//! Receives the body of a response into a file, decoded, with its hash.

use crate::bounds::FetchBounds;
use crate::conditions::Validators;
use crate::decoding::{decoded, is_gzip};
use crate::fault::FetchFault;
use crate::metered::{Metered, Stopwatch};
use sha2::{Digest, Sha256};
use std::io::{Read, Write};
use std::time::Instant;
use ureq::http::{HeaderMap, header};

/// Characters of a header that are kept.
const KEPT_HEADER_MAX: usize = 1_024;
const BUFFER_BYTES: usize = 64 * 1_024;

/// A file that was received to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceivedFile {
    /// Bytes that were received.
    pub bytes: u64,
    /// SHA-256 of the file, after the coding of its transfer was removed; 64 hexadecimal digits.
    pub sha256: String,
    /// What the response said of its version.
    pub validators: Validators,
    /// `charset` of its type.
    pub charset: Option<String>,
}

/// How a body is received.
#[derive(Clone, Copy)]
pub(crate) struct Receiving<'a> {
    pub bounds: &'a FetchBounds,
    pub now: Stopwatch<'a>,
    pub is_cancelled: &'a (dyn Fn() -> bool + Sync),
    pub until: Instant,
}

impl Receiving<'_> {
    /// Writes the body to `file`.
    pub fn receive(
        &self,
        headers: &HeaderMap,
        body: impl Read,
        file: &mut dyn Write,
    ) -> Result<ReceivedFile, FetchFault> {
        let is_gzip = is_gzip(text(headers, header::CONTENT_ENCODING).as_deref())?;
        let mut metered = Metered::new(body, self.bounds, self.now, self.is_cancelled, self.until);
        let mut hash = Sha256::new();
        self.copy(&mut metered, is_gzip, file, &mut hash)?;
        // A decoder may leave what follows its last byte; the transfer has to come to its end too.
        let mut rest = [0; 1_024];
        while metered.read(&mut rest).map_err(FetchFault::of_body)? > 0 {}
        let digest = hash.finalize();
        Ok(ReceivedFile {
            bytes: metered.received,
            sha256: digest.iter().map(|byte| format!("{byte:02x}")).collect(),
            validators: Validators {
                etag: text(headers, header::ETAG),
                last_modified: text(headers, header::LAST_MODIFIED),
            },
            charset: text(headers, header::CONTENT_TYPE).and_then(|text| charset(&text)),
        })
    }

    fn copy<R: Read>(
        &self,
        metered: &mut Metered<'_, R>,
        is_gzip: bool,
        file: &mut dyn Write,
        hash: &mut Sha256,
    ) -> Result<(), FetchFault> {
        let received = std::cell::Cell::new(0);
        let counted = Counted {
            metered,
            received: &received,
        };
        let mut body = decoded(counted, is_gzip).map_err(FetchFault::of_body)?;
        let mut buffer = vec![0; BUFFER_BYTES];
        let mut written = 0;
        loop {
            let read = body.read(&mut buffer).map_err(FetchFault::of_body)?;
            if read == 0 {
                return Ok(());
            }
            written += read as u64;
            let is_bomb = written > self.bounds.expansion_from
                && written > received.get() * self.bounds.expansion;
            if written > self.bounds.bytes || is_bomb {
                return Err(FetchFault::too_large());
            }
            hash.update(&buffer[..read]);
            file.write_all(&buffer[..read])
                .map_err(FetchFault::of_disk)?;
        }
    }
}

/// A body whose count is seen from outside of its decoder.
struct Counted<'a, 'm, R> {
    metered: &'a mut Metered<'m, R>,
    received: &'a std::cell::Cell<u64>,
}

impl<R: Read> Read for Counted<'_, '_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.metered.read(buffer)?;
        self.received.set(self.metered.received);
        Ok(read)
    }
}

/// Returns a header as text, unless it is too long to keep or not visible ASCII.
pub(crate) fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<String> {
    let value = headers.get(name)?.to_str().ok()?.trim();
    (!value.is_empty() && value.len() <= KEPT_HEADER_MAX).then(|| value.to_owned())
}

/// Returns the `charset` of a content type.
fn charset(content_type: &str) -> Option<String> {
    let parameters = content_type.split(';').skip(1);
    let mut named = parameters.filter_map(|parameter| parameter.split_once('='));
    let (_, value) = named.find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"))?;
    let value = value.trim().trim_matches(['"', '\'']);
    (!value.is_empty()).then(|| value.to_owned())
}
