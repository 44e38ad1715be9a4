//! Filters of a store: list, get, create, update, delete, and sync from the automatic facets.

mod sync;
mod values;

pub use sync::{SyncReport, sync};
pub use values::{ValueCount, values};

use crate::change::ConfigurationChange;
use crate::records::{self, Deleted, Listed, Record, RecordKind, WriteOutcome};
use crate::service::run_to_completion;
use crate::{OperationError, Precondition, Revisioned, Service, codes, ids};
use domain::filter::{Filter, FilterContent, FilterPatch, NewFilter};
use domain::limits::{FILTER_POSITION_MAX, FILTERS_MAX};
use domain::{Caller, FilterId, StoreId, access};
use serde_json::json;
use storage::{ConfigurationWrite, StorageError};

/// Returns all filters, in display order.
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

/// Returns one filter.
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

/// Creates a filter.
///
/// Errors: `Invalid` with all invalid values; `Conflict` if its field already has a filter; `PlanLimit` for too many
/// filters.
pub async fn create(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    new: NewFilter,
) -> Result<WriteOutcome<Filter>, OperationError> {
    let permit = access::write(caller, store)?;
    let service = service.clone();
    run_to_completion(async move {
        let mut open = ConfigurationChange::begin(&service, &permit).await?;
        let present = open.write.filters().await?;
        let content = new
            .check(next_position(&present), &mut ids::group)
            .map_err(OperationError::Invalid)?;
        if let Some(same) = present
            .iter()
            .find(|one| one.content.field == content.field)
        {
            return Err(OperationError::Conflict {
                code: codes::CONFLICT,
                message: format!(
                    "the field {} already has a filter: {}",
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
        records::created(open, "create_filter", filter).await
    })
    .await
}

/// Updates a filter; its field cannot change.
///
/// Errors: `Invalid` with all invalid values; `Stale` if the precondition does not hold.
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
    run_to_completion(async move {
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
/// Errors: `Stale` if the precondition does not hold.
pub async fn delete(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    id: &FilterId,
    precondition: Precondition,
) -> Result<(Deleted, i64), OperationError> {
    records::delete::<Filter>(service, (caller, store), "delete_filter", id, precondition).await
}

fn one(filters: Vec<Filter>, id: &FilterId) -> Option<Filter> {
    filters.into_iter().find(|filter| filter.id == *id)
}

/// Returns the position after all of `present`.
fn next_position(present: &[Filter]) -> u32 {
    let last = present.iter().map(|filter| filter.content.position).max();
    last.map_or(0, |last| (last + 1).min(FILTER_POSITION_MAX))
}

impl Record for Filter {
    const KIND: RecordKind = RecordKind::Filter;
    const NAME: &'static str = "Filter";
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
