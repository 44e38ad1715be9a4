//! Settings of a store that only the operator changes: status, plan and purge breaker.

use crate::service::run_to_completion;
use crate::{OperationError, Service};
use domain::audit::{AuditEntry, differences};
use domain::store::{PlanLimits, Store, StoreStatus};
use domain::{Caller, StoreId, access};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Settings to change; `None` keeps the current value.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StoreSettings {
    /// Status of the store.
    pub status: Option<StoreStatus>,
    /// Limits of its plan, as a whole.
    pub plan: Option<PlanLimits>,
    /// Whether a purge of very many documents waits for the owner.
    pub purge_breaker: Option<bool>,
}

/// Settings after the change.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SettingsInForce {
    /// The store.
    pub id: StoreId,
    /// Status of the store.
    pub status: StoreStatus,
    /// Limits of its plan.
    pub plan: PlanLimits,
    /// Whether a purge of very many documents waits for the owner.
    pub purge_breaker: bool,
}

/// Changes the settings of a store, with immediate effect on searches and the feed.
///
/// Errors: `NotFound` for an unknown store.
pub async fn set(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    settings: StoreSettings,
) -> Result<SettingsInForce, OperationError> {
    access::operator(caller)?;
    let permit = access::write(caller, store)?;
    let service = service.clone();
    run_to_completion(async move {
        let write = service.storage.begin(&permit).await?;
        let mut write = write.ok_or(OperationError::NotFound { what: "store" })?;
        let next = settings.over(write.before());
        let changes = differences(&content(&in_force(write.before())), &content(&next));
        let changed = !changes.is_empty();
        if changed {
            write
                .save_store_settings(next.status, &next.plan, next.purge_breaker)
                .await?;
        }
        let entry = AuditEntry {
            actor: permit.actor().clone(),
            operation: "set_store".to_owned(),
            resource: "store".to_owned(),
            summary: "Status, plan or purge breaker of the store updated.".to_owned(),
            changes,
            request_id: permit.request_id().map(str::to_owned),
        };
        write.commit(&entry, service.clock.now()).await?;
        if changed {
            service.indexing.configuration_changed(permit.store()).await;
        }
        Ok(next)
    })
    .await
}

impl StoreSettings {
    fn over(self, store: &Store) -> SettingsInForce {
        let before = in_force(store);
        SettingsInForce {
            id: before.id,
            status: self.status.unwrap_or(before.status),
            plan: self.plan.unwrap_or(before.plan),
            purge_breaker: self.purge_breaker.unwrap_or(before.purge_breaker),
        }
    }
}

fn in_force(store: &Store) -> SettingsInForce {
    SettingsInForce {
        id: store.id.clone(),
        status: store.status,
        plan: store.plan.clone(),
        purge_breaker: store.purge_breaker,
    }
}

fn content(settings: &SettingsInForce) -> Value {
    json!({
        "status": settings.status,
        "plan": settings.plan,
        "purgeBreaker": settings.purge_breaker,
    })
}
