//! The content coding of a response: none, or gzip.

use crate::fault::{FetchCode, FetchFault};
use domain::message;
use flate2::bufread::GzDecoder;
use std::io::{self, BufRead, BufReader, Cursor, Read};

const GZIP_MARK: [u8; 2] = [0x1f, 0x8b];

/// Returns whether the header `Content-Encoding` says gzip.
///
/// Errors: `encoding_unsupported` for a coding that was not asked for.
pub(crate) fn is_gzip(header: Option<&str>) -> Result<bool, FetchFault> {
    let codings = header.unwrap_or_default().split(',').map(str::trim);
    let codings = codings.filter(|coding| !coding.is_empty());
    let mut codings = codings.filter(|coding| !coding.eq_ignore_ascii_case("identity"));
    match (codings.next(), codings.next()) {
        (None, _) => Ok(false),
        (Some(coding), None)
            if coding.eq_ignore_ascii_case("gzip") || coding.eq_ignore_ascii_case("x-gzip") =>
        {
            Ok(true)
        }
        _ => Err(FetchFault::new(
            FetchCode::EncodingUnsupported,
            message::source::encoding_unsupported(),
        )),
    }
}

/// Returns a reader of the decoded body. A body that is called gzip and is not begins otherwise, and is taken as it is.
pub(crate) fn decoded<'a>(
    mut body: impl Read + 'a,
    is_gzip: bool,
) -> io::Result<Box<dyn Read + 'a>> {
    if !is_gzip {
        return Ok(Box::new(body));
    }
    let mut first = Vec::with_capacity(GZIP_MARK.len());
    body.by_ref().take(2).read_to_end(&mut first)?;
    let is_marked = first == GZIP_MARK;
    let whole = Cursor::new(first).chain(body);
    Ok(match is_marked {
        true => Box::new(Members {
            decoder: Some(GzDecoder::new(BufReader::new(whole))),
        }),
        false => Box::new(whole),
    })
}

/// Decodes members of gzip one after the other; what follows the last one, zeros mostly, is left.
struct Members<R> {
    /// The member that is read, until there is none.
    decoder: Option<GzDecoder<R>>,
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(decoder) = &mut self.decoder {
            let read = decoder.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let next = self.decoder.take().map(GzDecoder::into_inner);
            if let Some(mut rest) = next
                && rest.fill_buf()?.first() == GZIP_MARK.first()
            {
                self.decoder = Some(GzDecoder::new(rest));
            }
        }
        Ok(0)
    }
}
