//! What a signed-in user may do: the accounts that they reach, and permits for an account.

use super::{Caller, Denied, Feed, Identity, Permit};
use crate::audit::Actor;
use crate::id::{AccountId, StoreId, UserId};
use crate::role::{RequiredRole, Role};
use std::sync::Arc;

/// A signed-in user of the control panel, with the memberships of this moment.
#[derive(Clone, Debug)]
pub struct UserIdentity {
    /// Id of the user.
    pub id: UserId,
    /// Name of the user, as the audit trail shows it.
    pub name: String,
    /// The accounts that the user is a member of.
    pub accounts: Vec<ReachedAccount>,
    /// Whether the password was given within the last minutes.
    pub confirmed: bool,
}

/// An account of a user.
#[derive(Clone, Debug)]
pub struct ReachedAccount {
    /// The account.
    pub account: AccountId,
    /// Role of the user in it.
    pub role: Role,
    /// Whether all its stores are reached, also later ones.
    pub all_stores: bool,
    /// The stores of the account that the user reaches.
    pub stores: Arc<[StoreId]>,
}

impl UserIdentity {
    /// Returns the membership in `account`.
    pub fn membership(&self, account: &AccountId) -> Option<&ReachedAccount> {
        self.accounts.iter().find(|of| of.account == *account)
    }

    /// Returns the membership through which `store` is reached.
    pub fn reaching(&self, store: &StoreId) -> Option<&ReachedAccount> {
        self.accounts.iter().find(|of| of.stores.contains(store))
    }
}

/// Proof that a caller may act on one account in the way that was required.
#[derive(Clone, Debug)]
pub struct AccountPermit {
    account: AccountId,
    stores: Option<Arc<[StoreId]>>,
    actor: Actor,
    request_id: Option<String>,
}

impl AccountPermit {
    /// Returns the account that the permit is for.
    pub fn account(&self) -> &AccountId {
        &self.account
    }

    /// Returns whether the caller reaches `store`, which belongs to the account; without a store, the whole account.
    pub fn reaches(&self, store: Option<&StoreId>) -> bool {
        match (&self.stores, store) {
            (None, _) => true,
            (Some(stores), Some(store)) => stores.contains(store),
            (Some(_), None) => false,
        }
    }

    /// Returns the caller as the audit trail names it.
    pub fn actor(&self) -> &Actor {
        &self.actor
    }

    /// Returns the id of the request.
    pub fn request_id(&self) -> Option<&str> {
        self.request_id.as_deref()
    }
}

/// Returns a permit if `caller` may do in `account` what requires `required`. A key never may.
pub fn account(
    caller: &Caller,
    account: &AccountId,
    required: RequiredRole,
) -> Result<AccountPermit, Denied> {
    let stores = match &caller.identity {
        Identity::Operator { .. } => None,
        Identity::Key(_) => return Err(Denied::Reserved),
        Identity::User(user) => {
            let membership = user.membership(account).ok_or(Denied::NoSuchAccount)?;
            suffices(user, membership.role, required)?;
            (!membership.all_stores).then(|| Arc::clone(&membership.stores))
        }
    };
    Ok(AccountPermit {
        account: account.clone(),
        stores,
        actor: caller.actor(),
        request_id: caller.request_id.clone(),
    })
}

/// Returns a permit if `caller` may do what requires `required` in the account of `store`, which a user reaches. Neither a
/// key nor the operator, whose accounts are not known here, gets one.
pub fn account_of_store(
    caller: &Caller,
    store: &StoreId,
    required: RequiredRole,
) -> Result<AccountPermit, Denied> {
    let user = caller.user().ok_or(Denied::Reserved)?;
    let reached = user.reaching(store).ok_or(Denied::NotFound)?;
    account(caller, &reached.account, required)
}

/// Returns a permit to change indices and runs of `store` if `caller` is a user who may do what requires `required`, or
/// the operator.
pub fn feed_in_panel(
    caller: &Caller,
    store: &StoreId,
    required: RequiredRole,
) -> Result<Permit<Feed>, Denied> {
    if caller.user().is_none() {
        return super::feed_as_operator(caller, store);
    }
    account_of_store(caller, store, required)?;
    Ok(Permit::new(caller, store))
}

/// Checks that a member with `role` may do what requires `required`.
fn suffices(user: &UserIdentity, role: Role, required: RequiredRole) -> Result<(), Denied> {
    if role < required.role() {
        return Err(Denied::RoleMissing(required.role()));
    }
    if required == RequiredRole::ConfirmedOwner && !user.confirmed {
        return Err(Denied::PasswordNeeded);
    }
    Ok(())
}

/// Checks that `user` reaches `store` with at least `role`.
pub(super) fn of_store(user: &UserIdentity, store: &StoreId, role: Role) -> Result<(), Denied> {
    let membership = user.reaching(store).ok_or(Denied::NotFound)?;
    if membership.role < role {
        return Err(Denied::RoleMissing(role));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    //! 1. A user reads, writes and manages only as far as the role in the account of the store allows.
    //! 2. What a user does not reach does not exist for them, whatever their role elsewhere.
    //! 3. A key gets no permit for an account; the operator gets one for each.

    use super::super::{feed, operator, read, search, write};
    use super::*;

    fn user(role: Role, confirmed: bool) -> Caller {
        let of = |account: &str, role, stores: &[&str]| ReachedAccount {
            account: account.into(),
            role,
            all_stores: role == Role::Owner,
            stores: stores.iter().map(|id| StoreId::from(*id)).collect(),
        };
        Caller {
            identity: Identity::User(Arc::new(UserIdentity {
                id: "u1".into(),
                name: "Ana".to_owned(),
                accounts: vec![of("a1", role, &["s1"]), of("a2", Role::Viewer, &["s2"])],
                confirmed,
            })),
            request_id: None,
            attempt: crate::WriteAttempt::default(),
        }
    }

    #[test]
    fn a_store_is_read_and_written_by_role() {
        for role in Role::ALL {
            let caller = user(role, false);
            assert!(read(&caller, &"s1".into()).is_ok());
            let expected = (role < Role::Editor).then_some(Denied::RoleMissing(Role::Editor));
            assert_eq!(write(&caller, &"s1".into()).err(), expected);
            assert_eq!(
                write(&caller, &"s2".into()).err(),
                Some(Denied::RoleMissing(Role::Editor))
            );
            assert_eq!(write(&caller, &"s3".into()).err(), Some(Denied::NotFound));
            assert!(feed(&caller).is_err() && search(&caller).is_err());
            assert_eq!(operator(&caller).err(), Some(Denied::Reserved));
        }
    }

    #[test]
    fn an_account_is_managed_by_role_and_password() {
        let of = |caller: &Caller, id: &str, required| account(caller, &id.into(), required).err();
        let owner = user(Role::Owner, true);
        assert_eq!(of(&owner, "a1", RequiredRole::ConfirmedOwner), None);
        assert_eq!(
            of(&owner, "a2", RequiredRole::Editor),
            Some(Denied::RoleMissing(Role::Editor))
        );
        assert_eq!(
            of(&owner, "a3", RequiredRole::Viewer),
            Some(Denied::NoSuchAccount)
        );
        let idle = user(Role::Owner, false);
        assert_eq!(of(&idle, "a1", RequiredRole::Owner), None);
        assert_eq!(
            of(&idle, "a1", RequiredRole::ConfirmedOwner),
            Some(Denied::PasswordNeeded)
        );
        let editor = user(Role::Editor, false);
        assert_eq!(
            of(&editor, "a1", RequiredRole::ConfirmedOwner),
            Some(Denied::RoleMissing(Role::Owner)),
            "the role comes first"
        );
    }

    #[test]
    fn a_member_of_some_stores_reaches_no_others() {
        let permit = account(
            &user(Role::Editor, false),
            &"a1".into(),
            RequiredRole::Editor,
        );
        let permit = permit.expect("an editor");
        assert!(permit.reaches(Some(&"s1".into())));
        assert!(!permit.reaches(Some(&"s2".into())) && !permit.reaches(None));
        let all = account(
            &Caller::operator(),
            &"a9".into(),
            RequiredRole::ConfirmedOwner,
        );
        assert!(all.is_ok_and(|permit| permit.reaches(None)));
    }
}
