//! Entry points for the fuzz targets: parsing and validation of inputs, without HTTP.

use crate::http::coding::{self, Coding};
use crate::http::failure::Failure;
use crate::http::input::{Input, parameters, parse};
use crate::validation;
use domain::declarations::{AccessGroups, Currencies, PriceCountries, PriceTiers};
use domain::event::EventsRequest;
use domain::feed::{Block, Clear, Deletion, NewIndices, NewRun, PublicKeyRequest, RunClose, Touch};
use domain::filter::{FilterPatch, NewFilter};
use domain::limits::BLOCK_BYTES_MAX;
use domain::relevance::{BoostMerging, Overrides, RelevanceChange};
use domain::rule::{NewRule, RuleContent, RulePatch};
use domain::search::{FilterField, SearchRequest, SuggestRequest};
use domain::store::StorePatch;
use domain::synonym::{NewSynonym, SynonymImport, SynonymPatch};
use domain::widget::{SavedWidget, WidgetPatch};
use domain::{ErrorList, Invalid};
use operations::simulator::RelevanceTest;
use serde_json::Value;

/// Parses and validates a body as far as possible without state.
type BodyReader = fn(&[u8]) -> Result<(), Failure>;

/// The readers of all request bodies. Append new ones, so that the corpus keeps its meaning.
const READERS: [BodyReader; 27] = [
    |body| {
        typed::<StorePatch>(body)?
            .check()
            .map(drop)
            .map_err(Failure::invalid)
    },
    |body| relevance(body, BoostMerging::Replace),
    |body| relevance(body, BoostMerging::Merge),
    read::<RelevanceTest>,
    |body| checked(typed(body)?).map_err(Failure::invalid),
    read::<NewIndices>,
    read::<PublicKeyRequest>,
    read::<Block>,
    read::<Deletion>,
    read::<NewRun>,
    read::<RunClose>,
    read::<Clear>,
    read::<Touch>,
    read::<SuggestRequest>,
    read::<Currencies>,
    read::<PriceTiers>,
    read::<PriceCountries>,
    read::<AccessGroups>,
    read::<NewSynonym>,
    read::<SynonymPatch>,
    read::<SynonymImport>,
    |body| {
        typed::<NewRule>(body)?
            .check()
            .map(drop)
            .map_err(Failure::invalid)
    },
    read::<RulePatch>,
    |body| filter(typed(body)?).map_err(Failure::invalid),
    read::<FilterPatch>,
    |body| widget(typed(body)?).map_err(Failure::invalid),
    |body| events(typed(body)?).map_err(Failure::invalid),
];

/// Parses `body` as the type that `kind` selects.
///
/// Errors: the error response.
pub fn request_body(kind: u8, body: &[u8]) -> Result<(), ErrorReply> {
    let reader = READERS[usize::from(kind) % READERS.len()];
    reader(body).map_err(|failure| ErrorReply {
        response: failure.body(""),
        message: failure.message,
        errors: failure.errors,
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
    rule.map_err(|failure| (failure.message, failure.errors))
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

fn read<T: Input>(body: &[u8]) -> Result<(), Failure> {
    typed::<T>(body).map(drop)
}

fn relevance(body: &[u8], mode: BoostMerging) -> Result<(), Failure> {
    let change: RelevanceChange = typed(body)?;
    let saved = Overrides::default().apply(&change, mode);
    saved.map(drop).map_err(Failure::invalid)
}

fn filter(new: NewFilter) -> Result<(), Vec<Invalid>> {
    let mut number = 0;
    let mut new_key = || {
        number += 1;
        number.to_string()
    };
    new.check(0, &mut new_key).map(drop)
}

fn widget(change: WidgetPatch) -> Result<(), Vec<Invalid>> {
    SavedWidget::default().apply(change).map(drop)
}

fn events(request: EventsRequest) -> Result<(), Vec<Invalid>> {
    request.check().map(drop)
}

fn checked(request: SearchRequest) -> Result<(), Vec<Invalid>> {
    let admit = |name: &str| FilterField::parse(name).ok_or_else(|| "is no field".to_owned());
    request.check(admit).map(drop)
}
