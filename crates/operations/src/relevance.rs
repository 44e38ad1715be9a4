//! The relevance of a store: read, and changed in one transaction with its revision and audit record.

use crate::change::{Changed, ConfigurationChange};
use crate::service::to_the_end;
use crate::{OperationError, Precondition, Revisioned, Service};
use domain::audit::FieldChange;
use domain::relevance::{
    Advice, BoostMerging, Boosts, Overrides, Relevance, RelevanceChange, advice,
};
use domain::{Caller, SearchSettings, StoreId, access};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

/// The relevance in effect, what of it was saved, and what there is to say about it (contract section 4).
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RelevanceView {
    /// Boost of every field.
    pub boosts: Boosts,
    /// Every setting.
    pub search_settings: SearchSettings,
    /// Only what was saved.
    pub overrides: Overrides,
    /// Values to think about.
    pub advice: Vec<Advice>,
}

/// The relevance of `store`.
pub async fn get(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
) -> Result<(RelevanceView, Revisioned), OperationError> {
    let permit = access::read(caller, store)?;
    let store = service
        .storage
        .store(&permit)
        .await?
        .ok_or(OperationError::NotFound { what: "store" })?;
    let saved = service.storage.relevance(&permit).await?;
    Ok(view(service, &store.id, saved.overrides, saved.revision))
}

/// Changes the relevance of `store`, and answers what is in effect afterwards.
///
/// A change that changes nothing is audited and leaves revision and entity tag alone.
/// Errors: everything that is wrong with the change, by its path; `Stale` when the precondition does not hold.
pub async fn update(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    change: RelevanceChange,
    mode: BoostMerging,
    precondition: Precondition,
) -> Result<(RelevanceView, Revisioned), OperationError> {
    let permit = access::write(caller, store)?;
    let service = service.clone();
    to_the_end(async move {
        let mut open = ConfigurationChange::begin(&service, &permit).await?;
        let before = open.write.relevance().await?;
        let wanted = before
            .apply(&change, mode)
            .map_err(OperationError::Invalid)?;
        let changes = precondition.changes(&content(&before), &content(&wanted))?;
        let after = if changes.is_empty() { before } else { wanted };
        if !changes.is_empty() {
            open.write.save_relevance(&after).await?;
        }
        let changed = Changed {
            operation: "update_relevance",
            resource: "relevance".to_owned(),
            summary: summary(&changes),
            changes,
        };
        let revision = open.commit(changed).await?;
        Ok(view(&service, permit.store(), after, revision))
    })
    .await
}

/// What a write can change of a relevance. The advice depends on the documents too, so it is no part of it.
fn content(overrides: &Overrides) -> Value {
    let Relevance {
        boosts,
        search_settings,
    } = overrides.effective();
    json!({"boosts": boosts, "searchSettings": search_settings})
}

fn view(
    service: &Service,
    store: &StoreId,
    overrides: Overrides,
    revision: i64,
) -> (RelevanceView, Revisioned) {
    let Relevance {
        boosts,
        search_settings,
    } = overrides.effective();
    let revisioned = Revisioned::of(&content(&overrides), revision);
    // A store whose indexes are still being opened goes without this piece of advice.
    let filled = service.indexing.filled_fields(store);
    let advice = advice(
        &overrides,
        |field| filled.as_ref().is_none_or(|filled| filled(field)),
        service.indexing.parts(store),
    );
    let view = RelevanceView {
        boosts,
        search_settings,
        overrides,
        advice,
    };
    (view, revisioned)
}

fn summary(changes: &[FieldChange]) -> String {
    match changes {
        [] => "Relevance saved without a change.".to_owned(),
        [one] => format!("Relevance: {} changed.", one.path),
        [first, more @ ..] => format!("Relevance: {} and {} more changed.", first.path, more.len()),
    }
}
