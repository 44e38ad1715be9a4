//! What only the operator changes of a store: its status, its plan, its purge breaker.

use crate::service::to_the_end;
use crate::{OperationError, Service};
use domain::audit::{AuditEntry, differences};
use domain::store::{PlanLimits, Store, StoreStatus};
use domain::{Caller, StoreId, access};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What is to be changed; what is left out stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StoreSettings {
    /// Whether it answers.
    pub status: Option<StoreStatus>,
    /// What its plan limits, as a whole.
    pub plan: Option<PlanLimits>,
    /// Whether a close that would delete very much waits for the owner.
    pub purge_breaker: Option<bool>,
}

/// What holds afterwards.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SettingsInForce {
    /// The store.
    pub id: StoreId,
    /// Whether it answers.
    pub status: StoreStatus,
    /// What its plan limits.
    pub plan: PlanLimits,
    /// Whether a close that would delete very much waits for the owner.
    pub purge_breaker: bool,
}

/// Changes a store as the operator; searches and the feed follow at once.
///
/// Errors: not found when there is no such store.
pub async fn set(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    settings: StoreSettings,
) -> Result<SettingsInForce, OperationError> {
    access::operator(caller)?;
    let permit = access::write(caller, store)?;
    let service = service.clone();
    to_the_end(async move {
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
            summary: "Status, plan or purge breaker of the store set.".to_owned(),
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
