//! The search widget's configuration: get and update, and what store pages read of it.

pub mod custom_code;

use crate::configuration::change::{self, Changed};
use crate::configuration::editable::EditableConfiguration;
use crate::configuration::records;
use crate::message;
use crate::service::run_to_completion;
use crate::{OperationError, Precondition, Revisioned, Service};
use domain::audit::FieldChange;
use domain::widget::{SavedWidget, Widget, WidgetPatch};
use domain::{Caller, StoreId, access};
use serde_json::{Value, json};

/// Returns the widget's configuration in effect.
pub async fn get(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
) -> Result<(Widget, Revisioned), OperationError> {
    let permit = access::read(caller, store)?;
    let mut reading = records::view(service, &permit).await?;
    let saved = reading.widget().await?;
    Ok(view(&saved, reading.revision()))
}

/// Updates the widget's configuration: `features` merge, the other maps are replaced.
///
/// Errors: `Invalid` with all invalid values; `Stale` if the precondition does not hold.
pub async fn update(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    patch: WidgetPatch,
    precondition: Precondition,
) -> Result<(Widget, Revisioned), OperationError> {
    let permit = access::change(caller, store)?;
    let service = service.clone();
    run_to_completion(async move {
        let written = change::write(&service, &permit, move |open| {
            let (patch, precondition) = (patch.clone(), precondition.clone());
            Box::pin(async move {
                let updated = update_in(&mut open.write, patch, &precondition);
                let (after, changes) = updated.await?;
                let summary = if changes.is_empty() {
                    message::saved::widget_unchanged()
                } else {
                    message::saved::widget()
                };
                let changed = Changed {
                    operation: "update_widget",
                    resource: "widget".to_owned(),
                    summary,
                    changes,
                };
                Ok((changed, after))
            })
        });
        let (after, revision) = written.await?;
        Ok(view(&after, revision))
    })
    .await
}

/// Updates the configuration within a change; returns what is then saved, with the fields that differ.
pub(crate) async fn update_in(
    state: &mut impl EditableConfiguration,
    patch: WidgetPatch,
    precondition: &Precondition,
) -> Result<(SavedWidget, Vec<FieldChange>), OperationError> {
    let before = state.widget().await?;
    let after = before.apply(patch).map_err(OperationError::Invalid)?;
    let changes = precondition.changes(&content(&before), &content(&after))?;
    if !changes.is_empty() {
        state.save_widget(&after).await?;
    }
    Ok((after, changes))
}

/// Returns the writable content.
pub(crate) fn content(saved: &SavedWidget) -> Value {
    json!(saved.effective())
}

fn view(saved: &SavedWidget, revision: i64) -> (Widget, Revisioned) {
    let widget = saved.effective();
    let revisioned = Revisioned::of(&widget, revision);
    (widget, revisioned)
}
