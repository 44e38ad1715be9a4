//! The resources of a configuration by name, and which of them are not what a request expects.

use crate::OperationError;
use crate::StaleResource;
use crate::configuration::editable::EditableConfiguration;
use crate::configuration::records::Record;
use crate::configuration::revisioned::tag;
use crate::configuration::widget::custom_code;
use crate::configuration::{relevance, stores, widget};
use domain::draft::Draft;
use domain::filter::Filter;
use domain::rule::Rule;
use domain::synonym::Synonym;
use domain::widget::custom_code::CUSTOM_CODE;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use storage::{ConfigurationWrite, StorageError};

/// Returns the writable content of `resource`; `None` if it does not exist.
pub(crate) async fn content_of(
    state: &mut impl EditableConfiguration,
    resource: &str,
) -> Result<Option<Value>, StorageError> {
    Ok(match resource.split_once('/') {
        None if resource == "relevance" => Some(relevance::content(&state.relevance().await?)),
        None if resource == "widget" => Some(widget::content(&state.widget().await?)),
        None if resource == "store" => Some(stores::content(state.store())),
        Some((Synonym::RESOURCES, id)) => record::<Synonym>(state, id).await?,
        Some((Rule::RESOURCES, id)) => record::<Rule>(state, id).await?,
        Some((Filter::RESOURCES, id)) => record::<Filter>(state, id).await?,
        _ => None,
    })
}

async fn record<R: Record>(
    state: &mut impl EditableConfiguration,
    id: &str,
) -> Result<Option<Value>, StorageError> {
    let found = R::find(state, &R::Id::from(id.to_owned())).await?;
    Ok(found.map(|record| json!(record.content())))
}

/// Fails unless every resource that `draft` changes still has the entity tag of `if_match`.
///
/// Errors: `StaleResources` with those that do not.
pub(crate) async fn require_unchanged(
    write: &mut ConfigurationWrite,
    draft: &Draft,
    if_match: &BTreeMap<String, String>,
) -> Result<(), OperationError> {
    let mut changed = Vec::new();
    for resource in draft.resources() {
        let expected = if_match.get(&resource).map(|tag| tag.trim_matches('"'));
        let now = content_of(write, &resource).await?;
        if now.as_ref().map(tag).as_deref() != expected {
            changed.push(resource);
        }
    }
    if changed.is_empty() {
        return Ok(());
    }
    Err(stale(write, changed).await?)
}

/// Returns the error that names these resources.
pub(crate) async fn stale(
    write: &mut ConfigurationWrite,
    resources: Vec<String>,
) -> Result<OperationError, OperationError> {
    let mut stale = Vec::new();
    for resource in resources {
        let content = match resource == CUSTOM_CODE {
            true => Some(custom_code::summary(&write.custom_code().await?)),
            false => content_of(write, &resource).await?,
        };
        let revision = write.last_write(&resource).await?;
        let author = match revision {
            Some(revision) => write.author(revision).await?,
            None => None,
        };
        let (at, by) = author.unzip();
        stale.push(StaleResource {
            resource,
            etag: content.as_ref().map(tag),
            revision,
            by,
            at,
        });
    }
    Ok(OperationError::StaleResources(stale))
}
