//! Custom styles and scripts of a store's pages: written by the control panel only, read by everybody as files.

use crate::access::permits::require_on_store;
use crate::configuration::change::{self, Changed};
use crate::configuration::records;
use crate::message;
use crate::runtime::content_hash::content_hash;
use crate::service::run_to_completion;
use crate::{OperationError, Precondition, Revisioned, Service};
use domain::audit::{FieldChange, differences};
use domain::widget::custom_code::{CUSTOM_CODE, CodeKind, CustomCode, CustomCodePatch};
use domain::{Caller, StoreId, access};
use serde_json::{Value, json};
use storage::{ConfigurationWrite, StorageError};

/// Returns the present code of a store.
///
/// Errors: `Forbidden` for a key, whatever its scope.
pub async fn get(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
) -> Result<(CustomCode, Revisioned), OperationError> {
    require_on_store(caller, "get_custom_code", store)?;
    let permit = access::read(caller, store)?;
    let mut reading = records::view(service, &permit).await?;
    let code = reading.custom_code().await?;
    let revisioned = Revisioned::of(&summary(&code), reading.revision());
    Ok((code, revisioned))
}

/// Updates the code of a store. Its former files stay available for pages that name them.
///
/// Errors: `Forbidden` for a key, whatever its scope; `Invalid` with all invalid values; `Stale` if the precondition
/// does not hold.
pub async fn set(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    patch: CustomCodePatch,
    precondition: Precondition,
) -> Result<(CustomCode, Revisioned), OperationError> {
    // Code runs in the pages of a shop, so whoever holds a key of the configuration must not be able to change it.
    require_on_store(caller, "set_custom_code", store)?;
    let permit = access::write(caller, store)?;
    let service = service.clone();
    run_to_completion(async move {
        let written = change::write(&service, &permit, move |open| {
            let (patch, precondition) = (patch.clone(), precondition.clone());
            Box::pin(async move {
                let before = open.write.custom_code().await?;
                let after = patch.apply(before.clone());
                let after = after.map_err(OperationError::Invalid)?;
                // The audit trail names files by their hashes, which are their addresses.
                let changes = precondition.changes(&summary(&before), &summary(&after))?;
                write(&mut open.write, &before, &after).await?;
                let changed = Changed {
                    operation: "set_custom_code",
                    resource: CUSTOM_CODE.to_owned(),
                    summary: match changes.is_empty() {
                        true => message::saved::custom_code_unchanged(),
                        false => message::saved::custom_code(),
                    },
                    changes,
                };
                Ok((changed, after))
            })
        });
        let (after, revision) = written.await?;
        let revisioned = Revisioned::of(&summary(&after), revision);
        Ok((after, revisioned))
    })
    .await
}

/// Writes the kinds of code that differ.
async fn write(
    write: &mut ConfigurationWrite,
    before: &CustomCode,
    after: &CustomCode,
) -> Result<(), StorageError> {
    for kind in CodeKind::ALL {
        let (old, new) = (before.of(kind), after.of(kind));
        if old != new {
            let hash = new.map(content_hash).unwrap_or_default();
            let code = new.map(|code| (hash.as_str(), code));
            write.save_custom_code(kind, code).await?;
        }
    }
    Ok(())
}

/// Fails unless the caller may save custom code, which a restore of it does too.
///
/// Errors: those of [`set`] about the caller.
pub(crate) fn require_restoring(caller: &Caller, store: &StoreId) -> Result<(), OperationError> {
    require_on_store(caller, "set_custom_code", store)
}

/// Returns the code to what it was right after `revision`; returns the changes, by the hashes of the files.
///
/// Errors: `Conflict` if that code was not kept.
pub(crate) async fn return_to(
    open: &mut ConfigurationWrite,
    revision: i64,
) -> Result<Vec<FieldChange>, OperationError> {
    if open.code_was_lost_after(revision).await? {
        let message = message::conflict::custom_code_lost(revision);
        return Err(OperationError::conflict(message));
    }
    let before = open.custom_code().await?;
    let Some(after) = open.custom_code_after(revision).await? else {
        return Ok(Vec::new());
    };
    write(open, &before, &after).await?;
    Ok(differences(&summary(&before), &summary(&after)))
}

/// Returns a file of a store, present or former, for everybody; `None` if there is no such file.
pub async fn file(
    service: &Service,
    store: &StoreId,
    kind: CodeKind,
    hash: &str,
) -> Result<Option<String>, OperationError> {
    let permit = access::public_files(store);
    Ok(service.storage.custom_file(&permit, kind, hash).await?)
}

/// Returns what identifies the code: the hash and the bytes of each file.
pub(crate) fn summary(code: &CustomCode) -> Value {
    let mut summary = json!({});
    for kind in CodeKind::ALL {
        if let Some(code) = code.of(kind) {
            summary[kind.field()] = json!({"hash": content_hash(code), "bytes": code.len()});
        }
    }
    summary
}
