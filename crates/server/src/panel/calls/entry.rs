//! How people come in: sign-in and one-time links. These calls need no session.

use crate::App;
use crate::catalogue::{OperationRow, Route};
use crate::http::inputs::input;
use crate::http::{ApiResult, Body, Failure, Success};
use crate::panel::cookies::PanelCookie;
use crate::panel::extract::{Browser, ThePanel};
use crate::panel::{Panel, PanelUrl};
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::SET_COOKIE;
use axum::response::{IntoResponse, Response};
use axum::routing::on;
use domain::limits::LINK_TOKEN_CHARACTERS_MAX;
use operations::people::{self, LinkUse, SignIn, SignedIn};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// Bytes of a body before anybody has signed in.
const BYTES_MAX: usize = 16 * 1024;

/// Rows of sign-in and links.
pub const ROWS: &[OperationRow] = &[
    Route::post("sign_in", "/sign-in")
        .handler(|method| on(method, sign_in))
        .body::<SignIn>("null"),
    Route::post("look_at_link", "/links/look")
        .handler(|method| on(method, look))
        .body::<LinkToken>("null"),
    Route::post("use_link", "/links/use")
        .handler(|method| on(method, redeem))
        .body::<LinkUse>("null"),
];

/// The token of a link.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LinkToken {
    /// The token.
    #[schemars(length(max = LINK_TOKEN_CHARACTERS_MAX))]
    token: String,
}

input! { SignIn, const BYTES_MAX: usize = BYTES_MAX; }
input! { LinkToken, const BYTES_MAX: usize = BYTES_MAX; }
input! { LinkUse, const BYTES_MAX: usize = BYTES_MAX; }

/// Starts a session with e-mail address and password.
async fn sign_in(
    State(app): State<App>,
    browser: Browser,
    ThePanel(panel): ThePanel,
    Body(input): Body<SignIn>,
) -> Result<Response, Failure> {
    let signed_in = people::sign_in(&app.service, input, browser.client).await?;
    entered("Signed in.", &panel, &browser.url, &signed_in)
}

/// Returns what a link is for; opening it changes nothing.
async fn look(
    State(app): State<App>,
    browser: Browser,
    Body(LinkToken { token }): Body<LinkToken>,
) -> ApiResult {
    let detail = people::look(&app.service, &token, &browser.client).await?;
    Success::ok("What the link is for.", &detail)
}

/// Uses a link and starts a session.
async fn redeem(
    State(app): State<App>,
    browser: Browser,
    ThePanel(panel): ThePanel,
    Body(input): Body<LinkUse>,
) -> Result<Response, Failure> {
    let signed_in = people::redeem(&app.service, input, browser.client).await?;
    entered("Welcome.", &panel, &browser.url, &signed_in)
}

/// Returns the user of a new session, with its cookies.
pub(super) fn entered(
    message: &str,
    panel: &Panel,
    url: &PanelUrl,
    signed_in: &SignedIn,
) -> Result<Response, Failure> {
    let data = json!({"user": signed_in.user});
    let mut response = Success::with_status(StatusCode::OK, message, &data)?.into_response();
    let cookies = [
        PanelCookie::session(url, &signed_in.token, panel.session_max),
        PanelCookie::browser(url, &signed_in.known),
    ];
    for cookie in cookies {
        let cookie = cookie.ok_or_else(|| Failure::internal("a cookie has no valid value"))?;
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    Ok(response)
}
