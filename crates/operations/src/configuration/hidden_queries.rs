//! The queries that a store never suggests: get and set.

use crate::configuration::proposals::{Content, Proposal};
use crate::configuration::records;
use crate::configuration::unrevised::{self, Ended};
use crate::message;
use crate::service::run_to_completion;
use crate::{OperationError, Precondition, Revisioned, Service};
use domain::analytics::HiddenQueries;
use domain::audit::AuditEntry;
use domain::{Caller, Permit, StoreId, access};
use serde_json::json;

/// Returns the hidden queries of `store`, with their entity tag.
///
/// Errors: `NotFound` for an unknown store.
pub async fn get(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
) -> Result<(HiddenQueries, Revisioned), OperationError> {
    let permit = access::read(caller, store)?;
    let revision = records::view(service, &permit).await?.revision();
    let hidden = service.storage.hidden_queries(&permit).await?;
    let hidden = hidden.ok_or(OperationError::NotFound {
        what: message::noun::store,
    })?;
    Ok(revisioned(hidden, revision))
}

/// Replaces the hidden queries of `store`, with effect on the next suggestions. It is audited and in no revision.
///
/// Errors: `Invalid` with all invalid texts, `NotFound` for an unknown store; `Stale` if the precondition does not hold.
pub async fn set(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    hidden: HiddenQueries,
    precondition: Precondition,
) -> Result<(HiddenQueries, Revisioned), OperationError> {
    let permit = access::change(caller, store)?;
    let hidden = hidden.check().map_err(OperationError::Invalid)?;
    let service = service.clone();
    run_to_completion(async move {
        let (ended, revision) = save(&service, &permit, &hidden, &precondition).await?;
        if matches!(ended, Ended::Saved) {
            service.search_log.popular().forget(permit.store());
        }
        Ok(revisioned(hidden, revision))
    })
    .await
}

/// Proposes to replace the hidden queries; returns what became of it and the revision of the configuration.
///
/// Errors: as of [`set`].
pub(crate) async fn propose(
    service: &Service,
    permit: &Permit<access::Write>,
    hidden: &HiddenQueries,
    precondition: &Precondition,
) -> Result<(Option<Proposal>, i64), OperationError> {
    let (ended, revision) = save(service, permit, hidden, precondition).await?;
    Ok((ended.into_proposal(), revision))
}

async fn save(
    service: &Service,
    permit: &Permit<access::Write>,
    hidden: &HiddenQueries,
    precondition: &Precondition,
) -> Result<(Ended, i64), OperationError> {
    let mut write = service.begin(permit).await?;
    let before = write.hidden_queries().await?;
    let changes = precondition.changes(&json!(before), &json!(hidden))?;
    if !changes.is_empty() {
        write.save_hidden_queries(hidden).await?;
    }
    let entry = AuditEntry {
        actor: permit.actor().clone(),
        operation: "set_hidden_queries".to_owned(),
        resource: "hidden-queries".to_owned(),
        summary: message::saved::hidden_queries(),
        changes,
        request_id: permit.request_id().map(str::to_owned),
    };
    let revision = write.before().config_revision;
    let what = Content::Hidden;
    let ended = unrevised::commit_or_propose(service, permit, write, (&entry, what)).await?;
    Ok((ended, revision))
}

fn revisioned(hidden: HiddenQueries, revision: i64) -> (HiddenQueries, Revisioned) {
    let revisioned = Revisioned::of(&hidden, revision);
    (hidden, revisioned)
}
