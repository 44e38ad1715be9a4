//! A call of a tool: who calls, and the arguments, read in the same order as a request over REST.

use super::arguments::{Arguments, denied};
use super::gate::ToolCaller;
use crate::App;
use crate::http::Failure;
use crate::http::record::RecordId;
use domain::{Caller, Scope, StoreId, WriteAttempt, access};
use operations::{PreviewSlot, Service, rates};
use rmcp::model::JsonObject;

/// A call of a tool.
///
/// A handler reads first the store, or the record with its store, and then the input from the arguments.
pub struct ToolCall {
    /// The service.
    pub service: Service,
    /// The owner of the key.
    pub caller: Caller,
    /// Arguments that have not been read yet.
    pub arguments: Arguments,
    writes: bool,
    tool_caller: ToolCaller,
}

impl ToolCall {
    /// Counts a call and checks the scope of its key.
    ///
    /// Errors: 429, 403.
    pub fn admitted(
        app: &App,
        tool_caller: &ToolCaller,
        (writes, attempt): (bool, WriteAttempt),
        arguments: JsonObject,
    ) -> Result<Self, Failure> {
        tool_caller.count(app, writes && !attempt.dry_run)?;
        let scope = if writes { Scope::Propose } else { Scope::Read };
        access::configuration(&tool_caller.caller, scope).map_err(denied)?;
        Ok(Self {
            service: app.service.clone(),
            caller: Caller {
                attempt,
                ..tool_caller.caller.clone()
            },
            arguments: Arguments::new(arguments, tool_caller.wrong.clone()),
            writes,
            tool_caller: tool_caller.clone(),
        })
    }

    /// Takes one of the places for trials that run at once, until the result is dropped, and counts the rest of what a
    /// valid trial costs, `cost` requests in all.
    ///
    /// Errors: 429 if no place or too few requests are left.
    pub fn trying(&self, cost: u32) -> Result<PreviewSlot, Failure> {
        let slot = rates::trial_slot(&self.service, &self.caller)?;
        self.tool_caller.pay(&self.service, cost)?;
        Ok(slot)
    }

    /// Reads the store and checks that the caller may read it, or write to it if the tool writes.
    ///
    /// Errors: as [`Arguments::store`].
    pub fn store(&mut self) -> Result<StoreId, Failure> {
        self.arguments.store(&self.caller, self.writes)
    }

    /// Reads the store, as [`store`](Self::store), and the id of one of its records.
    ///
    /// Errors: as [`Arguments::store`] and [`Arguments::record`].
    pub async fn record<Id: RecordId>(&mut self) -> Result<(StoreId, Id), Failure> {
        let store = self.store()?;
        let (service, caller) = (&self.service, &self.caller);
        let id = self.arguments.record(service, caller, &store).await?;
        Ok((store, id))
    }
}
