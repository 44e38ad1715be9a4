//! Sources as users and keys see them.

use super::found;
use super::state::SourcesState;
use crate::access::permits::require_on_store;
use crate::message;
use crate::{OperationError, Service};
use domain::access::MayRead;
use domain::source::{
    FETCHES_KEPT, SOURCES_OFF, SourceAuthView, SourceFetch, SourceStatus, SourceSummary,
    SourceView, without_query,
};
use domain::{Caller, Permit, Role, SourceId, StoreId, Timestamp, access, error_codes};
use std::collections::{BTreeMap, HashSet};
use storage::{SourceRow, StorageError};

/// Returns the last fetches of a source, the newest first.
///
/// Errors: `Forbidden` for a key; `NotFound` for an unknown store or source.
pub async fn fetches(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    id: &SourceId,
) -> Result<Vec<SourceFetch>, OperationError> {
    latest_fetches(service, caller, (store, id), FETCHES_KEPT).await
}

/// Returns the last fetch of a source that ended, if one has.
///
/// Errors: those of [`fetches`].
pub async fn last_fetch(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    id: &SourceId,
) -> Result<Option<SourceFetch>, OperationError> {
    let latest = latest_fetches(service, caller, (store, id), 1).await?;
    Ok(latest.into_iter().next())
}

async fn latest_fetches(
    service: &Service,
    caller: &Caller,
    (store, id): (&StoreId, &SourceId),
    limit: u32,
) -> Result<Vec<SourceFetch>, OperationError> {
    require_on_store(caller, "list_fetches", store)?;
    let permit = access::read(caller, store)?;
    service.store(&permit).await?;
    found(service.storage.source(&permit, id).await?)?;
    Ok(service.storage.source_fetches(&permit, id, limit).await?)
}

/// Returns the store of a source, for the operator.
///
/// Errors: `Forbidden` for anybody else; `NotFound` for an unknown source.
pub async fn store_of(
    service: &Service,
    caller: &Caller,
    id: &SourceId,
) -> Result<StoreId, OperationError> {
    access::operator(caller)?;
    let store = service.storage.store_of_source(id).await?;
    store.ok_or(OperationError::NotFound {
        what: message::noun::source,
    })
}

/// Returns the sources of a store as keys see them.
pub(crate) async fn summaries(
    service: &Service,
    permit: &Permit<impl MayRead>,
) -> Result<Vec<SourceSummary>, OperationError> {
    let rows = service.storage.sources(permit).await?;
    let held = held_runs(service, permit, &rows).await?;
    let now = service.clock.now();
    let summaries = rows.into_iter().map(|row| SourceSummary {
        state: status(&service.feed.sources, &row, &held, now),
        id: row.id,
        name: row.settings.name,
        doc_type: row.settings.doc_type,
        language: row.settings.language,
        last_success_at: row.state.last_success_at,
        failing_since: row.state.failing_since,
    });
    Ok(summaries.collect())
}

/// Returns how many sources of open stores there are in each state. What was released meanwhile counts as held.
pub(crate) async fn counts(service: &Service) -> Result<BTreeMap<SourceStatus, u64>, StorageError> {
    let now = service.clock.now();
    let mut counts: BTreeMap<_, u64> = SourceStatus::ALL.iter().map(|one| (*one, 0)).collect();
    for (state, count) in service.storage.source_counts(now).await? {
        let state = match service.feed.sources.options.enabled {
            true => state,
            false => SourceStatus::Inactive,
        };
        *counts.entry(state).or_default() += count;
    }
    Ok(counts)
}

/// How sources are shown to a caller.
pub(crate) struct Shown<'a> {
    sources: &'a SourcesState,
    held: HashSet<String>,
    hides_queries: bool,
    now: Timestamp,
}

impl<'a> Shown<'a> {
    /// Reads what is held back in the store of `permit`.
    pub async fn of(
        service: &'a Service,
        permit: &Permit<impl MayRead>,
        caller: &Caller,
    ) -> Result<Self, OperationError> {
        let runs = service.storage.held_runs(permit).await?;
        let of_user = caller.user().and_then(|user| user.reaching(permit.store()));
        Ok(Self {
            sources: &service.feed.sources,
            held: runs.into_iter().map(|run| run.id.0).collect(),
            hides_queries: of_user.is_some_and(|of| of.role == Role::Viewer),
            now: service.clock.now(),
        })
    }

    pub fn view(&self, row: &SourceRow) -> SourceView {
        let (settings, state) = (row.settings.clone(), row.state.clone());
        let status = status(self.sources, row, &self.held, self.now);
        let is_disabled = !self.sources.options.enabled;
        let (code, message, translatable) = if is_disabled {
            let message = message::source::disabled();
            (
                Some(SOURCES_OFF.to_owned()),
                Some(message.text),
                Some(*message.translatable),
            )
        } else if state.secret_missing {
            let message = message::source::secret_missing();
            let code = error_codes::SECRET_MISSING.to_owned();
            (Some(code), Some(message.text), Some(*message.translatable))
        } else {
            (state.code, state.message, state.translatable)
        };
        SourceView {
            id: row.id.clone(),
            name: settings.name,
            url: match self.hides_queries {
                true => without_query(&settings.url),
                false => settings.url,
            },
            doc_type: settings.doc_type,
            language: settings.language,
            mode: settings.mode,
            interval_minutes: settings.interval_minutes,
            active: settings.active,
            mapping: settings.mapping.into(),
            auth: SourceAuthView {
                auth: settings.auth,
                secret_missing: state.secret_missing,
            },
            created_at: row.created_at,
            updated_at: row.updated_at,
            state: status,
            code,
            message,
            translatable,
            last_fetch_at: state.last_fetch_at,
            last_success_at: state.last_success_at,
            failing_since: state.failing_since,
            next_fetch_at: row
                .next_fetch_at
                .filter(|_| status != SourceStatus::Inactive),
            documents: state.documents,
        }
    }
}

async fn held_runs(
    service: &Service,
    permit: &Permit<impl MayRead>,
    rows: &[SourceRow],
) -> Result<HashSet<String>, OperationError> {
    if rows.iter().all(|row| row.state.held_run.is_none()) {
        return Ok(HashSet::new());
    }
    let runs = service.storage.held_runs(permit).await?;
    Ok(runs.into_iter().map(|run| run.id.0).collect())
}

/// Returns what a source is doing; a purge that was released or has expired is not held back any more.
fn status(
    sources: &SourcesState,
    row: &SourceRow,
    held: &HashSet<String>,
    now: Timestamp,
) -> SourceStatus {
    let is_fetched = row.leased_until.is_some_and(|until| until > now);
    match row.resting_status() {
        _ if !sources.options.enabled => SourceStatus::Inactive,
        SourceStatus::Inactive => SourceStatus::Inactive,
        _ if is_fetched => SourceStatus::Fetching,
        SourceStatus::Held
            if !row
                .state
                .held_run
                .as_ref()
                .is_some_and(|run| held.contains(run)) =>
        {
            SourceStatus::Ok
        }
        other => other,
    }
}
