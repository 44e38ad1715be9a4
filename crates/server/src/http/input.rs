//! The three ways in which a request carries its input: a JSON body, query parameters, or nothing.

use super::coding::{self, Coding};
use super::failure::Failure;
use super::{body, media, query_string};
use crate::App;
use crate::validation::{Checker, strict_json};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use domain::Invalid;
use domain::limits::BODY_BYTES_MAX;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Bodies from this size on are parsed apart from the threads that answer requests.
const PARSED_ASIDE_BYTES: usize = 64 * 1024;

/// A type that requests carry.
pub trait Input: DeserializeOwned + Send + 'static {
    /// Bytes of the largest body that is read, after it was unpacked.
    const BYTES_MAX: usize = BODY_BYTES_MAX;

    /// Whether the body may be packed by gzip.
    const GZIP: bool = false;

    /// The compiled schema.
    fn checker() -> &'static Checker;

    /// Keys of `value` that only the control panel may change.
    fn reserved(_value: &Value) -> Vec<Invalid> {
        Vec::new()
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
        let bytes = body::read(body, T::BYTES_MAX, app.patience).await?;
        typed(parts, bytes).await.map(Self)
    }
}

/// A JSON body that may be left out, which is the same as an empty object.
#[derive(Debug)]
pub struct OptionalBody<T>(pub T);

impl<T: Input> FromRequest<App> for OptionalBody<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, app: &App) -> Result<Self, Failure> {
        let (parts, body) = request.into_parts();
        let bytes = body::read(body, T::BYTES_MAX, app.patience).await?;
        if !bytes.is_empty() {
            return typed(parts, bytes).await.map(Self);
        }
        media::json_is_acceptable(&parts.headers)?;
        parse(&parts, b"{}").map(Self)
    }
}

async fn typed<T: Input>(parts: Parts, bytes: Vec<u8>) -> Result<T, Failure> {
    let coding = coding::of(&parts.headers, T::GZIP)?;
    media::body_is_json(&parts.headers)?;
    media::json_is_acceptable(&parts.headers)?;
    if coding == Coding::Identity && bytes.len() < PARSED_ASIDE_BYTES {
        return parse(&parts, &bytes);
    }
    let work = move || parse(&parts, &coding::unpack(bytes, coding, T::BYTES_MAX)?);
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|error| Failure::internal(format!("a body was not parsed: {error}")))?
}

/// The input in a body that is JSON and no longer packed.
pub fn parse<T: Input>(parts: &Parts, bytes: &[u8]) -> Result<T, Failure> {
    let value = strict_json::parse(bytes).map_err(|e| Failure::invalid(e.invalid("body")))?;
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
    typed.map_err(Failure::invalid)
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
pub fn parameters<T: QueryInput>(query: &str) -> Result<T, Vec<Invalid>> {
    let checker = T::query_checker();
    let typed = checker.typed(query_value(query, checker)?, "");
    typed.map_err(|wrong| wrong.into_iter().map(|one| one.under("query")).collect())
}

fn query_value(query: &str, checker: &Checker) -> Result<Value, Vec<Invalid>> {
    let mut wrong = Vec::new();
    let mut object = Map::new();
    for (name, text) in query_string::parse(query)? {
        match typed_parameter(&text, checker.property(&name)) {
            Ok(value) => {
                object.insert(name, value);
            }
            Err(e) => wrong.extend(e.invalid_in(&format!("query.{name}"))),
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
