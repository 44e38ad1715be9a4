//! What a call answers: structured content and the same as text, or an error that a model can act on.

use super::definition::Definition;
use super::truncation::{fit, fit_refusal};
use crate::http::{Failure, Success};
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};

/// The result of a call that succeeded.
pub fn succeeded(tool: Definition, success: &Success) -> CallToolResult {
    // The body was JSON a moment ago.
    let envelope = serde_json::from_slice(success.body()).unwrap_or_default();
    CallToolResult::structured(fit(envelope, tool))
}

/// The result of a call that was refused or failed: text alone, because what is structured must fit the output schema.
pub fn failed(tool: Definition, failure: &Failure, request_id: &str) -> CallToolResult {
    if failure.status.is_server_error() {
        let (tool, cause) = (tool.row.id, failure.cause.as_deref());
        tracing::error!(
            request_id,
            tool,
            code = failure.code,
            cause,
            "a tool failed"
        );
    }
    let mut body: Value = serde_json::from_slice(&failure.body(request_id)).unwrap_or_default();
    if let Some(step) = next_step(tool, failure.code) {
        body["nextStep"] = json!(step);
    }
    CallToolResult::error(vec![ContentBlock::text(fit_refusal(body).to_string())])
}

/// What to do about a refusal.
fn next_step(tool: Definition, code: &str) -> Option<&'static str> {
    Some(match code {
        "invalid_request" => {
            "Correct what errors names and call again; the input schema tells what is allowed."
        }
        "scope_missing" => {
            "Ask the owner of the store for a key with the scope config:write, which is made in the control panel. Reading and test_relevance work with this one."
        }
        "store_mismatch" => {
            "Call get_account and use a storeId that it names, or leave storeId out."
        }
        "not_found" => match tool.record() {
            Some(("synId", _)) => "Call list_synonyms and use an id that it names.",
            Some(_) => "Call list_rules and use an id that it names.",
            None => "Call get_account and use a storeId that it names.",
        },
        "conflict" => {
            "Change or delete the record that is there already instead of making another."
        }
        "plan_limit" => "Delete what is no longer needed, or ask the owner for a larger plan.",
        "rate_limited" => "Wait as many seconds as retryAfter says, then call again.",
        "unavailable" => "Call again in a moment.",
        _ => return None,
    })
}
