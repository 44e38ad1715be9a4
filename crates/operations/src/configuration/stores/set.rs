//! Settings of a store that the operator changes: status, plan, purge breaker, address, platform and gate.

use super::details::shop_errors;
use crate::message;
use crate::service::run_to_completion;
use crate::{OperationError, Service};
use domain::audit::{AuditEntry, differences};
use domain::limits::GATE_PERCENT_MAX;
use domain::store::{PlanLimits, Store, StoreStatus};
use domain::{Caller, ImpactGate, Invalid, StoreId, access};
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
    /// Its gate.
    #[serde(default)]
    pub impact_gate: Option<GateChange>,
    /// Whether keys may save what exceeds the gate.
    #[serde(default)]
    pub keys_may_force: Option<bool>,
}

/// A change of the gate of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum GateChange {
    /// Ranking writes are not measured.
    Off,
    /// The largest share of watched queries whose first three may change, in percent.
    Percent(u8),
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
    /// Its gate.
    pub impact_gate: Option<ImpactGate>,
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
        let after = settings.over(write.before().clone())?;
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
        let mut errors = shop_errors(self.url.as_deref(), self.platform.as_deref());
        if let Some(GateChange::Percent(percent)) = self.impact_gate
            && percent > GATE_PERCENT_MAX
        {
            let reason = message::number::between(0, GATE_PERCENT_MAX, percent);
            errors.push(Invalid::new("impactGate", reason));
        }
        if errors.is_empty() {
            Ok(())
        } else {
            Err(errors)
        }
    }

    /// Returns the store with these settings.
    ///
    /// Errors: `Invalid` if keys may pass a gate that the store does not have.
    fn over(self, before: Store) -> Result<Store, OperationError> {
        let impact_gate = self.gate(before.impact_gate)?;
        Ok(Store {
            status: self.status.unwrap_or(before.status),
            plan: self.plan.unwrap_or(before.plan),
            purge_breaker: self.purge_breaker.unwrap_or(before.purge_breaker),
            url: self.url.unwrap_or(before.url),
            platform: self.platform.unwrap_or(before.platform),
            impact_gate,
            ..before
        })
    }

    fn gate(&self, before: Option<ImpactGate>) -> Result<Option<ImpactGate>, OperationError> {
        let kept = before.is_some_and(|gate| gate.keys_may_force);
        let gate = match self.impact_gate {
            None => before,
            Some(GateChange::Off) => None,
            Some(GateChange::Percent(max_changed_top3_percent)) => Some(ImpactGate {
                max_changed_top3_percent,
                keys_may_force: kept,
            }),
        };
        match (gate, self.keys_may_force) {
            (gate, None) => Ok(gate),
            (Some(gate), Some(keys_may_force)) => Ok(Some(ImpactGate {
                keys_may_force,
                ..gate
            })),
            (None, Some(_)) => {
                let reason = message::gate::none();
                Err(OperationError::invalid("keysMayForce", reason))
            }
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
        impact_gate: store.impact_gate,
    }
}

fn content(settings: &SettingsInForce) -> Value {
    json!({
        "status": settings.status,
        "plan": settings.plan,
        "purgeBreaker": settings.purge_breaker,
        "url": settings.url,
        "platform": settings.platform,
        "impactGate": settings.impact_gate,
    })
}
