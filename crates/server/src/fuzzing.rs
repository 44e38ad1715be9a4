//! Entry points for the fuzz targets: parsing and validation of inputs, without HTTP.

use crate::api;
use crate::http::coding::{self, Coding};
use crate::http::failure::Failure;
use crate::http::input::{Input, parameters, parse};
use crate::message;
use crate::validation;
use domain::limits::BLOCK_BYTES_MAX;
use domain::relevance::{BoostMerging, Overrides, RelevanceChange};
use domain::rule::{NewRule, RuleContent};
use domain::search::{FilterField, SearchRequest};
use domain::{ErrorList, Invalid};
use serde_json::Value;

/// Parses and validates a body as far as possible without state.
type BodyReader = fn(&[u8]) -> Result<(), Failure>;

/// Readers of what an operation checks of a valid body, by name.
const FURTHER: [(&str, BodyReader); 2] = [
    ("replaced relevance", |body| {
        relevance(body, BoostMerging::Replace)
    }),
    ("merged relevance", |body| {
        relevance(body, BoostMerging::Merge)
    }),
];

/// Parses `body` as the input that `kind` selects: the body of an operation, or one that is checked further.
///
/// Errors: the error response.
pub fn request_body(kind: u8, body: &[u8]) -> Result<(), ErrorReply> {
    reader(kind)(body).map_err(|failure| ErrorReply {
        response: failure.body(""),
        message: failure.message.text,
        errors: failure.errors,
    })
}

/// Returns the reader whose name has the largest hash with `kind`: a new operation takes some kinds from the others,
/// which keep the rest, so that the corpus keeps its meaning.
fn reader(kind: u8) -> BodyReader {
    let bodies = api::all().filter_map(|row| Some((row.id, row.body.as_ref()?.reader)));
    let readers = bodies.chain(FURTHER);
    let selected = readers.max_by_key(|(name, _)| hash(kind, name));
    selected.expect("FURTHER is not empty").1
}

/// FNV-1a, 64 bits.
fn hash(kind: u8, name: &str) -> u64 {
    let bytes = [kind].into_iter().chain(name.bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The error response to a rejected body.
#[derive(Debug)]
pub struct ErrorReply {
    /// The body of the response.
    pub response: Vec<u8>,
    /// The message of the response.
    pub message: String,
    /// The errors that the response lists.
    pub errors: Vec<Invalid>,
}

/// Parses `body` as a new rule.
///
/// Errors: the message, and the errors that the response lists.
pub fn rule(body: &[u8]) -> Result<RuleContent, (String, Vec<Invalid>)> {
    let rule = typed::<NewRule>(body).and_then(|rule| rule.check().map_err(Failure::invalid));
    rule.map_err(|failure| (failure.message.text, failure.errors))
}

/// Decompresses a gzip body of the feed; returns `None` if it is invalid or too large.
pub fn decompressed(body: &[u8]) -> Option<Vec<u8>> {
    coding::decompress(body.to_vec(), Coding::Gzip, BLOCK_BYTES_MAX).ok()
}

/// Parses a query string as a search.
///
/// Errors: all validation errors.
pub fn search_parameters(query: &str) -> Result<(), Vec<Invalid>> {
    let listed = |wrong: ErrorList| wrong.listed().to_vec();
    let request = parameters(query).map_err(listed)?;
    checked(request).map_err(|wrong| listed(ErrorList::from(wrong).under("query")))
}

/// Parses `body` as JSON; returns `None` if it is invalid.
pub fn strict_json(body: &[u8]) -> Option<Value> {
    validation::strict_json::parse(body).ok()
}

fn typed<T: Input>(body: &[u8]) -> Result<T, Failure> {
    let (parts, ()) = axum::http::Request::new(()).into_parts();
    parse(&parts, body)
}

fn relevance(body: &[u8], mode: BoostMerging) -> Result<(), Failure> {
    let change: RelevanceChange = typed(body)?;
    let saved = Overrides::default().apply(&change, mode);
    saved.map(drop).map_err(Failure::invalid)
}

fn checked(request: SearchRequest) -> Result<(), Vec<Invalid>> {
    let admit =
        |name: &str| FilterField::parse(name).ok_or_else(|| message::value::unknown_field());
    request.check(admit).map(drop)
}
