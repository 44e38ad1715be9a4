//! Authentication and rate limits. A request without a valid key does not reach the protocol.

use super::address::Address;
use super::message::ProtocolMessage;
use super::rejection;
use crate::App;
use crate::http::body::Received;
use crate::http::caller::CountedCaller;
use crate::http::input::{account, received};
use crate::http::rate_headers::RateHeaders;
use crate::http::{Failure, weight};
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;
use domain::limits::BODY_BYTES_MAX;
use domain::{Caller, ClientAddress, ErrorList};
use operations::rates::{self, Allowance, Spends};
use operations::{OperationError, Service};

/// The authenticated caller, an extension of the request for the protocol's handlers.
#[derive(Clone)]
pub struct ToolCaller {
    /// The owner of the key.
    pub caller: Caller,
    /// What the address of the request selects.
    pub address: Address,
    /// Errors in the JSON of the arguments.
    pub wrong: ErrorList,
    /// Client address.
    from: ClientAddress,
    /// State of the request limit.
    allowance: Option<Allowance>,
    /// Rate-limit headers of the response.
    headers: Option<RateHeaders>,
}

impl ToolCaller {
    /// Counts a call: the request was counted on admission, a write is counted here.
    ///
    /// Errors: 429 if a limit is exceeded.
    pub fn count(&self, app: &App, writes: bool) -> Result<(), Failure> {
        granted(self.allowance)?;
        if !writes {
            return Ok(());
        }
        let spends = Spends::WriteOfRequest(self.allowance);
        let allowance = rates::spend(&app.service, &self.caller, self.from, spends);
        if let (Some(headers), Some(allowance)) = (&self.headers, allowance) {
            headers.note(allowance);
        }
        granted(allowance)
    }
}

impl ToolCaller {
    /// Counts the rest of what a trial costs, `cost` requests in all.
    ///
    /// Errors: 429 if too few are left; nothing is counted then.
    pub fn pay(&self, service: &Service, cost: u32) -> Result<(), Failure> {
        let rest = cost.saturating_sub(1);
        if rest == 0 {
            return Ok(());
        }
        let spends = Spends::RestOfTrial(rest);
        let allowance = rates::spend(service, &self.caller, self.from, spends);
        if let (Some(headers), Some(allowance)) = (&self.headers, allowance) {
            headers.note(allowance);
        }
        granted(allowance)
    }
}

fn granted(allowance: Option<Allowance>) -> Result<(), Failure> {
    let granted: Result<(), OperationError> =
        allowance.map_or(Ok(()), |allowance| allowance.granted());
    Ok(granted?)
}

/// Middleware that admits requests with a valid key.
///
/// Errors: 401; 429, except for calls of tools, which return it as a result; errors of the address and of the body.
pub async fn admit(
    State(app): State<App>,
    request: Request,
    next: Next,
) -> Result<Response, Failure> {
    let (mut parts, body) = request.into_parts();
    let CountedCaller {
        caller,
        from,
        allowance,
    } = CountedCaller::of(&parts, &app).await?;
    let address = Address::of(parts.uri.query().unwrap_or_default()).map_err(Failure::invalid)?;
    let Received { bytes, reserved } = received(&parts, body, BODY_BYTES_MAX, &app).await?;
    let account = account(&parts);
    account.keep(match reserved {
        None => app.memory.count(bytes.len()),
        Some(reserved) => {
            account.keep(reserved);
            let bytes = weight::of_values(&bytes);
            app.memory.hold(&account.store(), bytes).await?
        }
    });
    let message = match parts.method {
        Method::POST => ProtocolMessage::read(&mut parts.headers, &bytes),
        // The protocol rejects all other methods itself.
        _ => Ok(ProtocolMessage::default()),
    };
    if !message.as_ref().is_ok_and(|message| message.calls_a_tool) {
        granted(allowance)?;
    }
    let headers = parts.extensions.get::<RateHeaders>().cloned();
    let message = message?;
    parts.extensions.insert(ToolCaller {
        caller,
        address,
        wrong: message.wrong,
        from,
        allowance,
        headers,
    });
    let body = Body::from(message.rewritten.unwrap_or(bytes));
    let request = Request::from_parts(parts, body);
    Ok(rejection::in_the_envelope(next.run(request).await))
}
