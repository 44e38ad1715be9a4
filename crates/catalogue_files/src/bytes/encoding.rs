//! Which encoding the text of a file has: what is declared, what is valid, and what its bytes look like.

use crate::error::ReadError;
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use std::io::Read;

/// Bytes of the file that are read at a time.
const CHUNK_BYTES: usize = 1 << 16;
/// Bytes with other than ASCII characters that are enough to guess.
const GUESS_BYTES: usize = 4 << 20;
/// Bytes at the start that hold the declaration of XML.
const DECLARATION_BYTES: usize = 256;

/// What says which encoding a file has, beside its bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct DeclaredEncoding<'a> {
    /// The option of the import.
    pub option: Option<&'static Encoding>,
    /// `charset` of the response that the file came with.
    pub charset: Option<&'a str>,
    /// Language of the catalogue, two or three characters.
    pub language: &'a str,
}

/// The result of reading all bytes once.
#[derive(Clone, Copy, Debug)]
pub struct TextSurvey {
    /// The encoding.
    pub encoding: &'static Encoding,
    /// Unpacked bytes.
    pub bytes: u64,
    /// Whether there is anything but white space.
    pub is_blank: bool,
}

/// Reads `reader` to its end.
pub fn survey(
    mut reader: impl Read,
    declared: DeclaredEncoding<'_>,
) -> Result<TextSurvey, ReadError> {
    let mut evidence = ByteEvidence::new();
    let mut buffer = vec![0; CHUNK_BYTES];
    loop {
        let read = reader.read(&mut buffer)?;
        if read == 0 {
            break;
        }
        evidence.add(&buffer[..read]);
    }
    Ok(TextSurvey {
        bytes: evidence.bytes,
        is_blank: evidence.is_blank,
        encoding: evidence.decide(declared),
    })
}

struct ByteEvidence {
    head: Vec<u8>,
    bytes: u64,
    is_blank: bool,
    utf8: Utf8Check,
    /// NULs at even and at odd positions of the first chunk, and its length.
    nuls: [usize; 2],
    first: usize,
    detector: EncodingDetector,
    guessed: usize,
}

impl ByteEvidence {
    fn new() -> Self {
        Self {
            head: Vec::new(),
            bytes: 0,
            is_blank: true,
            utf8: Utf8Check::default(),
            nuls: [0; 2],
            first: 0,
            detector: EncodingDetector::new(Iso2022JpDetection::Deny),
            guessed: 0,
        }
    }

    fn add(&mut self, chunk: &[u8]) {
        if self.head.len() < DECLARATION_BYTES {
            let wanted = DECLARATION_BYTES - self.head.len();
            self.head
                .extend_from_slice(&chunk[..chunk.len().min(wanted)]);
        }
        if self.first < CHUNK_BYTES {
            for (at, byte) in chunk.iter().enumerate() {
                if *byte == 0 {
                    self.nuls[(self.first + at) % 2] += 1;
                }
            }
            self.first += chunk.len();
        }
        self.is_blank = self.is_blank && is_blank(chunk);
        self.bytes += chunk.len() as u64;
        self.utf8.add(chunk);
        if self.guessed < GUESS_BYTES && !chunk.is_ascii() {
            self.detector.feed(chunk, false);
            self.guessed += chunk.len();
        }
    }

    fn decide(mut self, declared: DeclaredEncoding<'_>) -> &'static Encoding {
        let is_utf8 = self.utf8.finish();
        // A declaration of UTF-8 counts only if the bytes are.
        let counts = |encoding: &&'static Encoding| *encoding != UTF_8 || is_utf8;
        let mark = Encoding::for_bom(&self.head).map(|(encoding, _)| encoding);
        let stated = [mark, declared.option, xml_declaration(&self.head)];
        if let Some(encoding) = stated.into_iter().flatten().find(counts) {
            return encoding;
        }
        if let Some(encoding) = self.utf16() {
            return encoding;
        }
        if is_utf8 {
            return UTF_8;
        }
        let charset = declared
            .charset
            .and_then(|label| Encoding::for_label(label.as_bytes()));
        charset
            .filter(counts)
            .unwrap_or_else(|| self.guess(declared.language))
    }

    /// Text in UTF-16 has a NUL in nearly every other byte.
    fn utf16(&self) -> Option<&'static Encoding> {
        let enough = self.first * 3 / 10;
        match self.nuls {
            [even, odd] if even > enough && odd * 10 < even => Some(UTF_16BE),
            [even, odd] if odd > enough && even * 10 < odd => Some(UTF_16LE),
            _ => None,
        }
    }

    fn guess(&mut self, language: &str) -> &'static Encoding {
        self.detector.feed(&[], true);
        let domain = top_level_domain(language);
        let hinted = self.detector.guess(domain, Utf8Detection::Deny);
        let unhinted = self.detector.guess(None, Utf8Detection::Deny);
        // Where the language makes the difference, the bytes alone prove nothing.
        if domain.is_some() && hinted != unhinted {
            return if hinted == WINDOWS_1252 || domain.is_some_and(is_latin) {
                WINDOWS_1252
            } else {
                hinted
            };
        }
        hinted
    }
}

fn is_blank(chunk: &[u8]) -> bool {
    let mark = [0xef, 0xbb, 0xbf, 0xff, 0xfe, 0];
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || mark.contains(byte);
    chunk.iter().all(is_blank)
}

/// A country that stands for a language where encodings are guessed.
fn top_level_domain(language: &str) -> Option<&'static [u8]> {
    let domain: &'static [u8] = match language {
        "es" => b"es",
        "fr" => b"fr",
        "de" => b"de",
        "it" => b"it",
        "pt" => b"pt",
        "nl" => b"nl",
        "en" => b"uk",
        "ca" => b"es",
        "sv" => b"se",
        "da" => b"dk",
        "fi" => b"fi",
        "no" | "nb" => b"no",
        "pl" => b"pl",
        "cs" => b"cz",
        "hu" => b"hu",
        "ro" => b"ro",
        "el" => b"gr",
        "tr" => b"tr",
        "ru" => b"ru",
        "uk" => b"ua",
        "bg" => b"bg",
        "he" => b"il",
        "ja" => b"jp",
        "ko" => b"kr",
        "zh" => b"cn",
        _ => return None,
    };
    Some(domain)
}

fn is_latin(domain: &[u8]) -> bool {
    let latin: [&[u8]; 10] = [
        b"es", b"fr", b"de", b"it", b"pt", b"nl", b"uk", b"se", b"dk", b"no",
    ];
    latin.contains(&domain)
}

/// Returns the encoding that an XML declaration at the start names.
fn xml_declaration(head: &[u8]) -> Option<&'static Encoding> {
    let start = head.iter().position(|byte| !byte.is_ascii_whitespace())?;
    let head = String::from_utf8_lossy(&head[start..]);
    let declaration = head.strip_prefix("<?xml")?.split("?>").next()?;
    let value = declaration.split_once("encoding")?.1.trim_start();
    let value = value.strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let label = value[1..].split(quote).next()?;
    let encoding = Encoding::for_label(label.as_bytes())?;
    // The declaration was read byte by byte, so the file is not what it says here.
    let is_two_bytes = encoding == UTF_16LE || encoding == UTF_16BE;
    (!is_two_bytes).then_some(encoding)
}

/// Whether a stream is UTF-8, chunk by chunk.
#[derive(Default)]
struct Utf8Check {
    rest: Vec<u8>,
    is_invalid: bool,
}

impl Utf8Check {
    fn add(&mut self, chunk: &[u8]) {
        if self.is_invalid {
            return;
        }
        if self.rest.is_empty() {
            self.check(chunk);
        } else {
            let mut joined = std::mem::take(&mut self.rest);
            joined.extend_from_slice(chunk);
            self.check(&joined);
        }
    }

    fn check(&mut self, bytes: &[u8]) {
        if let Err(error) = std::str::from_utf8(bytes) {
            if error.error_len().is_some() {
                self.is_invalid = true;
            } else {
                self.rest = bytes[error.valid_up_to()..].to_vec();
            }
        }
    }

    fn finish(&self) -> bool {
        !self.is_invalid && self.rest.is_empty()
    }
}
