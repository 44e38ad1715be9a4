//! What users do about themselves: profile, password, and giving the password again.

use super::sessions::{self, Began, SignedInCaller};
use super::sign_in::Attempt;
use super::{PanelClient, PeopleRecord, SignedIn, User};
use crate::message;
use crate::service::run_to_completion;
use crate::{OperationError, Service};
use domain::access::UserIdentity;
use domain::limits::{NAME_CHARACTERS_MAX, SIGN_IN_CHARACTERS_MAX};
use domain::user::check_user_name;
use domain::{AccountId, Caller, Message, PanelLanguage, RequiredRole, Role, StoreReach, access};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storage::UserRow;

/// The signed-in user with accounts and roles.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Profile {
    /// The user.
    pub user: User,
    /// The accounts, the oldest membership first.
    pub accounts: Vec<MyAccount>,
    /// Whether the password counts as just given.
    pub confirmed: bool,
}

/// An account of the signed-in user.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MyAccount {
    /// Its id.
    pub id: AccountId,
    /// Its name.
    pub name: String,
    /// The user's role in it.
    pub role: Role,
    /// The stores that the user reaches.
    pub stores: StoreReach,
}

/// Changes of one's own profile.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProfileChange {
    /// New name, 1 to 255 characters.
    #[serde(default)]
    #[schemars(with = "String", length(min = 1, max = NAME_CHARACTERS_MAX))]
    pub name: Option<String>,
    /// New language of the panel.
    #[serde(default)]
    #[schemars(with = "PanelLanguage")]
    pub language: Option<PanelLanguage>,
}

/// A new password in place of the current one.
#[derive(Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordChange {
    /// The current password.
    #[schemars(length(max = SIGN_IN_CHARACTERS_MAX))]
    pub current: String,
    /// The new password, 12 to 128 characters.
    #[schemars(length(max = SIGN_IN_CHARACTERS_MAX))]
    pub new: String,
}

/// Returns the user of a caller.
///
/// Errors: `NotFound` if the caller is none.
pub(super) fn of(caller: &Caller) -> Result<&UserIdentity, OperationError> {
    caller.user().ok_or(OperationError::NotFound {
        what: message::noun::user,
    })
}

pub(super) fn record(caller: &Caller, operation: &str, summary: Message) -> PeopleRecord {
    let id = caller.request_id.as_deref();
    PeopleRecord::new(caller.actor(), id, operation, "user", summary)
}

/// Returns the caller with accounts and roles.
pub async fn get(service: &Service, caller: &Caller) -> Result<Profile, OperationError> {
    let identity = of(caller)?;
    let user = row(service, caller).await?;
    let mut accounts = Vec::with_capacity(identity.accounts.len());
    for reached in &identity.accounts {
        let permit = access::account(caller, &reached.account, RequiredRole::Viewer)?;
        let account = service.storage.account(permit.account()).await?;
        accounts.extend(account.map(|account| MyAccount {
            id: account.id,
            name: account.name,
            role: reached.role,
            stores: if reached.all_stores {
                StoreReach::All
            } else {
                StoreReach::Only(reached.stores.to_vec())
            },
        }));
    }
    Ok(Profile {
        user: user.into(),
        accounts,
        confirmed: identity.confirmed,
    })
}

async fn row(service: &Service, caller: &Caller) -> Result<UserRow, OperationError> {
    let found = service.storage.user(&of(caller)?.id).await?;
    found.ok_or(OperationError::NotFound {
        what: message::noun::user,
    })
}

/// Updates name and language of the caller.
///
/// Errors: `Invalid` for a bad name.
pub async fn update(
    service: &Service,
    caller: &Caller,
    change: ProfileChange,
) -> Result<User, OperationError> {
    let mut user = row(service, caller).await?;
    if let Some(name) = change.name {
        check_user_name(&name).map_err(|reason| OperationError::invalid("name", reason))?;
        user.name = name;
    }
    user.language = change.language.unwrap_or(user.language);
    let record = record(caller, "update_me", message::audited::profile());
    let now = service.clock.now();
    let storage = service.storage.clone();
    run_to_completion(async move {
        let mut write = storage.change_people().await?;
        write
            .save_profile(&user.id, &user.name, user.language)
            .await?;
        record.write_for(&mut write, &user.id, now).await?;
        write.commit().await?;
        Ok(user.into())
    })
    .await
}

/// Gives the password again. The session is replaced by a new one that began at the same time.
///
/// Errors: as [`super::sign_in`], and `Invalid` for a wrong password.
pub async fn confirm(
    service: &Service,
    caller: &SignedInCaller,
    password: &str,
    client: PanelClient,
) -> Result<SignedIn, OperationError> {
    let user = row(service, &caller.caller).await?;
    compare(service, &user, "password", password, &client).await?;
    renew(service, caller, user, client, None).await
}

/// Replaces the caller's password, and ends the other sessions and the open links of the caller.
///
/// Errors: `Invalid` for a wrong current or an unsuitable new password; `TooMany` after too many failures.
pub async fn change_password(
    service: &Service,
    caller: &SignedInCaller,
    change: PasswordChange,
    client: PanelClient,
) -> Result<SignedIn, OperationError> {
    let user = row(service, &caller.caller).await?;
    compare(service, &user, "current", &change.current, &client).await?;
    let passwords = &service.access.people.passwords;
    let phc = passwords.hash("new", &change.new, &user.email).await?;
    renew(service, caller, user, client, Some(phc)).await
}

async fn compare(
    service: &Service,
    user: &UserRow,
    field: &'static str,
    password: &str,
    client: &PanelClient,
) -> Result<(), OperationError> {
    let attempt = Attempt::of(service, user.email.as_str(), Some(user), client).await?;
    let right = attempt.compare(service, password, Some(user)).await?;
    match right {
        Some(_) => Ok(()),
        None => Err(OperationError::invalid(field, message::people::not_right())),
    }
}

/// Replaces the session of `caller`; with a new password, all of the user's sessions.
///
/// Errors: `Unauthenticated` if that session ended, or the password was replaced, while the password of `user` was
/// compared.
async fn renew(
    service: &Service,
    caller: &SignedInCaller,
    user: UserRow,
    client: PanelClient,
    phc: Option<String>,
) -> Result<SignedIn, OperationError> {
    let now = service.clock.now();
    let former = caller.digest.clone();
    let summary = message::audited::password();
    let record = record(&caller.caller, "change_password", summary);
    let service = service.clone();
    run_to_completion(async move {
        let mut write = service.storage.change_people().await?;
        let ended = write.end_session(&former).await?;
        let ended = ended.ok_or_else(sessions::missing)?;
        let user = write.unchanged_user(&user).await?;
        let user = user.ok_or_else(sessions::missing)?;
        if let Some(phc) = &phc {
            write.save_password(&user.id, phc).await?;
            write.end_sessions(&user.id).await?;
            write.revoke_links_of(&user.id, now).await?;
            record.write_for(&mut write, &user.id, now).await?;
        }
        let began = Began {
            signed_in_at: ended.signed_in_at,
            confirmed_at: Some(now),
            now,
        };
        let signed_in = sessions::start(&service, &mut write, &user, &client, began).await?;
        write.commit().await?;
        Ok(signed_in)
    })
    .await
}
