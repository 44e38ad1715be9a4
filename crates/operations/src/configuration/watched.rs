//! The watched queries of a store: list and set.

use crate::configuration::proposals::{Content, Proposal};
use crate::configuration::unrevised::{self, Ended};
use crate::configuration::{gate, records};
use crate::message;
use crate::service::run_to_completion;
use crate::{OperationError, Precondition, Revisioned, Service};
use domain::audit::AuditEntry;
use domain::watched::WatchedQueries;
use domain::{Caller, Permit, StoreId, access};
use serde_json::json;

/// Returns the watched queries of `store`, with their entity tag.
pub async fn list(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
) -> Result<(WatchedQueries, Revisioned), OperationError> {
    let permit = access::read(caller, store)?;
    let revision = records::view(service, &permit).await?.revision();
    let queries = service.storage.watched_queries(&permit).await?;
    Ok(revisioned(WatchedQueries { queries }, revision))
}

/// Replaces the watched queries of `store`. It is audited and in no revision.
///
/// Errors: `Invalid` with all invalid values; `Stale` if the precondition does not hold; `Forbidden` for keys while the store
/// has a gate, unless nothing changes.
pub async fn set(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    watched: WatchedQueries,
    precondition: Precondition,
) -> Result<(WatchedQueries, Revisioned), OperationError> {
    let permit = access::change(caller, store)?;
    let watched = watched.check().map_err(OperationError::Invalid)?;
    let service = service.clone();
    run_to_completion(async move {
        let (_, revision) = save(&service, &permit, &watched, &precondition).await?;
        Ok(revisioned(watched, revision))
    })
    .await
}

/// Proposes to replace the watched queries; returns what became of it and the revision of the configuration.
///
/// Errors: as of [`set`].
pub(crate) async fn propose(
    service: &Service,
    permit: &Permit<access::Write>,
    watched: &WatchedQueries,
    precondition: &Precondition,
) -> Result<(Option<Proposal>, i64), OperationError> {
    let (ended, revision) = save(service, permit, watched, precondition).await?;
    Ok((ended.into_proposal(), revision))
}

async fn save(
    service: &Service,
    permit: &Permit<access::Write>,
    watched: &WatchedQueries,
    precondition: &Precondition,
) -> Result<(Ended, i64), OperationError> {
    let mut write = service.begin(permit).await?;
    let before = WatchedQueries {
        queries: write.watched_queries().await?,
    };
    let changes = precondition.changes(&json!(before), &json!(watched))?;
    if !changes.is_empty() {
        // A proposal disarms no gate: a person decides about it.
        if !permit.proposes() {
            gate::require_watching(write.before(), permit.actor())?;
        }
        write.save_watched_queries(watched).await?;
    }
    let entry = AuditEntry {
        actor: permit.actor().clone(),
        operation: "set_watched".to_owned(),
        resource: "watched".to_owned(),
        summary: message::saved::watched_queries(watched.queries.len()),
        changes,
        request_id: permit.request_id().map(str::to_owned),
    };
    let revision = write.before().config_revision;
    let what = Content::Watched;
    let ended = unrevised::commit_or_propose(service, permit, write, (&entry, what)).await?;
    Ok((ended, revision))
}

fn revisioned(watched: WatchedQueries, revision: i64) -> (WatchedQueries, Revisioned) {
    let revisioned = Revisioned::of(&watched, revision);
    (watched, revisioned)
}
