//! The stores that a user reaches, by page.

use crate::{OperationError, Service};
use domain::limits::{
    PANEL_STORES_LIMIT_DEFAULT, PANEL_STORES_LIMIT_MAX, STORE_SEARCH_CHARACTERS_MAX,
};
use domain::page::Meta;
use domain::store::StoreSummary;
use domain::{AccountId, Caller, Role, StoreId, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use storage::ListedStoreRow;

/// Which stores to list.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StoreQuery {
    /// Substring of name, id or address, ignoring case.
    #[serde(default)]
    #[schemars(with = "String", length(max = STORE_SEARCH_CHARACTERS_MAX))]
    pub q: Option<String>,
    /// Only the stores of this account.
    #[serde(default)]
    #[schemars(with = "String")]
    pub account: Option<AccountId>,
    /// Number of the page, from 1.
    #[serde(default)]
    #[schemars(with = "u32", range(min = 1))]
    pub page: Option<u32>,
    /// Stores of a page.
    #[serde(default)]
    #[schemars(with = "u32", range(min = 1, max = PANEL_STORES_LIMIT_MAX))]
    pub limit: Option<u32>,
}

/// A store with its account and the user's role in it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReachedStore {
    /// The store.
    #[serde(flatten)]
    pub store: StoreSummary,
    /// Its account.
    pub account_id: AccountId,
    /// Role of the user.
    pub role: Role,
    /// Since when the feed has stopped, if it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feed_stopped_since: Option<Timestamp>,
    /// Proposals that wait for a decision; left out if there are none.
    #[serde(skip_serializing_if = "is_zero")]
    pub open_proposals: u64,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Returns a page of the stores that the caller reaches, the oldest first.
pub async fn stores(
    service: &Service,
    caller: &Caller,
    query: StoreQuery,
) -> Result<(Vec<ReachedStore>, Meta), OperationError> {
    let user = super::profile::of(caller)?;
    let wanted = query.q.as_deref().unwrap_or_default().to_lowercase();
    let now = service.clock.now();
    let rows = service.storage.listed_stores_of_user(&user.id, now).await?;
    // A user may reach thousands of stores.
    let reached: HashMap<&StoreId, Role> = (user.accounts.iter())
        .flat_map(|of| of.stores.iter().map(|store| (store, of.role)))
        .collect();
    let mut found = Vec::new();
    for ListedStoreRow {
        account,
        store,
        silent_since,
    } in rows
    {
        let Some(role) = reached.get(&store.id).copied() else {
            continue;
        };
        let matches = [&store.name, &store.id.0, &store.url]
            .iter()
            .any(|text| text.to_lowercase().contains(&wanted));
        if matches && query.account.as_ref().is_none_or(|only| *only == account) {
            found.push(ReachedStore {
                feed_stopped_since: silent_since,
                store: store.summary(),
                account_id: account,
                role,
                open_proposals: 0,
            });
        }
    }
    let (page, limit) = (
        query.page.unwrap_or(1),
        query.limit.unwrap_or(PANEL_STORES_LIMIT_DEFAULT),
    );
    let meta = Meta::new(page, limit, found.len() as u64);
    let skipped = (page as usize - 1).saturating_mul(limit as usize);
    let stores = found.into_iter().skip(skipped).take(limit as usize);
    let mut stores: Vec<ReachedStore> = stores.collect();
    let ids: Vec<StoreId> = stores.iter().map(|of| of.store.id.clone()).collect();
    let open = service.storage.open_proposals_of(&ids, now).await?;
    let open: HashMap<StoreId, u64> = open.into_iter().collect();
    for of in &mut stores {
        of.open_proposals = open.get(&of.store.id).copied().unwrap_or(0);
    }
    Ok((stores, meta))
}
