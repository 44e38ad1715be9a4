//! What users see and change about themselves: profile, password, sessions, and the stores that they reach.

use super::entry::entered;
use crate::App;
use crate::catalogue::{OperationRow, Route};
use crate::http::inputs::{input, query_input};
use crate::http::{ApiResult, Body, Failure, NoInput, Params, Success};
use crate::panel::cookies::PanelCookie;
use crate::panel::extract::{Browser, LastId, SignedInUser, ThePanel};
use axum::extract::State;
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};
use axum::routing::on;
use domain::limits::SIGN_IN_CHARACTERS_MAX;
use operations::people::{self, PasswordChange, ProfileChange, StoreQuery};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// Removes what the browser keeps of a site.
const CLEAR_SITE_DATA: HeaderName = HeaderName::from_static("clear-site-data");

/// Rows about the signed-in user.
pub const ROWS: &[OperationRow] = &[
    Route::get("get_me", "/me").handler(|method| on(method, me)),
    Route::put("update_me", "/me")
        .handler(|method| on(method, update))
        .body::<ProfileChange>("null"),
    Route::post("change_password", "/password")
        .handler(|method| on(method, change_password))
        .body::<PasswordChange>("null"),
    Route::post("confirm_password", "/confirm")
        .handler(|method| on(method, confirm))
        .body::<Confirmation>("null"),
    Route::post("sign_out", "/sign-out")
        .handler(|method| on(method, sign_out))
        .body::<SignOut>("null"),
    Route::get("list_sessions", "/sessions").handler(|method| on(method, sessions)),
    Route::delete("end_session", "/sessions/{sessionId}").handler(|method| on(method, end_session)),
    Route::get("list_reached_stores", "/stores")
        .handler(|method| on(method, stores))
        .query::<StoreQuery>("null"),
];

/// The password, given again.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Confirmation {
    /// The password.
    #[schemars(length(max = SIGN_IN_CHARACTERS_MAX))]
    password: String,
}

/// Which sessions to end.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SignOut {
    /// All of one's own sessions, instead of this one.
    #[serde(default)]
    everywhere: bool,
}

input! { ProfileChange }
input! { PasswordChange }
input! { Confirmation }
input! { SignOut }
query_input!(StoreQuery);

async fn me(State(app): State<App>, SignedInUser(user): SignedInUser, _: NoInput) -> ApiResult {
    let me = people::me(&app.service, &user.caller).await?;
    Success::ok("The signed-in user.", &me)
}

async fn update(
    State(app): State<App>,
    SignedInUser(user): SignedInUser,
    Body(change): Body<ProfileChange>,
) -> ApiResult {
    let user = people::update_profile(&app.service, &user.caller, change).await?;
    Success::ok("Profile updated.", &user)
}

async fn change_password(
    State(app): State<App>,
    SignedInUser(user): SignedInUser,
    browser: Browser,
    ThePanel(panel): ThePanel,
    Body(change): Body<PasswordChange>,
) -> Result<Response, Failure> {
    let client = browser.client;
    let signed_in = people::change_password(&app.service, &user, change, client).await?;
    entered(
        "Password replaced; your other sessions ended.",
        &panel,
        &browser.url,
        &signed_in,
    )
}

async fn confirm(
    State(app): State<App>,
    SignedInUser(user): SignedInUser,
    browser: Browser,
    ThePanel(panel): ThePanel,
    Body(Confirmation { password }): Body<Confirmation>,
) -> Result<Response, Failure> {
    let client = browser.client;
    let signed_in = people::confirm(&app.service, &user, &password, client).await?;
    entered("Password given.", &panel, &browser.url, &signed_in)
}

async fn sign_out(
    State(app): State<App>,
    SignedInUser(user): SignedInUser,
    browser: Browser,
    Body(SignOut { everywhere }): Body<SignOut>,
) -> Result<Response, Failure> {
    people::sign_out(&app.service, &user, everywhere).await?;
    let mut response = Success::ok("Signed out.", &json!({}))?.into_response();
    let headers = response.headers_mut();
    let clear = HeaderValue::from_static("\"cache\", \"storage\"");
    headers.insert(CLEAR_SITE_DATA, clear);
    if let Some(cookie) = PanelCookie::no_session(&browser.url) {
        headers.append(SET_COOKIE, cookie);
    }
    Ok(response)
}

async fn sessions(
    State(app): State<App>,
    SignedInUser(user): SignedInUser,
    _: NoInput,
) -> ApiResult {
    let sessions = people::list_sessions(&app.service, &user).await?;
    Success::ok(format!("{} sessions.", sessions.len()), &sessions)
}

async fn end_session(
    State(app): State<App>,
    SignedInUser(user): SignedInUser,
    LastId(id): LastId,
    _: NoInput,
) -> ApiResult {
    let id = people::end(&app.service, &user, id).await?;
    Success::ok("Session ended.", &json!({ "id": id }))
}

async fn stores(
    State(app): State<App>,
    SignedInUser(user): SignedInUser,
    Params(query): Params<StoreQuery>,
) -> ApiResult {
    let (records, meta) = people::stores(&app.service, &user.caller, query).await?;
    Success::page_of("store", &records, &meta)
}
