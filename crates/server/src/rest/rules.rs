//! `/stores/{id}/rules`: what happens to questions that a trigger fires for.

use crate::App;
use crate::http::{
    ApiResult, Body, Guarded, NoInput, Params, ReaderOf, StoreReader, StoreWriter, Success,
    WriterOf,
};
use axum::extract::State;
use axum::http::StatusCode;
use domain::RuleId;
use domain::rule::{NewRule, RulePatch, RuleQuery};
use operations::rules;

/// The rules of one language, or of all.
pub async fn list(
    State(app): State<App>,
    StoreReader(caller, store): StoreReader,
    Params(query): Params<RuleQuery>,
) -> ApiResult {
    let listed = rules::list(&app.service, &caller, &store, query).await?;
    Success::listed("rule", &listed)
}

/// One rule.
pub async fn get(
    State(app): State<App>,
    ReaderOf(caller, store, id): ReaderOf<RuleId>,
    _: NoInput,
) -> ApiResult {
    let rule = rules::get(&app.service, &caller, &store, &id).await?;
    Success::revisioned("Rule.", rule)
}

/// Makes a rule.
pub async fn create(
    State(app): State<App>,
    StoreWriter(caller, store): StoreWriter,
    Body(new): Body<NewRule>,
) -> ApiResult {
    let made = rules::create(&app.service, &caller, &store, new).await?;
    Success::written(StatusCode::CREATED, "Rule made.", made)
}

/// Changes a rule.
pub async fn update(
    State(app): State<App>,
    WriterOf(caller, store, id): WriterOf<RuleId>,
    Guarded(Body(patch), guard): Guarded<Body<RulePatch>>,
) -> ApiResult {
    let saved = rules::update(&app.service, &caller, &store, &id, patch, guard).await?;
    Success::written(StatusCode::OK, "Rule saved.", saved)
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
