//! The relevance of a store: get, and update in one transaction with its revision and audit record.

use crate::configuration::change::{self, Changed};
use crate::configuration::editable::EditableConfiguration;
use crate::message;
use crate::service::run_to_completion;
use crate::{OperationError, Precondition, Revisioned, Service};
use domain::audit::FieldChange;
use domain::relevance::field::FieldId;
use domain::relevance::{
    Advice, BoostMerging, Boosts, Overrides, Relevance, RelevanceChange, advice,
};
use domain::{Caller, Message, SearchSettings, StoreId, access};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

/// The relevance in effect, its saved part, and advice (`docs/relevance.md`).
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RelevanceView {
    /// Boost of every field.
    pub boosts: Boosts,
    /// Every setting.
    pub search_settings: SearchSettings,
    /// Only the saved values.
    pub overrides: Overrides,
    /// Values that deserve a second look.
    pub advice: Vec<Advice>,
    /// Fields that no document of the store fills.
    pub unfilled_fields: Vec<&'static str>,
}

/// Returns the relevance of `store`.
pub async fn get(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
) -> Result<(RelevanceView, Revisioned), OperationError> {
    let permit = access::read(caller, store)?;
    let store = service.store(&permit).await?;
    let saved = service.storage.relevance(&permit).await?;
    Ok(view(service, &store.id, saved.overrides, saved.revision))
}

/// Updates the relevance of `store`; returns what is then in effect.
///
/// A change without effect is audited, and keeps revision and entity tag.
/// Errors: `Invalid` with all invalid values by path; `Stale` if the precondition does not hold.
pub async fn update(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    change: RelevanceChange,
    mode: BoostMerging,
    precondition: Precondition,
) -> Result<(RelevanceView, Revisioned), OperationError> {
    let permit = access::change(caller, store)?;
    let service = service.clone();
    run_to_completion(async move {
        let written = change::write(&service, &permit, move |open| {
            let (change, precondition) = (change.clone(), precondition.clone());
            Box::pin(async move {
                let updated = update_in(&mut open.write, &change, mode, &precondition);
                let (after, changes) = updated.await?;
                let changed = Changed {
                    operation: "update_relevance",
                    resource: "relevance".to_owned(),
                    summary: summary(&changes),
                    changes,
                };
                Ok((changed, after))
            })
        });
        let (after, revision) = written.await?;
        Ok(view(&service, permit.store(), after, revision))
    })
    .await
}

/// Updates the relevance within a change; returns what is then saved, with the fields that differ.
pub(crate) async fn update_in(
    state: &mut impl EditableConfiguration,
    change: &RelevanceChange,
    mode: BoostMerging,
    precondition: &Precondition,
) -> Result<(Overrides, Vec<FieldChange>), OperationError> {
    let before = state.relevance().await?;
    let wanted = before
        .apply(change, mode)
        .map_err(OperationError::Invalid)?;
    let changes = precondition.changes(&content(&before), &content(&wanted))?;
    if changes.is_empty() {
        return Ok((before, changes));
    }
    state.save_relevance(&wanted).await?;
    Ok((wanted, changes))
}

/// Returns the writable content. The advice depends on the documents, too, so it is not part of it.
pub(crate) fn content(overrides: &Overrides) -> Value {
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
    // This advice is left out while the indexes of the store are not open.
    let filled = service.snapshots.filled_fields(store);
    let advice = advice(
        &overrides,
        |field| filled.as_ref().is_none_or(|filled| filled(field)),
        service.indexing.substring_indexing(store),
    );
    let view = RelevanceView {
        boosts,
        search_settings,
        overrides,
        advice,
        unfilled_fields: filled.map(|filled| unfilled(&filled)).unwrap_or_default(),
    };
    (view, revisioned)
}

/// Returns the fields without content; none of a store without documents.
fn unfilled(filled: &dyn Fn(FieldId) -> bool) -> Vec<&'static str> {
    if !filled(FieldId::NAME) {
        return Vec::new();
    }
    // Every name has substrings, so a boost of them lacks an index, and no content.
    let empty = FieldId::all().filter(|field| *field != FieldId::PARTIAL && !filled(*field));
    empty.map(FieldId::name).collect()
}

fn summary(changes: &[FieldChange]) -> Message {
    match changes {
        [] => message::saved::relevance_unchanged(),
        [one] => message::saved::relevance_one(&one.path),
        [first, more @ ..] => message::saved::relevance_several(&first.path, more.len()),
    }
}
