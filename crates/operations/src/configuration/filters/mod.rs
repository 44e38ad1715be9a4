//! Filters as records: what they check; and their sync from the automatic facets.

mod sync;

pub use sync::{SyncReport, sync};

use crate::configuration::editable::{Edit, EditableConfiguration};
use crate::configuration::records::{self, Record, RecordKind, RecordSummaries};
use crate::message;
use crate::runtime::ids;
use crate::{OperationError, Precondition};
use domain::audit::FieldChange;
use domain::filter::{Filter, FilterContent, FilterPatch, NewFilter};
use domain::limits::{FILTER_POSITION_MAX, FILTERS_MAX};
use domain::message::MessageValue;
use domain::page::Meta;
use domain::{FilterId, Timestamp, error_codes};
use serde_json::json;
use storage::{ConfigurationView, StorageError};

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
            message: message::conflict::field_has_filter(
                MessageValue::of(&content.field),
                same.id.as_str(),
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
    const SUMMARIES: RecordSummaries = RecordSummaries {
        created: message::saved::filter_created,
        updated: message::saved::filter_updated,
        unchanged: message::saved::filter_unchanged,
        deleted: message::saved::filter_deleted,
    };
    const RESOURCES: &'static str = "filters";
    const CREATE: &'static str = "create_filter";
    const UPDATE: &'static str = "update_filter";
    const DELETE: &'static str = "delete_filter";
    type Id = FilterId;
    type Query = ();
    type New = NewFilter;
    type Patch = FilterPatch;
    type Content = FilterContent;
    type View = Self;

    fn id(&self) -> &FilterId {
        &self.id
    }

    fn content(&self) -> &FilterContent {
        &self.content
    }

    fn view(self, _now: Timestamp) -> Self {
        self
    }

    fn new_id() -> FilterId {
        ids::filter()
    }

    async fn list_in(
        reading: &mut ConfigurationView,
        (): &(),
    ) -> Result<(Vec<Self>, Option<Meta>), StorageError> {
        Ok((reading.filters().await?, None))
    }

    async fn get_in(
        reading: &mut ConfigurationView,
        id: &FilterId,
    ) -> Result<Option<Self>, StorageError> {
        Ok(one(reading.filters().await?, id))
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
            return Err(records::over_the_limit(
                message::limit::filters(FILTERS_MAX),
                FILTERS_MAX,
            ));
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
