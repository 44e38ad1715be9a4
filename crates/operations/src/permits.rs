//! Permits for operations on an account or a store of it, as the catalogue requires.

use crate::catalogue::operation;
use crate::{OperationError, Service};
use domain::access::{AccountPermit, Identity};
use domain::{AccountId, Caller, RequiredRole, StoreId, access};

/// Returns the account of `store`, if the caller may know it.
///
/// Errors: `NotFound` for a store that does not exist or that a user does not reach.
async fn account_of(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
) -> Result<AccountId, OperationError> {
    let found = match &caller.identity {
        Identity::User(user) => user.reaching(store).map(|of| of.account.clone()),
        _ => {
            let operator = access::operator(caller)?;
            service.storage.account_of(&operator, store).await?
        }
    };
    found.ok_or(OperationError::NotFound { what: "store" })
}

/// Returns the permit for the operation `id` on an account, or on the account of `store`.
///
/// Errors: `NotFound` for what the caller does not reach; `Forbidden` if the role does not suffice or the password is
/// needed.
pub(crate) async fn permit_for(
    service: &Service,
    caller: &Caller,
    id: &str,
    account: Option<&AccountId>,
    store: Option<&StoreId>,
) -> Result<AccountPermit, OperationError> {
    let required = operation(id).and_then(|operation| operation.role);
    let required = required.unwrap_or(RequiredRole::ConfirmedOwner);
    let of_store = match store {
        Some(store) => Some(account_of(service, caller, store).await?),
        None => None,
    };
    let account = of_store
        .as_ref()
        .or(account)
        .ok_or(OperationError::NotFound { what: "account" })?;
    let permit = access::account(caller, account, required)?;
    // The operator reaches every account that exists.
    if of_store.is_none() && service.storage.account(account).await?.is_none() {
        return Err(OperationError::NotFound { what: "account" });
    }
    Ok(permit)
}
