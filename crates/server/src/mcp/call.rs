//! The calls: each tool runs the operation of its name, in the order of checks of the interface.

use super::arguments::{Arguments, denied};
use super::definition::Definition;
use super::gate::ToolCaller;
use crate::App;
use crate::http::record::RecordId;
use crate::http::{AccountKey, ApiResult, Failure, ReaderOf, StoreReader, StoreWriter, WriterOf};
use axum::extract::State;
use domain::{Caller, Scope, StoreId, access};
use rmcp::model::JsonObject;

/// A call that may run: who asks, with which arguments.
///
/// Its methods take what the extractors of a request take, in the same order, so that a tool can hand it to the handler
/// of its operation: first the caller with store and record, then the input of the arguments.
pub struct ToolCall {
    /// What handlers share.
    pub app: State<App>,
    /// The arguments that have not been taken yet.
    pub arguments: Arguments,
    caller: Caller,
}

/// Runs a tool: 429, 403, 404 and 400 in this order, then the operation.
pub async fn run(
    app: &App,
    asked: &ToolCaller,
    Definition { tool, .. }: Definition,
    arguments: JsonObject,
) -> ApiResult {
    let (caller, writes) = (&asked.caller, tool.writes());
    asked.count(app, writes)?;
    let scope = if writes { Scope::Write } else { Scope::Read };
    access::configuration(caller, scope).map_err(denied)?;
    let call = ToolCall {
        app: State(app.clone()),
        arguments: Arguments::new(arguments, asked.wrong.clone()),
        caller: caller.clone(),
    };
    (tool.run)(call).await
}

impl ToolCall {
    /// The caller, whatever the store.
    pub fn account(&self) -> AccountKey {
        AccountKey(self.caller.clone())
    }

    /// The caller who reads the store that the arguments name.
    ///
    /// Errors: as [`Arguments::store`].
    pub fn reader(&mut self) -> Result<StoreReader, Failure> {
        let store = self.arguments.store(&self.caller, false)?;
        Ok(StoreReader(self.caller.clone(), store))
    }

    /// The caller who changes the store that the arguments name.
    ///
    /// Errors: as [`Arguments::store`].
    pub fn writer(&mut self) -> Result<StoreWriter, Failure> {
        let store = self.arguments.store(&self.caller, true)?;
        Ok(StoreWriter(self.caller.clone(), store))
    }

    /// The caller who reads the record that the arguments name.
    ///
    /// Errors: as [`Arguments::store`] and [`Arguments::record`].
    pub async fn reader_of<Id: RecordId>(&mut self) -> Result<ReaderOf<Id>, Failure> {
        let StoreReader(caller, store) = self.reader()?;
        let id = self.record(&store).await?;
        Ok(ReaderOf(caller, store, id))
    }

    /// The caller who changes the record that the arguments name.
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
