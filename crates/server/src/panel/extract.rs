//! Extractors of the panel's own calls: who asks, and for which account or store.
//!
//! They run before the extractor of the input, so that 403 and 404 come before the body is read. What an operation
//! requires is read from its row of the catalogue.

use super::addresses::PanelUrl;
use super::cookies::PanelCookie;
use super::gate::ReachedAt;
use super::options::Panel;
use crate::App;
use crate::http::caller::{attempt_of, count, request_id};
use crate::http::{Failure, PathId};
use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::header::USER_AGENT;
use axum::http::request::Parts;
use domain::{AccountId, Caller, Denied, RequiredRole, StoreId, access};
use operations::OperationError;
use operations::catalogue::Operation;
use operations::people::{PanelClient, SignedInCaller};
use operations::rates::Spends;
use std::sync::Arc;

/// The browser that asks, and the address that it used.
#[derive(Clone)]
pub struct Browser {
    /// The browser.
    pub client: PanelClient,
    /// The address of the panel.
    pub url: PanelUrl,
}

/// The signed-in user, whose request was counted.
pub struct SignedInUser(pub SignedInCaller);

/// A user who may run the operation on the account of the path.
pub struct OfAccount(pub Caller, pub AccountId);

/// A user who may run the operation on the account of the store of the path.
pub struct OfStore(pub Caller, pub StoreId);

/// The panel of the request.
pub struct ThePanel(pub Arc<Panel>);

/// The last id in the path: `{userId}`, `{keyId}`, `{linkId}` or `{sessionId}`.
pub struct LastId(pub String);

/// Returns what the gate left in the request.
fn left<T: Clone + Send + Sync + 'static>(parts: &Parts) -> Result<T, Failure> {
    let found = parts.extensions.get::<T>().cloned();
    found.ok_or_else(|| Failure::internal("a call of the panel has no gate"))
}

impl FromRequestParts<App> for Browser {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Failure> {
        let ReachedAt(url) = left(parts)?;
        let agent = parts.headers.get(USER_AGENT);
        let client = PanelClient {
            from: app.proxies.client(parts),
            browser: agent
                .and_then(|agent| agent.to_str().ok())
                .unwrap_or_default()
                .to_owned(),
            former: PanelCookie::Session.read(&parts.headers, &url),
            known: PanelCookie::Known.read(&parts.headers, &url),
            request_id: request_id(parts),
        };
        Ok(Self { client, url })
    }
}

impl FromRequestParts<App> for SignedInUser {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Failure> {
        let (signed_in, _) = counted(parts, app)?;
        Ok(Self(signed_in))
    }
}

impl FromRequestParts<App> for OfAccount {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Failure> {
        let (signed_in, required) = counted(parts, app)?;
        let PathId(id) = PathId::from_request_parts(parts, app).await?;
        let account = AccountId(id);
        access::account(&signed_in.caller, &account, required).map_err(OperationError::from)?;
        Ok(Self(signed_in.caller, account))
    }
}

impl FromRequestParts<App> for OfStore {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Failure> {
        let (signed_in, required) = counted(parts, app)?;
        let PathId(id) = PathId::from_request_parts(parts, app).await?;
        let store = StoreId(id);
        let reached = signed_in
            .caller
            .user()
            .and_then(|user| user.reaching(&store));
        let account = reached
            .map(|of| of.account.clone())
            .ok_or(OperationError::from(Denied::NotFound))?;
        access::account(&signed_in.caller, &account, required).map_err(OperationError::from)?;
        Ok(Self(signed_in.caller, store))
    }
}

impl FromRequestParts<App> for ThePanel {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Failure> {
        Ok(Self(left(parts)?))
    }
}

impl FromRequestParts<App> for LastId {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Failure> {
        let params = RawPathParams::from_request_parts(parts, app).await;
        let params = params.map_err(|_| Failure::no_such_path())?;
        let last = params.iter().last();
        last.map(|(_, id)| Self(id.to_owned()))
            .ok_or_else(Failure::no_such_path)
    }
}

/// Counts the request; returns its user and what its operation requires.
///
/// Errors: 429 when the limit is exceeded.
fn counted(parts: &Parts, app: &App) -> Result<(SignedInCaller, RequiredRole), Failure> {
    let attempt = attempt_of(parts);
    let mut signed_in: SignedInCaller = left(parts)?;
    signed_in.caller.attempt = attempt.clone();
    let operation: &'static Operation = left(parts)?;
    let spends = match operation.writes && !attempt.dry_run {
        true => Spends::Write,
        false => Spends::Request,
    };
    count(parts, app, &signed_in.caller, spends)?;
    let required = operation.role.unwrap_or(RequiredRole::ConfirmedOwner);
    Ok((signed_in, required))
}
