//! Settings of a store that its owner changes in the control panel: address, platform, active or paused, purge breaker,
//! currency, gate.

use crate::access::daily_changes::check_daily_changes;
use crate::access::permits::require_on_store;
use crate::message;
use crate::service::run_to_completion;
use crate::{OperationError, Precondition, Revisioned, Service};
use domain::audit::AuditEntry;
use domain::declarations::{Currencies, CurrencyCode};
use domain::form::OptionalUrl;
use domain::limits::PLATFORM_CHARACTERS_MAX;
use domain::store::{Store, StoreStatus, is_platform};
use domain::{Caller, Clearable, ImpactGate, Invalid, StoreId, Timestamp, access};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storage::ConfigurationWrite;

/// The settings of a store that its owner changes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StoreDetails {
    /// URL of the shop.
    pub url: String,
    /// Its platform.
    pub platform: String,
    /// Status of the store.
    pub status: StoreStatus,
    /// Whether a purge of very many documents waits for the owner.
    pub purge_breaker: bool,
    /// ISO code of the currency of the prices without a suffix; null until it is known.
    pub currency: Option<String>,
    /// How much of what is watched a ranking write may move; null without a gate.
    pub impact_gate: Option<ImpactGate>,
}

/// A status that owners set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SettableStatus {
    /// Everything works.
    Active,
    /// Search and configuration work, writes of the feed fail.
    Paused,
}

/// An update of the settings; what is left out stays.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DetailsPatch {
    /// URL of the shop; with empty text, the next that its module reports.
    #[serde(default)]
    #[schemars(with = "OptionalUrl")]
    pub url: Option<String>,
    /// Its platform; with empty text, the next that its module reports.
    #[serde(default)]
    #[schemars(with = "String", length(max = PLATFORM_CHARACTERS_MAX))]
    pub platform: Option<String>,
    /// Status of the store.
    #[serde(default)]
    #[schemars(with = "SettableStatus")]
    pub status: Option<SettableStatus>,
    /// Whether a purge of very many documents waits for the owner.
    #[serde(default)]
    #[schemars(with = "bool")]
    pub purge_breaker: Option<bool>,
    /// ISO code of the currency of the prices; only where no connector has declared currencies.
    #[serde(default)]
    #[schemars(with = "CurrencyCode")]
    pub currency: Option<CurrencyCode>,
    /// How much of what is watched a ranking write may move; null removes the gate.
    #[serde(default)]
    pub impact_gate: Clearable<ImpactGate>,
}

/// Returns the settings of a store.
///
/// Errors: `NotFound` for a store that the caller does not reach.
pub async fn get_details(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
) -> Result<(StoreDetails, Revisioned), OperationError> {
    require_on_store(caller, "get_store_details", store)?;
    let permit = access::read(caller, store)?;
    let store = service.store(&permit).await?;
    let declared = service.storage.declarations(&permit).await?;
    let currency = declared.base_currency().map(str::to_owned);
    Ok(revisioned(&store, currency))
}

/// Updates the settings of a store, with immediate effect on searches and the feed.
///
/// Errors: `Forbidden` if the role does not suffice; `Invalid` with all invalid values; `Stale` if the precondition does
/// not hold; `Conflict` for another currency where a connector has declared currencies.
pub async fn set_details(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    patch: DetailsPatch,
    precondition: Precondition,
) -> Result<(StoreDetails, Revisioned), OperationError> {
    require_on_store(caller, "set_store_details", store)?;
    let permit = access::write(caller, store)?;
    let service = service.clone();
    run_to_completion(async move {
        let mut write = service.begin(&permit).await?;
        patch
            .check(write.before())
            .map_err(OperationError::Invalid)?;
        let before = write.base_currency().await?;
        let currency = patch.currency.clone();
        let currency = currency.filter(|code| before.as_deref() != Some(code.as_str()));
        let mut after = patch.over(write.before().clone());
        let base = currency
            .as_ref()
            .map(|code| code.to_string())
            .or(before.clone());
        let old = serde_json::json!(details(write.before(), before));
        let new = serde_json::json!(details(&after, base.clone()));
        let changes = precondition.changes(&old, &new)?;
        let changed = !changes.is_empty();
        if changed {
            write.save_store_settings(&after).await?;
        }
        if let Some(code) = currency {
            save_currency(&mut write, code, service.clock.now()).await?;
        }
        let entry = AuditEntry {
            actor: permit.actor().clone(),
            operation: "set_store_details".to_owned(),
            resource: "store".to_owned(),
            summary: message::saved::settings(),
            changes,
            request_id: permit.request_id().map(str::to_owned),
        };
        let now = service.clock.now();
        check_daily_changes(write.changed_today(&entry, now).await?, now)?;
        after.config_revision = write.commit(&entry, now).await?;
        if changed {
            service
                .snapshots
                .configuration_changed(permit.store())
                .await;
        }
        Ok(revisioned(&after, base))
    })
    .await
}

async fn save_currency(
    write: &mut ConfigurationWrite,
    code: CurrencyCode,
    now: Timestamp,
) -> Result<(), OperationError> {
    match write.save_currencies(&Currencies::only(code), now).await? {
        true => Ok(()),
        false => Err(OperationError::conflict(message::store::currency_declared())),
    }
}

impl DetailsPatch {
    /// Checks the values, as far as they do not depend on the store.
    ///
    /// Errors: every invalid value, by its path.
    pub fn invalid_values(&self) -> Vec<Invalid> {
        shop_errors(self.url.as_deref(), self.platform.as_deref())
    }

    fn check(&self, before: &Store) -> Result<(), Vec<Invalid>> {
        let mut errors = self.invalid_values();
        // Whoever runs the server suspended the store, and opens it again.
        if self.status.is_some() && before.status == StoreStatus::Suspended {
            let reason = message::store::status_suspended();
            errors.push(Invalid::new("status", reason));
        }
        if errors.is_empty() {
            Ok(())
        } else {
            Err(errors)
        }
    }

    fn over(self, before: Store) -> Store {
        let status = self.status.map(|status| match status {
            SettableStatus::Active => StoreStatus::Active,
            SettableStatus::Paused => StoreStatus::Paused,
        });
        Store {
            status: status.unwrap_or(before.status),
            purge_breaker: self.purge_breaker.unwrap_or(before.purge_breaker),
            url: self.url.unwrap_or(before.url),
            platform: self.platform.unwrap_or(before.platform),
            impact_gate: self.impact_gate.over(before.impact_gate),
            ..before
        }
    }
}

/// Returns the errors in the address and the platform of a shop.
pub(super) fn shop_errors(url: Option<&str>, platform: Option<&str>) -> Vec<Invalid> {
    let mut errors = Vec::new();
    if let Some(url) = url
        && let Err(reason) = OptionalUrl::parse(url)
    {
        errors.push(Invalid::new("url", reason));
    }
    if let Some(platform) = platform.filter(|name| !name.is_empty())
        && !is_platform(platform)
    {
        let reason = message::store::platform(PLATFORM_CHARACTERS_MAX);
        errors.push(Invalid::new("platform", reason));
    }
    errors
}

fn details(store: &Store, currency: Option<String>) -> StoreDetails {
    StoreDetails {
        url: store.url.clone(),
        platform: store.platform.clone(),
        status: store.status,
        purge_breaker: store.purge_breaker,
        currency,
        impact_gate: store.impact_gate,
    }
}

fn revisioned(store: &Store, currency: Option<String>) -> (StoreDetails, Revisioned) {
    let details = details(store, currency);
    let revisioned = Revisioned::of(&serde_json::json!(details), store.config_revision);
    (details, revisioned)
}
