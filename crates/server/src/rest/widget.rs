//! `/stores/{id}/widget`: looks and switches of the search widget.

use crate::App;
use crate::http::{Answer, Body, Guarded, NoInput, Reader, Success, Writer};
use axum::extract::State;
use domain::widget::WidgetPatch;
use operations::widget;

/// The configuration in effect.
pub async fn get(State(app): State<App>, Reader(caller, store): Reader, _: NoInput) -> Answer {
    let view = widget::get(&app.service, &caller, &store).await?;
    Success::revisioned("Widget.", view)
}

/// Changes the configuration.
pub async fn update(
    State(app): State<App>,
    Writer(caller, store): Writer,
    Guarded(Body(patch), guard): Guarded<Body<WidgetPatch>>,
) -> Answer {
    let view = widget::update(&app.service, &caller, &store, patch, guard).await?;
    Success::revisioned("Widget saved.", view)
}
