//! What synonym groups, rules and filters have in common: how one is looked for, and what a write of one answers.

use crate::service::Service;
use crate::{OperationError, Revisioned};
use domain::store::Store;
use domain::{Language, StoreId, access};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use storage::Reading;

pub use storage::RecordKind;

/// What a write of a record answers.
#[derive(Clone, Debug)]
pub struct Outcome<T> {
    /// The record as it is now.
    pub data: T,
    /// Its entity tag and the revision of the configuration.
    pub revisioned: Revisioned,
    /// What else there is to know about it, as a sentence.
    pub remark: Option<String>,
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

/// Whether the store that `permit` names has the record `id`; asked before anything of the request is read.
///
/// Errors: not found when it has not.
pub async fn require(
    service: &Service,
    caller: &domain::Caller,
    store: &StoreId,
    kind: RecordKind,
    id: &str,
) -> Result<(), OperationError> {
    let permit = access::read(caller, store)?;
    if service.storage.has_record(permit.store(), kind, id).await? {
        Ok(())
    } else {
        Err(not_found(kind))
    }
}

pub(crate) fn not_found(kind: RecordKind) -> OperationError {
    OperationError::NotFound { what: kind.name() }
}

/// The configuration of `store` at this moment.
///
/// Errors: not found when there is no such store.
pub(crate) async fn reading(service: &Service, store: &StoreId) -> Result<Reading, OperationError> {
    let reading = service.storage.reading(store).await?;
    reading.ok_or(OperationError::NotFound { what: "store" })
}

/// What stands for a record that is not there yet, or not any more, in the comparison of before and after.
pub(crate) fn nothing() -> Value {
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
