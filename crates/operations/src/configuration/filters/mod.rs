//! Filters of a store: list, get, create, update, delete, and sync from the automatic facets.

mod sync;

pub use sync::{SyncReport, sync};

use crate::configuration::change::ConfigurationChange;
use crate::configuration::editable::{Edit, EditableConfiguration};
use crate::configuration::records::{self, Deleted, Listed, Record, RecordKind, WriteOutcome};
use crate::runtime::ids;
use crate::service::run_to_completion;
use crate::{OperationError, Precondition, Revisioned, Service};
use domain::audit::FieldChange;
use domain::filter::{Filter, FilterContent, FilterPatch, NewFilter};
use domain::limits::{FILTER_POSITION_MAX, FILTERS_MAX};
use domain::{Caller, FilterId, StoreId, access, error_codes};
use serde_json::json;
use storage::StorageError;

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
        let mut edit = open.edit();
        let filter = Filter::create_in(&mut open.write, &mut edit, Filter::new_id(), new).await?;
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
        let before: Filter = records::find(&mut open.write, &id).await?;
        let mut edit = open.edit();
        let (filter, changes) =
            Filter::update_in(&mut open.write, &mut edit, before, patch, &precondition).await?;
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

/// Fails if another one of `present` is for the same field.
pub(crate) fn check_field(
    present: &[Filter],
    content: &FilterContent,
    id: &FilterId,
) -> Result<(), OperationError> {
    let mut others = present.iter().filter(|one| one.id != *id);
    match others.find(|one| one.content.field == content.field) {
        None => Ok(()),
        Some(same) => Err(OperationError::Conflict {
            code: error_codes::CONFLICT,
            message: format!(
                "the field {} already has a filter: {}",
                content.field, same.id
            ),
            details: json!({ "id": same.id }),
        }),
    }
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
    type New = NewFilter;
    type Patch = FilterPatch;

    fn id(&self) -> &FilterId {
        &self.id
    }

    fn content(&self) -> &FilterContent {
        &self.content
    }

    fn new_id() -> FilterId {
        ids::filter()
    }

    async fn find(
        state: &mut impl EditableConfiguration,
        id: &FilterId,
    ) -> Result<Option<Self>, StorageError> {
        Ok(one(state.filters().await?, id))
    }

    async fn create_in(
        state: &mut impl EditableConfiguration,
        edit: &mut Edit,
        id: FilterId,
        new: NewFilter,
    ) -> Result<Self, OperationError> {
        let present = state.filters().await?;
        let content = new
            .check(next_position(&present), &mut || edit.new_group())
            .map_err(OperationError::Invalid)?;
        check_field(&present, &content, &id)?;
        if present.len() >= FILTERS_MAX {
            return Err(records::over_the_limit("filters", FILTERS_MAX));
        }
        let filter = Self {
            id,
            content,
            created_at: edit.now,
            updated_at: edit.now,
        };
        state.save_filter(&filter).await?;
        Ok(filter)
    }

    async fn update_in(
        state: &mut impl EditableConfiguration,
        edit: &mut Edit,
        before: Self,
        patch: FilterPatch,
        precondition: &Precondition,
    ) -> Result<(Self, Vec<FieldChange>), OperationError> {
        let content = patch
            .apply(&before.content, &mut || edit.new_group())
            .map_err(OperationError::Invalid)?;
        let changes = precondition.changes(&json!(before.content), &json!(content))?;
        if changes.is_empty() {
            return Ok((before, changes));
        }
        let filter = Self {
            content,
            updated_at: edit.now,
            ..before
        };
        state.save_filter(&filter).await?;
        Ok((filter, changes))
    }

    async fn remove_in(
        state: &mut impl EditableConfiguration,
        _edit: &mut Edit,
        before: &Self,
    ) -> Result<(), OperationError> {
        Ok(state.remove_filter(&before.id).await?)
    }
}
