//! Creates, updates and deletes sources. None of that is a revision: a restore must not bring an address back.

use super::tagged;
use crate::access::permits::feed_on_store;
use crate::configuration::precondition::Precondition;
use crate::configuration::revisioned::Revisioned;
use crate::feed::existing_store;
use crate::feed::sources::{Shown, conflicts, found, read_as, seal_context};
use crate::message;
use crate::runtime::ids;
use crate::service::run_to_completion;
use crate::{OperationError, Service};
use domain::access::Feed;
use domain::audit::{AuditEntry, FieldChange, differences};
use domain::limits::SOURCES_MAX;
use domain::source::{
    FetchTrigger, PatchedSource, SourceAuth, SourcePatch, SourceState, SourceView,
};
use domain::{Caller, Message, Permit, SourceId, StoreId, Timestamp};
use serde_json::{Value, json};
use storage::{FeedWrite, SourceRow};

/// A write of a source.
struct SourceWrite {
    service: Service,
    caller: Caller,
    permit: Permit<Feed>,
    operation: &'static str,
}

impl SourceWrite {
    fn new(
        service: &Service,
        caller: &Caller,
        operation: &'static str,
        store: &StoreId,
    ) -> Result<Self, OperationError> {
        Ok(Self {
            service: service.clone(),
            caller: caller.clone(),
            permit: feed_on_store(caller, operation, store)?,
            operation,
        })
    }

    async fn record(
        &self,
        feed: &mut FeedWrite,
        row: &SourceRow,
        changes: Vec<FieldChange>,
        summary: Message,
    ) -> Result<(), OperationError> {
        let entry = AuditEntry {
            actor: self.permit.actor().clone(),
            operation: self.operation.to_owned(),
            resource: format!("sources/{}", row.id),
            summary,
            changes,
            request_id: self.permit.request_id().map(str::to_owned),
        };
        Ok(feed.record(&entry, self.service.clock.now()).await?)
    }

    /// Commits a source as it is now, and returns it.
    async fn saved(
        &self,
        mut feed: FeedWrite,
        row: &SourceRow,
        revision: i64,
    ) -> Result<(SourceView, Revisioned), OperationError> {
        feed.save_source(row).await?;
        feed.commit().await?;
        self.service.feed.sources.wake.notify_one();
        let shown = Shown::of(&self.service, &self.permit, &self.caller).await?;
        Ok((shown.view(row), Revisioned::of(&tagged(row), revision)))
    }

    /// Puts a sent secret, or none, beside the settings.
    fn put_secret(
        &self,
        row: &mut SourceRow,
        patched: &PatchedSource,
    ) -> Result<(), OperationError> {
        if let Some(secret) = &patched.new_secret {
            row.secret = Some(self.service.seal.seal(secret, &seal_context(row))?);
            row.state.secret_missing = false;
        } else if !patched.keeps_secret {
            row.secret = None;
            row.state.secret_missing = row.settings.auth != SourceAuth::None;
        }
        Ok(())
    }
}

/// Creates a source, which is fetched at once.
///
/// Errors: `Forbidden` if the role does not suffice; `Invalid`; `PlanLimit` for more than ten; `Conflict` where something
/// else is the whole truth of its type and language.
pub async fn create(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    patch: SourcePatch,
) -> Result<(SourceView, Revisioned), OperationError> {
    let write = SourceWrite::new(service, caller, "create_source", store)?;
    run_to_completion(async move {
        let mut feed = write.service.storage.begin_feed(&write.permit).await?;
        let store = existing_store(&mut feed).await?;
        let rules = &write.service.feed.sources.options.rules;
        let patched = patch.over(None, rules, &store.languages[0]);
        let patched = patched.map_err(OperationError::Invalid)?;
        let rows = feed.sources().await?;
        if rows.len() >= SOURCES_MAX {
            return Err(OperationError::PlanLimit {
                message: message::source::too_many(SOURCES_MAX),
                details: json!({"max": SOURCES_MAX, "sources": rows.len()}),
            });
        }
        let now = write.service.clock.now();
        let mut row = SourceRow {
            id: ids::source(),
            store: store.id.clone(),
            created_at: now,
            updated_at: now,
            version: 0,
            settings: patched.settings.clone(),
            secret: None,
            state: SourceState {
                next_trigger: FetchTrigger::Change,
                ..SourceState::default()
            },
            next_fetch_at: None,
            leased_until: None,
            leased_by: None,
        };
        write.put_secret(&mut row, &patched)?;
        row.next_fetch_at = is_fetched(&row).then_some(now);
        conflicts::check(&mut feed, &rows, &row, now).await?;
        let changes = differences(&Value::Null, &row.settings.audited());
        let summary = message::audited::source_created(row.settings.name.as_str());
        write.record(&mut feed, &row, changes, summary).await?;
        write.saved(feed, &row, store.config_revision).await
    })
    .await
}

/// Updates a source; what is left out stays. Another address or mapping is fetched at once.
///
/// Errors: those of [`create`]; `NotFound`; `Stale` if the precondition does not hold.
pub async fn update(
    service: &Service,
    caller: &Caller,
    (store, id): (&StoreId, SourceId),
    patch: SourcePatch,
    precondition: Precondition,
) -> Result<(SourceView, Revisioned), OperationError> {
    let write = SourceWrite::new(service, caller, "update_source", store)?;
    run_to_completion(async move {
        let mut feed = write.service.storage.begin_feed(&write.permit).await?;
        let store = existing_store(&mut feed).await?;
        let before = &found(feed.source(&id).await?)?;
        let rules = &write.service.feed.sources.options.rules;
        let patched = patch.over(Some(&before.settings), rules, &store.languages[0]);
        let patched = patched.map_err(OperationError::Invalid)?;
        let now = write.service.clock.now();
        let mut row = SourceRow {
            settings: patched.settings.clone(),
            ..before.clone()
        };
        write.put_secret(&mut row, &patched)?;
        let changes = precondition.changes(&tagged(before), &tagged(&row))?;
        if changes.is_empty() {
            return write.saved(feed, before, store.config_revision).await;
        }
        let rows = feed.sources().await?;
        conflicts::check(&mut feed, &rows, &row, now).await?;
        row.updated_at = now;
        schedule(&mut row, before, now);
        let mut changes = differences(&before.settings.audited(), &row.settings.audited());
        if before.secret != row.secret {
            changes.push(FieldChange {
                path: "auth.secret".to_owned(),
                before: None,
                after: None,
            });
        }
        let summary = message::audited::source_updated(row.settings.name.as_str());
        write.record(&mut feed, &row, changes, summary).await?;
        write.saved(feed, &row, store.config_revision).await
    })
    .await
}

/// Deletes a source with its history; its documents stay.
///
/// Errors: `Forbidden` if the role does not suffice; `NotFound`; `Stale` if the precondition does not hold.
pub async fn delete(
    service: &Service,
    caller: &Caller,
    (store, id): (&StoreId, SourceId),
    precondition: Precondition,
) -> Result<SourceId, OperationError> {
    let write = SourceWrite::new(service, caller, "delete_source", store)?;
    run_to_completion(async move {
        let mut feed = write.service.storage.begin_feed(&write.permit).await?;
        existing_store(&mut feed).await?;
        let row = &found(feed.source(&id).await?)?;
        precondition.changes(&tagged(row), &Value::Null)?;
        let changes = differences(&row.settings.audited(), &Value::Null);
        let summary = message::audited::source_deleted(row.settings.name.as_str());
        write.record(&mut feed, row, changes, summary).await?;
        feed.delete_source(&id).await?;
        feed.commit().await?;
        Ok(id)
    })
    .await
}

fn is_fetched(row: &SourceRow) -> bool {
    row.settings.active && !row.state.secret_missing
}

/// Decides when an updated source is fetched next: at once if it may give other documents or is active again.
fn schedule(row: &mut SourceRow, before: &SourceRow, now: Timestamp) {
    let gives_others = read_as(&row.settings) != read_as(&before.settings);
    if gives_others || row.secret != before.secret {
        row.version += 1;
    }
    let is_due = row.version != before.version || !is_fetched(before);
    row.next_fetch_at = match is_fetched(row) {
        false => None,
        true if is_due => Some(now),
        true => {
            let minutes = i64::from(row.settings.interval_minutes);
            let latest = Timestamp(now.0.saturating_add(minutes * 60_000));
            before.next_fetch_at.map(|at| at.min(latest)).or(Some(now))
        }
    };
    if is_due && is_fetched(row) {
        row.state.next_trigger = FetchTrigger::Change;
    }
}
