//! `/events`: what shoppers did with the responses to their searches.
//!
//! A page that is being left sends events by `sendBeacon`, which sets no headers. So the key may be in the body, and the
//! body may be called plain text.

use crate::App;
use crate::catalogue::{OperationRow, Route, example};
use crate::http::input::{received, typed};
use crate::http::inputs::{errors_of, input};
use crate::http::{ApiResult, Automated, Failure, Shopper, Success, credentials, media};
use crate::message;
use crate::validation::strict_json;
use axum::extract::{FromRequest, Request, State};
use axum::http::StatusCode;
use axum::routing::on;
use domain::event::EventsRequest;
use domain::limits::EVENTS_BODY_BYTES_MAX;
use domain::{Caller, Invalid};
use operations::events::{self, EventsReport};
use serde_json::Value;

/// Rows of `/events`.
pub const ROWS: &[OperationRow] = &[Route::post("send_events", "/events")
    .handler(|method| on(method, send))
    .body::<EventsRequest>(example!("search/events.request"))
    .returns::<EventsReport>(example!("search/events.response"))
    .statuses(&[202])];

input! {
    EventsRequest,
    const BYTES_MAX: usize = EVENTS_BODY_BYTES_MAX;
    const IN_PLACE: Option<&'static str> = Some("events");
    fn semantic_errors(self) -> Vec<Invalid> {
        errors_of(self.check())
    }
}

/// A request with events, and the caller whose key is in its headers or its body.
struct SentEvents {
    caller: Caller,
    request: EventsRequest,
    automated: bool,
}

impl FromRequest<App> for SentEvents {
    type Rejection = Failure;

    async fn from_request(request: Request, app: &App) -> Result<Self, Failure> {
        let (parts, body) = request.into_parts();
        let Automated(automated) = Automated::of(&parts.headers);
        let key = credentials::in_headers(&parts.headers, parts.uri.query())?;
        let key = key.map(str::to_owned);
        let (Shopper(caller), received) = match &key {
            Some(key) => {
                let shopper = Shopper::with_key(&parts, app, key).await?;
                let received = received(&parts, body, EVENTS_BODY_BYTES_MAX, app).await?;
                (shopper, received)
            }
            None => {
                let received = received(&parts, body, EVENTS_BODY_BYTES_MAX, app).await?;
                let key = key_in_body(&received.bytes)?;
                (Shopper::with_key(&parts, app, &key).await?, received)
            }
        };
        let accepts = media::body_is_json_or_text;
        let request: EventsRequest = typed(parts, received, app, accepts).await?;
        if let (Some(in_header), Some(in_body)) = (&key, &request.key)
            && in_header != in_body.trim()
        {
            return Err(credentials::different_in_body());
        }
        Ok(Self {
            caller,
            request,
            automated,
        })
    }
}

/// Returns the key in a body that may be invalid otherwise.
///
/// Errors: 401 without a key, 400 for one that is no text.
fn key_in_body(body: &[u8]) -> Result<String, Failure> {
    let value = strict_json::parse(body).ok();
    let key = value.as_ref().and_then(|value| value.get("key"));
    match key.ok_or_else(credentials::missing_in_body)? {
        Value::String(key) => Ok(key.trim().to_owned()),
        _ => Err(Failure::invalid(vec![Invalid::new(
            "key",
            message::value::must_be(message::kind::text()),
        )])),
    }
}

async fn send(State(app): State<App>, sent: SentEvents) -> ApiResult {
    let SentEvents {
        caller,
        request,
        automated,
    } = sent;
    let report = events::send(&app.service, &caller, request, automated).await?;
    let EventsReport { accepted, ignored } = report;
    let message = format!("{accepted} accepted, {ignored} ignored.");
    Success::with_status(StatusCode::ACCEPTED, message, &report)
}
