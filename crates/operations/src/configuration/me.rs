//! `GET /me`: the account, scopes and stores of a key.

use crate::access::accounts::Account;
use crate::configuration::stores;
use crate::message;
use crate::{OperationError, Service};
use domain::store::StoreSummary;
use domain::{Caller, KeyId, Scope, StoreId, Timestamp, access};
use schemars::JsonSchema;
use serde::Serialize;

/// Account and stores of a key (`docs/api.md`).
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Me {
    /// The account.
    pub account: Account,
    /// The key.
    pub key: MyKey,
    /// The stores that the key reaches.
    pub stores: Vec<StoreSummary>,
}

/// A key as its bearer sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MyKey {
    /// Public id.
    pub id: KeyId,
    /// Name given by its maker.
    pub name: String,
    /// Prefix of its text.
    pub prefix: &'static str,
    /// Its scopes.
    pub scopes: Vec<Scope>,
    /// Store that it is bound to; null when it reaches the whole account.
    pub store_id: Option<StoreId>,
    /// When it was last used, to the minute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<Timestamp>,
    /// When it stops working; null when never.
    pub expires_at: Option<Timestamp>,
}

/// Returns the identity of the caller's key; `NotFound` for the operator, who has none.
pub async fn get(service: &Service, caller: &Caller) -> Result<Me, OperationError> {
    access::configuration(caller, Scope::Read)?;
    let not_found = || OperationError::NotFound {
        what: message::noun::key,
    };
    let key = caller.key().ok_or_else(not_found)?;
    let row = service.storage.key(&key.id).await?.ok_or_else(not_found)?;
    let account = service.storage.account(&key.account).await?;
    Ok(Me {
        account: account.map(Account::from).ok_or_else(not_found)?,
        key: MyKey {
            id: row.id,
            name: row.name,
            prefix: row.kind.prefix(),
            scopes: row.scope.into_iter().collect(),
            store_id: row.store,
            last_used_at: row.last_used_at.max(service.access.last_uses.of(&key.id)),
            expires_at: row.expires_at,
        },
        stores: stores::list(service, caller).await?,
    })
}
