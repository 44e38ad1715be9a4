//! The envelope of successful responses, and the headers of configuration responses.

use super::attempts;
use super::compressed::{self, AcceptsGzip};
use super::failure::Failure;
use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, VARY};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use domain::WriteReport;
use domain::page::Meta;
use operations::Revisioned;
use operations::records::{Deleted, Listed, WriteOutcome};
use operations::search::SharedCompression;
use serde::Serialize;

/// The result of a handler.
pub type ApiResult = Result<Success, Failure>;

/// Header with the number of the store's latest configuration revision.
pub const X_CONFIG_REVISION: HeaderName = HeaderName::from_static("x-config-revision");

/// Initial capacity of the body, enough for most responses.
const COMMON_BYTES: usize = 1024;

/// A successful response.
#[derive(Debug)]
pub struct Success {
    status: StatusCode,
    body: Vec<u8>,
    etag: Option<String>,
    config_revision: Option<i64>,
    for_one: bool,
    /// Whether the body is compressed; `None` for a response that never is.
    gzip: Option<bool>,
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
    /// Returns 200 with `data`.
    ///
    /// Errors: 500 when `data` does not serialise, which would be a bug of its type.
    pub fn ok(message: impl AsRef<str>, data: &impl Serialize) -> ApiResult {
        Self::with_status(StatusCode::OK, message, data)
    }

    /// Returns 200 with `data` of about `bytes` bytes of JSON.
    pub fn large(message: impl AsRef<str>, data: &impl Serialize, bytes: usize) -> ApiResult {
        Self::with_meta(StatusCode::OK, message.as_ref(), data, None, bytes)
    }

    /// Returns `data` with another successful status.
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
        serde_json::to_writer(&mut body, &success).map_err(|error| {
            Failure::internal(format!("a response does not serialise: {error}"))
        })?;
        Ok(Self {
            status,
            body,
            etag: None,
            config_revision: None,
            for_one: false,
            gzip: None,
        })
    }

    /// Returns the response body.
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// Adds the report of a write.
    #[must_use]
    pub fn with_report(self, report: WriteReport) -> Self {
        Self {
            body: attempts::with_report(&self.body, report),
            ..self
        }
    }

    /// Adds a key beside `data`, if there is a value for it.
    #[must_use]
    pub fn beside(mut self, name: &str, value: Option<&impl Serialize>) -> Self {
        let value = value.and_then(|value| serde_json::to_string(value).ok());
        // The body is an object with keys.
        if let Some(value) = value
            && self.body.pop() == Some(b'}')
        {
            self.body
                .extend(format!(",\"{name}\":{value}}}").into_bytes());
        }
        self
    }

    /// Sets whether the response is for a single shopper, so that no cache may store it.
    #[must_use]
    pub fn for_one(self, for_one: bool) -> Self {
        Self { for_one, ..self }
    }

    /// Compresses the body for a client that accepts it. All that get the response have what stands between these two
    /// texts in common.
    #[must_use]
    pub fn compressed(
        mut self,
        AcceptsGzip(accepts): AcceptsGzip,
        (first, last): (&str, &str),
        shared: &SharedCompression,
    ) -> Self {
        let text = std::str::from_utf8(&self.body).unwrap_or_default();
        let common = text
            .find(first)
            .zip(text.rfind(last))
            .map(|(start, end)| start..end);
        let bytes = (common.filter(|_| accepts))
            .and_then(|common| compressed::gzip(&self.body, common, shared));
        self.gzip = Some(bytes.is_some());
        self.body = bytes.unwrap_or(self.body);
        self
    }

    /// Returns 200 with `data` of the configuration, its ETag and its revision.
    pub fn revisioned(
        message: impl AsRef<str>,
        (data, revision): (impl Serialize, Revisioned),
    ) -> ApiResult {
        Ok(Self::ok(message, &data)?.tagged(revision))
    }

    /// Returns 200 with a page of records; the message contains their total.
    ///
    /// `one` is the singular name of a record; the plural adds an `s`.
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

    /// Returns 200 with a page of rows that belong to no revision and are for the caller alone.
    pub fn page_of(one: &str, rows: &impl Serialize, meta: &Meta) -> ApiResult {
        let plural = match (meta.total, one.strip_suffix('y')) {
            (1, _) => one.to_owned(),
            (_, Some(stem)) => format!("{stem}ies"),
            (_, None) => format!("{one}s"),
        };
        let (page, pages) = (meta.page, meta.total_pages);
        let message = format!("{} {plural}, page {page} of {pages}.", meta.total);
        let success = Self::with_meta(StatusCode::OK, &message, rows, Some(meta), COMMON_BYTES)?;
        Ok(success.for_one(true))
    }

    /// Returns 201 with a new record; `one` names it at the start of a sentence.
    pub fn created(one: &str, outcome: WriteOutcome<impl Serialize>) -> ApiResult {
        Self::written(StatusCode::CREATED, &format!("{one} created."), outcome)
    }

    /// Returns 200 with an updated record; `one` names it at the start of a sentence.
    pub fn updated(one: &str, outcome: WriteOutcome<impl Serialize>) -> ApiResult {
        Self::written(StatusCode::OK, &format!("{one} updated."), outcome)
    }

    /// Returns 200 for a deleted record; `one` names it at the start of a sentence.
    pub fn deleted(one: &str, (deleted, revision): (Deleted, i64)) -> ApiResult {
        Ok(Self::ok(format!("{one} deleted."), &deleted)?.of_revision(revision))
    }

    /// Returns a written record, with the remark about it after the message.
    fn written(
        status: StatusCode,
        message: &str,
        outcome: WriteOutcome<impl Serialize>,
    ) -> ApiResult {
        let success = Self::with_status(status, remarked(message, outcome.remark), &outcome.data)?;
        Ok(success.tagged(outcome.revisioned))
    }

    /// Sets the revision of the store's configuration.
    #[must_use]
    pub fn of_revision(self, revision: i64) -> Self {
        Self {
            config_revision: Some(revision),
            ..self
        }
    }

    /// Adds the entity tag and the revision of the configuration.
    pub fn tagged(self, revisioned: Revisioned) -> Self {
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
        if let Some(gzip) = self.gzip {
            headers.insert(VARY, HeaderValue::from_static("Accept-Encoding"));
            if gzip {
                headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            }
        }
        if let Some(etag) = self.etag {
            // The tag identifies what can be written, so a cache must not use it for the whole response.
            let tag = format!("\"{}\"", etag.trim_matches('"'));
            if let Ok(tag) = HeaderValue::from_str(&tag) {
                headers.insert(ETAG, tag);
            }
        }
        response
    }
}

/// Returns a message followed by a remark.
pub fn remarked(message: &str, remark: Option<String>) -> String {
    match remark {
        Some(remark) => format!("{message} {remark}"),
        None => message.to_owned(),
    }
}
