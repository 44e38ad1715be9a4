//! Creation of stores by the operator, and by owners in their accounts.

use crate::access::permits::permit_for;
use crate::access::{accounts, keys};
use crate::message;
use crate::runtime::ids;
use crate::service::run_to_completion;
use crate::{OperationError, Service};
use domain::audit::{Actor, AuditEntry};
use domain::form::StoreName;
use domain::limits::{ACCOUNT_STORES_DEFAULT, STORE_LANGUAGES_MAX};
use domain::store::{PlanLimits, Store, StoreStatus, StoreSummary};
use domain::{AccountId, Caller, Invalid, KeyKind, Language, Timestamp, access};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use storage::{AccountRow, Administration, AuditSubject, KeyRow, NewStoreRow};

/// A store to create.
#[derive(Clone, Debug, Serialize, Deserialize)]
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
    let prepared = prepare(new, account, now)?;
    let entry = entry(&prepared, permit.actor().clone(), caller);
    let service = service.clone();
    run_to_completion(async move {
        let mut change = service.storage.administer(&permit).await?;
        if let Some(row) = &new_account {
            change.create_account(row).await?;
        }
        prepared.save(&service, change, &entry, now).await
    })
    .await
}

/// A store that a user asks for.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StoreRequest {
    /// Its name.
    #[schemars(with = "StoreName")]
    pub name: String,
    /// Its languages, the default one first.
    #[schemars(length(min = 1, max = STORE_LANGUAGES_MAX))]
    pub languages: Vec<Language>,
}

/// Creates a store of `account` on behalf of a user, without limits of a plan.
///
/// Errors: `Invalid` with all invalid values; `NotFound` for an account that the caller does not reach; `Forbidden` if
/// the role does not suffice; `PlanLimit` if the account has as many stores as its users may have.
pub async fn create_in_account(
    service: &Service,
    caller: &Caller,
    account: &AccountId,
    request: StoreRequest,
) -> Result<CreatedStore, OperationError> {
    let permit = permit_for(service, caller, "create_store", Some(account), None).await?;
    let new = NewStore {
        name: request.name,
        account: Some(permit.account().clone()),
        languages: request.languages,
        plan: PlanLimits::default(),
    };
    check(&new)?;
    let now = service.clock.now();
    let mut prepared = prepare(new, permit.account().clone(), now)?;
    prepared.key.made_by = Some(permit.actor().clone());
    let entry = entry(&prepared, permit.actor().clone(), caller);
    let service = service.clone();
    run_to_completion(async move {
        let mut change = service.storage.administer_account(&permit).await?;
        let (stores, most) = change.store_usage(permit.account()).await?;
        let most = most.unwrap_or(ACCOUNT_STORES_DEFAULT);
        if stores >= most {
            return Err(OperationError::PlanLimit {
                message: message::limit::stores(most),
                details: json!({"max": most, "stores": stores}),
            });
        }
        prepared.save(&service, change, &entry, now).await
    })
    .await
}

/// A store with the key of its connector, ready to be saved.
struct UnsavedStore {
    row: NewStoreRow,
    key: KeyRow,
    connector_key: String,
}

impl UnsavedStore {
    async fn save(
        self,
        service: &Service,
        mut change: Administration,
        entry: &AuditEntry,
        now: Timestamp,
    ) -> Result<CreatedStore, OperationError> {
        change.create_store(&self.row).await?;
        change.create_key(&self.key).await?;
        let subject = AuditSubject {
            account: Some(self.row.account.clone()),
            store: Some(self.row.store.id.clone()),
        };
        change.commit(entry, &subject, now).await?;
        let row = self.row;
        service.snapshots.configuration_changed(&row.store.id).await;
        Ok(CreatedStore {
            store: row.store.summary(),
            account_id: row.account,
            connector_key: self.connector_key,
        })
    }
}

fn entry(prepared: &UnsavedStore, actor: Actor, caller: &Caller) -> AuditEntry {
    let name = &prepared.row.store.name;
    AuditEntry {
        actor,
        operation: "create_store".to_owned(),
        resource: "store".to_owned(),
        summary: message::audited::store_created(name),
        changes: Vec::new(),
        request_id: caller.request_id.clone(),
    }
}

fn prepare(
    new: NewStore,
    account: AccountId,
    now: Timestamp,
) -> Result<UnsavedStore, OperationError> {
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
        impact_gate: None,
        config_revision: 0,
        created_at: now,
    };
    let owner = Some(store.id.clone());
    let (key, connector_key) = keys::minted(KeyKind::Connector, account.clone(), owner, now)?;
    Ok(UnsavedStore {
        row: NewStoreRow { store, account },
        key,
        connector_key,
    })
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
        wrong.push(Invalid::new("languages", message::store::name_one()));
    } else if new.languages.len() > max {
        wrong.push(Invalid::new(
            "languages",
            message::store::languages_at_most(max, new.languages.len()),
        ));
    }
    for (at, language) in new.languages.iter().enumerate() {
        if new.languages[..at].contains(language) {
            wrong.push(Invalid::new(
                format!("languages[{at}]"),
                message::value::named_twice(),
            ));
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
            None => Err(OperationError::NotFound {
                what: message::noun::account,
            }),
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
            message::key::account_of_store(),
        )),
    }
}
