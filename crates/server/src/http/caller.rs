//! Extractors that authenticate and authorise the caller, one for each kind of access.
//!
//! They run before the extractor of the input, so that 401, 403 and 404 come before the body is read.

use super::credentials;
use super::failure::Failure;
use super::input::account;
use super::rate_headers::RateHeaders;
use crate::App;
use crate::message;
use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use domain::access::{self, Denied};
use domain::first_characters;
use domain::limits::CLIENT_CHARACTERS_MAX;
use domain::{Caller, ClientAddress, RequestId, Scope, StoreId, WriteAttempt};
use operations::OperationError;
use operations::feed::FeedCaller;
use operations::rates::{self, Allowance, Spends};

/// Header in which a connector sends its name and versions.
const X_SVC_CLIENT: &str = "x-svc-client";

/// A caller with a configuration key of any store.
#[derive(Clone, Debug)]
pub struct AccountKey(pub Caller);

/// A caller with a configuration key that may read the store of the path.
#[derive(Clone, Debug)]
pub struct StoreReader(pub Caller, pub StoreId);

/// A caller with a configuration key that may change the store of the path.
#[derive(Clone, Debug)]
pub struct StoreWriter(pub Caller, pub StoreId);

/// A caller with a configuration key whose request was counted; the handler decides what to do about an exceeded limit.
#[derive(Clone, Debug)]
pub struct CountedCaller {
    /// The caller.
    pub caller: Caller,
    /// Address of the client.
    pub from: ClientAddress,
    /// State of the rate limit; `None` if no limit applies.
    pub allowance: Option<Allowance>,
}

impl CountedCaller {
    /// Authenticates the request and counts it.
    ///
    /// Errors: 401.
    pub async fn of(parts: &Parts, app: &App) -> Result<Self, Failure> {
        let caller = caller(parts, app).await?;
        access::configuration(&caller, Scope::Read).map_err(denied)?;
        let allowance = spend(parts, app, &caller, Spends::Request);
        Ok(Self {
            caller,
            from: app.proxies.client(parts),
            allowance,
        })
    }
}

/// A caller with a connector key.
#[derive(Clone, Debug)]
pub struct Feeder(pub FeedCaller);

/// A caller with a search-only key.
#[derive(Clone, Debug)]
pub struct Shopper(pub Caller);

/// The id in the path.
#[derive(Clone, Debug)]
pub struct PathId(pub String);

impl FromRequestParts<App> for AccountKey {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Failure> {
        Ok(Self(configuring(parts, app, Spends::Request).await?))
    }
}

impl FromRequestParts<App> for StoreReader {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Failure> {
        let caller = configuring(parts, app, Spends::Request).await?;
        let store = allowed_on_store(parts, app, &caller).await?;
        Ok(Self(caller, store))
    }
}

impl FromRequestParts<App> for StoreWriter {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Failure> {
        let caller = configuring(parts, app, Spends::Write).await?;
        let store = store_of_path(parts, app).await?;
        access::change(&caller, &store).map_err(denied)?;
        Ok(Self(caller, store))
    }
}

impl FromRequestParts<App> for Feeder {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Failure> {
        let caller = caller(parts, app).await?;
        count(parts, app, &caller, Spends::Request)?;
        access::feed(&caller).map_err(denied)?;
        let client = parts
            .headers
            .get(X_SVC_CLIENT)
            .and_then(|value| value.to_str().ok())
            .map(|text| first_characters(text, CLIENT_CHARACTERS_MAX).to_owned());
        Ok(Self(FeedCaller { caller, client }))
    }
}

impl FromRequestParts<App> for Shopper {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Failure> {
        let key = credentials::presented(&parts.headers, parts.uri.query())?;
        Self::with_key(parts, app, key).await
    }
}

impl Shopper {
    /// Authenticates the owner of `key`, wherever the request has it, and counts the request.
    ///
    /// Errors: 401, 429, 403 for a key of another kind.
    pub async fn with_key(parts: &Parts, app: &App, key: &str) -> Result<Self, Failure> {
        let caller = owner(parts, app, key).await?;
        count(parts, app, &caller, Spends::Request)?;
        access::search(&caller).map_err(denied)?;
        Ok(Self(caller))
    }
}

impl FromRequestParts<App> for PathId {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Failure> {
        let params = RawPathParams::from_request_parts(parts, app).await;
        let id = params
            .ok()
            .and_then(|params| params.iter().next().map(|(_, id)| id.to_owned()));
        decoded_id("id", id).map(Self)
    }
}

/// Checks the path parameter `name`, as decoded. No id has the character NUL, and not every database accepts one.
pub(super) fn decoded_id(name: &str, id: Option<String>) -> Result<String, Failure> {
    let reason = match id {
        Some(id) if !id.contains('\0') => return Ok(id),
        Some(_) => message::text::nul(),
        None => message::request::percent_encoding(),
    };
    let wrong = domain::Invalid::new(format!("path.{name}"), reason);
    Err(Failure::invalid(vec![wrong]))
}

/// Returns the store of the path if the caller may read it.
///
/// Errors: 403, 404.
pub(super) async fn allowed_on_store(
    parts: &mut Parts,
    app: &App,
    caller: &Caller,
) -> Result<StoreId, Failure> {
    let store = store_of_path(parts, app).await?;
    access::read(caller, &store).map_err(denied)?;
    Ok(store)
}

async fn store_of_path(parts: &mut Parts, app: &App) -> Result<StoreId, Failure> {
    let PathId(id) = PathId::from_request_parts(parts, app).await?;
    Ok(StoreId(id))
}

/// The user of a session, an extension of a request to the control panel, which knows no keys.
#[derive(Clone, Debug)]
pub struct SessionCaller(pub Caller);

/// Returns the user of the session, or authenticates the key of the request.
async fn caller(parts: &Parts, app: &App) -> Result<Caller, Failure> {
    if let Some(SessionCaller(user)) = parts.extensions.get() {
        return Ok(Caller {
            attempt: attempt_of(parts),
            ..user.clone()
        });
    }
    let key = credentials::presented(&parts.headers, parts.uri.query())?;
    owner(parts, app, key).await
}

async fn owner(parts: &Parts, app: &App, key: &str) -> Result<Caller, Failure> {
    let from = app.proxies.client(parts);
    let mut caller = operations::authenticate::by_key_from(&app.service, key, from).await?;
    caller.request_id = request_id(parts);
    caller.attempt = attempt_of(parts);
    if let Some(key) = caller.key() {
        let store = key.store.as_ref().map_or(&key.account.0, |store| &store.0);
        account(parts).of(store);
    }
    Ok(caller)
}

/// Authenticates a configuration key and counts the request. Other kinds of keys get 401, which comes before 429.
pub(super) async fn configuring(
    parts: &Parts,
    app: &App,
    spends: Spends,
) -> Result<Caller, Failure> {
    let caller = caller(parts, app).await?;
    access::configuration(&caller, Scope::Read).map_err(denied)?;
    let spends = match spends {
        // What is not saved is no write.
        Spends::Write if caller.attempt.dry_run => Spends::Request,
        spends => spends,
    };
    count(parts, app, &caller, spends)?;
    Ok(caller)
}

/// Counts the request and passes the state of the limit to the response.
///
/// Errors: 429 when the limit is exceeded.
pub fn count(parts: &Parts, app: &App, caller: &Caller, spends: Spends) -> Result<(), Failure> {
    let allowance = spend(parts, app, caller, spends);
    Ok(allowance.map_or(Ok(()), |allowance| allowance.granted())?)
}

/// Counts the request and returns the state of the limit, which the response headers carry too.
fn spend(parts: &Parts, app: &App, caller: &Caller, spends: Spends) -> Option<Allowance> {
    let from = app.proxies.client(parts);
    let allowance = rates::spend(&app.service, caller, from, spends)?;
    if let Some(headers) = parts.extensions.get::<RateHeaders>() {
        headers.note(allowance);
    }
    Some(allowance)
}

/// Returns how the writes of a request are to be carried out.
pub fn attempt_of(parts: &Parts) -> WriteAttempt {
    let attempt = parts.extensions.get::<WriteAttempt>();
    attempt.cloned().unwrap_or_default()
}

/// Returns the request id, for the audit trail.
pub fn request_id(parts: &Parts) -> Option<String> {
    parts.extensions.get::<RequestId>().map(|id| id.0.clone())
}

fn denied(denied: Denied) -> Failure {
    OperationError::from(denied).into()
}
