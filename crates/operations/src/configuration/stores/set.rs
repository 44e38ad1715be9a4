//! Settings of a store that only the operator changes: status, plan, purge breaker, address and platform.

use super::details::shop_errors;
use crate::message;
use crate::service::run_to_completion;
use crate::{OperationError, Service};
use domain::audit::{AuditEntry, differences};
use domain::store::{PlanLimits, Store, StoreStatus};
use domain::{Caller, Invalid, StoreId, access};
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
    /// URL of its shop; with empty text, the next that its module reports.
    pub url: Option<String>,
    /// Its platform; with empty text, the next that its module reports.
    pub platform: Option<String>,
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
    /// URL of its shop.
    pub url: String,
    /// Its platform.
    pub platform: String,
}

/// Changes the settings of a store, with immediate effect on searches and the feed.
///
/// Errors: `Invalid` with all invalid values; `NotFound` for an unknown store.
pub async fn set(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    settings: StoreSettings,
) -> Result<SettingsInForce, OperationError> {
    access::operator(caller)?;
    let permit = access::write(caller, store)?;
    settings.check().map_err(OperationError::Invalid)?;
    let service = service.clone();
    run_to_completion(async move {
        let mut write = service.begin(&permit).await?;
        let after = settings.over(write.before().clone());
        let next = in_force(&after);
        let changes = differences(&content(&in_force(write.before())), &content(&next));
        let changed = !changes.is_empty();
        if changed {
            write.save_store_settings(&after).await?;
        }
        let entry = AuditEntry {
            actor: permit.actor().clone(),
            operation: "set_store".to_owned(),
            resource: "store".to_owned(),
            summary: message::saved::settings(),
            changes,
            request_id: permit.request_id().map(str::to_owned),
        };
        write.commit(&entry, service.clock.now()).await?;
        if changed {
            service
                .snapshots
                .configuration_changed(permit.store())
                .await;
        }
        Ok(next)
    })
    .await
}

impl StoreSettings {
    fn check(&self) -> Result<(), Vec<Invalid>> {
        let errors = shop_errors(self.url.as_deref(), self.platform.as_deref());
        if errors.is_empty() {
            Ok(())
        } else {
            Err(errors)
        }
    }

    fn over(self, before: Store) -> Store {
        Store {
            status: self.status.unwrap_or(before.status),
            plan: self.plan.unwrap_or(before.plan),
            purge_breaker: self.purge_breaker.unwrap_or(before.purge_breaker),
            url: self.url.unwrap_or(before.url),
            platform: self.platform.unwrap_or(before.platform),
            ..before
        }
    }
}

fn in_force(store: &Store) -> SettingsInForce {
    SettingsInForce {
        id: store.id.clone(),
        status: store.status,
        plan: store.plan.clone(),
        purge_breaker: store.purge_breaker,
        url: store.url.clone(),
        platform: store.platform.clone(),
    }
}

fn content(settings: &SettingsInForce) -> Value {
    json!({
        "status": settings.status,
        "plan": settings.plan,
        "purgeBreaker": settings.purge_breaker,
        "url": settings.url,
        "platform": settings.platform,
    })
}
