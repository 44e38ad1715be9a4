//! Applies a draft to a configuration, by the functions of the single writes.

use super::resources::content_of;
use crate::OperationError;
use crate::Precondition;
use crate::configuration::editable::{Edit, EditableConfiguration};
use crate::configuration::records::{Record, nothing};
use crate::configuration::{relevance, stores, widget};
use crate::message;
use domain::audit::{FieldChange, differences};
use domain::draft::{Draft, RecordsDraft};
use domain::filter::Filter;
use domain::relevance::BoostMerging;
use domain::rule::Rule;
use domain::synonym::Synonym;
use domain::{Invalid, Message, Timestamp};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The ids of created records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NewIds {
    /// Those under which they are saved.
    Saved,
    /// `draft:<n>`, where `n` counts from the first one that is free; in a draft, its index.
    Provisional,
}

/// How a draft is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Applying {
    /// The ids of created records.
    pub ids: NewIds,
    /// How boosts are merged: as the writes of the same interface merge them.
    pub boosts: BoostMerging,
}

/// The effect of a draft.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Applied {
    /// Every changed field, its path preceded by its resource.
    pub changes: Vec<FieldChange>,
    /// Resources that exist afterwards and that the draft changes or creates.
    pub resources: Vec<String>,
    /// Created resources by their provisional names, such as `rules/draft:0`.
    pub created: BTreeMap<String, String>,
    errors: Vec<Invalid>,
}

impl Applied {
    /// Adds the changes of one resource.
    pub fn note(&mut self, resource: &str, changes: Vec<FieldChange>) {
        self.changes.extend(super::under(resource, changes));
    }

    /// Keeps invalid values until the whole draft is checked; other errors end the change, with their path.
    pub fn take<T>(
        &mut self,
        path: &str,
        result: Result<T, OperationError>,
    ) -> Result<Option<T>, OperationError> {
        match result {
            Ok(value) => Ok(Some(value)),
            Err(OperationError::Invalid(errors)) => {
                self.errors
                    .extend(errors.into_iter().map(|error| error.under(path)));
                Ok(None)
            }
            Err(OperationError::NotFound { what }) => Err(OperationError::NotFoundIn {
                what,
                field: path.to_owned(),
            }),
            Err(OperationError::Conflict {
                code,
                message,
                details,
            }) => {
                let (message, details) = self.provisional(message, details);
                Err(OperationError::Conflict {
                    code,
                    message: message::value::in_field(path, message),
                    details: located(details, path),
                })
            }
            Err(OperationError::PlanLimit { message, details }) => Err(OperationError::PlanLimit {
                message: message::value::in_field(path, message),
                details: located(details, path),
            }),
            Err(other) => Err(other),
        }
    }

    /// Returns the effect.
    ///
    /// Errors: `Invalid` with all invalid values.
    pub fn finished(self) -> Result<Self, OperationError> {
        match self.errors.is_empty() {
            true => Ok(self),
            false => Err(OperationError::Invalid(self.errors)),
        }
    }

    /// Replaces the id of a record that the draft creates, which nobody knows yet, by its provisional one.
    fn provisional(&self, message: Message, mut details: Value) -> (Message, Value) {
        let id = details["id"].as_str().unwrap_or_default().to_owned();
        let created = self.created.iter().find(|(_, saved)| {
            let saved = saved.split_once('/').map(|(_, saved)| saved);
            saved == Some(&id)
        });
        let Some((_, name)) = created.and_then(|(name, _)| name.split_once('/')) else {
            return (message, details);
        };
        details["id"] = json!(name);
        (message.replacing(&id, name), details)
    }
}

fn located(mut details: Value, path: &str) -> Value {
    if details.is_object() {
        details["field"] = json!(path);
    }
    details
}

/// Applies `draft`, which has been checked as a whole: store, relevance, synonym groups, rules, filters, widget.
///
/// Errors: `Invalid` with all invalid values of the draft; `Conflict`, `PlanLimit` and, for a record that is not there,
/// `NotFoundIn` with the path in `details.field`.
pub(crate) async fn apply(
    state: &mut impl EditableConfiguration,
    edit: &mut Edit,
    draft: Draft,
    Applying { ids, boosts }: Applying,
) -> Result<Applied, OperationError> {
    let mut applied = Applied::default();
    let any = Precondition::None;
    if let Some(patch) = draft.store {
        let checked = patch.check().map_err(OperationError::Invalid);
        if let Some(change) = applied.take("draft.store", checked)? {
            let (_, changes) = stores::update_in(state, change, &any).await?;
            applied.note("store", changes);
        }
        applied.resources.push("store".to_owned());
    }
    if let Some(change) = draft.relevance {
        let updated = relevance::update_in(state, &change, boosts, &any).await;
        if let Some((_, changes)) = applied.take("draft.relevance", updated)? {
            applied.note("relevance", changes);
        }
        applied.resources.push("relevance".to_owned());
    }
    apply_records::<Synonym>(state, edit, draft.synonyms, ids, &mut applied).await?;
    apply_records::<Rule>(state, edit, draft.rules, ids, &mut applied).await?;
    apply_records::<Filter>(state, edit, draft.filters, ids, &mut applied).await?;
    if let Some(patch) = draft.widget {
        let updated = widget::update_in(state, patch, &any).await;
        if let Some((_, changes)) = applied.take("draft.widget", updated)? {
            applied.note("widget", changes);
        }
        applied.resources.push("widget".to_owned());
    }
    applied.finished()
}

async fn apply_records<R: Record>(
    state: &mut impl EditableConfiguration,
    edit: &mut Edit,
    draft: RecordsDraft<R::New, R::Patch>,
    ids: NewIds,
    applied: &mut Applied,
) -> Result<(), OperationError> {
    let kind = R::RESOURCES;
    for (at, id) in draft.delete.into_iter().enumerate() {
        let path = format!("draft.{kind}.delete[{at}]");
        let found = crate::configuration::records::find::<R>(state, &R::Id::from(id.clone())).await;
        if let Some(before) = applied.take(&path, found)? {
            R::remove_in(state, edit, &before).await?;
            let changes = differences(&json!(before.content()), &nothing());
            applied.note(&format!("{kind}/{id}"), changes);
        }
    }
    for (id, patch) in draft.update {
        let path = format!("draft.{kind}.update.{id}");
        let found = crate::configuration::records::find::<R>(state, &R::Id::from(id.clone())).await;
        let Some(before) = applied.take(&path, found)? else {
            continue;
        };
        let updated = R::update_in(state, edit, before, patch, &Precondition::None).await;
        if let Some((_, changes)) = applied.take(&path, updated)? {
            applied.note(&format!("{kind}/{id}"), changes);
        }
        applied.resources.push(format!("{kind}/{id}"));
    }
    create_records::<R>(state, edit, draft.create, ids, applied).await
}

async fn create_records<R: Record>(
    state: &mut impl EditableConfiguration,
    edit: &mut Edit,
    create: Vec<R::New>,
    ids: NewIds,
    applied: &mut Applied,
) -> Result<(), OperationError> {
    let (kind, now) = (R::RESOURCES, edit.now);
    let first = edit.drafted(kind);
    if ids == NewIds::Provisional {
        edit.note_drafted(kind, create.len());
    }
    for (at, (id, new)) in new_ids::<R>(create.len(), ids, first)
        .into_iter()
        .zip(create)
        .enumerate()
    {
        if ids == NewIds::Provisional {
            // Equal records take effect in the order of creation, then of ids, and provisional ids are in none.
            edit.now = Timestamp(now.0.saturating_add(at as i64 + 1));
        }
        let path = format!("draft.{kind}.create[{at}]");
        let resource = format!("{kind}/{id}");
        let created = R::create_in(state, edit, id, new).await;
        if let Some(record) = applied.take(&path, created)? {
            let changes = differences(&nothing(), &json!(record.content()));
            applied.note(&resource, changes);
            let name = format!("{kind}/draft:{at}");
            applied.created.insert(name, resource.clone());
            applied.resources.push(resource);
        }
    }
    edit.now = now;
    Ok(())
}

/// Returns the ids of `count` new records; `first` is the number of the first provisional one. Saved ones are created at
/// the same instant, so their ids are in order.
pub(crate) fn new_ids<R: Record>(count: usize, ids: NewIds, first: usize) -> Vec<R::Id> {
    match ids {
        NewIds::Provisional => (first..first + count)
            .map(|number| R::Id::from(format!("draft:{number}")))
            .collect(),
        NewIds::Saved => {
            let mut texts: Vec<String> = (0..count).map(|_| R::new_id().to_string()).collect();
            texts.sort();
            texts.into_iter().map(R::Id::from).collect()
        }
    }
}

/// Returns the entity tags of the resources that a draft left behind.
pub(crate) async fn etags(
    state: &mut impl EditableConfiguration,
    resources: &[String],
) -> Result<BTreeMap<String, String>, OperationError> {
    let mut tags = BTreeMap::new();
    for resource in resources {
        if let Some(content) = content_of(state, resource).await? {
            tags.insert(
                resource.clone(),
                crate::configuration::revisioned::tag(&content),
            );
        }
    }
    Ok(tags)
}
