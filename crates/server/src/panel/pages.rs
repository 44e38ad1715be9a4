//! The pages of the control panel: each a short HTML file with a title and one module, the same for every user.

use super::addresses::PanelUrl;
use super::cookies::PanelCookie;
use super::files::PanelFiles;
use super::gate::ReachedAt;
use super::options::{PATH, Panel};
use super::page_rows::PageRow;
use crate::App;
use crate::http::Failure;
use axum::extract::{OriginalUri, Request, State};
use axum::http::header::{CONTENT_TYPE, LOCATION};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use operations::{OperationError, people};
use std::sync::Arc;

/// Returns the HTML of a page whose files are in `folder`; `demo` tells those who are not signed in where the link is.
fn html(page: &PageRow, folder: &str, demo: bool) -> String {
    let demo = if demo && !page.session {
        " data-demo"
    } else {
        ""
    };
    let (title, module) = (page.title, page.module);
    let own_style = super::files::style_of(module)
        .map(|style| format!("<link rel=\"stylesheet\" href=\"{folder}/{style}\">\n"))
        .unwrap_or_default();
    // The browser would learn of each module only from the one that imports it.
    let modules = super::files::modules_of(module).into_iter();
    let preloads: String = modules
        .map(|name| format!("<link rel=\"modulepreload\" href=\"{folder}/{name}\">\n"))
        .collect();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Findwell</title>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <link rel=\"icon\" href=\"{folder}/icon.svg\">\n\
         <link rel=\"stylesheet\" href=\"{folder}/panel.css\">\n\
         {own_style}{preloads}\
         <body data-title=\"{title}\"{demo}>\n\
         <header class=\"top\"><a class=\"brand\" href=\"/panel\">Findwell</a></header>\n\
         <noscript>The control panel needs JavaScript. El panel de control necesita JavaScript.</noscript>\n\
         <script type=\"module\" src=\"{folder}/{module}\"></script>\n"
    )
}

/// A page that is ready to be sent.
#[derive(Clone)]
pub struct ReadyPage {
    html: Arc<str>,
    session: bool,
    app: App,
}

impl ReadyPage {
    /// Prepares a page.
    pub fn new(page: &PageRow, files: &PanelFiles, panel: &Panel, app: App) -> Self {
        Self {
            html: html(page, &files.folder(), panel.demo).into(),
            session: page.session,
            app,
        }
    }
}

/// Returns a page; without the session that it needs, the way to sign in and back.
pub async fn show(
    State(page): State<ReadyPage>,
    OriginalUri(uri): OriginalUri,
    request: Request,
) -> Result<Response, Failure> {
    if page.session {
        let reached = request.extensions().get::<ReachedAt>();
        let ReachedAt(url) = reached.ok_or_else(|| Failure::internal("a page has no gate"))?;
        if !is_signed_in(&page.app, url, request.headers()).await? {
            let to = format!("{PATH}/sign-in?next={}", next(&uri));
            let to = HeaderValue::from_str(&to).map_err(|_| Failure::no_such_path())?;
            return Ok((StatusCode::SEE_OTHER, [(LOCATION, to)]).into_response());
        }
    }
    let kind = HeaderValue::from_static("text/html; charset=utf-8");
    Ok(([(CONTENT_TYPE, kind)], page.html.to_string()).into_response())
}

async fn is_signed_in(app: &App, url: &PanelUrl, headers: &HeaderMap) -> Result<bool, Failure> {
    let token = PanelCookie::Session.read(headers, url);
    match people::by_session(&app.service, token.as_deref(), true).await {
        Ok(_) => Ok(true),
        Err(OperationError::Unauthenticated { .. }) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Returns path and query of a page as the value of a parameter.
fn next(uri: &Uri) -> String {
    let text = uri.path_and_query().map_or("", |text| text.as_str());
    let mut escaped = String::with_capacity(text.len());
    for byte in text.bytes() {
        let plain = byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte);
        if plain {
            escaped.push(char::from(byte));
        } else {
            escaped.push_str(&format!("%{byte:02X}"));
        }
    }
    escaped
}
