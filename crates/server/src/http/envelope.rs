//! The envelope of a success, and the headers of a configuration answer.

use super::failure::Failure;
use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use domain::page::Meta;
use operations::Revisioned;
use operations::records::{Listed, WriteOutcome};
use serde::Serialize;

/// What a handler answers.
pub type ApiResult = Result<Success, Failure>;

/// Header with the number of the store's latest configuration revision.
pub const X_CONFIG_REVISION: HeaderName = HeaderName::from_static("x-config-revision");

/// Bytes of most answers.
const COMMON_BYTES: usize = 1024;

/// A request that succeeded.
#[derive(Debug)]
pub struct Success {
    status: StatusCode,
    body: Vec<u8>,
    etag: Option<String>,
    config_revision: Option<i64>,
    for_one: bool,
}

#[derive(Serialize)]
struct SuccessBody<'a, T> {
    success: bool,
    message: &'a str,
    data: &'a T,
    #[serde(skip_serializing_if = "Option::is_none")]
    meta: Option<&'a Meta>,
}

impl Success {
    /// 200 with `data`.
    ///
    /// Errors: 500 when `data` has no JSON form, which would be a mistake of its type.
    pub fn ok(message: impl AsRef<str>, data: &impl Serialize) -> ApiResult {
        Self::with_status(StatusCode::OK, message, data)
    }

    /// 200 with `data` that is about so many `bytes` of JSON.
    pub fn large(message: impl AsRef<str>, data: &impl Serialize, bytes: usize) -> ApiResult {
        Self::with_meta(StatusCode::OK, message.as_ref(), data, None, bytes)
    }

    /// `data` under another status of success.
    pub fn with_status(
        status: StatusCode,
        message: impl AsRef<str>,
        data: &impl Serialize,
    ) -> ApiResult {
        Self::with_meta(status, message.as_ref(), data, None, COMMON_BYTES)
    }

    fn with_meta(
        status: StatusCode,
        message: &str,
        data: &impl Serialize,
        meta: Option<&Meta>,
        bytes: usize,
    ) -> ApiResult {
        let success = SuccessBody {
            success: true,
            message,
            data,
            meta,
        };
        let mut body = Vec::with_capacity(bytes);
        serde_json::to_writer(&mut body, &success)
            .map_err(|error| Failure::internal(format!("an answer has no JSON form: {error}")))?;
        Ok(Self {
            status,
            body,
            etag: None,
            config_revision: None,
            for_one: false,
        })
    }

    /// The whole body.
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// The same, meant for one shopper alone: no cache may keep it.
    #[must_use]
    pub fn for_one(self, for_one: bool) -> Self {
        Self { for_one, ..self }
    }

    /// 200 with `data` of the configuration, its ETag and the revision that it belongs to.
    pub fn revisioned(
        message: impl AsRef<str>,
        (data, revision): (impl Serialize, Revisioned),
    ) -> ApiResult {
        Ok(Self::ok(message, &data)?.tagged(revision))
    }

    /// 200 with records of a store, whose message says how many there are.
    ///
    /// `one` is what a single record is called; several have an `s`.
    pub fn listed(one: &str, listed: &Listed<impl Serialize>) -> ApiResult {
        let count = listed
            .meta
            .as_ref()
            .map_or(listed.records.len() as u64, |meta| meta.total);
        let plural = if count == 1 { "" } else { "s" };
        let message = match &listed.meta {
            Some(meta) => format!(
                "{count} {one}{plural}, page {} of {}.",
                meta.page, meta.total_pages
            ),
            None => format!("{count} {one}{plural}."),
        };
        let meta = listed.meta.as_ref();
        let success = Self::with_meta(
            StatusCode::OK,
            &message,
            &listed.records,
            meta,
            COMMON_BYTES,
        )?;
        Ok(success.of_revision(listed.config_revision))
    }

    /// A record that was written, with the remark about it after the message.
    pub fn written(
        status: StatusCode,
        message: &str,
        outcome: WriteOutcome<impl Serialize>,
    ) -> ApiResult {
        let success = Self::with_status(status, remarked(message, outcome.remark), &outcome.data)?;
        Ok(success.tagged(outcome.revisioned))
    }

    /// The same, of this revision of a store's configuration.
    #[must_use]
    pub fn of_revision(self, revision: i64) -> Self {
        Self {
            config_revision: Some(revision),
            ..self
        }
    }

    fn tagged(self, revisioned: Revisioned) -> Self {
        Self {
            etag: Some(revisioned.etag),
            ..self.of_revision(revisioned.config_revision)
        }
    }
}

impl IntoResponse for Success {
    fn into_response(self) -> Response {
        let mut response = (self.status, Body::from(self.body)).into_response();
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if self.for_one || self.config_revision.is_some() {
            headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        }
        if let Some(revision) = self.config_revision {
            headers.insert(X_CONFIG_REVISION, revision.into());
        }
        if let Some(etag) = self.etag {
            // The tag stands for what can be written, so a cache must not take it for the whole answer's.
            let tag = format!("\"{}\"", etag.trim_matches('"'));
            if let Ok(tag) = HeaderValue::from_str(&tag) {
                headers.insert(ETAG, tag);
            }
        }
        response
    }
}

/// A message with a remark after it.
pub fn remarked(message: &str, remark: Option<String>) -> String {
    match remark {
        Some(remark) => format!("{message} {remark}"),
        None => message.to_owned(),
    }
}
