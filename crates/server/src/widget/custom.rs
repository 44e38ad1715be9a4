//! The shop's own styles and scripts, as files that are named by their content.

use super::assets::typed;
use super::files::{CSS, SCRIPT, is_hash};
use crate::App;
use crate::http::Failure;
use crate::http::public_file::{IMMUTABLE, PublicFile};
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::header::CONTENT_SECURITY_POLICY;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;
use domain::StoreId;
use domain::widget::custom_code::CodeKind;
use operations::widget::custom_code;

/// Opened by itself, a file does nothing.
const POLICY: HeaderValue = HeaderValue::from_static("sandbox; default-src 'none'");

/// Returns the file `{hash}.{extension}` of a store, present or former.
pub async fn file(
    State(app): State<App>,
    path: Result<Path<(String, String)>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let Ok(Path((store, file))) = path else {
        return Err(Failure::no_such_path());
    };
    let (hash, extension) = file.rsplit_once('.').ok_or_else(Failure::no_such_path)?;
    let kind = CodeKind::from_extension(extension)
        .filter(|_| is_hash(hash))
        .ok_or_else(Failure::no_such_path)?;
    let code = custom_code::file(&app.service, &StoreId(store), kind, hash).await?;
    let code = code.ok_or_else(Failure::no_such_path)?;
    let file = PublicFile::sent_once(code);
    let content_type = match kind {
        CodeKind::Css => CSS,
        CodeKind::Js => SCRIPT,
    };
    let mut response = typed(file.respond_cached(&headers, IMMUTABLE), content_type);
    response
        .headers_mut()
        .insert(CONTENT_SECURITY_POLICY, POLICY);
    Ok(response)
}
