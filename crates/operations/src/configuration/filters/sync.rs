//! Turns the automatic facets into configured filters.

use super::next_position;
use crate::configuration::change::{self, Changed};
use crate::configuration::records::Record;
use crate::message;
use crate::runtime::ids;
use crate::service::run_to_completion;
use crate::snapshots::snapshot::StoreSnapshot;
use crate::{OperationError, Service};
use domain::audit::FieldChange;
use domain::document::DocType;
use domain::filter::{Filter, FilterContent};
use domain::limits::{FILTER_POSITION_MAX, FILTERS_MAX};
use domain::search::FilterField;
use domain::visitor::Visitor;
use domain::{Caller, StoreId, access};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeMap;

/// Result of a synchronisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SyncReport {
    /// Filters that were created.
    pub created: usize,
    /// Filters that existed before and stay as they are.
    pub kept: usize,
}

/// Creates a filter for every automatic facet of the catalogue that has none, up to the limit of a store.
pub async fn sync(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
) -> Result<(SyncReport, i64), OperationError> {
    let permit = access::change(caller, store)?;
    let service = service.clone();
    run_to_completion(async move {
        let snapshot = service.snapshots.latest(permit.store()).await?;
        // The fields of all indexes are collected before the transaction occupies the single writer of the database.
        let automatic = tokio::task::spawn_blocking(move || automatic(&snapshot))
            .await
            .map_err(OperationError::internal)??;
        let written = change::write(&service, &permit, move |open| {
            let automatic = automatic.clone();
            Box::pin(async move {
                let present = open.write.filters().await?;
                let (first, now) = (next_position(&present), open.edit().now);
                let missing = automatic.iter().filter(|field| {
                    let has_one = |filter: &Filter| filter.content.field == **field;
                    !present.iter().any(has_one)
                });
                let room = FILTERS_MAX.saturating_sub(present.len());
                let created: Vec<Filter> = (first..)
                    .zip(missing.take(room).cloned())
                    .enumerate()
                    .map(|(at, (position, field))| Filter {
                        id: open.new_id(Filter::RESOURCES, at, ids::filter),
                        content: FilterContent::automatic(field, position.min(FILTER_POSITION_MAX)),
                        created_at: now,
                        updated_at: now,
                    })
                    .collect();
                for filter in &created {
                    open.write.save_filter(filter).await?;
                }
                let report = SyncReport {
                    created: created.len(),
                    kept: present.len(),
                };
                Ok((changed(&created), report))
            })
        });
        written.await
    })
    .await
}

fn changed(created: &[Filter]) -> Changed {
    let changes = created.iter().map(|filter| FieldChange {
        path: filter.id.0.clone(),
        before: None,
        after: Some(json!(filter.content)),
    });
    Changed {
        operation: "sync_filters",
        resource: "filters".to_owned(),
        summary: message::saved::filters_synced(created.len()),
        changes: changes.collect(),
    }
}

/// Returns the fields of the automatic facets of all languages: fixed fields first, then groups, the most frequent
/// first.
///
/// Errors: if an index cannot be read.
fn automatic(snapshot: &StoreSnapshot) -> Result<Vec<FilterField>, OperationError> {
    let mut carriers: BTreeMap<FilterField, u64> = BTreeMap::new();
    for (scope, index) in snapshot.indexes() {
        if scope.doc_type != DocType::Products {
            continue;
        }
        let fields = index.fields(&Visitor::default());
        for carried in fields.map_err(OperationError::unavailable)?.all() {
            let documents = carriers.entry(carried.field.clone()).or_default();
            *documents = carried.documents.max(*documents);
        }
    }
    let mut fields: Vec<(FilterField, u64)> = carriers
        .into_iter()
        .filter(|(field, documents)| *documents > 0 && field.is_automatic())
        .collect();
    fields.sort_by(|(a, many), (b, few)| {
        let order = a.is_group().cmp(&b.is_group());
        // Fixed fields have a fixed order.
        let order = order.then_with(|| {
            if a.is_group() {
                few.cmp(many)
            } else {
                a.cmp(b)
            }
        });
        order.then_with(|| a.cmp(b))
    });
    Ok(fields.into_iter().map(|(field, _)| field).collect())
}
