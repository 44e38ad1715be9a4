//! The gate before the protocol: who asks, and how often. A request without a valid key never reaches the protocol.

use crate::App;
use crate::http::caller::Counted;
use crate::http::{Failure, body};
use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use domain::limits::BODY_BYTES_MAX;
use domain::{Caller, ClientAddress};
use operations::OperationError;
use operations::rates::{self, Spends};
use serde::Deserialize;
use std::borrow::Cow;

/// The method by which a tool is called.
const CALL: &str = "tools/call";

/// Who asks, as the handlers of the protocol find it in the parts of the request.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The owner of the key.
    pub caller: Caller,
    /// Where the request comes from.
    from: ClientAddress,
    /// Why the call is one too many, if it is.
    refused: Option<Failure>,
}

impl Asked {
    /// Counts the call of a tool as what it is: the request was counted at the gate, a write is counted here.
    ///
    /// Errors: 429 for the call that is one too many.
    pub fn count(&self, app: &App, writes: bool) -> Result<(), Failure> {
        if let Some(refused) = &self.refused {
            return Err(refused.clone());
        }
        if !writes {
            return Ok(());
        }
        let allowance = rates::spend(
            &app.service,
            &self.caller,
            self.from,
            Spends::WriteOfRequest,
        );
        match allowance.map(|allowance| allowance.granted()) {
            Some(Err(refused)) => Err(refused.into()),
            _ => Ok(()),
        }
    }
}

/// Lets a request with a valid key through.
///
/// Errors: 401; 429 for all but calls of tools, which tell it in their own way; what is wrong with the body.
pub async fn admit(
    State(app): State<App>,
    request: Request,
    next: Next,
) -> Result<Response, Failure> {
    let (mut parts, body) = request.into_parts();
    let Counted {
        caller,
        from,
        allowance,
    } = Counted::of(&parts, &app).await?;
    let bytes = body::read(body, BODY_BYTES_MAX, app.patience).await?;
    let granted = allowance.map_or(Ok(()), |allowance| allowance.granted());
    let refused = granted
        .err()
        .map(|refused: OperationError| Failure::from(refused));
    match refused {
        Some(refused) if !calls_a_tool(&bytes) => return Err(refused),
        refused => parts.extensions.insert(Asked {
            caller,
            from,
            refused,
        }),
    };
    Ok(next
        .run(Request::from_parts(parts, Body::from(bytes)))
        .await)
}

fn calls_a_tool(bytes: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Message<'a> {
        #[serde(borrow)]
        method: Cow<'a, str>,
    }
    serde_json::from_slice::<Message<'_>>(bytes).is_ok_and(|message| message.method == CALL)
}
