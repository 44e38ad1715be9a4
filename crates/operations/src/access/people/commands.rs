//! What the command line does about users of all accounts.

use super::links::{self, Invitation, MadeLink};
use super::members::{self, MemberChange, keep_an_owner};
use super::{PeopleRecord, User};
use crate::message;
use crate::service::run_to_completion;
use crate::{OperationError, Service};
use domain::{AccountId, Caller, Email, Role, StoreReach, access};
use serde::Serialize;
use storage::UserRow;

/// A user with accounts and roles.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UserWithRoles {
    /// The user.
    #[serde(flatten)]
    pub user: User,
    /// Accounts with roles and stores.
    pub accounts: Vec<RoleInAccount>,
}

/// The role of a user in one account.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RoleInAccount {
    /// The account.
    pub account_id: AccountId,
    /// The role.
    pub role: Role,
    /// The stores that the user reaches.
    pub stores: StoreReach,
}

/// Makes a link with which somebody joins an account; without `account`, the only one.
pub async fn create(
    service: &Service,
    caller: &Caller,
    account: Option<AccountId>,
    invitation: Invitation,
) -> Result<MadeLink, OperationError> {
    access::operator(caller)?;
    let account = match account {
        Some(account) => account,
        None => only_account(service).await?,
    };
    links::invite(service, caller, &account, invitation).await
}

async fn only_account(service: &Service) -> Result<AccountId, OperationError> {
    let mut accounts = service.storage.accounts().await?.into_iter();
    match (accounts.next(), accounts.next()) {
        (Some(only), None) => Ok(only.id),
        (None, _) => Err(OperationError::NotFound {
            what: message::noun::account,
        }),
        (Some(_), Some(_)) => Err(OperationError::invalid("account", message::key::accounts())),
    }
}

/// Returns all users, or the members of an account, by e-mail address.
pub async fn list(
    service: &Service,
    caller: &Caller,
    account: Option<AccountId>,
) -> Result<Vec<UserWithRoles>, OperationError> {
    access::operator(caller)?;
    let mut users = Vec::new();
    for row in service.storage.users().await? {
        let memberships = service.storage.memberships_of(&row.id).await?;
        let of_account = |only: &AccountId| memberships.iter().any(|of| of.account == *only);
        if account.as_ref().is_some_and(|only| !of_account(only)) {
            continue;
        }
        let accounts = memberships.into_iter().map(|membership| RoleInAccount {
            account_id: membership.account,
            role: membership.role,
            stores: membership.stores,
        });
        users.push(UserWithRoles {
            user: row.into(),
            accounts: accounts.collect(),
        });
    }
    Ok(users)
}

/// Makes a link with which a user sets a new password.
pub async fn reset(
    service: &Service,
    caller: &Caller,
    email: &str,
) -> Result<MadeLink, OperationError> {
    let email = parsed(email)?;
    links::reset_as_operator(service, caller, &email).await
}

fn parsed(email: &str) -> Result<Email, OperationError> {
    Email::parse(email).map_err(|reason| OperationError::invalid("email", reason))
}

async fn find(service: &Service, email: &str) -> Result<UserRow, OperationError> {
    let found = service.storage.user_by_email(&parsed(email)?).await?;
    found.ok_or(OperationError::NotFound {
        what: message::noun::user,
    })
}

/// Ends all sessions of a user; without `email`, of all users.
pub async fn sign_out(
    service: &Service,
    caller: &Caller,
    email: Option<&str>,
) -> Result<(), OperationError> {
    access::operator(caller)?;
    let user = match email {
        Some(email) => Some(find(service, email).await?),
        None => None,
    };
    let summary = message::audited::sessions_ended();
    let record = PeopleRecord::new(caller.actor(), None, "sign_out_users", "session", summary);
    let now = service.clock.now();
    let storage = service.storage.clone();
    run_to_completion(async move {
        let mut write = storage.change_people().await?;
        match &user {
            Some(user) => {
                write.end_sessions(&user.id).await?;
                record.write_for(&mut write, &user.id, now).await?;
            }
            None => {
                write.end_all_sessions().await?;
                for account in write.accounts().await? {
                    record.write(&mut write, &account.id, now).await?;
                }
            }
        }
        Ok(write.commit().await?)
    })
    .await
}

/// Deactivates a user, whose sessions and open links end at once, or activates it again, without a session.
///
/// Errors: `NotFound` for an unknown address; `Conflict` for the last owner of an account.
pub async fn set_active(
    service: &Service,
    caller: &Caller,
    email: &str,
    active: bool,
) -> Result<User, OperationError> {
    access::operator(caller)?;
    let mut user = find(service, email).await?;
    let summary = if active {
        message::audited::user_activated(&user.name)
    } else {
        message::audited::user_deactivated(&user.name)
    };
    let record = PeopleRecord::new(caller.actor(), None, "set_user_active", "user", summary);
    let now = service.clock.now();
    let storage = service.storage.clone();
    run_to_completion(async move {
        let mut write = storage.change_people().await?;
        user.deactivated_at = (!active).then_some(now);
        if !active {
            let mut memberships = write.memberships_of(&user.id).await?;
            memberships.sort_by(|one, other| one.account.as_str().cmp(other.account.as_str()));
            for membership in memberships {
                write.lock_account(&membership.account).await?;
                let members = write.members(&membership.account).await?;
                keep_an_owner(&members, &user.id)?;
            }
        }
        write.end_sessions(&user.id).await?;
        write.deactivate_user(&user.id, user.deactivated_at).await?;
        if !active {
            write.revoke_links_of(&user.id, now).await?;
        }
        record.write_for(&mut write, &user.id, now).await?;
        write.commit().await?;
        Ok(user.into())
    })
    .await
}

/// Replaces the role of a member of an account, or ends the membership without a role.
///
/// Errors: as [`members::set`] and [`members::remove`].
pub async fn set_role(
    service: &Service,
    caller: &Caller,
    email: &str,
    account: &AccountId,
    role: Option<Role>,
) -> Result<User, OperationError> {
    access::operator(caller)?;
    let user = find(service, email).await?;
    match role {
        Some(role) => {
            let change = MemberChange { role, stores: None };
            members::set(service, caller, account, &user.id, change).await?;
        }
        None => {
            members::remove(service, caller, account, &user.id).await?;
        }
    }
    Ok(user.into())
}
