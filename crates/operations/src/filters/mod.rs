//! Filters of a store: listed, read, made, changed, deleted, taken over from the automatic ones.

mod sync;
mod values;

pub use sync::{SyncReport, sync};
pub use values::{ValueCount, values};

use crate::change::{Change, Changed};
use crate::records::{self, Deleted, Listed, Outcome, RecordKind};
use crate::service::to_the_end;
use crate::{OperationError, Precondition, Revisioned, Service, ids};
use domain::audit::differences;
use domain::filter::{Filter, FilterPatch, NewFilter};
use domain::limits::{FILTER_POSITION_MAX, FILTERS_MAX};
use domain::{Caller, FilterId, StoreId, access};
use serde_json::json;

/// All filters, in the order in which they are shown.
pub async fn list(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
) -> Result<Listed<Filter>, OperationError> {
    let permit = access::read(caller, store)?;
    let mut reading = records::reading(service, permit.store()).await?;
    Ok(Listed {
        records: reading.filters().await?,
        meta: None,
        config_revision: reading.revision(),
    })
}

/// One filter.
pub async fn get(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    id: &FilterId,
) -> Result<(Filter, Revisioned), OperationError> {
    let permit = access::read(caller, store)?;
    let mut reading = records::reading(service, permit.store()).await?;
    let filter = one(reading.filters().await?, id)?;
    let revisioned = Revisioned::of(&filter.content, reading.revision());
    Ok((filter, revisioned))
}

/// Makes a filter.
///
/// Errors: everything that is wrong with it; a conflict when its field has one; too many filters.
pub async fn create(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    new: NewFilter,
) -> Result<Outcome<Filter>, OperationError> {
    let permit = access::write(caller, store)?;
    let service = service.clone();
    to_the_end(async move {
        let mut open = Change::begin(&service, &permit).await?;
        let present = open.write.filters().await?;
        let content = new
            .check(place_after(&present), &mut ids::group)
            .map_err(OperationError::Invalid)?;
        if let Some(same) = present
            .iter()
            .find(|one| one.content.field == content.field)
        {
            return Err(OperationError::Conflict {
                code: "conflict",
                message: format!(
                    "the field {} has a filter already: {}",
                    content.field, same.id
                ),
                details: json!({ "id": same.id }),
            });
        }
        if present.len() >= FILTERS_MAX {
            return Err(records::over_the_limit("filters", FILTERS_MAX));
        }
        let now = service.clock.now();
        let filter = Filter {
            id: ids::filter(),
            content,
            created_at: now,
            updated_at: now,
        };
        let changes = differences(&records::nothing(), &json!(filter.content));
        let changed = changed("create_filter", "made");
        save(open, filter, Changed { changes, ..changed }).await
    })
    .await
}

/// Changes a filter; its field stays.
///
/// Errors: everything that is wrong with the change; `Stale` when the precondition does not hold.
pub async fn update(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    id: &FilterId,
    patch: FilterPatch,
    precondition: Precondition,
) -> Result<Outcome<Filter>, OperationError> {
    let permit = access::write(caller, store)?;
    let (service, id) = (service.clone(), id.clone());
    to_the_end(async move {
        let mut open = Change::begin(&service, &permit).await?;
        let before = one(open.write.filters().await?, &id)?;
        let content = patch
            .apply(&before.content, &mut ids::group)
            .map_err(OperationError::Invalid)?;
        let changes = precondition.changes(&json!(before.content), &json!(content))?;
        if changes.is_empty() {
            let changed = changed("update_filter", "saved without a change");
            return save(open, before, changed).await;
        }
        let filter = Filter {
            content,
            updated_at: service.clock.now(),
            ..before
        };
        let changed = changed("update_filter", "changed");
        save(open, filter, Changed { changes, ..changed }).await
    })
    .await
}

/// Deletes a filter.
///
/// Errors: `Stale` when the precondition does not hold.
pub async fn delete(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    id: &FilterId,
    precondition: Precondition,
) -> Result<(Deleted, i64), OperationError> {
    let permit = access::write(caller, store)?;
    let (service, id) = (service.clone(), id.clone());
    to_the_end(async move {
        let mut open = Change::begin(&service, &permit).await?;
        let before = one(open.write.filters().await?, &id)?;
        let changes = precondition.changes(&json!(before.content), &records::nothing())?;
        open.write.remove_filter(&id).await?;
        let changed = Changed {
            changes,
            resource: resource(&id),
            ..changed("delete_filter", "deleted")
        };
        let revision = open.commit(changed).await?;
        Ok((Deleted { id: id.0 }, revision))
    })
    .await
}

fn one(filters: Vec<Filter>, id: &FilterId) -> Result<Filter, OperationError> {
    let found = filters.into_iter().find(|filter| filter.id == *id);
    found.ok_or_else(|| records::not_found(RecordKind::Filter))
}

/// The place after all of `present`.
fn place_after(present: &[Filter]) -> u32 {
    let last = present.iter().map(|filter| filter.content.position).max();
    last.map_or(0, |last| (last + 1).min(FILTER_POSITION_MAX))
}

/// Saves `filter`, unless nothing of it changed, and commits.
async fn save(
    mut open: Change<'_>,
    filter: Filter,
    changed: Changed,
) -> Result<Outcome<Filter>, OperationError> {
    if !changed.changes.is_empty() {
        open.write.save_filter(&filter).await?;
    }
    let resource = resource(&filter.id);
    let revision = open
        .commit(Changed {
            resource,
            ..changed
        })
        .await?;
    Ok(Outcome {
        revisioned: Revisioned::of(&filter.content, revision),
        data: filter,
        remark: None,
    })
}

fn resource(id: &FilterId) -> String {
    format!("filters/{id}")
}

/// A change of one filter, which has changed nothing yet.
fn changed(operation: &'static str, what: &str) -> Changed {
    Changed {
        operation,
        resource: String::new(),
        summary: format!("Filter {what}."),
        changes: Vec::new(),
    }
}
