//! Results of calls: structured content and the same as text, text alone where the address says so, or an error with advice for the model.

use super::address::Address;
use super::definition::Definition;
use super::tool::ListedRecords;
use super::truncation::{truncate, truncate_error};
use crate::http::{Failure, Success};
use domain::error_codes;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};
use std::borrow::Cow;

/// Returns the result of a successful call.
pub fn succeeded(tool: Definition, success: &Success, address: Address) -> CallToolResult {
    // The body was serialised from JSON.
    let envelope = serde_json::from_slice(success.body()).unwrap_or_default();
    let envelope = truncate(envelope, tool);
    if address.text_only {
        return CallToolResult::success(vec![ContentBlock::text(envelope.to_string())]);
    }
    CallToolResult::structured(envelope)
}

/// Returns the result of a failed call: text only, because structured content must match the output schema.
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
    CallToolResult::error(vec![ContentBlock::text(truncate_error(body).to_string())])
}

/// Returns advice on what to do about an error.
fn next_step(tool: Definition, code: &str) -> Option<Cow<'static, str>> {
    let step = match code {
        error_codes::INVALID_REQUEST => {
            "Correct the fields in errors and call again; the input schema has the allowed values."
        }
        error_codes::SCOPE_MISSING => {
            "Ask the owner of the store for a key with the scope config:propose or config:write, created in the control panel. Reading and test_relevance work with this key."
        }
        error_codes::STORE_MISMATCH => {
            "Call get_account and use a storeId that it returns, or leave storeId out."
        }
        error_codes::NOT_FOUND => match tool.tool.records {
            Some(ListedRecords { list, .. }) => {
                return Some(format!("Call {list} and use an id that it returns.").into());
            }
            None => "Call get_account and use a storeId that it returns.",
        },
        error_codes::CONFLICT => {
            "Update or delete the existing record instead of creating another."
        }
        error_codes::IMPACT_EXCEEDED => {
            "Make a narrower change, which test_relevance shows before it is saved, or leave it to a person with create_proposal."
        }
        error_codes::PLAN_LIMIT => {
            "Delete what is no longer needed, or ask the owner for a larger plan."
        }
        error_codes::RATE_LIMITED => "Wait retryAfter seconds, then call again.",
        error_codes::UNAVAILABLE => "Call again in a moment.",
        _ => return None,
    };
    Some(step.into())
}
