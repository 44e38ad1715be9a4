//! How one-time links are made.

use super::{Invitation, LinkKind, MadeLink};
use crate::access::people::{PeopleRecord, digest, members, token};
use crate::access::permits::permit_for;
use crate::message;
use crate::runtime::ids;
use crate::service::run_to_completion;
use crate::{OperationError, Service};
use domain::access::AccountPermit;
use domain::limits::MEMBERS_MAX;
use domain::{
    AccountId, Caller, Email, Message, PanelLanguage, Role, StoreId, StoreReach, Timestamp, UserId,
    access,
};
use serde_json::json;
use storage::{LinkRow, LinkTarget, MembershipRow, PeopleWrite, UserRow};

/// Open links of an account, and links that it makes on one day.
const LINKS_MAX: u64 = 50;
/// Address of the demo's owner; the domain exists nowhere.
const DEMO_EMAIL: &str = "demo@findwell.invalid";

/// Returns a new link and what storage holds of it.
fn new_link(
    kind: LinkKind,
    target: LinkTarget,
    made_by: &str,
    now: Timestamp,
) -> Result<(MadeLink, LinkRow), OperationError> {
    let token = format!("{}_{}", kind.prefix(), token()?);
    let row = LinkRow {
        id: ids::link(),
        digest: digest(&token),
        kind: kind.prefix().to_owned(),
        target,
        made_by: made_by.to_owned(),
        created_at: now,
        expires_at: now.plus_hours(kind.hours()),
        used_at: None,
        revoked_at: None,
    };
    let made = MadeLink {
        id: row.id.clone(),
        token,
        expires_at: row.expires_at,
    };
    Ok((made, row))
}

/// Makes the link of the first owner, if there is no user and at most one account. Former links of this kind end where
/// nobody else can have made them; beside other servers an open one stays, and this makes none.
pub async fn first_owner(service: &Service) -> Result<Option<MadeLink>, OperationError> {
    let now = service.clock.now();
    let accounts = service.storage.accounts().await?;
    if accounts.len() > 1 || service.storage.has_users().await? {
        return Ok(None);
    }
    let (made, row) = new_link(LinkKind::Owner, LinkTarget::default(), "server", now)?;
    let mut write = service.storage.change_people().await?;
    // Another server may have let the first owner in, or may be making a link.
    write.lock_people().await?;
    if write.has_users().await? {
        return Ok(None);
    }
    let kind = LinkKind::Owner.prefix();
    if service.storage.is_on_server() && write.has_open_link(kind, now).await? {
        tracing::info!("a link of the first owner is open; the server that made it printed it");
        return Ok(None);
    }
    write.revoke_kind(LinkKind::Owner.prefix(), now).await?;
    write.create_link(&row).await?;
    write.commit().await?;
    Ok(Some(made))
}

/// Makes the link that enters as the owner of the demo's account, who is created if there is none. Former links of this kind end.
pub async fn demo_owner(service: &Service, store: &StoreId) -> Result<MadeLink, OperationError> {
    let now = service.clock.now();
    let operator = access::operator(&Caller::operator())?;
    let account = service.storage.account_of(&operator, store).await?;
    let account = account.ok_or(OperationError::NotFound {
        what: message::noun::store,
    })?;
    let email = Email::parse(DEMO_EMAIL).map_err(OperationError::internal)?;
    let mut write = service.storage.change_people().await?;
    let user = match write.user_by_email(&email).await? {
        Some(user) => user,
        None => {
            let user = UserRow {
                id: ids::user(),
                email,
                name: "Demo owner".to_owned(),
                language: PanelLanguage::En,
                password: None,
                created_at: now,
                last_sign_in_at: None,
                deactivated_at: None,
            };
            if !write.create_user(&user).await? {
                return Err(OperationError::conflict(message::people::user_meanwhile()));
            }
            user
        }
    };
    let row = owner_of(account.clone(), user.id.clone(), now);
    write.save_membership(&row).await?;
    let target = LinkTarget {
        account: Some(account),
        user: Some(user.id),
        ..LinkTarget::default()
    };
    write.revoke_kind(LinkKind::Demo.prefix(), now).await?;
    let (made, row) = new_link(LinkKind::Demo, target, "demo", now)?;
    write.create_link(&row).await?;
    write.commit().await?;
    Ok(made)
}

/// Returns the membership of an owner.
pub(super) fn owner_of(account: AccountId, user: UserId, now: Timestamp) -> MembershipRow {
    MembershipRow {
        user,
        account,
        role: Role::Owner,
        stores: StoreReach::All,
        created_at: now,
    }
}

/// A link to make for an account.
struct LinkRequest {
    kind: LinkKind,
    target: LinkTarget,
    operation: &'static str,
    summary: Message,
}

impl LinkRequest {
    /// Makes the link in an open transaction and commits it with its record.
    ///
    /// Errors: `PlanLimit` above the links of an account.
    async fn save(
        self,
        mut write: PeopleWrite,
        permit: &AccountPermit,
        now: Timestamp,
    ) -> Result<MadeLink, OperationError> {
        let account = permit.account();
        let (open, today) = write.count_links(account, now, now.plus_hours(-24)).await?;
        if open >= LINKS_MAX || today >= LINKS_MAX {
            return Err(OperationError::PlanLimit {
                message: message::limit::links(LINKS_MAX),
                details: json!({"max": LINKS_MAX, "open": open, "made": today}),
            });
        }
        let (made, row) = new_link(self.kind, self.target, &permit.actor().name, now)?;
        write.create_link(&row).await?;
        let record = PeopleRecord::new(
            permit.actor().clone(),
            permit.request_id(),
            self.operation,
            "link",
            self.summary,
        );
        record.write(&mut write, account, now).await?;
        write.commit().await?;
        Ok(made)
    }
}

/// Makes a link with which somebody joins an account.
///
/// Errors: `Invalid` for a bad address or stores; `Conflict` for a member; `PlanLimit` above the members or links of an
/// account.
pub async fn invite(
    service: &Service,
    caller: &Caller,
    account: &AccountId,
    invitation: Invitation,
) -> Result<MadeLink, OperationError> {
    let by_user = caller.user().is_some();
    let operation = if by_user {
        "invite_member"
    } else {
        "create_user"
    };
    let permit = permit_for(service, caller, "invite_member", Some(account), None).await?;
    let email = Email::parse(&invitation.email)
        .map_err(|reason| OperationError::invalid("email", reason))?;
    let stores = invitation.stores.unwrap_or(StoreReach::All);
    members::check_reach(service, &permit, invitation.role, &stores).await?;
    let request = LinkRequest {
        kind: LinkKind::Invitation,
        target: LinkTarget {
            account: Some(permit.account().clone()),
            user: None,
            email: Some(email.clone()),
            role: Some(invitation.role),
            stores: Some(stores),
        },
        operation,
        summary: message::audited::invitation(email.as_str(), message::of_role(invitation.role)),
    };
    let now = service.clock.now();
    let storage = service.storage.clone();
    run_to_completion(async move {
        let mut write = storage.change_people().await?;
        write.lock_account(permit.account()).await?;
        members::require_owner(&mut write, &permit).await?;
        let present = write.members(permit.account()).await?;
        if present.iter().any(|member| member.user.email == email) {
            return Err(OperationError::conflict(message::people::member_address()));
        }
        check_room(present.len())?;
        request.save(write, &permit, now).await
    })
    .await
}

/// Fails if an account with `members` members is full.
pub(super) fn check_room(members: usize) -> Result<(), OperationError> {
    if members < MEMBERS_MAX {
        return Ok(());
    }
    Err(OperationError::PlanLimit {
        message: message::limit::members(MEMBERS_MAX),
        details: json!({"max": MEMBERS_MAX}),
    })
}

/// Makes a link with which a member sets a new password.
///
/// Errors: `NotFound` for somebody else; `Conflict` if the member belongs to an account that the caller does not own.
pub async fn reset_member(
    service: &Service,
    caller: &Caller,
    account: &AccountId,
    user: &UserId,
) -> Result<MadeLink, OperationError> {
    let permit = permit_for(service, caller, "reset_member", Some(account), None).await?;
    let member = members::find(service, &permit, user).await?;
    for other in service.storage.memberships_of(user).await? {
        let owned = caller
            .user()
            .and_then(|caller| caller.membership(&other.account))
            .is_some_and(|own| own.role == Role::Owner);
        if !owned && caller.user().is_some() {
            return Err(OperationError::conflict(message::people::other_account(
                &member.user.name,
                member.user.email.as_str(),
            )));
        }
    }
    reset(service, permit, member.user, "reset_member").await
}

/// Makes a link with which a user of any account sets a new password, for the operator.
pub async fn reset_as_operator(
    service: &Service,
    caller: &Caller,
    email: &Email,
) -> Result<MadeLink, OperationError> {
    access::operator(caller)?;
    let user = service.storage.user_by_email(email).await?;
    let user = user.ok_or(OperationError::NotFound {
        what: message::noun::user,
    })?;
    let memberships = service.storage.memberships_of(&user.id).await?;
    let first = memberships.into_iter().next();
    let account = first.map(|membership| membership.account);
    let permit = permit_for(service, caller, "reset_member", account.as_ref(), None).await?;
    reset(service, permit, user, "reset_user").await
}

async fn reset(
    service: &Service,
    permit: AccountPermit,
    user: UserRow,
    operation: &'static str,
) -> Result<MadeLink, OperationError> {
    let request = LinkRequest {
        kind: LinkKind::Reset,
        target: LinkTarget {
            account: Some(permit.account().clone()),
            user: Some(user.id.clone()),
            ..LinkTarget::default()
        },
        operation,
        summary: message::audited::reset_link(&user.name),
    };
    let now = service.clock.now();
    let storage = service.storage.clone();
    run_to_completion(async move {
        let mut write = storage.change_people().await?;
        write.lock_account(permit.account()).await?;
        members::require_owner(&mut write, &permit).await?;
        request.save(write, &permit, now).await
    })
    .await
}
