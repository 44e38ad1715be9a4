//! `/stores/{id}/widget`: appearance and behaviour of the search widget.

use crate::App;
use crate::catalogue::{OperationRow, Route, example};
use crate::http::inputs::{errors_of, input};
use crate::http::{ApiResult, Body, Guarded, NoInput, StoreReader, StoreWriter, Success};
use crate::message;
use axum::extract::State;
use axum::routing::on;
use domain::widget::custom_code::CodeKind;
use domain::widget::{SavedWidget, Widget, WidgetPatch};
use domain::{ErrorList, Invalid};
use operations::widget;
use serde_json::Value;

/// Rows of `/stores/{id}/widget`.
pub const ROWS: &[OperationRow] = &[
    Route::get("get_widget", "/stores/{id}/widget")
        .handler(|method| on(method, get))
        .returns::<Widget>(example!("configuration/widget.response")),
    Route::put("update_widget", "/stores/{id}/widget")
        .handler(|method| on(method, update))
        .body::<WidgetPatch>(example!("configuration/widget.request"))
        .returns::<Widget>(example!("configuration/widget.response")),
];

input! {
    WidgetPatch,
    fn reserved(value: &Value) -> ErrorList {
        let keys = value.as_object().into_iter().flatten();
        keys.filter(|(key, _)| CodeKind::ALL.iter().any(|kind| kind.field() == *key))
            .map(|(key, _)| Invalid::new(key, message::request::panel_only()))
            .collect()
    }
    fn semantic_errors(self) -> Vec<Invalid> {
        errors_of(SavedWidget::default().apply(self))
    }
}

/// Returns the configuration in effect.
pub async fn get(
    State(app): State<App>,
    StoreReader(caller, store): StoreReader,
    _: NoInput,
) -> ApiResult {
    let view = widget::get(&app.service, &caller, &store).await?;
    Success::revisioned("Widget.", view)
}

/// Updates the configuration.
pub async fn update(
    State(app): State<App>,
    StoreWriter(caller, store): StoreWriter,
    Guarded(Body(patch), guard): Guarded<Body<WidgetPatch>>,
) -> ApiResult {
    let view = widget::update(&app.service, &caller, &store, patch, guard).await?;
    Success::revisioned("Widget updated.", view)
}
