//! What the tools for synonym groups and rules do: get, create, update and delete one.

use crate::http::input::Input;
use crate::http::record::RecordId;
use crate::http::{ApiResult, Success};
use crate::mcp::call::ToolCall;
use operations::Precondition;
use operations::records::{self, Record};

/// Returns a record.
pub async fn get<R: Record<Id: RecordId>>(mut call: ToolCall) -> ApiResult {
    let (store, id) = call.record().await?;
    call.arguments.nothing()?;
    let record = records::get::<R>(&call.service, &call.caller, &store, &id).await?;
    Success::revisioned(format!("{}.", R::NAME), record)
}

/// Creates a record.
pub async fn create<R: Record<New: Input>>(mut call: ToolCall) -> ApiResult {
    let store = call.store()?;
    let new = call.arguments.input()?;
    let created = records::create::<R>(&call.service, &call.caller, &store, new).await?;
    Success::created(R::NAME, created)
}

/// Updates a record, whatever its state.
pub async fn update<R: Record<Id: RecordId, Patch: Input>>(mut call: ToolCall) -> ApiResult {
    let (store, id) = call.record().await?;
    let patch = call.arguments.input()?;
    let (service, guard) = (&call.service, Precondition::None);
    let updated = records::update::<R>(service, &call.caller, &store, &id, patch, guard).await?;
    Success::updated(R::NAME, updated)
}

/// Deletes a record, whatever its state.
pub async fn delete<R: Record<Id: RecordId>>(mut call: ToolCall) -> ApiResult {
    let (store, id) = call.record().await?;
    call.arguments.nothing()?;
    let (service, guard) = (&call.service, Precondition::None);
    let deleted = records::delete::<R>(service, &call.caller, &store, &id, guard).await?;
    Success::deleted(R::NAME, deleted)
}
