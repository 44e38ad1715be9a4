//! What every request of the control panel passes before its handler: host, origin, session.

use super::addresses::PanelUrl;
use super::cookies::PanelCookie;
use super::options::Panel;
use crate::App;
use crate::http::Failure;
use crate::http::caller::{SessionCaller, request_id};
use crate::message;
use axum::extract::{Request, State};
use axum::http::header::{HOST, ORIGIN};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use domain::error_codes;
use operations::catalogue::Operation;
use operations::people;
use std::sync::Arc;

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// What a path of the panel requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A page or file: the right host.
    File,
    /// A call without a session: also the right origin.
    Call,
    /// A call with a session.
    SessionCall,
}

/// The gate before one operation, page or file.
#[derive(Clone)]
pub struct Gate {
    /// The state of the server.
    pub app: App,
    /// The panel.
    pub panel: Arc<Panel>,
    /// What it requires.
    pub entry: Entry,
    /// The operation behind it.
    pub operation: Option<&'static Operation>,
}

/// The address that a request was sent to, an extension of the request.
#[derive(Clone, Debug)]
pub struct ReachedAt(pub PanelUrl);

/// Middleware that checks host, origin and session, in this order.
///
/// Errors: 403 `host_unknown`, 403 `cross_site`, 401 `session_missing`.
pub async fn check(
    State(gate): State<Gate>,
    request: Request,
    next: Next,
) -> Result<Response, Failure> {
    let (mut parts, body) = request.into_parts();
    let url = url_of(&gate.panel, &parts).ok_or_else(host_unknown)?;
    if gate.entry != Entry::File && !is_of_panel(&gate.panel, &parts.method, &parts.headers) {
        return Err(cross_site());
    }
    if gate.entry == Entry::SessionCall {
        let token = PanelCookie::Session.read(&parts.headers, &url);
        // Pages poll the head whether or not anybody sits in front of them.
        let counts = gate
            .operation
            .is_none_or(|operation| operation.id != "get_head");
        let mut signed_in = people::by_session(&gate.app.service, token.as_deref(), counts).await?;
        signed_in.caller.request_id = request_id(&parts);
        parts
            .extensions
            .insert(SessionCaller(signed_in.caller.clone()));
        parts.extensions.insert(signed_in);
    }
    parts.extensions.insert(ReachedAt(url));
    parts.extensions.insert(Arc::clone(&gate.panel));
    if let Some(operation) = gate.operation {
        parts.extensions.insert(operation);
    }
    Ok(next.run(Request::from_parts(parts, body)).await)
}

/// Returns the address of the panel that the request was sent to.
fn url_of(panel: &Panel, parts: &Parts) -> Option<PanelUrl> {
    let header = parts.headers.get(HOST).and_then(|host| host.to_str().ok());
    let host = header.or(parts.uri.authority().map(|authority| authority.as_str()))?;
    panel.addresses.with_host(host).cloned()
}

/// Returns whether a call comes from a page of the panel.
///
/// A request that changes something has to prove it; a page of another site can send one, but can choose neither of the
/// two headers. A GET changes nothing, and its response is readable to the panel's pages only.
fn is_of_panel(panel: &Panel, method: &Method, headers: &HeaderMap) -> bool {
    let text = |name: &HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let site = text(&SEC_FETCH_SITE);
    if matches!(*method, Method::GET | Method::HEAD) {
        return !matches!(site, Some("cross-site" | "same-site"));
    }
    match text(&ORIGIN) {
        Some(origin) => panel.addresses.has_origin(origin),
        None => site == Some("same-origin"),
    }
}

fn host_unknown() -> Failure {
    let message = message::sender::panel_address();
    Failure::new(StatusCode::FORBIDDEN, error_codes::HOST_UNKNOWN, message)
}

fn cross_site() -> Failure {
    let message = message::sender::panel_pages();
    Failure::new(StatusCode::FORBIDDEN, error_codes::CROSS_SITE, message)
}
