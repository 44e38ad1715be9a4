//! `Trying`: the caller of a simulation, with one of the places for trials that run at once, and what the trial costs.

use super::caller::{allowed_on_store, configuring};
use super::failure::Failure;
use super::rate_headers::RateHeaders;
use crate::App;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use domain::{Caller, ClientAddress, StoreId};
use operations::PreviewSlot;
use operations::people::SignedInCaller;
use operations::rates::{self, Spends};

/// A caller that may read the store of the path and try something on it. The first request of its cost was counted, which
/// is a preview of a user.
pub struct Trying {
    /// The caller.
    pub caller: Caller,
    /// The store.
    pub store: StoreId,
    from: ClientAddress,
    headers: Option<RateHeaders>,
    _slot: PreviewSlot,
}

impl FromRequestParts<App> for Trying {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Failure> {
        let signed_in = parts.extensions.get::<SignedInCaller>().cloned();
        let spends = match signed_in {
            Some(_) => Spends::Preview,
            None => Spends::Request,
        };
        let caller = configuring(parts, app, spends).await?;
        let store = allowed_on_store(parts, app, &caller).await?;
        let slot = match &signed_in {
            Some(user) => user.preview_slot(&app.service)?,
            None => rates::trial_slot(&app.service, &caller)?,
        };
        Ok(Self {
            from: app.proxies.client(parts),
            headers: parts.extensions.get::<RateHeaders>().cloned(),
            caller,
            store,
            _slot: slot,
        })
    }
}

impl Trying {
    /// Counts the rest of what a valid trial costs, `cost` requests in all.
    ///
    /// Errors: 429 if too few are left; nothing is counted then.
    pub fn pay(&self, app: &App, cost: u32) -> Result<(), Failure> {
        let rest = cost.saturating_sub(1);
        if rest == 0 {
            return Ok(());
        }
        let spends = Spends::RestOfTrial(rest);
        let Some(allowance) = rates::spend(&app.service, &self.caller, self.from, spends) else {
            return Ok(());
        };
        if let Some(headers) = &self.headers {
            headers.note(allowance);
        }
        Ok(allowance.granted()?)
    }
}
