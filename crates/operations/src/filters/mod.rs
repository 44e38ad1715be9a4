//! Filters of a store: listed, read, made, changed, deleted, taken over from the automatic ones.

mod sync;
mod values;

pub use sync::{SyncReport, sync};
pub use values::{ValueCount, values};

use crate::change::ConfigurationChange;
use crate::records::{self, Deleted, Listed, Record, RecordKind, WriteOutcome};
use crate::service::to_the_end;
use crate::{OperationError, Precondition, Revisioned, Service, ids};
use domain::filter::{Filter, FilterContent, FilterPatch, NewFilter};
use domain::limits::{FILTER_POSITION_MAX, FILTERS_MAX};
use domain::{Caller, FilterId, StoreId, access};
use serde_json::json;
use storage::{ConfigurationWrite, StorageError};

/// All filters, in the order in which they are shown.
pub async fn list(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
) -> Result<Listed<Filter>, OperationError> {
    let permit = access::read(caller, store)?;
    let mut reading = records::reading(service, &permit).await?;
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
    let mut reading = records::reading(service, &permit).await?;
    records::shown(one(reading.filters().await?, id), reading.revision())
}

/// Makes a filter.
///
/// Errors: everything that is wrong with it; a conflict when its field has one; too many filters.
pub async fn create(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    new: NewFilter,
) -> Result<WriteOutcome<Filter>, OperationError> {
    let permit = access::write(caller, store)?;
    let service = service.clone();
    to_the_end(async move {
        let mut open = ConfigurationChange::begin(&service, &permit).await?;
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
        open.write.save_filter(&filter).await?;
        records::made(open, "create_filter", filter).await
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
) -> Result<WriteOutcome<Filter>, OperationError> {
    let permit = access::write(caller, store)?;
    let (service, id) = (service.clone(), id.clone());
    to_the_end(async move {
        let mut open = ConfigurationChange::begin(&service, &permit).await?;
        let mut filter: Filter = records::find(&mut open, &id).await?;
        let content = patch
            .apply(&filter.content, &mut ids::group)
            .map_err(OperationError::Invalid)?;
        let changes = precondition.changes(&json!(filter.content), &json!(content))?;
        if !changes.is_empty() {
            filter = Filter {
                content,
                updated_at: service.clock.now(),
                ..filter
            };
            open.write.save_filter(&filter).await?;
        }
        records::updated(open, "update_filter", filter, changes).await
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
    let asked = (caller, store);
    records::delete::<Filter>(service, asked, "delete_filter", id, precondition).await
}

fn one(filters: Vec<Filter>, id: &FilterId) -> Option<Filter> {
    filters.into_iter().find(|filter| filter.id == *id)
}

/// The place after all of `present`.
fn place_after(present: &[Filter]) -> u32 {
    let last = present.iter().map(|filter| filter.content.position).max();
    last.map_or(0, |last| (last + 1).min(FILTER_POSITION_MAX))
}

impl Record for Filter {
    const KIND: RecordKind = RecordKind::Filter;
    const CALLED: &'static str = "Filter";
    const RESOURCES: &'static str = "filters";
    type Id = FilterId;
    type Content = FilterContent;

    fn id(&self) -> &FilterId {
        &self.id
    }

    fn content(&self) -> &FilterContent {
        &self.content
    }

    async fn find(
        write: &mut ConfigurationWrite,
        id: &FilterId,
    ) -> Result<Option<Self>, StorageError> {
        Ok(one(write.filters().await?, id))
    }

    async fn remove(write: &mut ConfigurationWrite, id: &FilterId) -> Result<(), StorageError> {
        write.remove_filter(id).await
    }
}
