//! `/stores/{id}/rules`: actions for queries that match a trigger.

use crate::App;
use crate::catalogue::{OperationRow, Route, example};
use crate::http::inputs::{errors_of, input, query_input};
use crate::http::{
    ApiResult, Body, Guarded, NoInput, Params, ReaderOf, StoreReader, StoreWriter, Success,
    WriterOf,
};
use crate::mcp::{Effect, More, Paging, ToolCall, tool};
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::on;
use domain::rule::{NewRule, RulePatch, RuleQuery, RuleView};
use domain::{Invalid, RuleId};
use operations::records::Deleted;
use operations::{Precondition, rules};

/// Rows of `/stores/{id}/rules`.
pub const ROWS: &[OperationRow] = &[
    Route::get("list_rules", "/stores/{id}/rules")
        .handler(|method| on(method, list))
        .query::<RuleQuery>(r#"{"lang": "en"}"#)
        .returns::<Vec<RuleView>>(example!("configuration/rules.response"))
        .tool(
            tool(
                "Rules",
                Effect::Reads,
                "Lists the rules, of one language or of all, with their status (active, inactive, scheduled, expired). Pass limit and page if there are many.",
                |call| Box::pin(list_by_tool(call)),
            )
            .with_more(More::Pages),
        ),
    Route::get("get_rule", "/stores/{id}/rules/{ruleId}")
        .handler(|method| on(method, get))
        .returns::<RuleView>(example!("configuration/rule.response"))
        .tool(tool(
            "One rule",
            Effect::Reads,
            "Returns one rule. To see whether it applies to a query use test_relevance with applyRules.",
            |call| Box::pin(get_by_tool(call)),
        )),
    Route::post("create_rule", "/stores/{id}/rules")
        .handler(|method| on(method, create))
        .body::<NewRule>(example!("configuration/rule.request"))
        .returns::<RuleView>(example!("configuration/rule.response"))
        .statuses(&[201])
        .tool(tool(
            "Create a rule",
            Effect::Adds,
            "Creates a rule for the queries that match its trigger: BOOST multiplies scores, PIN puts products first, HIDE removes them, REDIRECT, BANNER, FILTER. actions has exactly the key of the type. Start with low boosts (2 to 5) and check with test_relevance and applyRules.",
            |call| Box::pin(create_by_tool(call)),
        )),
    Route::put("update_rule", "/stores/{id}/rules/{ruleId}")
        .handler(|method| on(method, update))
        .body::<RulePatch>(example!("configuration/rule-change.request"))
        .returns::<RuleView>(example!("configuration/rule.response"))
        .tool(tool(
            "Update a rule",
            Effect::Overwrites,
            "Updates the given fields of a rule; actions are replaced as a whole, the type cannot change. null clears startDate or endDate, active false disables the rule.",
            |call| Box::pin(update_by_tool(call)),
        )),
    Route::delete("delete_rule", "/stores/{id}/rules/{ruleId}")
        .handler(|method| on(method, delete))
        .returns::<Deleted>(example!("configuration/deleted.response"))
        .tool(tool(
            "Delete a rule",
            Effect::Overwrites,
            "Deletes a rule permanently. To disable it for a while use update_rule with active false.",
            |call| Box::pin(delete_by_tool(call)),
        )),
];

query_input!(RuleQuery);
input! {
    NewRule,
    fn semantic_errors(self) -> Vec<Invalid> {
        errors_of(self.check())
    }
}
input!(RulePatch);

/// Lists the rules of one language, or of all.
pub async fn list(
    State(app): State<App>,
    StoreReader(caller, store): StoreReader,
    Params(query): Params<RuleQuery>,
) -> ApiResult {
    let listed = rules::list(&app.service, &caller, &store, query).await?;
    Success::listed("rule", &listed)
}

/// Returns a rule.
pub async fn get(
    State(app): State<App>,
    ReaderOf(caller, store, id): ReaderOf<RuleId>,
    _: NoInput,
) -> ApiResult {
    let rule = rules::get(&app.service, &caller, &store, &id).await?;
    Success::revisioned("Rule.", rule)
}

/// Creates a rule.
pub async fn create(
    State(app): State<App>,
    StoreWriter(caller, store): StoreWriter,
    Body(new): Body<NewRule>,
) -> ApiResult {
    let made = rules::create(&app.service, &caller, &store, new).await?;
    Success::written(StatusCode::CREATED, "Rule created.", made)
}

/// Updates a rule.
pub async fn update(
    State(app): State<App>,
    WriterOf(caller, store, id): WriterOf<RuleId>,
    Guarded(Body(patch), guard): Guarded<Body<RulePatch>>,
) -> ApiResult {
    let saved = rules::update(&app.service, &caller, &store, &id, patch, guard).await?;
    Success::written(StatusCode::OK, "Rule updated.", saved)
}

/// Deletes a rule.
pub async fn delete(
    State(app): State<App>,
    WriterOf(caller, store, id): WriterOf<RuleId>,
    Guarded(_, guard): Guarded<NoInput>,
) -> ApiResult {
    let (deleted, revision) = rules::delete(&app.service, &caller, &store, &id, guard).await?;
    Ok(Success::ok("Rule deleted.", &deleted)?.of_revision(revision))
}

/// As [`list`], but returns a page if the arguments request one.
async fn list_by_tool(mut call: ToolCall) -> ApiResult {
    let StoreReader(caller, store) = call.reader()?;
    let paging: Option<Paging> = call.arguments.part();
    let query = call.arguments.query()?;
    let listed = rules::list(&call.app.service, &caller, &store, query).await?;
    Success::listed("rule", &paging.unwrap_or_default().of(listed))
}

async fn get_by_tool(mut call: ToolCall) -> ApiResult {
    let reader = call.reader_of().await?;
    call.arguments.nothing()?;
    get(call.app, reader, NoInput).await
}

async fn create_by_tool(mut call: ToolCall) -> ApiResult {
    let writer = call.writer()?;
    let new = Body(call.arguments.input()?);
    create(call.app, writer, new).await
}

async fn update_by_tool(mut call: ToolCall) -> ApiResult {
    let writer = call.writer_of().await?;
    let patch = Body(call.arguments.input()?);
    update(call.app, writer, Guarded(patch, Precondition::None)).await
}

async fn delete_by_tool(mut call: ToolCall) -> ApiResult {
    let writer = call.writer_of().await?;
    call.arguments.nothing()?;
    delete(call.app, writer, Guarded(NoInput, Precondition::None)).await
}
