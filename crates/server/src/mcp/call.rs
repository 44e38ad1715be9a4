//! A call of a tool: who calls, and the arguments, read in the same order as a request over REST.

use super::arguments::{Arguments, denied};
use super::gate::ToolCaller;
use crate::App;
use crate::http::Failure;
use crate::http::record::RecordId;
use domain::{Caller, Scope, StoreId, access};
use operations::Service;
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
}

impl ToolCall {
    /// Counts a call and checks the scope of its key.
    ///
    /// Errors: 429, 403.
    pub fn admitted(
        app: &App,
        tool_caller: &ToolCaller,
        writes: bool,
        arguments: JsonObject,
    ) -> Result<Self, Failure> {
        tool_caller.count(app, writes)?;
        let scope = if writes { Scope::Write } else { Scope::Read };
        access::configuration(&tool_caller.caller, scope).map_err(denied)?;
        Ok(Self {
            service: app.service.clone(),
            caller: tool_caller.caller.clone(),
            arguments: Arguments::new(arguments, tool_caller.wrong.clone()),
            writes,
        })
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
