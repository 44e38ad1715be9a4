//! The calls: each tool runs the operation of its name, in the order of checks of the interface.

use super::arguments::{Arguments, denied};
use super::definition::Definition;
use super::gate::ToolCaller;
use super::paging::Paging;
use super::projection::{self, Wanted};
use crate::App;
use crate::http::{ApiResult, Failure, Success, remarked};
use axum::http::StatusCode;
use domain::relevance::BoostMerging;
use domain::synonym::{NewSynonym, SynonymImport, SynonymPatch, SynonymQuery};
use domain::{Caller, RuleId, Scope, StoreId, SynonymId, access};
use operations::simulator::{RelevanceTest, Simulation};
use operations::{Precondition, filters, me, relevance, rules, simulator, synonyms};
use rmcp::model::JsonObject;

/// A call that may run: who asks, about which store, with which arguments.
struct Call<'a> {
    app: &'a App,
    caller: &'a Caller,
    store: StoreId,
    arguments: Arguments,
}

/// Runs a tool: 429, 403, 404 and 400 in this order, then the operation.
pub async fn run(
    app: &App,
    asked: &ToolCaller,
    tool: &Definition,
    arguments: JsonObject,
) -> ApiResult {
    let (caller, writes) = (&asked.caller, tool.writes());
    asked.count(app, writes)?;
    let scope = if writes { Scope::Write } else { Scope::Read };
    access::configuration(caller, scope).map_err(denied)?;
    let mut arguments = Arguments::new(arguments, asked.wrong.clone());
    if !tool.of_store() {
        arguments.nothing()?;
        let me = me::get(&app.service, caller).await?;
        return Success::ok("Identity of the key.", &me);
    }
    let store = arguments.store(caller, writes)?;
    let call = Call {
        app,
        caller,
        store,
        arguments,
    };
    match tool.id {
        "get_relevance" => call.get_relevance().await,
        "test_relevance" => call.test_relevance().await,
        "update_relevance" => call.update_relevance().await,
        "list_synonyms" => call.list_synonyms().await,
        "create_synonym" => call.create_synonym().await,
        "update_synonym" => call.update_synonym().await,
        "delete_synonym" => call.delete_synonym().await,
        "import_synonyms_csv" => call.import_synonyms().await,
        "list_rules" => call.list_rules().await,
        "get_rule" => call.get_rule().await,
        "create_rule" => call.create_rule().await,
        "update_rule" => call.update_rule().await,
        "delete_rule" => call.delete_rule().await,
        "list_filters" => call.list_filters().await,
        other => Err(Failure::internal(format!("the tool {other} runs nothing"))),
    }
}

impl Call<'_> {
    async fn get_relevance(self) -> ApiResult {
        self.arguments.nothing()?;
        let view = relevance::get(&self.app.service, self.caller, &self.store).await?;
        Success::revisioned("Relevance in effect.", view)
    }

    async fn test_relevance(mut self) -> ApiResult {
        let wanted: Option<Wanted> = self.arguments.part();
        let test: RelevanceTest = self.arguments.input()?;
        let wanted = wanted.unwrap_or_default();
        let test = RelevanceTest {
            limit: Some(wanted.ranked(test.limit)),
            ..test
        };
        let mode = BoostMerging::Merge;
        let simulation: Simulation =
            simulator::test(&self.app.service, self.caller, &self.store, test, mode).await?;
        let told = serde_json::to_value(&simulation).map_err(|error| {
            Failure::internal(format!("a simulation has no JSON form: {error}"))
        })?;
        Success::ok(
            "Simulation; nothing was saved.",
            &projection::told(told, wanted),
        )
    }

    async fn update_relevance(self) -> ApiResult {
        let change = self.arguments.input()?;
        let (mode, guard) = (BoostMerging::Merge, Precondition::None);
        let service = &self.app.service;
        let view =
            relevance::update(service, self.caller, &self.store, change, mode, guard).await?;
        Success::revisioned("Relevance saved.", view)
    }

    async fn list_synonyms(self) -> ApiResult {
        let query: SynonymQuery = self.arguments.query()?;
        let listed = synonyms::list(&self.app.service, self.caller, &self.store, query).await?;
        Success::listed("synonym group", &listed)
    }

    async fn create_synonym(self) -> ApiResult {
        let new: NewSynonym = self.arguments.input()?;
        let made = synonyms::create(&self.app.service, self.caller, &self.store, new).await?;
        Success::written(StatusCode::CREATED, "Synonym group made.", made)
    }

    async fn update_synonym(mut self) -> ApiResult {
        let id = self.record::<SynonymId>().await?;
        let patch: SynonymPatch = self.arguments.input()?;
        let (service, guard) = (&self.app.service, Precondition::None);
        let saved = synonyms::update(service, self.caller, &self.store, &id, patch, guard).await?;
        Success::written(StatusCode::OK, "Synonym group saved.", saved)
    }

    async fn delete_synonym(mut self) -> ApiResult {
        let id = self.record::<SynonymId>().await?;
        self.arguments.nothing()?;
        let (service, guard) = (&self.app.service, Precondition::None);
        let (deleted, _) = synonyms::delete(service, self.caller, &self.store, &id, guard).await?;
        Success::ok("Synonym group deleted.", &deleted)
    }

    async fn import_synonyms(self) -> ApiResult {
        let csv: SynonymImport = self.arguments.input()?;
        let imported = synonyms::import(&self.app.service, self.caller, &self.store, csv).await?;
        let (report, _, remark) = imported;
        Success::ok(remarked(&report.sentence(), remark), &report)
    }

    async fn list_rules(mut self) -> ApiResult {
        let paging: Option<Paging> = self.arguments.part();
        let query = self.arguments.query()?;
        let listed = rules::list(&self.app.service, self.caller, &self.store, query).await?;
        Success::listed("rule", &paging.unwrap_or_default().of(listed))
    }

    async fn get_rule(mut self) -> ApiResult {
        let id = self.record::<RuleId>().await?;
        self.arguments.nothing()?;
        let rule = rules::get(&self.app.service, self.caller, &self.store, &id).await?;
        Success::revisioned("Rule.", rule)
    }

    async fn create_rule(self) -> ApiResult {
        let new = self.arguments.input()?;
        let made = rules::create(&self.app.service, self.caller, &self.store, new).await?;
        Success::written(StatusCode::CREATED, "Rule made.", made)
    }

    async fn update_rule(mut self) -> ApiResult {
        let id = self.record::<RuleId>().await?;
        let patch = self.arguments.input()?;
        let (service, guard) = (&self.app.service, Precondition::None);
        let saved = rules::update(service, self.caller, &self.store, &id, patch, guard).await?;
        Success::written(StatusCode::OK, "Rule saved.", saved)
    }

    async fn delete_rule(mut self) -> ApiResult {
        let id = self.record::<RuleId>().await?;
        self.arguments.nothing()?;
        let (service, guard) = (&self.app.service, Precondition::None);
        let (deleted, _) = rules::delete(service, self.caller, &self.store, &id, guard).await?;
        Success::ok("Rule deleted.", &deleted)
    }

    async fn list_filters(mut self) -> ApiResult {
        let paging: Option<Paging> = self.arguments.part();
        self.arguments.nothing()?;
        let listed = filters::list(&self.app.service, self.caller, &self.store).await?;
        Success::listed("filter", &paging.unwrap_or_default().of(listed))
    }

    /// The record that the arguments name.
    async fn record<Id: crate::http::record::RecordId>(&mut self) -> Result<Id, Failure> {
        self.arguments
            .record(self.app, self.caller, &self.store)
            .await
    }
}
