//! `/stores/{id}/widget`: looks and switches of the search widget.

use crate::App;
use crate::http::{ApiResult, Body, Guarded, NoInput, StoreReader, StoreWriter, Success};
use axum::extract::State;
use domain::widget::WidgetPatch;
use operations::widget;

/// The configuration in effect.
pub async fn get(
    State(app): State<App>,
    StoreReader(caller, store): StoreReader,
    _: NoInput,
) -> ApiResult {
    let view = widget::get(&app.service, &caller, &store).await?;
    Success::revisioned("Widget.", view)
}

/// Changes the configuration.
pub async fn update(
    State(app): State<App>,
    StoreWriter(caller, store): StoreWriter,
    Guarded(Body(patch), guard): Guarded<Body<WidgetPatch>>,
) -> ApiResult {
    let view = widget::update(&app.service, &caller, &store, patch, guard).await?;
    Success::revisioned("Widget saved.", view)
}
