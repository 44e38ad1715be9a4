//! Settings of a store that its owner changes in the control panel: address, platform, active or paused, purge breaker.

use crate::access::daily_changes::check_daily_changes;
use crate::access::permits::require_on_store;
use crate::message;
use crate::service::run_to_completion;
use crate::{OperationError, Precondition, Revisioned, Service};
use domain::audit::AuditEntry;
use domain::form::OptionalUrl;
use domain::limits::PLATFORM_CHARACTERS_MAX;
use domain::store::{Store, StoreStatus, is_platform};
use domain::{Caller, Invalid, StoreId, access};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
    Ok(revisioned(&store))
}

/// Updates the settings of a store, with immediate effect on searches and the feed.
///
/// Errors: `Forbidden` if the role does not suffice; `Invalid` with all invalid values; `Stale` if the precondition does
/// not hold.
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
        let mut after = patch.over(write.before().clone());
        let [old, new] = [details(write.before()), details(&after)].map(|of| serde_json::json!(of));
        let changes = precondition.changes(&old, &new)?;
        let changed = !changes.is_empty();
        if changed {
            write.save_store_settings(&after).await?;
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
        Ok(revisioned(&after))
    })
    .await
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

fn details(store: &Store) -> StoreDetails {
    StoreDetails {
        url: store.url.clone(),
        platform: store.platform.clone(),
        status: store.status,
        purge_breaker: store.purge_breaker,
    }
}

fn revisioned(store: &Store) -> (StoreDetails, Revisioned) {
    let details = details(store);
    let revisioned = Revisioned::of(&serde_json::json!(details), store.config_revision);
    (details, revisioned)
}
