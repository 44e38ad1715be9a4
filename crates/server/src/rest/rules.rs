//! `/stores/{id}/rules`: actions for queries that match a trigger.

use crate::App;
use crate::catalogue::{OperationRow, Route, example};
use crate::http::inputs::{errors_of, input, query_input};
use crate::http::{
    ApiResult, Body, Guarded, NoInput, Params, ReaderOf, StoreReader, StoreWriter, Success,
    WriterOf,
};
use axum::extract::State;
use axum::routing::on;
use domain::rule::{NewRule, RulePatch, RuleQuery, RuleView};
use domain::{Invalid, RuleId};
use operations::records::Deleted;
use operations::rules;

/// Rows of `/stores/{id}/rules`.
pub const ROWS: &[OperationRow] = &[
    Route::get("list_rules", "/stores/{id}/rules")
        .handler(|method| on(method, list))
        .query::<RuleQuery>(r#"{"lang": "en"}"#)
        .returns::<Vec<RuleView>>(example!("configuration/rules.response")),
    Route::get("get_rule", "/stores/{id}/rules/{ruleId}")
        .handler(|method| on(method, get))
        .returns::<RuleView>(example!("configuration/rule.response")),
    Route::post("create_rule", "/stores/{id}/rules")
        .handler(|method| on(method, create))
        .body::<NewRule>(example!("configuration/rule.request"))
        .returns::<RuleView>(example!("configuration/rule.response"))
        .statuses(&[201]),
    Route::put("update_rule", "/stores/{id}/rules/{ruleId}")
        .handler(|method| on(method, update))
        .body::<RulePatch>(example!("configuration/rule-change.request"))
        .returns::<RuleView>(example!("configuration/rule.response")),
    Route::delete("delete_rule", "/stores/{id}/rules/{ruleId}")
        .handler(|method| on(method, delete))
        .returns::<Deleted>(example!("configuration/deleted.response")),
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
    Success::created("Rule", made)
}

/// Updates a rule.
pub async fn update(
    State(app): State<App>,
    WriterOf(caller, store, id): WriterOf<RuleId>,
    Guarded(Body(patch), guard): Guarded<Body<RulePatch>>,
) -> ApiResult {
    let saved = rules::update(&app.service, &caller, &store, &id, patch, guard).await?;
    Success::updated("Rule", saved)
}

/// Deletes a rule.
pub async fn delete(
    State(app): State<App>,
    WriterOf(caller, store, id): WriterOf<RuleId>,
    Guarded(_, guard): Guarded<NoInput>,
) -> ApiResult {
    let deleted = rules::delete(&app.service, &caller, &store, &id, guard).await?;
    Success::deleted("Rule", deleted)
}
