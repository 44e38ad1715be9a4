//! The envelope of a success, and the headers of a configuration answer.

use super::failure::Failure;
use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use operations::Revisioned;
use serde::Serialize;

/// What a handler answers.
pub type Answer = Result<Success, Failure>;

/// Header with the number of the store's latest configuration revision.
pub const X_CONFIG_REVISION: HeaderName = HeaderName::from_static("x-config-revision");

/// A request that succeeded.
#[derive(Debug)]
pub struct Success {
    status: StatusCode,
    body: Vec<u8>,
    revision: Option<Revisioned>,
    for_one: bool,
}

#[derive(Serialize)]
struct SuccessBody<'a, T> {
    success: bool,
    message: &'a str,
    data: &'a T,
}

impl Success {
    /// 200 with `data`.
    ///
    /// Errors: 500 when `data` has no JSON form, which would be a mistake of its type.
    pub fn ok(message: impl AsRef<str>, data: &impl Serialize) -> Answer {
        Self::with_status(StatusCode::OK, message, data)
    }

    /// `data` under another status of success.
    pub fn with_status(
        status: StatusCode,
        message: impl AsRef<str>,
        data: &impl Serialize,
    ) -> Answer {
        let body = SuccessBody {
            success: true,
            message: message.as_ref(),
            data,
        };
        let body = serde_json::to_vec(&body)
            .map_err(|error| Failure::internal(format!("an answer has no JSON form: {error}")))?;
        Ok(Self {
            status,
            body,
            revision: None,
            for_one: false,
        })
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
    ) -> Answer {
        Ok(Self {
            revision: Some(revision),
            ..Self::ok(message, &data)?
        })
    }
}

impl IntoResponse for Success {
    fn into_response(self) -> Response {
        let mut response = (self.status, Body::from(self.body)).into_response();
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if self.for_one || self.revision.is_some() {
            headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        }
        if let Some(revision) = self.revision {
            // The tag stands for what can be written, so a cache must not take it for the whole answer's.
            headers.insert(X_CONFIG_REVISION, revision.config_revision.into());
            let tag = format!("\"{}\"", revision.etag.trim_matches('"'));
            if let Ok(tag) = HeaderValue::from_str(&tag) {
                headers.insert(ETAG, tag);
            }
        }
        response
    }
}
