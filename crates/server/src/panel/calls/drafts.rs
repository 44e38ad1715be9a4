//! Drafts of a store's configuration: saved as one revision, and former revisions restored; and what open pages poll.

use crate::App;
use crate::catalogue::{OperationRow, Route};
use crate::http::inputs::input;
use crate::http::{ApiResult, Body, NoInput, Success};
use crate::panel::extract::{LastId, OfStore};
use axum::extract::State;
use axum::routing::on;
use domain::ErrorList;
use domain::draft::{ChangesRequest, RestoreRequest};
use domain::store::StorePatch;
use domain::widget::WidgetPatch;
use operations::{drafts, head};
use serde_json::Value;

/// Rows of drafts.
pub const ROWS: &[OperationRow] = &[
    Route::post("apply_changes", "/stores/{id}/changes")
        .handler(|method| on(method, apply))
        .body::<ChangesRequest>("null"),
    Route::get("get_head", "/stores/{id}/head").handler(|method| on(method, head)),
    Route::post("restore_revision", "/stores/{id}/revisions/{n}/restore")
        .handler(|method| on(method, restore))
        .body::<RestoreRequest>("null"),
];

input! {
    ChangesRequest,
    fn reserved(value: &Value) -> ErrorList {
        reserved_in(&value["draft"])
    }
}
input! { RestoreRequest }

/// Returns errors for what the single writes reserve, too.
pub(super) fn reserved_in(draft: &Value) -> ErrorList {
    use crate::http::input::Input;
    let store = StorePatch::reserved(&draft["store"]).under("draft.store");
    store.and(WidgetPatch::reserved(&draft["widget"]).under("draft.widget"))
}

async fn apply(
    State(app): State<App>,
    OfStore(caller, store): OfStore,
    Body(request): Body<ChangesRequest>,
) -> ApiResult {
    let saved = drafts::apply_changes(&app.service, &caller, &store, request).await?;
    let revision = saved.revision;
    let message = format!("Saved as revision {revision}.");
    Ok(Success::ok(message, &saved)?.of_revision(revision))
}

async fn head(State(app): State<App>, OfStore(caller, store): OfStore, _: NoInput) -> ApiResult {
    let head = head::get(&app.service, &caller, &store).await?;
    Success::ok("The latest changes.", &head)
}

async fn restore(
    State(app): State<App>,
    OfStore(caller, store): OfStore,
    LastId(number): LastId,
    Body(request): Body<RestoreRequest>,
) -> ApiResult {
    let restored = drafts::restore(&app.service, &caller, &store, &number, request).await?;
    let revision = restored.revision;
    let message = if restored.dry_run {
        "Changes of the restore; nothing was saved."
    } else {
        "Restored."
    };
    Ok(Success::ok(message, &restored)?.of_revision(revision))
}
