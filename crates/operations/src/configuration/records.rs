//! Common parts of synonym groups, rules and filters: lookup, and commit and result of a write.

use crate::configuration::change::{Changed, ConfigurationChange};
use crate::configuration::editable::{Edit, EditableConfiguration};
use crate::service::{Service, run_to_completion};
use crate::{OperationError, Precondition, Revisioned};
use domain::audit::{FieldChange, differences};
use domain::store::Store;
use domain::{Caller, Language, Permit, StoreId, access};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt::Display;
use storage::{ConfigurationView, StorageError};

pub use storage::RecordKind;

/// Result of a write of a record.
#[derive(Clone, Debug)]
pub struct WriteOutcome<T> {
    /// The record as it is now.
    pub data: T,
    /// Its entity tag and the revision of the configuration.
    pub revisioned: Revisioned,
    /// Additional remark for the user, as a sentence.
    pub remark: Option<String>,
}

impl<T> WriteOutcome<T> {
    /// Maps the record, keeping the rest.
    pub(crate) fn map<U>(self, view: impl FnOnce(T) -> U) -> WriteOutcome<U> {
        WriteOutcome {
            data: view(self.data),
            revisioned: self.revisioned,
            remark: self.remark,
        }
    }
}

/// Result of a deletion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Deleted {
    /// Id of the deleted record.
    pub id: String,
}

/// A list of records, or one page of it.
#[derive(Clone, Debug)]
pub struct Listed<T> {
    /// The records.
    pub records: Vec<T>,
    /// The page; `None` for a complete list.
    pub meta: Option<domain::page::Meta>,
    /// The revision of the configuration.
    pub config_revision: i64,
}

/// A synonym group, a rule or a filter.
pub(crate) trait Record: Send + Sync + Sized + 'static {
    /// Kind of the record.
    const KIND: RecordKind;
    /// Name at the start of a sentence.
    const NAME: &'static str;
    /// Name of the resource, in the plural.
    const RESOURCES: &'static str;

    type Id: Clone + Display + From<String> + Send + Sync + 'static;
    /// Request that creates one.
    type New: Clone + Send;
    /// Request that updates one.
    type Patch: Clone + Send;
    /// Writable content.
    type Content: Serialize;

    fn id(&self) -> &Self::Id;

    fn content(&self) -> &Self::Content;

    /// Returns the only language in which it takes effect, if any.
    fn language(&self) -> Option<&Language> {
        None
    }

    /// Returns a new id.
    fn new_id() -> Self::Id;

    /// Returns the record `id` as of the change.
    fn find(
        state: &mut impl EditableConfiguration,
        id: &Self::Id,
    ) -> impl Future<Output = Result<Option<Self>, StorageError>> + Send;

    /// Creates the record `id`, within a change.
    fn create_in(
        state: &mut impl EditableConfiguration,
        edit: &mut Edit,
        id: Self::Id,
        new: Self::New,
    ) -> impl Future<Output = Result<Self, OperationError>> + Send;

    /// Updates the record `before`, within a change; returns it with the fields that differ.
    fn update_in(
        state: &mut impl EditableConfiguration,
        edit: &mut Edit,
        before: Self,
        patch: Self::Patch,
        precondition: &Precondition,
    ) -> impl Future<Output = Result<(Self, Vec<FieldChange>), OperationError>> + Send;

    /// Removes the record `before`, within a change.
    fn remove_in(
        state: &mut impl EditableConfiguration,
        edit: &mut Edit,
        before: &Self,
    ) -> impl Future<Output = Result<(), OperationError>> + Send;
}

/// Returns a record that was looked up, with its entity tag and the revision of the configuration.
///
/// Errors: `NotFound` for `None`.
pub(crate) fn shown<R: Record>(
    found: Option<R>,
    config_revision: i64,
) -> Result<(R, Revisioned), OperationError> {
    let record = found.ok_or_else(|| not_found(R::KIND))?;
    let revisioned = Revisioned::of(record.content(), config_revision);
    Ok((record, revisioned))
}

/// Returns the record `id` as it is before a change.
///
/// Errors: `NotFound`.
pub(crate) async fn find<R: Record>(
    state: &mut impl EditableConfiguration,
    id: &R::Id,
) -> Result<R, OperationError> {
    let found = R::find(state, id).await?;
    found.ok_or_else(|| not_found(R::KIND))
}

/// Commits a change that created `record`.
pub(crate) async fn created<R: Record>(
    open: ConfigurationChange<'_>,
    operation: &'static str,
    record: R,
) -> Result<WriteOutcome<R>, OperationError> {
    let changes = differences(&nothing(), &json!(record.content()));
    let changed = changed::<R>(operation, record.id(), "created", changes);
    commit(open, record, changed).await
}

/// Commits a change that resulted in `record`; if `changes` is empty, nothing was saved.
pub(crate) async fn updated<R: Record>(
    open: ConfigurationChange<'_>,
    operation: &'static str,
    record: R,
    changes: Vec<FieldChange>,
) -> Result<WriteOutcome<R>, OperationError> {
    let what = if changes.is_empty() {
        "saved without a change"
    } else {
        "updated"
    };
    let changed = changed::<R>(operation, record.id(), what, changes);
    commit(open, record, changed).await
}

async fn commit<R: Record>(
    open: ConfigurationChange<'_>,
    record: R,
    changed: Changed,
) -> Result<WriteOutcome<R>, OperationError> {
    let store = open.write.before();
    let remark = (record.language()).and_then(|language| remark(store, language));
    let revision = open.commit(changed).await?;
    Ok(WriteOutcome {
        revisioned: Revisioned::of(record.content(), revision),
        data: record,
        remark,
    })
}

/// Deletes the record `id`; returns the revision of the configuration, too.
///
/// Errors: `NotFound`; `Stale` if the precondition does not hold.
pub(crate) async fn delete<R: Record>(
    service: &Service,
    (caller, store): (&Caller, &StoreId),
    operation: &'static str,
    id: &R::Id,
    precondition: Precondition,
) -> Result<(Deleted, i64), OperationError> {
    let permit = access::write(caller, store)?;
    let (service, id) = (service.clone(), id.clone());
    run_to_completion(async move {
        let mut open = ConfigurationChange::begin(&service, &permit).await?;
        let before: R = find(&mut open.write, &id).await?;
        let changes = precondition.changes(&json!(before.content()), &nothing())?;
        let mut edit = open.edit();
        R::remove_in(&mut open.write, &mut edit, &before).await?;
        let changed = changed::<R>(operation, &id, "deleted", changes);
        let revision = open.commit(changed).await?;
        Ok((Deleted { id: id.to_string() }, revision))
    })
    .await
}

fn changed<R: Record>(
    operation: &'static str,
    id: &R::Id,
    what: &str,
    changes: Vec<FieldChange>,
) -> Changed {
    Changed {
        operation,
        resource: format!("{}/{id}", R::RESOURCES),
        summary: format!("{} {what}.", R::NAME),
        changes,
    }
}

/// Checks that the store has the record `id`, before the body of the request is read.
///
/// Errors: `NotFound` if it does not.
pub async fn require(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    kind: RecordKind,
    id: &str,
) -> Result<(), OperationError> {
    let permit = access::read(caller, store)?;
    if service.storage.has_record(&permit, kind, id).await? {
        Ok(())
    } else {
        Err(not_found(kind))
    }
}

fn not_found(kind: RecordKind) -> OperationError {
    OperationError::NotFound { what: kind.name() }
}

/// Opens a consistent view of the configuration of `store`.
///
/// Errors: `NotFound` for an unknown store.
pub(crate) async fn reading(
    service: &Service,
    permit: &Permit<impl access::MayRead>,
) -> Result<ConfigurationView, OperationError> {
    let reading = service.storage.configuration_view(permit).await?;
    reading.ok_or(OperationError::NotFound { what: "store" })
}

/// Stands for a missing record in the comparison of before and after.
pub(crate) fn nothing() -> Value {
    json!({})
}

/// Returns a remark for a record in a language that the store does not have yet.
pub(crate) fn remark(store: &Store, language: &Language) -> Option<String> {
    (!store.languages.contains(language)).then(|| {
        format!("The store does not have the language \"{language}\" yet; this takes effect once it does.")
    })
}

/// Returns the error for too many records.
pub(crate) fn over_the_limit(what: &str, max: usize) -> OperationError {
    OperationError::PlanLimit {
        message: format!("the store may have at most {max} {what}"),
        details: json!({ "max": max }),
    }
}
