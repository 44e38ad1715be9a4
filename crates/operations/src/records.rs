//! What synonym groups, rules and filters have in common: how one is looked for, how a write of one is committed and
//! what it answers.

use crate::change::{Changed, ConfigurationChange};
use crate::service::{Service, to_the_end};
use crate::{OperationError, Precondition, Revisioned};
use domain::audit::{FieldChange, differences};
use domain::store::Store;
use domain::{Caller, Language, Permit, StoreId, access};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt::Display;
use storage::{ConfigurationView, ConfigurationWrite, StorageError};

pub use storage::RecordKind;

/// What a write of a record answers.
#[derive(Clone, Debug)]
pub struct WriteOutcome<T> {
    /// The record as it is now.
    pub data: T,
    /// Its entity tag and the revision of the configuration.
    pub revisioned: Revisioned,
    /// What else there is to know about it, as a sentence.
    pub remark: Option<String>,
}

impl<T> WriteOutcome<T> {
    /// The same with another view of the record.
    pub(crate) fn map<U>(self, view: impl FnOnce(T) -> U) -> WriteOutcome<U> {
        WriteOutcome {
            data: view(self.data),
            revisioned: self.revisioned,
            remark: self.remark,
        }
    }
}

/// What is left of a record that was deleted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Deleted {
    /// Its id.
    pub id: String,
}

/// A list of records, or one page of it, at one moment.
#[derive(Clone, Debug)]
pub struct Listed<T> {
    /// The records.
    pub records: Vec<T>,
    /// The page; none when the list is whole.
    pub meta: Option<domain::page::Meta>,
    /// The revision of the configuration.
    pub config_revision: i64,
}

/// A synonym group, a rule or a filter.
pub(crate) trait Record: Send + Sync + Sized + 'static {
    /// Its kind.
    const KIND: RecordKind;
    /// What it is called at the beginning of a sentence.
    const CALLED: &'static str;
    /// What all of its kind are called as a resource.
    const RESOURCES: &'static str;

    type Id: Clone + Display + Send + Sync + 'static;
    /// What a write can change of it.
    type Content: Serialize;

    fn id(&self) -> &Self::Id;

    fn content(&self) -> &Self::Content;

    /// The language in which alone it takes effect.
    fn language(&self) -> Option<&Language> {
        None
    }

    /// The record `id` before the change.
    fn find(
        write: &mut ConfigurationWrite,
        id: &Self::Id,
    ) -> impl Future<Output = Result<Option<Self>, StorageError>> + Send;

    fn remove(
        write: &mut ConfigurationWrite,
        id: &Self::Id,
    ) -> impl Future<Output = Result<(), StorageError>> + Send;
}

/// A record that was looked for, with its entity tag and the revision of the configuration.
///
/// Errors: not found.
pub(crate) fn shown<R: Record>(
    found: Option<R>,
    config_revision: i64,
) -> Result<(R, Revisioned), OperationError> {
    let record = found.ok_or_else(|| not_found(R::KIND))?;
    let revisioned = Revisioned::of(record.content(), config_revision);
    Ok((record, revisioned))
}

/// The record `id` before the change `open`.
///
/// Errors: not found.
pub(crate) async fn find<R: Record>(
    open: &mut ConfigurationChange<'_>,
    id: &R::Id,
) -> Result<R, OperationError> {
    let found = R::find(&mut open.write, id).await?;
    found.ok_or_else(|| not_found(R::KIND))
}

/// Commits a change that made `record`.
pub(crate) async fn made<R: Record>(
    open: ConfigurationChange<'_>,
    operation: &'static str,
    record: R,
) -> Result<WriteOutcome<R>, OperationError> {
    let changes = differences(&nothing(), &json!(record.content()));
    let changed = changed::<R>(operation, record.id(), "made", changes);
    commit(open, record, changed).await
}

/// Commits a change that left `record`, of which these fields `changes`; or none, and then nothing was saved.
pub(crate) async fn updated<R: Record>(
    open: ConfigurationChange<'_>,
    operation: &'static str,
    record: R,
    changes: Vec<FieldChange>,
) -> Result<WriteOutcome<R>, OperationError> {
    let what = if changes.is_empty() {
        "saved without a change"
    } else {
        "changed"
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

/// Deletes the record `id`; the revision of the configuration afterwards.
///
/// Errors: not found; `Stale` when the precondition does not hold.
pub(crate) async fn delete<R: Record>(
    service: &Service,
    (caller, store): (&Caller, &StoreId),
    operation: &'static str,
    id: &R::Id,
    precondition: Precondition,
) -> Result<(Deleted, i64), OperationError> {
    let permit = access::write(caller, store)?;
    let (service, id) = (service.clone(), id.clone());
    to_the_end(async move {
        let mut open = ConfigurationChange::begin(&service, &permit).await?;
        let before: R = find(&mut open, &id).await?;
        let changes = precondition.changes(&json!(before.content()), &nothing())?;
        R::remove(&mut open.write, &id).await?;
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
        summary: format!("{} {what}.", R::CALLED),
        changes,
    }
}

/// Whether the store that `permit` names has the record `id`; asked before anything of the request is read.
///
/// Errors: not found when it has not.
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

/// The configuration of `store` at this moment.
///
/// Errors: not found when there is no such store.
pub(crate) async fn reading(
    service: &Service,
    permit: &Permit<impl access::MayRead>,
) -> Result<ConfigurationView, OperationError> {
    let reading = service.storage.reading(permit).await?;
    reading.ok_or(OperationError::NotFound { what: "store" })
}

/// What stands for a record that is not there yet, or not any more, in the comparison of before and after.
fn nothing() -> Value {
    json!({})
}

/// A word about a record in a language that the store does not have yet.
pub(crate) fn remark(store: &Store, language: &Language) -> Option<String> {
    (!store.languages.contains(language)).then(|| {
        format!("The store has no language \"{language}\" yet; it will take effect with it.")
    })
}

/// 403: over a count of records.
pub(crate) fn over_the_limit(what: &str, max: usize) -> OperationError {
    OperationError::PlanLimit {
        message: format!("the store may have at most {max} {what}"),
        details: json!({ "max": max }),
    }
}
