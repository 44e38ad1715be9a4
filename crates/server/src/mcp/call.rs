//! Runs a call: checks in the same order as over REST, then the handler of the tool.

use super::arguments::{Arguments, denied};
use super::definition::Definition;
use super::gate::ToolCaller;
use crate::App;
use crate::http::record::RecordId;
use crate::http::{AccountKey, ApiResult, Failure, ReaderOf, StoreReader, StoreWriter, WriterOf};
use axum::extract::State;
use domain::{Caller, Scope, StoreId, access};
use rmcp::model::JsonObject;

/// A call of a tool.
///
/// Its methods return what the extractors of a request return, so that a tool can call the handler of its operation:
/// first read the caller with store and record, then the input from the arguments.
pub struct ToolCall {
    /// Shared state of the handlers.
    pub app: State<App>,
    /// Arguments that have not been read yet.
    pub arguments: Arguments,
    caller: Caller,
}

/// Runs a tool. Errors are checked in the order 429, 403, 404, 400.
pub async fn run(
    app: &App,
    tool_caller: &ToolCaller,
    Definition { tool, .. }: Definition,
    arguments: JsonObject,
) -> ApiResult {
    let (caller, writes) = (&tool_caller.caller, tool.writes());
    tool_caller.count(app, writes)?;
    let scope = if writes { Scope::Write } else { Scope::Read };
    access::configuration(caller, scope).map_err(denied)?;
    let call = ToolCall {
        app: State(app.clone()),
        arguments: Arguments::new(arguments, tool_caller.wrong.clone()),
        caller: caller.clone(),
    };
    (tool.run)(call).await
}

impl ToolCall {
    /// Returns the caller, for operations without a store.
    pub fn account(&self) -> AccountKey {
        AccountKey(self.caller.clone())
    }

    /// Reads the store and checks that the caller may read it.
    ///
    /// Errors: as [`Arguments::store`].
    pub fn reader(&mut self) -> Result<StoreReader, Failure> {
        let store = self.arguments.store(&self.caller, false)?;
        Ok(StoreReader(self.caller.clone(), store))
    }

    /// Reads the store and checks that the caller may write to it.
    ///
    /// Errors: as [`Arguments::store`].
    pub fn writer(&mut self) -> Result<StoreWriter, Failure> {
        let store = self.arguments.store(&self.caller, true)?;
        Ok(StoreWriter(self.caller.clone(), store))
    }

    /// Reads store and record and checks that the caller may read them.
    ///
    /// Errors: as [`Arguments::store`] and [`Arguments::record`].
    pub async fn reader_of<Id: RecordId>(&mut self) -> Result<ReaderOf<Id>, Failure> {
        let StoreReader(caller, store) = self.reader()?;
        let id = self.record(&store).await?;
        Ok(ReaderOf(caller, store, id))
    }

    /// Reads store and record and checks that the caller may write to them.
    ///
    /// Errors: as [`Arguments::store`] and [`Arguments::record`].
    pub async fn writer_of<Id: RecordId>(&mut self) -> Result<WriterOf<Id>, Failure> {
        let StoreWriter(caller, store) = self.writer()?;
        let id = self.record(&store).await?;
        Ok(WriterOf(caller, store, id))
    }

    async fn record<Id: RecordId>(&mut self, store: &StoreId) -> Result<Id, Failure> {
        self.arguments.record(&self.app, &self.caller, store).await
    }
}
