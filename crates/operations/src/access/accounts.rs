//! Accounts, which only the operator creates and lists.

use crate::message;
use crate::runtime::ids;
use crate::service::run_to_completion;
use crate::{OperationError, Service};
use domain::audit::AuditEntry;
use domain::form::Label;
use domain::limits::ACCOUNT_STORES_MAX;
use domain::{AccountId, Caller, Timestamp, access};
use schemars::JsonSchema;
use serde::Serialize;
use storage::{AccountRow, AuditSubject};

/// An account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Account {
    /// Its id.
    pub id: AccountId,
    /// Its name.
    pub name: String,
}

impl From<AccountRow> for Account {
    fn from(row: AccountRow) -> Self {
        Self {
            id: row.id,
            name: row.name,
        }
    }
}

/// Creates an account, whose users may have `max_stores` stores, if that is given.
///
/// Errors: `Invalid` for a bad name or a number out of range.
pub async fn create(
    service: &Service,
    caller: &Caller,
    name: impl Into<String>,
    max_stores: Option<u32>,
) -> Result<Account, OperationError> {
    let permit = access::operator(caller)?;
    let name = Label::parse(name).map_err(|reason| OperationError::invalid("name", reason))?;
    max_stores.map_or(Ok(()), check_max_stores)?;
    let row = new_row(name.into(), service.clock.now());
    let entry = AuditEntry {
        actor: permit.actor().clone(),
        operation: "create_account".to_owned(),
        resource: "account".to_owned(),
        summary: message::audited::account_created(&row.name),
        changes: Vec::new(),
        request_id: caller.request_id.clone(),
    };
    let subject = AuditSubject {
        account: Some(row.id.clone()),
        store: None,
    };
    let storage = service.storage.clone();
    run_to_completion(async move {
        let mut change = storage.administer(&permit).await?;
        change.create_account(&row).await?;
        if let Some(most) = max_stores {
            change.set_max_stores(&row.id, most).await?;
        }
        change.commit(&entry, &subject, row.created_at).await?;
        Ok(row.into())
    })
    .await
}

fn check_max_stores(most: u32) -> Result<(), OperationError> {
    if most <= ACCOUNT_STORES_MAX {
        return Ok(());
    }
    let reason = message::number::between(0, ACCOUNT_STORES_MAX, most);
    Err(OperationError::invalid("maxStores", reason))
}

/// Sets how many stores the users of an account may have. Stores that there are stay.
///
/// Errors: `Invalid` for a number out of range; `NotFound` for an unknown account.
pub async fn set_max_stores(
    service: &Service,
    caller: &Caller,
    id: &AccountId,
    most: u32,
) -> Result<Account, OperationError> {
    let permit = access::operator(caller)?;
    check_max_stores(most)?;
    let row = service.storage.account(id).await?;
    let row = row.ok_or(OperationError::NotFound {
        what: message::noun::account,
    })?;
    let entry = AuditEntry {
        actor: permit.actor().clone(),
        operation: "set_account".to_owned(),
        resource: "account".to_owned(),
        summary: message::audited::account_stores(most),
        changes: Vec::new(),
        request_id: caller.request_id.clone(),
    };
    let subject = AuditSubject {
        account: Some(row.id.clone()),
        store: None,
    };
    let service = service.clone();
    run_to_completion(async move {
        let mut change = service.storage.administer(&permit).await?;
        change.set_max_stores(&row.id, most).await?;
        let now = service.clock.now();
        change.commit(&entry, &subject, now).await?;
        Ok(row.into())
    })
    .await
}

/// Returns all accounts, the oldest first.
pub async fn list(service: &Service, caller: &Caller) -> Result<Vec<Account>, OperationError> {
    access::operator(caller)?;
    let rows = service.storage.accounts().await?;
    Ok(rows.into_iter().map(Account::from).collect())
}

pub(crate) fn new_row(name: String, at: Timestamp) -> AccountRow {
    AccountRow {
        id: ids::account(),
        name,
        created_at: at,
    }
}
