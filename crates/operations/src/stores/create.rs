//! Creation of stores by the operator.

use crate::service::run_to_completion;
use crate::{OperationError, Service, accounts, ids, keys};
use domain::audit::AuditEntry;
use domain::form::StoreName;
use domain::limits::STORE_LANGUAGES_MAX;
use domain::store::{PlanLimits, Store, StoreStatus, StoreSummary};
use domain::{AccountId, Caller, Invalid, KeyKind, Language, Timestamp, access};
use serde::Serialize;
use storage::{AccountRow, AuditSubject, NewStoreRow};

/// A store to create.
#[derive(Clone, Debug)]
pub struct NewStore {
    /// Its name.
    pub name: String,
    /// Its account; the only one if left out, which is created if there is none.
    pub account: Option<AccountId>,
    /// Its languages, the default one first.
    pub languages: Vec<Language>,
    /// Limits of its plan.
    pub plan: PlanLimits,
}

/// A new store with its connector key, which is returned only here.
#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CreatedStore {
    /// The store.
    #[serde(flatten)]
    pub store: StoreSummary,
    /// Its account.
    pub account_id: AccountId,
    /// The key of its connector.
    pub connector_key: String,
}

/// Creates a store and the key of its connector.
///
/// Errors: `Invalid` with all invalid values; `NotFound` for an unknown account.
pub async fn create(
    service: &Service,
    caller: &Caller,
    new: NewStore,
) -> Result<CreatedStore, OperationError> {
    let permit = access::operator(caller)?;
    check(&new)?;
    let now = service.clock.now();
    let (account, new_account) = account(service, &new, now).await?;
    let store = Store {
        id: ids::store(),
        name: new.name,
        url: String::new(),
        dev_url: String::new(),
        status: StoreStatus::Active,
        platform: String::new(),
        languages: new.languages,
        plan: new.plan,
        purge_breaker: true,
        config_revision: 0,
        created_at: now,
    };
    let owner = Some(store.id.clone());
    let (key, connector_key) = keys::minted(KeyKind::Connector, account.clone(), owner, now)?;
    let entry = AuditEntry {
        actor: permit.actor().clone(),
        operation: "create_store".to_owned(),
        resource: "store".to_owned(),
        summary: format!("Store \"{}\" created, with its connector key.", store.name),
        changes: Vec::new(),
        request_id: caller.request_id.clone(),
    };
    let subject = AuditSubject {
        account: Some(account.clone()),
        store: Some(store.id.clone()),
    };
    let service = service.clone();
    run_to_completion(async move {
        let mut change = service.storage.administer(&permit).await?;
        if let Some(row) = &new_account {
            change.create_account(row).await?;
        }
        let row = NewStoreRow { store, account };
        change.create_store(&row).await?;
        change.create_key(&key).await?;
        change.commit(&entry, &subject, now).await?;
        service.indexing.configuration_changed(&row.store.id).await;
        Ok(CreatedStore {
            store: row.store.summary(),
            account_id: row.account,
            connector_key,
        })
    })
    .await
}

fn check(new: &NewStore) -> Result<(), OperationError> {
    let mut wrong = Vec::new();
    if let Err(reason) = StoreName::parse(&*new.name) {
        wrong.push(Invalid::new("name", reason));
    }
    let max = new
        .plan
        .max_languages
        .map_or(STORE_LANGUAGES_MAX, |max| max as usize);
    if new.languages.is_empty() {
        wrong.push(Invalid::new("languages", "name at least one"));
    } else if new.languages.len() > max {
        wrong.push(Invalid::new(
            "languages",
            format!("at most {max}, got {}", new.languages.len()),
        ));
    }
    for (at, language) in new.languages.iter().enumerate() {
        if new.languages[..at].contains(language) {
            wrong.push(Invalid::new(format!("languages[{at}]"), "is named twice"));
        }
    }
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(OperationError::Invalid(wrong))
    }
}

/// Returns the account of a new store, and its row if it has to be created, too.
async fn account(
    service: &Service,
    new: &NewStore,
    now: Timestamp,
) -> Result<(AccountId, Option<AccountRow>), OperationError> {
    if let Some(id) = &new.account {
        let found = service.storage.account(id).await?;
        return match found {
            Some(row) => Ok((row.id, None)),
            None => Err(OperationError::NotFound { what: "account" }),
        };
    }
    let accounts = service.storage.accounts().await?;
    match accounts.as_slice() {
        [] => {
            let row = accounts::new_row(new.name.clone(), now);
            Ok((row.id.clone(), Some(row)))
        }
        [only] => Ok((only.id.clone(), None)),
        _ => Err(OperationError::invalid(
            "account",
            "there are several accounts; name the one of the store",
        )),
    }
}
