//! The files of the storefront, embedded in the binary.

use super::DemoStore;
use crate::demo;
use crate::demo::catalogue::LANGUAGES;
use crate::http::{Failure, PathId};
use crate::widget::{page_line, page_line_source};
use axum::Extension;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};

/// Everything from this server, nothing inline.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                           connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
/// What the documentation of the widget tells shops to send, with trusted types; the source of the line's code comes with
/// the scripts.
const SHOP_POLICY: &str = "default-src 'none'; script-src 'self' __LINE__; style-src 'self'; img-src 'self'; connect-src 'self'; \
                           base-uri 'none'; form-action 'self'; frame-ancestors 'none'; \
                           require-trusted-types-for 'script'; trusted-types findwell-cards";
/// Where pictures of the invented shop come from, and those of the products of a file.
const OWN_PICTURES: &str = "img-src 'self'";
const PICTURES_OF_FILE: &str = "img-src 'self' https: http:";
/// What the bare shop suggests to type.
const HINT: &str = "tent, jacket, coffee";
/// An SVG needs only inline styles.
const PICTURE_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// Returns the page, with a link to the workbench if there is one.
pub async fn index(Extension(demo): Extension<DemoStore>) -> Result<Response, Failure> {
    let (content_type, bytes) = demo::asset("index.html").ok_or_else(Failure::no_such_path)?;
    let panel = demo.panel.as_ref();
    let workbench = panel.map(|panel| panel.workbench(&demo.store));
    let link = workbench.map_or_else(String::new, |url| {
        format!("<a class=\"button\" id=\"tune-button\" href=\"{url}\" data-word=\"tune\"></a>")
    });
    let shop = match &demo.language_of_file {
        Some(language) => format!("data-of-file data-languages=\"{language}\""),
        None => format!("data-languages=\"{}\"", LANGUAGES.join(" ")),
    };
    let page = String::from_utf8_lossy(bytes)
        .replace("__TUNE__", &link)
        .replace("__SHOP__", &shop);
    let policy = policy(PAGE_POLICY, &demo);
    Ok(response_with(content_type, &policy, page))
}

/// Returns the bare shop, which uses and shows the line of its own address and the demo's search-only key.
pub async fn shop(
    Extension(demo): Extension<DemoStore>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let (content_type, bytes) = demo::asset("shop.html").ok_or_else(Failure::no_such_path)?;
    // Only a host that names this machine comes here.
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let api = format!("http://{}/api/v1", host.unwrap_or_default());
    let line = page_line(&api, &demo.search_key);
    let hint = match demo.language_of_file {
        Some(_) => "",
        None => HINT,
    };
    let page = String::from_utf8_lossy(bytes)
        .replace("__HINT__", hint)
        .replace("__SHOWN_LINE__", &shown(&line))
        .replace("__LINE__", &line);
    let policy = policy(SHOP_POLICY, &demo).replace("__LINE__", &page_line_source());
    Ok(response_with(content_type, &policy, page))
}

/// Returns HTML that shows `code`.
fn shown(code: &str) -> String {
    code.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// Returns the policy of a page, whose pictures may be anywhere if the products are those of a file.
fn policy(of_page: &str, demo: &DemoStore) -> String {
    match demo.language_of_file {
        Some(_) => of_page.replace(OWN_PICTURES, PICTURES_OF_FILE),
        None => of_page.to_owned(),
    }
}

/// Returns an asset of the page.
pub async fn asset(PathId(name): PathId) -> Result<Response, Failure> {
    file(&name)
}

/// Returns the picture `{kind}-{colour}.svg`.
pub async fn picture(PathId(name): PathId) -> Result<Response, Failure> {
    let drawing = name
        .strip_suffix(".svg")
        .and_then(|name| name.rsplit_once('-'))
        .and_then(|(kind, colour)| demo::pictures::svg(kind, colour))
        .ok_or_else(Failure::no_such_path)?;
    let mut response = response_with("image/svg+xml", PICTURE_POLICY, drawing);
    let day = HeaderValue::from_static("public, max-age=86400");
    response.headers_mut().insert(CACHE_CONTROL, day);
    Ok(response)
}

fn file(name: &str) -> Result<Response, Failure> {
    let (content_type, bytes) = demo::asset(name).ok_or_else(Failure::no_such_path)?;
    Ok(response_with(content_type, PAGE_POLICY, bytes))
}

fn response_with(content_type: &'static str, policy: &str, body: impl IntoResponse) -> Response {
    let headers = [
        (CONTENT_TYPE, content_type),
        (CONTENT_SECURITY_POLICY, policy),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, "no-cache"),
    ];
    (headers, body).into_response()
}
