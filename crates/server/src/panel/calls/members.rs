//! Members of an account, and the links that make more of them.

use super::made_link::link;
use crate::App;
use crate::catalogue::{OperationRow, Route};
use crate::http::inputs::input;
use crate::http::{ApiResult, Body, NoInput, Success};
use crate::panel::extract::{LastId, OfAccount, ThePanel};
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::on;
use operations::people::members::{self, MemberChange};
use operations::people::{self, Invitation};
use serde_json::json;

/// Rows of members and links.
pub const ROWS: &[OperationRow] = &[
    Route::get("list_members", "/accounts/{id}/members").handler(|method| on(method, list)),
    Route::put("set_member", "/accounts/{id}/members/{userId}")
        .handler(|method| on(method, set))
        .body::<MemberChange>("null"),
    Route::delete("remove_member", "/accounts/{id}/members/{userId}")
        .handler(|method| on(method, remove)),
    Route::post("reset_member", "/accounts/{id}/members/{userId}/reset")
        .handler(|method| on(method, reset)),
    Route::post("invite_member", "/accounts/{id}/invitations")
        .handler(|method| on(method, invite))
        .body::<Invitation>("null"),
    Route::get("list_links", "/accounts/{id}/links").handler(|method| on(method, links)),
    Route::delete("revoke_link", "/accounts/{id}/links/{linkId}")
        .handler(|method| on(method, revoke)),
];

input! { MemberChange }
input! { Invitation }

async fn list(
    State(app): State<App>,
    OfAccount(caller, account): OfAccount,
    _: NoInput,
) -> ApiResult {
    let members = members::list(&app.service, &caller, &account).await?;
    Success::ok(format!("{} members.", members.len()), &members)
}

async fn set(
    State(app): State<App>,
    OfAccount(caller, account): OfAccount,
    LastId(user): LastId,
    Body(change): Body<MemberChange>,
) -> ApiResult {
    let user = user.into();
    let member = members::set(&app.service, &caller, &account, &user, change).await?;
    Success::ok("Role saved.", &member)
}

async fn remove(
    State(app): State<App>,
    OfAccount(caller, account): OfAccount,
    LastId(user): LastId,
    _: NoInput,
) -> ApiResult {
    let removed = members::remove(&app.service, &caller, &account, &user.into()).await?;
    Success::ok(
        "Member removed; the keys that they created go on working.",
        &removed,
    )
}

async fn reset(
    State(app): State<App>,
    OfAccount(caller, account): OfAccount,
    LastId(user): LastId,
    ThePanel(panel): ThePanel,
    _: NoInput,
) -> ApiResult {
    let made = people::reset_member(&app.service, &caller, &account, &user.into()).await?;
    let data = link(panel.addresses.first(), &made);
    Success::with_status(StatusCode::CREATED, "Link made; it is shown once.", &data)
}

async fn invite(
    State(app): State<App>,
    OfAccount(caller, account): OfAccount,
    ThePanel(panel): ThePanel,
    Body(invitation): Body<Invitation>,
) -> ApiResult {
    let made = people::invite(&app.service, &caller, &account, invitation).await?;
    let data = link(panel.addresses.first(), &made);
    Success::with_status(StatusCode::CREATED, "Link made; it is shown once.", &data)
}

async fn links(
    State(app): State<App>,
    OfAccount(caller, account): OfAccount,
    _: NoInput,
) -> ApiResult {
    let links = people::list_links(&app.service, &caller, &account).await?;
    Success::ok(format!("{} open links.", links.len()), &links)
}

async fn revoke(
    State(app): State<App>,
    OfAccount(caller, account): OfAccount,
    LastId(id): LastId,
    _: NoInput,
) -> ApiResult {
    let id = people::revoke(&app.service, &caller, &account, id.into()).await?;
    Success::ok("Link revoked.", &json!({ "id": id }))
}
