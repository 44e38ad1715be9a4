//! How one-time links are used: each once, by whoever has it.

use super::make::{check_room, owner_of};
use super::{LinkKind, LinkUse, open_link};
use crate::access::accounts;
use crate::access::people::sessions::{self, Began};
use crate::access::people::sign_in::Attempt;
use crate::access::people::{PanelClient, PeopleRecord, SignedIn};
use crate::message;
use crate::runtime::ids;
use crate::service::run_to_completion;
use crate::{OperationError, Service};
use domain::audit::Actor;
use domain::form::Label;
use domain::user::check_user_name;
use domain::{AccountId, Email, Invalid, Message, Role, StoreReach, Timestamp};
use storage::{LinkRow, MembershipRow, PeopleWrite, UserRow};

/// What a link does, with everything that can be known before its transaction.
enum Redemption {
    /// Creates a user, who joins an account or creates the first one.
    Join {
        user: UserRow,
        new_account: Option<String>,
    },
    /// Lets an existing user join an account.
    JoinAs(UserRow),
    /// Replaces the password of a user by this PHC string.
    Reset(UserRow, String),
    /// Enters.
    Enter(UserRow),
}

/// Uses a link and starts a session.
///
/// Errors: `LinkGone` if it is not open; `Invalid` for bad or missing values; for an existing user as sign-in.
pub async fn redeem(
    service: &Service,
    input: LinkUse,
    client: PanelClient,
) -> Result<SignedIn, OperationError> {
    let row = open_link(service, &input.token, &client).await?;
    let redemption = prepare(service, &row, &input, &client).await?;
    let now = service.clock.now();
    let service = service.clone();
    run_to_completion(async move {
        let mut write = service.storage.change_people().await?;
        if LinkKind::of(&row)? == LinkKind::Owner {
            write.lock_people().await?;
        }
        if let Some(account) = &row.target.account {
            write.lock_account(account).await?;
        }
        // Somebody else may have used it in the meantime.
        if !write.use_link(&row.id, now).await? {
            return Err(OperationError::LinkGone);
        }
        let link = write.link(&row.digest).await?;
        let link = link.ok_or(OperationError::LinkGone)?;
        let (user, with_password) = carry_out(&mut write, &link, redemption, now).await?;
        write.note_sign_in(&user.id, now).await?;
        let began = Began::now(now, with_password);
        let signed_in = sessions::start(&service, &mut write, &user, &client, began).await?;
        let record = PeopleRecord::new(
            Actor::user(&user.id, &user.name),
            client.request_id.as_deref(),
            "use_link",
            "link",
            summary(LinkKind::of(&link)?),
        );
        record.write_for(&mut write, &user.id, now).await?;
        write.commit().await?;
        Ok(signed_in)
    })
    .await
}

fn summary(kind: LinkKind) -> Message {
    match kind {
        LinkKind::Owner => message::audited::first_owner(),
        LinkKind::Invitation => message::audited::joined(),
        LinkKind::Reset => message::audited::password_by_link(),
        LinkKind::Demo => message::audited::demo_entered(),
    }
}

async fn prepare(
    service: &Service,
    row: &LinkRow,
    input: &LinkUse,
    client: &PanelClient,
) -> Result<Redemption, OperationError> {
    let passwords = &service.access.people.passwords;
    let named = match (&row.target.user, &row.target.email) {
        (Some(id), _) => service.storage.user(id).await?,
        (None, Some(email)) => service.storage.user_by_email(email).await?,
        (None, None) => None,
    };
    match (LinkKind::of(row)?, named) {
        (LinkKind::Owner, _) => first_owner(service, input).await,
        (LinkKind::Invitation, Some(user)) => {
            let password = required("password", input.password.as_deref())?;
            let attempt = Attempt::of(service, user.email.as_str(), Some(&user), client).await?;
            match attempt.compare_any(service, password, &user).await? {
                true => Ok(Redemption::JoinAs(user)),
                false => Err(not_right()),
            }
        }
        (LinkKind::Invitation, None) => {
            let email = row.target.email.clone().ok_or(OperationError::LinkGone)?;
            let user = new_user(service, input, email, Vec::new()).await?;
            Ok(Redemption::Join {
                user,
                new_account: None,
            })
        }
        (LinkKind::Reset, Some(user)) => {
            let password = required("password", input.password.as_deref())?;
            let phc = passwords.hash("password", password, &user.email).await?;
            Ok(Redemption::Reset(user, phc))
        }
        (LinkKind::Demo, Some(user)) => Ok(Redemption::Enter(user)),
        (LinkKind::Reset | LinkKind::Demo, None) => Err(OperationError::LinkGone),
    }
}

fn not_right() -> OperationError {
    OperationError::invalid("password", message::people::not_right())
}

fn required<'a>(field: &'static str, value: Option<&'a str>) -> Result<&'a str, OperationError> {
    value.ok_or_else(|| OperationError::invalid(field, message::value::missing()))
}

async fn first_owner(service: &Service, input: &LinkUse) -> Result<Redemption, OperationError> {
    let mut wrong = Vec::new();
    let email = Email::parse(input.email.as_deref().unwrap_or_default());
    if let Err(reason) = &email {
        wrong.push(Invalid::new("email", reason.clone()));
    }
    let mut new_account = None;
    if service.storage.accounts().await?.is_empty() {
        let name = input.account_name.clone().unwrap_or_default();
        if let Err(reason) = Label::parse(name.as_str()) {
            wrong.push(Invalid::new("accountName", reason));
        }
        new_account = Some(name);
    }
    match email {
        Ok(email) => {
            let user = new_user(service, input, email, wrong).await?;
            Ok(Redemption::Join { user, new_account })
        }
        Err(_) => {
            wrong.extend(name_errors(input));
            Err(OperationError::Invalid(wrong))
        }
    }
}

fn name_errors(input: &LinkUse) -> Option<Invalid> {
    let name = input.name.as_deref().unwrap_or_default();
    let reason = check_user_name(name).err()?;
    Some(Invalid::new("name", reason))
}

/// Returns a new user with the values of `input`.
///
/// Errors: `Invalid` with `wrong` and everything else that is wrong.
async fn new_user(
    service: &Service,
    input: &LinkUse,
    email: Email,
    mut wrong: Vec<Invalid>,
) -> Result<UserRow, OperationError> {
    wrong.extend(name_errors(input));
    let password = input.password.as_deref().unwrap_or_default();
    let phc = service
        .access
        .people
        .passwords
        .hash("password", password, &email);
    let phc = match phc.await {
        Ok(phc) => Some(phc),
        Err(OperationError::Invalid(errors)) => {
            wrong.extend(errors);
            None
        }
        Err(error) => return Err(error),
    };
    if !wrong.is_empty() {
        return Err(OperationError::Invalid(wrong));
    }
    Ok(UserRow {
        id: ids::user(),
        email,
        name: input.name.clone().unwrap_or_default(),
        language: input.language.unwrap_or_default(),
        password: phc,
        created_at: service.clock.now(),
        last_sign_in_at: None,
        deactivated_at: None,
    })
}

/// Writes what a link does; returns the user, and whether a password was given.
async fn carry_out(
    write: &mut PeopleWrite,
    link: &LinkRow,
    redemption: Redemption,
    now: Timestamp,
) -> Result<(UserRow, bool), OperationError> {
    match redemption {
        Redemption::Join { user, new_account } => {
            if write.user_by_email(&user.email).await?.is_some() {
                return Err(OperationError::conflict(message::people::user_meanwhile()));
            }
            let membership = match LinkKind::of(link)? {
                LinkKind::Owner => first_membership(write, &user, new_account, now).await?,
                _ => invited(write, link, &user, now).await?,
            };
            if !write.create_user(&user).await? {
                return Err(OperationError::conflict(message::people::user_meanwhile()));
            }
            write.save_membership(&membership).await?;
            Ok((user, true))
        }
        Redemption::JoinAs(user) => {
            // The password may have been replaced while it was compared.
            let user = write.unchanged_user(&user).await?.ok_or_else(not_right)?;
            let membership = invited(write, link, &user, now).await?;
            write.save_membership(&membership).await?;
            Ok((user, true))
        }
        Redemption::Reset(user, phc) => {
            write.save_password(&user.id, &phc).await?;
            write.end_sessions(&user.id).await?;
            write.revoke_links_of(&user.id, now).await?;
            // A deactivated user stays outside: the session that follows is no use.
            Ok((user, true))
        }
        Redemption::Enter(user) => Ok((user, false)),
    }
}

/// Returns the membership of the first owner, whose account is created if there is none.
async fn first_membership(
    write: &mut PeopleWrite,
    user: &UserRow,
    new_account: Option<String>,
    now: Timestamp,
) -> Result<MembershipRow, OperationError> {
    if write.has_users().await? {
        return Err(OperationError::LinkGone);
    }
    let account = match (write.only_account().await?, new_account) {
        (Some(account), _) => account,
        (None, Some(name)) => {
            let row = accounts::new_row(name, now);
            write.create_account(&row).await?;
            row.id
        }
        (None, None) => return Err(OperationError::LinkGone),
    };
    Ok(owner_of(account, user.id.clone(), now))
}

async fn invited(
    write: &mut PeopleWrite,
    link: &LinkRow,
    user: &UserRow,
    now: Timestamp,
) -> Result<MembershipRow, OperationError> {
    let account: AccountId = link
        .target
        .account
        .clone()
        .ok_or(OperationError::LinkGone)?;
    let members = write.members(&account).await?;
    check_room(members.len())?;
    if members.iter().any(|member| member.user.id == user.id) {
        return Err(OperationError::conflict(message::people::member_already()));
    }
    Ok(MembershipRow {
        user: user.id.clone(),
        account,
        role: link.target.role.unwrap_or(Role::Viewer),
        stores: link.target.stores.clone().unwrap_or(StoreReach::All),
        created_at: now,
    })
}
