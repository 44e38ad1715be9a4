//! Members of an account: list, role, removal. The last owner stays, and nobody changes their own role.

use super::PeopleRecord;
use crate::access::keys::KeySummary;
use crate::access::permits::permit_for;
use crate::message;
use crate::service::run_to_completion;
use crate::{OperationError, Service};
use domain::access::AccountPermit;
use domain::audit::{FieldChange, differences};
use domain::{AccountId, Caller, Email, Message, Role, StoreReach, Timestamp, UserId, error_codes};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use storage::{MemberRow, MembershipRow, PeopleWrite};

/// A member of an account.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Member {
    /// Id of the user.
    pub user_id: UserId,
    /// Name.
    pub name: String,
    /// Role.
    pub role: Role,
    /// The stores that the member reaches.
    pub stores: StoreReach,
    /// E-mail address; for owners only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<Email>,
    /// When the user signed in last; for owners only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_sign_in_at: Option<Timestamp>,
    /// When the user was deactivated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deactivated_at: Option<Timestamp>,
}

/// New role and stores of a member.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MemberChange {
    /// Role.
    pub role: Role,
    /// Stores; all if left out.
    #[serde(default)]
    #[schemars(with = "StoreReach")]
    pub stores: Option<StoreReach>,
}

/// Result of removing a member.
#[derive(Clone, Debug, Serialize)]
pub struct RemovedMember {
    /// Id of the user.
    pub id: UserId,
    /// Keys of the account that the member created and that still work.
    pub keys: Vec<KeySummary>,
}

/// Returns the members of an account, by e-mail address.
pub async fn list(
    service: &Service,
    caller: &Caller,
    account: &AccountId,
) -> Result<Vec<Member>, OperationError> {
    let permit = permit_for(service, caller, "list_members", Some(account), None).await?;
    let role = caller.user().and_then(|user| user.membership(account));
    let all = role.is_none_or(|own| own.role == Role::Owner);
    let rows = service.storage.members(&permit).await?;
    Ok(rows.into_iter().map(|row| member(row, all)).collect())
}

fn member(row: MemberRow, all: bool) -> Member {
    Member {
        user_id: row.user.id,
        name: row.user.name,
        role: row.membership.role,
        stores: row.membership.stores,
        email: all.then_some(row.user.email),
        last_sign_in_at: row.user.last_sign_in_at.filter(|_| all),
        deactivated_at: row.user.deactivated_at,
    }
}

/// Returns a member of the permitted account.
pub(super) async fn find(
    service: &Service,
    permit: &AccountPermit,
    user: &UserId,
) -> Result<MemberRow, OperationError> {
    let members = service.storage.members(permit).await?;
    of(members, user)
}

fn of(members: Vec<MemberRow>, user: &UserId) -> Result<MemberRow, OperationError> {
    let mut members = members.into_iter();
    let found = members.find(|member| member.user.id == *user);
    found.ok_or(OperationError::NotFound {
        what: message::noun::member,
    })
}

/// Checks that a member with `role` may reach `stores`, and that they belong to the account.
///
/// Errors: `Invalid` at `stores`.
pub(super) async fn check_reach(
    service: &Service,
    permit: &AccountPermit,
    role: Role,
    stores: &StoreReach,
) -> Result<(), OperationError> {
    let StoreReach::Only(only) = stores else {
        return Ok(());
    };
    if role == Role::Owner {
        let reason = message::people::owners_reach_all();
        return Err(OperationError::invalid("stores", reason));
    }
    if only.is_empty() {
        return Err(OperationError::invalid(
            "stores",
            message::people::no_store_named(),
        ));
    }
    let known = service.storage.stores_of(permit.account()).await?;
    match only.iter().position(|store| !known.contains(store)) {
        Some(at) => Err(OperationError::invalid(
            format!("stores[{at}]"),
            message::people::not_of_account(),
        )),
        None => Ok(()),
    }
}

/// Fails if the caller is a user who is no owner any more.
pub(super) async fn require_owner(
    write: &mut PeopleWrite,
    permit: &AccountPermit,
) -> Result<(), OperationError> {
    let Some(user) = &permit.actor().user_id else {
        return Ok(());
    };
    let memberships = write.memberships_of(&UserId(user.clone())).await?;
    let owns = |own: &MembershipRow| own.account == *permit.account() && own.role == Role::Owner;
    if memberships.iter().any(owns) {
        return Ok(());
    }
    Err(OperationError::forbidden(
        error_codes::ROLE_MISSING,
        message::access::role(message::role::owner()),
    ))
}

/// Fails if `user` is the last owner of an account who can sign in.
pub(super) fn keep_an_owner(members: &[MemberRow], user: &UserId) -> Result<(), OperationError> {
    let owns = |member: &&MemberRow| {
        member.membership.role == Role::Owner && member.user.deactivated_at.is_none()
    };
    let mut owners = members.iter().filter(owns).map(|member| &member.user.id);
    if owners.clone().any(|owner| owner == user) && !owners.any(|owner| owner != user) {
        return Err(OperationError::conflict(message::people::last_owner()));
    }
    Ok(())
}

/// Replaces role and stores of a member.
///
/// Errors: `NotFound` for somebody else; `Conflict` for the last owner and for the caller; `Invalid` for bad stores.
pub async fn set(
    service: &Service,
    caller: &Caller,
    account: &AccountId,
    user: &UserId,
    change: MemberChange,
) -> Result<Member, OperationError> {
    let permit = permit_for(service, caller, "set_member", Some(account), None).await?;
    if caller.user().is_some_and(|own| own.id == *user) {
        return Err(OperationError::conflict(message::people::own_role()));
    }
    let stores = change.stores.unwrap_or(StoreReach::All);
    check_reach(service, &permit, change.role, &stores).await?;
    let user = user.clone();
    let operation = if caller.user().is_some() {
        "set_member"
    } else {
        "set_user_role"
    };
    let now = service.clock.now();
    let storage = service.storage.clone();
    run_to_completion(async move {
        let mut write = storage.change_people().await?;
        write.lock_account(permit.account()).await?;
        require_owner(&mut write, &permit).await?;
        let members = write.members(permit.account()).await?;
        if change.role != Role::Owner {
            keep_an_owner(&members, &user)?;
        }
        let mut row = of(members, &user)?;
        let before = row.membership.clone();
        row.membership.role = change.role;
        row.membership.stores = stores;
        write.save_membership(&row.membership).await?;
        let summary = set_summary(&row.user.name, &before, &row.membership);
        let changes = differences(&described(&before), &described(&row.membership));
        let record = record(&permit, operation, &user, summary, changes);
        record.write(&mut write, permit.account(), now).await?;
        write.commit().await?;
        Ok(member(row, true))
    })
    .await
}

/// Removes a member; returns the keys that the member created, which go on working.
///
/// Errors: `NotFound` for somebody else; `Conflict` for the last owner.
pub async fn remove(
    service: &Service,
    caller: &Caller,
    account: &AccountId,
    user: &UserId,
) -> Result<RemovedMember, OperationError> {
    let permit = permit_for(service, caller, "remove_member", Some(account), None).await?;
    let rows = service.storage.keys_of_account(&permit, None).await?;
    let now = service.clock.now();
    let made = rows.into_iter().filter(|row| {
        let by_user = row.made_by.as_ref().and_then(|by| by.user_id.as_deref());
        let works = row.deactivated_at.is_none() && row.expires_at.is_none_or(|at| now < at);
        works && by_user == Some(user.as_str())
    });
    let keys = made.map(KeySummary::from).collect();
    let user = user.clone();
    let storage = service.storage.clone();
    run_to_completion(async move {
        let mut write = storage.change_people().await?;
        write.lock_account(permit.account()).await?;
        require_owner(&mut write, &permit).await?;
        let members = write.members(permit.account()).await?;
        keep_an_owner(&members, &user)?;
        let row = of(members, &user)?;
        write.remove_membership(&user, permit.account()).await?;
        let record = record(
            &permit,
            "remove_member",
            &user,
            message::audited::member_removed(&row.user.name),
            differences(&described(&row.membership), &json!({})),
        );
        record.write(&mut write, permit.account(), now).await?;
        write.commit().await?;
        Ok(RemovedMember { id: user, keys })
    })
    .await
}

/// Returns what an audit record tells of a membership.
fn described(membership: &MembershipRow) -> Value {
    json!({"role": membership.role, "stores": membership.stores})
}

fn set_summary(name: &str, before: &MembershipRow, after: &MembershipRow) -> Message {
    let [from, to] = [before, after].map(|row| message::of_role(row.role));
    if before.role != after.role {
        message::audited::member_role_from(name, from, to)
    } else if before.stores != after.stores {
        message::audited::member_stores(name)
    } else {
        message::audited::member_role(name, to)
    }
}

/// Names are not unique, so the resource has the id of the member.
fn record(
    permit: &AccountPermit,
    operation: &str,
    user: &UserId,
    summary: Message,
    changes: Vec<FieldChange>,
) -> PeopleRecord {
    let (actor, resource) = (permit.actor().clone(), format!("member/{}", user.as_str()));
    PeopleRecord::new(actor, permit.request_id(), operation, resource, summary).with(changes)
}
