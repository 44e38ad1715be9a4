//! Restores the configuration of a store, or a part of it, to what it was right after a revision.

use super::resources::{content_of, stale};
use super::returning::{require_restorable, return_all};
use super::{resource, summary, under};
use crate::configuration::change::{self, Changed, ConfigurationChange, Within};
use crate::configuration::proposals::StoredRestore;
use crate::configuration::widget::custom_code;
use crate::message;
use crate::service::run_to_completion;
use crate::{OperationError, Service};
use domain::audit::FieldChange;
use domain::draft::{RestoreRequest, RestoreSelection};
use domain::widget::custom_code::CUSTOM_CODE;
use domain::{Caller, Denied, Invalid, StoreId, access};
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::Arc;
use storage::{ConfigurationWrite, FormerResource};

/// What a restore changed, or would change.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Restored {
    /// The latest revision; that of the restore if it changed anything.
    pub revision: i64,
    /// The revision whose state was restored.
    pub restores: i64,
    /// Whether nothing was saved.
    pub dry_run: bool,
    /// Changed fields with the values that were replaced, each path preceded by its resource.
    pub changes: Vec<FieldChange>,
}

/// Makes the selected parts or resources what they were right after revision `number`, in one new revision.
///
/// Errors: `Forbidden` for custom code unless the caller may save it; `NotFound` for an unknown revision; `Invalid` with
/// all invalid values, also for states that today's checks reject; `StaleResources` if the configuration changed after
/// `ifRevision`, for single resources only if one of them did, or if that revision does not exist yet; `Conflict` and `PlanLimit` as for the single writes.
pub async fn restore(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    number: &str,
    request: RestoreRequest,
) -> Result<Restored, OperationError> {
    let permit = access::change(caller, store)?;
    let selection = request.selection().map_err(OperationError::Invalid)?;
    if selection.includes(CUSTOM_CODE) {
        custom_code::require_restoring(caller, store)?;
    }
    let not_found = OperationError::NotFound {
        what: message::noun::revision,
    };
    let number: i64 = number.parse().map_err(|_| not_found)?;
    let service = service.clone();
    run_to_completion(async move {
        let dry_run = request.dry_run;
        let wanted = Arc::new((request, selection));
        if dry_run {
            let tried = change::tried(&service, &permit, move |open| {
                restored_in(open, number, wanted)
            });
            return tried.await;
        }
        let written = change::write(&service, &permit, move |open| {
            let wanted = Arc::clone(&wanted);
            Box::pin(async move {
                let restored = restored_in(open, number, wanted).await?;
                let changed = Changed {
                    operation: "restore_revision",
                    resource: resource(&restored.changes),
                    summary: summary(&restored.changes, Some(number)),
                    changes: restored.changes.clone(),
                };
                Ok((changed, restored))
            })
        });
        let (restored, revision) = written.await?;
        Ok(Restored {
            revision,
            ..restored
        })
    })
    .await
}

/// Restores what is selected within a change, if the caller knows the latest state.
fn restored_in<'o>(
    open: &'o mut ConfigurationChange<'_>,
    number: i64,
    wanted: Arc<(RestoreRequest, RestoreSelection)>,
) -> Within<'o, Restored> {
    Box::pin(async move {
        let (request, selection) = &*wanted;
        let latest = open.write.before().config_revision;
        require_kept(&mut open.write, number).await?;
        require_latest(&mut open.write, request, selection).await?;
        let changes = restore_in(open, number, selection).await?;
        Ok(Restored {
            revision: latest,
            restores: number,
            dry_run: request.dry_run,
            changes,
        })
    })
}

/// Fails unless the state after revision `number` is known.
async fn require_kept(write: &mut ConfigurationWrite, number: i64) -> Result<(), OperationError> {
    let first = write.restorable_from().await?;
    require_restorable(number, first, write.before().config_revision)
}

/// Makes what is selected what it was right after revision `number`, within a change; returns the changed fields.
///
/// Errors: `NotFound`, `Conflict`, `Invalid` and `PlanLimit` as those of a restore.
pub(crate) async fn restore_in(
    open: &mut ConfigurationChange<'_>,
    number: i64,
    selection: &RestoreSelection,
) -> Result<Vec<FieldChange>, OperationError> {
    if open.proposes() && selection.includes(CUSTOM_CODE) {
        return Err(Denied::Reserved.into());
    }
    require_kept(&mut open.write, number).await?;
    let states = open.write.states_after(number).await?;
    let states: Vec<FormerResource> = states
        .into_iter()
        .filter(|former| selection.includes(&former.resource))
        .collect();
    require_existing(&mut open.write, selection, &states).await?;
    let mut edit = open.edit();
    let mut changes = return_all(&mut open.write, &mut edit, states).await?;
    if selection.includes(CUSTOM_CODE) {
        let of_code = custom_code::return_to(&mut open.write, number).await?;
        changes.extend(under(CUSTOM_CODE, of_code));
    }
    open.write.set_restored(number);
    open.propose_restore(StoredRestore::new(number, selection));
    Ok(changes)
}

/// Fails if the configuration changed after the revision that the caller knows.
async fn require_latest(
    write: &mut ConfigurationWrite,
    request: &RestoreRequest,
    selection: &RestoreSelection,
) -> Result<(), OperationError> {
    let latest = write.before().config_revision;
    if request.if_revision == latest {
        return Ok(());
    }
    if request.if_revision > latest {
        // The data of a backup: what the caller knows is gone.
        return Err(OperationError::StaleResources(Vec::new()));
    }
    if request.if_revision < 0 {
        let reason = message::change::not_a_revision(latest);
        return Err(OperationError::invalid("ifRevision", reason));
    }
    let since = write.writes_after(request.if_revision).await?;
    let mut changed: Vec<String> = since.into_iter().map(|write| write.resource).collect();
    if let RestoreSelection::Resources(_) = selection {
        changed.retain(|resource| selection.includes(resource));
        if changed.is_empty() {
            return Ok(());
        }
    }
    Err(stale(write, changed).await?)
}

/// Fails if a named resource exists neither now nor then.
async fn require_existing(
    write: &mut ConfigurationWrite,
    selection: &RestoreSelection,
    states: &[FormerResource],
) -> Result<(), OperationError> {
    let RestoreSelection::Resources(names) = selection else {
        return Ok(());
    };
    let mut errors = Vec::new();
    for (at, name) in names.iter().enumerate() {
        let is_known = name == CUSTOM_CODE || states.iter().any(|former| former.resource == *name);
        if !is_known && content_of(write, name).await?.is_none() {
            let reason = message::change::resource_nowhere();
            errors.push(Invalid::new(format!("resources[{at}]"), reason));
        }
    }
    if errors.is_empty() {
        Ok(())
    } else {
        Err(OperationError::Invalid(errors))
    }
}
