//! Permits for operations on an account or a store of it, as the catalogue requires, and the store that one names.

use crate::catalogue::operation;
use crate::message;
use crate::{OperationError, Service};
use domain::access::{AccountPermit, Feed, Identity, MayRead, Write};
use domain::store::Store;
use domain::{AccountId, Caller, Permit, RequiredRole, StoreId, access};
use storage::ConfigurationWrite;

const NO_STORE: OperationError = OperationError::NotFound {
    what: message::noun::store,
};

impl Service {
    /// Returns the store that `permit` names.
    ///
    /// Errors: `NotFound` if it does not exist.
    pub(crate) async fn store(
        &self,
        permit: &Permit<impl MayRead>,
    ) -> Result<Store, OperationError> {
        self.storage.store(permit).await?.ok_or(NO_STORE)
    }

    /// Opens a write of the configuration of the store that `permit` names.
    ///
    /// Errors: `Invalid` for what is wrong with its attempt; `NotFound` if the store does not exist.
    pub(crate) async fn begin(
        &self,
        permit: &Permit<Write>,
    ) -> Result<ConfigurationWrite, OperationError> {
        permit.attempt().check().map_err(OperationError::Invalid)?;
        self.storage.begin(permit).await?.ok_or(NO_STORE)
    }
}

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
    found.ok_or(NO_STORE)
}

/// Returns what the operation `id` requires of users.
fn required(id: &str) -> RequiredRole {
    let required = operation(id).and_then(|operation| operation.role);
    required.unwrap_or(RequiredRole::ConfirmedOwner)
}

/// Checks that the caller, a user or the operator, may run the operation `id` on `store`.
///
/// Errors: `NotFound` for a store that a user does not reach; `Forbidden` for keys, if the role does not suffice or the
/// password is needed.
pub(crate) fn require_on_store(
    caller: &Caller,
    id: &str,
    store: &StoreId,
) -> Result<(), OperationError> {
    match caller.identity {
        Identity::User(_) => {
            access::account_of_store(caller, store, required(id))?;
        }
        Identity::Key(_) | Identity::Operator { .. } => {
            access::operator(caller)?;
        }
    }
    Ok(())
}

/// Returns a permit for the operation `id` on indices and runs of `store`.
///
/// Errors: those of [`require_on_store`].
pub(crate) fn feed_on_store(
    caller: &Caller,
    id: &str,
    store: &StoreId,
) -> Result<Permit<Feed>, OperationError> {
    Ok(access::feed_in_panel(caller, store, required(id))?)
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
    let required = required(id);
    let of_store = match store {
        Some(store) => Some(account_of(service, caller, store).await?),
        None => None,
    };
    let account = of_store
        .as_ref()
        .or(account)
        .ok_or(OperationError::NotFound {
            what: message::noun::account,
        })?;
    let permit = access::account(caller, account, required)?;
    // The operator reaches every account that exists.
    if of_store.is_none() && service.storage.account(account).await?.is_none() {
        return Err(OperationError::NotFound {
            what: message::noun::account,
        });
    }
    Ok(permit)
}
