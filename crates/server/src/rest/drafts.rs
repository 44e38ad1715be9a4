//! `/stores/{id}/changes` and `…/restore`: drafts saved as one revision, and former revisions restored.

use crate::App;
use crate::catalogue::{OperationRow, Route, example};
use crate::http::input::Input;
use crate::http::inputs::input;
use crate::http::{ApiResult, Body, RevisionNumber, StoreWriter, Success};
use axum::extract::State;
use axum::routing::on;
use domain::draft::{ChangesRequest, RestoreRequest};
use domain::store::StorePatch;
use domain::widget::WidgetPatch;
use domain::{ErrorList, Invalid};
use operations::drafts::{self, Restored, SavedChanges};
use serde_json::Value;

/// Rows of drafts.
pub const ROWS: &[OperationRow] = &[
    Route::post("apply_changes", "/stores/{id}/changes")
        .handler(|method| on(method, apply))
        .body::<ChangesRequest>(example!("configuration/changes.request"))
        .returns::<SavedChanges>(example!("configuration/changes.response"))
        .errors(&[409, 412]),
    Route::post("restore_revision", "/stores/{id}/revisions/{n}/restore")
        .handler(|method| on(method, restore))
        .body::<RestoreRequest>(example!("configuration/restore.request"))
        .returns::<Restored>(example!("configuration/restore.response"))
        .errors(&[409, 412]),
];

input! {
    ChangesRequest,
    fn reserved(value: &Value) -> ErrorList {
        reserved_in(&value["draft"])
    }
    fn semantic_errors(self) -> Vec<Invalid> {
        self.draft.value_errors()
    }
}
input! { RestoreRequest }

/// Returns errors for what the single writes reserve, too.
pub fn reserved_in(draft: &Value) -> ErrorList {
    let store = StorePatch::reserved(&draft["store"]).under("draft.store");
    store.and(WidgetPatch::reserved(&draft["widget"]).under("draft.widget"))
}

/// Saves a draft as one revision.
pub async fn apply(
    State(app): State<App>,
    StoreWriter(caller, store): StoreWriter,
    Body(request): Body<ChangesRequest>,
) -> ApiResult {
    applied(&drafts::apply_changes(&app.service, &caller, &store, request).await?)
}

/// Restores a former revision, or parts of it.
pub async fn restore(
    State(app): State<App>,
    StoreWriter(caller, store): StoreWriter,
    RevisionNumber(number): RevisionNumber,
    Body(request): Body<RestoreRequest>,
) -> ApiResult {
    restored(&drafts::restore(&app.service, &caller, &store, &number, request).await?)
}

/// Returns the response to a draft that was saved.
pub fn applied(saved: &SavedChanges) -> ApiResult {
    let revision = saved.revision;
    let message = format!("Saved as revision {revision}.");
    Ok(Success::ok(message, saved)?.of_revision(revision))
}

/// Returns the response to a restore.
pub fn restored(restored: &Restored) -> ApiResult {
    let message = if restored.dry_run {
        "Changes of the restore; nothing was saved."
    } else {
        "Restored."
    };
    Ok(Success::ok(message, restored)?.of_revision(restored.revision))
}
