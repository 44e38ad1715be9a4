//! `/stores`: the stores of the account.

use crate::App;
use crate::http::{Account, Answer, Body, Guarded, NoInput, Reader, Success, Writer};
use axum::extract::State;
use domain::store::StorePatch;
use operations::stores;

/// The stores that the key reaches.
pub async fn list(State(app): State<App>, Account(caller): Account, _: NoInput) -> Answer {
    let list = stores::list(&app.service, &caller).await?;
    let plural = if list.len() == 1 { "store" } else { "stores" };
    Success::ok(format!("{} {plural}.", list.len()), &list)
}

/// One store with its indices and counters.
pub async fn get(State(app): State<App>, Reader(caller, store): Reader, _: NoInput) -> Answer {
    let detail = stores::get(&app.service, &caller, &store).await?;
    Success::revisioned("Store.", detail)
}

/// Changes the name or the development address.
pub async fn update(
    State(app): State<App>,
    Writer(caller, store): Writer,
    Guarded(Body(patch), guard): Guarded<Body<StorePatch>>,
) -> Answer {
    let detail = stores::update(&app.service, &caller, &store, patch, guard).await?;
    Success::revisioned("Store saved.", detail)
}

/// Refuses to delete a store: that is the control panel's.
pub async fn delete(Writer(caller, store): Writer, _: NoInput) -> Answer {
    Success::ok("Store deleted.", &stores::delete(&caller, &store)?)
}
