//! Synonym groups, rules and filters of a store: list, get, create, update and delete, over the trait [`Record`].

use crate::configuration::advised::AdvisedContent;
use crate::configuration::change::{self, Changed};
use crate::configuration::editable::{Edit, EditableConfiguration};
use crate::configuration::written::WrittenRecord;
use crate::message;
use crate::service::{Service, run_to_completion};
use crate::{OperationError, Precondition, Revisioned};
use domain::audit::{FieldChange, differences};
use domain::page::Meta;
use domain::store::Store;
use domain::{Caller, Invalid, Language, Message, Permit, StoreId, Timestamp, access};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt::Display;
use storage::{ConfigurationView, StorageError};

pub use crate::configuration::advised::Advised;
pub use storage::RecordKind;

/// How provisional ids start.
pub(crate) const PROVISIONAL: &str = "draft:";

/// Result of a write of a record.
#[derive(Clone, Debug)]
pub struct WriteOutcome<T> {
    /// The record as it is now, with advice on it.
    pub data: Advised<T>,
    /// Its entity tag and the revision of the configuration.
    pub revisioned: Revisioned,
    /// Additional remark for the user, as a sentence.
    pub remark: Option<String>,
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
    pub meta: Option<Meta>,
    /// The revision of the configuration.
    pub config_revision: i64,
}

/// The summaries of the writes of a kind of record.
#[derive(Clone, Copy, Debug)]
pub struct RecordSummaries {
    /// Of its creation.
    pub created: fn() -> Message,
    /// Of an update.
    pub updated: fn() -> Message,
    /// Of an update that changed nothing.
    pub unchanged: fn() -> Message,
    /// Of its deletion.
    pub deleted: fn() -> Message,
}

/// A synonym group, a rule or a filter. Only this crate implements it.
pub trait Record: Send + Sync + Sized + 'static {
    /// Kind of the record.
    const KIND: RecordKind;
    /// Name at the start of a sentence.
    const NAME: &'static str;
    /// What revisions say of its writes.
    const SUMMARIES: RecordSummaries;
    /// Name of the resource, in the plural.
    const RESOURCES: &'static str;
    /// Id of the operation that creates one.
    const CREATE: &'static str;
    /// Id of the operation that updates one.
    const UPDATE: &'static str;
    /// Id of the operation that deletes one.
    const DELETE: &'static str;

    /// Id of the record.
    type Id: Clone + Display + From<String> + Send + Sync + 'static;
    /// Query of a list.
    type Query: Send;
    /// Request that creates one.
    type New: Clone + Send + 'static;
    /// Request that updates one.
    type Patch: Clone + Send + 'static;
    /// Writable content.
    type Content: Serialize;
    /// The record in a response.
    type View: Serialize + Send + 'static;

    /// Returns its id.
    fn id(&self) -> &Self::Id;

    /// Returns its writable content.
    fn content(&self) -> &Self::Content;

    /// Returns the only language in which it takes effect, if any.
    fn language(&self) -> Option<&Language> {
        None
    }

    /// Returns the content that advice is given on, if any is.
    fn to_advise(&self) -> Option<AdvisedContent> {
        None
    }

    /// Returns the record as a response at `now` shows it.
    fn view(self, now: Timestamp) -> Self::View;

    /// Returns a new id.
    fn new_id() -> Self::Id;

    /// Checks what needs no state, so that an invalid record does not wait for the single writer of the database.
    ///
    /// Errors: `Invalid`.
    fn check(_new: &Self::New) -> Result<(), OperationError> {
        Ok(())
    }

    /// Checks what a list is asked for.
    fn check_query(_query: &Self::Query) -> Result<(), Invalid> {
        Ok(())
    }

    /// Returns what `query` selects of a view of the configuration, in the order of the list.
    fn list_in(
        reading: &mut ConfigurationView,
        query: &Self::Query,
    ) -> impl Future<Output = Result<(Vec<Self>, Option<Meta>), StorageError>> + Send;

    /// Returns the record `id` of a view of the configuration.
    fn get_in(
        reading: &mut ConfigurationView,
        id: &Self::Id,
    ) -> impl Future<Output = Result<Option<Self>, StorageError>> + Send;

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

/// Returns the records that `query` selects, all or one page: synonym groups in order of creation, rules in the order in
/// which they apply, filters in display order.
pub async fn list<R: Record>(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    query: R::Query,
) -> Result<Listed<R::View>, OperationError> {
    let permit = access::read(caller, store)?;
    R::check_query(&query).map_err(|wrong| OperationError::Invalid(vec![wrong]))?;
    let mut reading = view(service, &permit).await?;
    let (records, meta) = R::list_in(&mut reading, &query).await?;
    let now = service.clock.now();
    Ok(Listed {
        records: records.into_iter().map(|record| record.view(now)).collect(),
        meta,
        config_revision: reading.revision(),
    })
}

/// Returns one record.
///
/// Errors: `NotFound`.
pub async fn get<R: Record>(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    id: &R::Id,
) -> Result<(Advised<R::View>, Revisioned), OperationError> {
    let permit = access::read(caller, store)?;
    let mut reading = view(service, &permit).await?;
    let found = R::get_in(&mut reading, id).await?;
    let record = found.ok_or_else(|| not_found(R::KIND))?;
    let revisioned = Revisioned::of(record.content(), reading.revision());
    drop(reading);
    Ok((advised(service, store, record).await, revisioned))
}

/// Creates a record.
///
/// Errors: `Invalid` with all invalid values; `Conflict` if it would be a duplicate; `PlanLimit` for too many records.
pub async fn create<R: Record>(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    new: R::New,
) -> Result<WriteOutcome<R::View>, OperationError> {
    let permit = access::change(caller, store)?;
    R::check(&new)?;
    let service = service.clone();
    run_to_completion(async move {
        let written = change::write(&service, &permit, move |open| {
            let new = new.clone();
            Box::pin(async move {
                let mut edit = open.edit();
                let id = open.new_id(R::RESOURCES, 0, R::new_id);
                let record = R::create_in(&mut open.write, &mut edit, id, new).await?;
                let changes = differences(&nothing(), &json!(record.content()));
                let changed = changed::<R>(R::CREATE, record.id(), R::SUMMARIES.created, changes);
                Ok((changed, WrittenRecord::of(open, record)))
            })
        });
        let (written, revision) = written.await?;
        Ok(written.outcome(&service, permit.store(), revision).await)
    })
    .await
}

/// Updates a record; the language of a group, the type of a rule and the field of a filter cannot change.
///
/// Errors: `NotFound`; `Invalid` with all invalid values; `Stale` if the precondition does not hold; `Conflict` if it
/// would be a duplicate; `PlanLimit` for too many rules in a new language.
pub async fn update<R: Record>(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    id: &R::Id,
    patch: R::Patch,
    precondition: Precondition,
) -> Result<WriteOutcome<R::View>, OperationError> {
    let permit = access::change(caller, store)?;
    let (service, id) = (service.clone(), id.clone());
    run_to_completion(async move {
        let written = change::write(&service, &permit, move |open| {
            let (id, patch, precondition) = (id.clone(), patch.clone(), precondition.clone());
            Box::pin(async move {
                let before: R = find(&mut open.write, &id).await?;
                let mut edit = open.edit();
                let updated =
                    R::update_in(&mut open.write, &mut edit, before, patch, &precondition);
                let (record, changes) = updated.await?;
                let summary = if changes.is_empty() {
                    R::SUMMARIES.unchanged
                } else {
                    R::SUMMARIES.updated
                };
                let changed = changed::<R>(R::UPDATE, record.id(), summary, changes);
                Ok((changed, WrittenRecord::of(open, record)))
            })
        });
        let (written, revision) = written.await?;
        Ok(written.outcome(&service, permit.store(), revision).await)
    })
    .await
}

/// Deletes the record `id`; returns the revision of the configuration, too.
///
/// Errors: `NotFound`; `Stale` if the precondition does not hold.
pub async fn delete<R: Record>(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    id: &R::Id,
    precondition: Precondition,
) -> Result<(Deleted, i64), OperationError> {
    let permit = access::change(caller, store)?;
    let (service, id) = (service.clone(), id.clone());
    run_to_completion(async move {
        let deleted = Deleted { id: id.to_string() };
        let written = change::write(&service, &permit, move |open| {
            let (id, precondition) = (id.clone(), precondition.clone());
            Box::pin(async move {
                let before: R = find(&mut open.write, &id).await?;
                let changes = precondition.changes(&json!(before.content()), &nothing())?;
                let mut edit = open.edit();
                R::remove_in(&mut open.write, &mut edit, &before).await?;
                Ok((
                    changed::<R>(R::DELETE, &id, R::SUMMARIES.deleted, changes),
                    (),
                ))
            })
        });
        let ((), revision) = written.await?;
        Ok((deleted, revision))
    })
    .await
}

/// Returns the record `id` as it is before a change.
///
/// Errors: `NotFound`.
pub(crate) async fn find<R: Record>(
    state: &mut impl EditableConfiguration,
    id: &R::Id,
) -> Result<R, OperationError> {
    // What exists in a draft only cannot be changed before it is saved.
    let is_saved = !id.to_string().starts_with(PROVISIONAL);
    let found = R::find(state, id).await?.filter(|_| is_saved);
    found.ok_or_else(|| not_found(R::KIND))
}

/// Returns a record with the advice on it.
pub(crate) async fn advised<R: Record>(
    service: &Service,
    store: &StoreId,
    record: R,
) -> Advised<R::View> {
    let advice = match record.to_advise() {
        Some(content) => service.advice_on(store, content).await,
        None => Vec::new(),
    };
    Advised {
        record: record.view(service.clock.now()),
        advice,
    }
}

fn changed<R: Record>(
    operation: &'static str,
    id: &R::Id,
    summary: fn() -> Message,
    changes: Vec<FieldChange>,
) -> Changed {
    Changed {
        operation,
        resource: format!("{}/{id}", R::RESOURCES),
        summary: summary(),
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

fn noun(kind: RecordKind) -> fn() -> Message {
    match kind {
        RecordKind::Synonym => message::noun::synonym,
        RecordKind::Rule => message::noun::rule,
        RecordKind::Filter => message::noun::filter,
    }
}

fn not_found(kind: RecordKind) -> OperationError {
    OperationError::NotFound { what: noun(kind) }
}

/// Opens a consistent view of the configuration of `store`.
///
/// Errors: `NotFound` for an unknown store.
pub(crate) async fn view(
    service: &Service,
    permit: &Permit<impl access::MayRead>,
) -> Result<ConfigurationView, OperationError> {
    let reading = service.storage.configuration_view(permit).await?;
    reading.ok_or(OperationError::NotFound {
        what: message::noun::store,
    })
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
pub(crate) fn over_the_limit(message: Message, max: usize) -> OperationError {
    OperationError::PlanLimit {
        message,
        details: json!({ "max": max }),
    }
}
