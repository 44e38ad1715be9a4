//! Extractors for the input of a request: a JSON body, query parameters, or nothing.

use super::body::{self, BodySource, Received};
use super::coding::{self, Coding};
use super::failure::Failure;
use super::in_flight::{BodyAccount, SMALL_BODY_BYTES};
use super::{media, query_string, weight};
use crate::App;
use crate::message;
use crate::validation::{Checker, block_json, strict_json};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use domain::first_characters;
use domain::limits::BODY_BYTES_MAX;
use domain::limits::SHOWN_CHARACTERS_MAX;
use domain::{ErrorList, Invalid, SentDocuments, error_codes};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The type of a request body.
pub trait Input: DeserializeOwned + Send + 'static {
    /// Largest accepted body in bytes, after decompression.
    const BYTES_MAX: usize = BODY_BYTES_MAX;

    /// Key of a list whose items are not parsed with the body, but one by one.
    const READ_LATER: Option<&'static str> = None;

    /// Key of a list that may stand in place of other keys. If it is sent and no list, those are not missed.
    const IN_PLACE: Option<&'static str> = None;

    /// Whether the body may be compressed with gzip.
    const GZIP: bool = false;

    /// The compiled schema.
    fn checker() -> &'static Checker;

    /// Returns errors for the keys of `value` that only the control panel may change.
    fn reserved(_value: &Value) -> ErrorList {
        ErrorList::default()
    }

    /// Returns this input with the items of the [`READ_LATER`](Self::READ_LATER) list.
    #[must_use]
    fn with_documents(self, _sent: SentDocuments) -> Self {
        self
    }

    /// Returns the errors that the schema cannot express and that need no state. They are reported together with those
    /// of the schema.
    fn semantic_errors(self) -> Vec<Invalid> {
        Vec::new()
    }
}

/// A JSON body, checked in this order: 413, 415, 406, malformed JSON 400, reserved keys 403, validation 400.
#[derive(Debug)]
pub struct Body<T>(pub T);

impl<T: Input> FromRequest<App> for Body<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, app: &App) -> Result<Self, Failure> {
        let (parts, body) = request.into_parts();
        let received = received(&parts, body, T::BYTES_MAX, app).await?;
        typed(parts, received, app, media::body_is_json)
            .await
            .map(Self)
    }
}

/// A JSON body that may be empty, which means an empty object.
#[derive(Debug)]
pub struct OptionalBody<T>(pub T);

impl<T: Input> FromRequest<App> for OptionalBody<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, app: &App) -> Result<Self, Failure> {
        let (parts, body) = request.into_parts();
        let received = received(&parts, body, T::BYTES_MAX, app).await?;
        if !received.bytes.is_empty() {
            let typed = typed(parts, received, app, media::body_is_json);
            return typed.await.map(Self);
        }
        media::json_is_acceptable(&parts.headers)?;
        parse(&parts, b"{}").map(Self)
    }
}

/// Reads the body of a request and reserves memory for it.
///
/// Errors: as [`body::read`].
pub async fn received(
    parts: &Parts,
    body: axum::body::Body,
    max: usize,
    app: &App,
) -> Result<Received, Failure> {
    let reading = BodySource {
        patience: app.patience,
        memory: &app.memory,
        store: &account(parts).store(),
    };
    body::read(body, max, reading).await
}

/// Returns the account that holds the memory reserved for the body of a request.
pub fn account(parts: &Parts) -> BodyAccount {
    let account = parts.extensions.get::<BodyAccount>();
    account.cloned().unwrap_or_default()
}

/// Parses and validates a received body, whose media type `accepts` checks.
///
/// Errors: 415, 406, 413 after decompression, and those of [`parse`].
pub async fn typed<T: Input>(
    parts: Parts,
    received: Received,
    app: &App,
    accepts: fn(&HeaderMap) -> Result<(), Failure>,
) -> Result<T, Failure> {
    let coding = coding::of(&parts.headers, T::GZIP)?;
    accepts(&parts.headers)?;
    media::json_is_acceptable(&parts.headers)?;
    let account = account(&parts);
    if let Some(small) = small_decompressed(&received.bytes, coding) {
        account.keep(app.memory.count(small.len()));
        return parse(&parts, &small);
    }
    let weigh = BodyWeight {
        of: weight::of::<T>,
        at_most: weight::at_most::<T>,
    };
    let read = move |bytes: &[u8]| parse(&parts, bytes);
    parsed_off_thread(app, &account, received, (coding, T::BYTES_MAX), weigh, read).await
}

/// How much memory a body takes while it is parsed, with what is made of it.
#[derive(Clone, Copy)]
pub struct BodyWeight {
    /// Of a decompressed body.
    pub of: fn(&[u8]) -> usize,
    /// Of any body of this many bytes.
    pub at_most: fn(usize) -> usize,
}

/// Decompresses a body within a maximum of bytes and parses it, off the threads that serve requests, while the memory that it
/// takes is held for its account until the response.
pub async fn parsed_off_thread<T: Send + 'static>(
    app: &App,
    account: &BodyAccount,
    received: Received,
    (coding, max): (Coding, usize),
    weigh: BodyWeight,
    parse: impl FnOnce(&[u8]) -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let Received { bytes, reserved } = received;
    // The decompressed size is known only afterwards; this is its upper bound.
    let most = match coding {
        Coding::Identity => (weigh.of)(&bytes),
        Coding::Gzip => (weigh.at_most)(bytes.len().saturating_mul(coding::RATIO_MAX)),
    };
    let mut held = app.memory.hold(&account.store(), most).await?;
    let work = move || {
        let bytes = coding::decompress(bytes, coding, max)?;
        held.keep((weigh.of)(&bytes));
        let typed = parse(&bytes);
        drop((bytes, reserved));
        typed.map(|typed| (typed, held))
    };
    let (typed, held) = tokio::task::spawn_blocking(work)
        .await
        .map_err(|error| Failure::internal(format!("a body was not parsed: {error}")))??;
    account.keep(held);
    Ok(typed)
}

/// Returns the decompressed body if it is small before and after decompression.
fn small_decompressed(bytes: &[u8], coding: Coding) -> Option<Cow<'_, [u8]>> {
    match coding {
        _ if bytes.len() > SMALL_BODY_BYTES => None,
        Coding::Identity => Some(Cow::Borrowed(bytes)),
        Coding::Gzip => coding::decompress(bytes.to_vec(), coding, SMALL_BODY_BYTES)
            .ok()
            .map(Cow::Owned),
    }
}

/// Parses and validates the input in a decompressed JSON body.
pub fn parse<T: Input>(parts: &Parts, bytes: &[u8]) -> Result<T, Failure> {
    let read = match T::READ_LATER {
        None => strict_json::parse(bytes).map(|value| (value, None)),
        Some(list) => block_json::parse(bytes, list).map(|(value, sent)| (value, Some(sent))),
    };
    let (value, sent) = read.map_err(|error| Failure::invalid(error.invalid("body")))?;
    let reserved = T::reserved(&value);
    if !reserved.is_empty() {
        return Err(Failure::listing(
            StatusCode::FORBIDDEN,
            error_codes::RESERVED,
            reserved,
        ));
    }
    no_parameters(parts)?;
    let in_place = T::IN_PLACE.and_then(|list| value.get(list));
    let is_unreadable = in_place.is_some_and(|list| !list.is_array());
    let semantic_errors = |typed: T| match is_unreadable {
        true => Vec::new(),
        false => typed.semantic_errors(),
    };
    let typed = T::checker().typed_and(value, "body", semantic_errors);
    let typed = typed.map_err(Failure::invalid)?;
    Ok(match sent {
        Some(sent) => typed.with_documents(sent),
        None => typed,
    })
}

/// Query parameters, converted to the type that a JSON body would have.
///
/// Shape: lists are comma-separated, objects are JSON text.
#[derive(Debug)]
pub struct Params<T>(pub T);

/// The type of the query parameters of a request.
pub trait QueryInput: DeserializeOwned {
    /// The compiled schema of the query parameters.
    fn query_checker() -> &'static Checker;
}

impl<T: QueryInput> FromRequestParts<App> for Params<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Failure> {
        media::json_is_acceptable(&parts.headers)?;
        let query = parts.uri.query().unwrap_or_default();
        parameters(query).map(Self).map_err(Failure::invalid)
    }
}

/// Parses and validates the input in a query string.
///
/// Errors: everything that is invalid, as `query.<name>`.
pub fn parameters<T: QueryInput>(query: &str) -> Result<T, ErrorList> {
    let checker = T::query_checker();
    let typed = checker.typed(query_value(query, checker)?, "");
    typed.map_err(|errors| errors.under("query"))
}

fn query_value(query: &str, checker: &Checker) -> Result<Value, ErrorList> {
    let mut errors = ErrorList::default();
    let mut object = Map::new();
    for (name, text) in query_string::parse(query)? {
        match typed_parameter(&text, checker.property(&name)) {
            Ok(value) => {
                object.insert(name, value);
            }
            Err(e) => errors = errors.and(e.invalid_in(&format!("query.{name}"))),
        }
    }
    if errors.is_empty() {
        Ok(Value::Object(object))
    } else {
        Err(errors)
    }
}

/// Converts the text of a parameter to the type of `schema`. Text that does not parse stays text, which the validation
/// then rejects.
fn typed_parameter(text: &str, schema: Option<&Value>) -> Result<Value, strict_json::NotJson> {
    let kind = schema.and_then(|schema| schema.get("type")?.as_str());
    Ok(match kind {
        Some("integer" | "number") => text
            .parse::<serde_json::Number>()
            .map_or_else(|_| text.into(), Value::Number),
        Some("boolean") => text
            .parse::<bool>()
            .map_or_else(|_| text.into(), Value::Bool),
        Some("array") => text.split(',').map(str::trim).map(Value::from).collect(),
        Some("object") => strict_json::parse(text.as_bytes())?,
        _ => text.into(),
    })
}

/// A request without body and query parameters.
#[derive(Clone, Copy, Debug)]
pub struct NoInput;

impl FromRequestParts<App> for NoInput {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Failure> {
        media::json_is_acceptable(&parts.headers)?;
        no_parameters(parts)?;
        Ok(Self)
    }
}

fn no_parameters(parts: &Parts) -> Result<(), Failure> {
    let parameters = query_string::parse(parts.uri.query().unwrap_or_default());
    let errors: Vec<Invalid> = parameters
        .map_err(Failure::invalid)?
        .into_iter()
        .map(|(name, _)| {
            let shown = first_characters(&name, SHOWN_CHARACTERS_MAX);
            Invalid::new(format!("query.{shown}"), message::request::no_parameters())
        })
        .collect();
    if errors.is_empty() {
        Ok(())
    } else {
        Err(Failure::invalid(errors))
    }
}
