//! The three ways in which a request carries its input: a JSON body, query parameters, or nothing.

use super::body::{self, BodySource, Received};
use super::coding::{self, Coding};
use super::failure::Failure;
use super::in_flight::{BodyAccount, SMALL_BODY_BYTES};
use super::{media, query_string, weight};
use crate::App;
use crate::validation::{Checker, block_json, strict_json};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use domain::limits::BODY_BYTES_MAX;
use domain::{ErrorList, Invalid, SentDocuments};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// A type that requests carry.
pub trait Input: DeserializeOwned + Send + 'static {
    /// Bytes of the largest body that is read, after it was unpacked.
    const BYTES_MAX: usize = BODY_BYTES_MAX;

    /// Key of a list whose items are not read with the body, but one by one.
    const READ_LATER: Option<&'static str> = None;

    /// Whether the body may be packed by gzip.
    const GZIP: bool = false;

    /// The compiled schema.
    fn checker() -> &'static Checker;

    /// Keys of `value` that only the control panel may change.
    fn reserved(_value: &Value) -> ErrorList {
        ErrorList::default()
    }

    /// The same with the items that are read later.
    #[must_use]
    fn with_documents(self, _sent: SentDocuments) -> Self {
        self
    }

    /// What is wrong with it beyond its schema and whatever the state, so that it is told with what the schema refuses.
    fn mistakes(self) -> Vec<Invalid> {
        Vec::new()
    }
}

/// A JSON body, checked in the order of the contract: 413, 415, 406, malformed 400, reserved 403, 400.
#[derive(Debug)]
pub struct Body<T>(pub T);

impl<T: Input> FromRequest<App> for Body<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, app: &App) -> Result<Self, Failure> {
        let (parts, body) = request.into_parts();
        let received = received(&parts, body, T::BYTES_MAX, app).await?;
        typed(parts, received, app).await.map(Self)
    }
}

/// A JSON body that may be left out, which is the same as an empty object.
#[derive(Debug)]
pub struct OptionalBody<T>(pub T);

impl<T: Input> FromRequest<App> for OptionalBody<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, app: &App) -> Result<Self, Failure> {
        let (parts, body) = request.into_parts();
        let received = received(&parts, body, T::BYTES_MAX, app).await?;
        if !received.bytes.is_empty() {
            return typed(parts, received, app).await.map(Self);
        }
        media::json_is_acceptable(&parts.headers)?;
        parse(&parts, b"{}").map(Self)
    }
}

/// The body of a request, read and paid for.
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

/// Who pays for the body of a request.
pub fn account(parts: &Parts) -> BodyAccount {
    let account = parts.extensions.get::<BodyAccount>();
    account.cloned().unwrap_or_default()
}

async fn typed<T: Input>(parts: Parts, received: Received, app: &App) -> Result<T, Failure> {
    let coding = coding::of(&parts.headers, T::GZIP)?;
    media::body_is_json(&parts.headers)?;
    media::json_is_acceptable(&parts.headers)?;
    let Received { bytes, paid } = received;
    let account = account(&parts);
    if let Some(small) = unpacked_small(&bytes, coding) {
        account.keep(app.memory.count(small.len()));
        return parse(&parts, &small);
    }
    // What a packed body becomes is known only afterwards; it is no more than this.
    let most = match coding {
        Coding::Identity => weight::of::<T>(&bytes),
        Coding::Gzip => weight::at_most::<T>(bytes.len().saturating_mul(coding::RATIO_MAX)),
    };
    let mut held = app.memory.hold(&account.store(), most).await?;
    let work = move || {
        let bytes = coding::unpack(bytes, coding, T::BYTES_MAX)?;
        held.keep(weight::of::<T>(&bytes));
        let typed = parse(&parts, &bytes);
        drop((bytes, paid));
        typed.map(|typed| (typed, held))
    };
    let (typed, held) = tokio::task::spawn_blocking(work)
        .await
        .map_err(|error| Failure::internal(format!("a body was not parsed: {error}")))??;
    account.keep(held);
    Ok(typed)
}

/// A body that is small also when it is unpacked.
fn unpacked_small(bytes: &[u8], coding: Coding) -> Option<Cow<'_, [u8]>> {
    match coding {
        _ if bytes.len() > SMALL_BODY_BYTES => None,
        Coding::Identity => Some(Cow::Borrowed(bytes)),
        Coding::Gzip => coding::unpack(bytes.to_vec(), coding, SMALL_BODY_BYTES)
            .ok()
            .map(Cow::Owned),
    }
}

/// The input in a body that is JSON and no longer packed.
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
            "reserved",
            reserved,
        ));
    }
    no_parameters(parts)?;
    let typed = T::checker().typed_and(value, "body", T::mistakes);
    let typed = typed.map_err(Failure::invalid)?;
    Ok(match sent {
        Some(sent) => typed.with_documents(sent),
        None => typed,
    })
}

/// Query parameters, turned into the same input as a body would be.
///
/// Shape: lists are comma-separated, objects are JSON text.
#[derive(Debug)]
pub struct Params<T>(pub T);

/// A type that query parameters carry.
pub trait QueryInput: DeserializeOwned {
    /// The compiled schema of what the query string may hold.
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

/// The input in a query string.
///
/// Errors: everything that is wrong, as `query.<name>`.
pub fn parameters<T: QueryInput>(query: &str) -> Result<T, ErrorList> {
    let checker = T::query_checker();
    let typed = checker.typed(query_value(query, checker)?, "");
    typed.map_err(|wrong| wrong.under("query"))
}

fn query_value(query: &str, checker: &Checker) -> Result<Value, ErrorList> {
    let mut wrong = ErrorList::default();
    let mut object = Map::new();
    for (name, text) in query_string::parse(query)? {
        match typed_parameter(&text, checker.property(&name)) {
            Ok(value) => {
                object.insert(name, value);
            }
            Err(e) => wrong = wrong.and(e.invalid_in(&format!("query.{name}"))),
        }
    }
    if wrong.is_empty() {
        Ok(Value::Object(object))
    } else {
        Err(wrong)
    }
}

/// The value that a parameter's text means under `schema`; what cannot be read stays text for the check to refuse.
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

/// Neither body nor query parameters.
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
    let wrong: Vec<Invalid> = parameters
        .map_err(Failure::invalid)?
        .into_iter()
        .map(|(name, _)| {
            let shown: String = name.chars().take(80).collect();
            Invalid::new(
                format!("query.{shown}"),
                "is not known; this path takes no query parameters",
            )
        })
        .collect();
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(Failure::invalid(wrong))
    }
}
