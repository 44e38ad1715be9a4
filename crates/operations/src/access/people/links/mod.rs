//! One-time links, which stand in for an e-mail server: whoever has one may enter, join an account or set a password.

mod make;
mod redeem;

pub use make::{demo_owner, first_owner, invite, reset_as_operator, reset_member};
pub use redeem::redeem;

use super::{PanelClient, PeopleRecord, digest};
use crate::access::permits::permit_for;
use crate::message;
use crate::service::run_to_completion;
use crate::{OperationError, Service};
use domain::limits::{LINK_TOKEN_CHARACTERS_MAX, SIGN_IN_CHARACTERS_MAX};
use domain::{AccountId, Caller, Email, LinkId, PanelLanguage, Role, StoreReach, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storage::LinkRow;

/// What a link is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LinkKind {
    /// `own_…`: makes the first owner.
    Owner,
    /// `inv_…`: joins an account.
    Invitation,
    /// `res_…`: sets a new password.
    Reset,
    /// `dem_…`: enters as the demo's owner.
    Demo,
}

impl LinkKind {
    const ALL: [Self; 4] = [Self::Owner, Self::Invitation, Self::Reset, Self::Demo];

    /// Returns the prefix of its tokens.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Owner => "own",
            Self::Invitation => "inv",
            Self::Reset => "res",
            Self::Demo => "dem",
        }
    }

    fn hours(self) -> i64 {
        match self {
            Self::Invitation => 7 * 24,
            Self::Owner | Self::Reset | Self::Demo => 24,
        }
    }

    fn of(row: &LinkRow) -> Result<Self, OperationError> {
        let known = Self::ALL.into_iter().find(|kind| kind.prefix() == row.kind);
        known.ok_or_else(|| OperationError::internal(format!("unknown kind of link {}", row.kind)))
    }
}

/// A new link. Its token is returned only here.
#[derive(Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MadeLink {
    /// Public id.
    pub id: LinkId,
    /// The token, which follows `#` in the address of the link.
    pub token: String,
    /// When it ends.
    pub expires_at: Timestamp,
}

/// What a link is for, as whoever holds it or manages the account sees it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LinkDetail {
    /// Public id.
    pub id: LinkId,
    /// Kind.
    pub kind: LinkKind,
    /// Name of the account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account: Option<String>,
    /// The role to get.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// The stores to reach.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stores: Option<StoreReach>,
    /// The address that it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<Email>,
    /// Whether the address has a user, whose password is then asked for.
    pub has_user: bool,
    /// Who made it.
    pub made_by: String,
    /// When it ends.
    pub expires_at: Timestamp,
}

/// What a link is used with; which values are needed depends on its kind.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LinkUse {
    /// The token.
    #[schemars(length(max = LINK_TOKEN_CHARACTERS_MAX))]
    pub token: String,
    /// Name of the new user.
    #[serde(default)]
    #[schemars(with = "String")]
    pub name: Option<String>,
    /// Address of the first owner.
    #[serde(default)]
    #[schemars(with = "String")]
    pub email: Option<String>,
    /// The password: a new one, or that of the user who is invited.
    #[serde(default)]
    #[schemars(with = "String", length(max = SIGN_IN_CHARACTERS_MAX))]
    pub password: Option<String>,
    /// Name of the first account.
    #[serde(default)]
    #[schemars(with = "String")]
    pub account_name: Option<String>,
    /// Language of the panel for the new user.
    #[serde(default)]
    #[schemars(with = "PanelLanguage")]
    pub language: Option<PanelLanguage>,
}

/// Whom to invite.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Invitation {
    /// E-mail address.
    #[schemars(length(max = SIGN_IN_CHARACTERS_MAX))]
    pub email: String,
    /// Role.
    pub role: Role,
    /// Stores; all if left out.
    #[serde(default)]
    #[schemars(with = "StoreReach")]
    pub stores: Option<StoreReach>,
}

fn is_open(row: &LinkRow, now: Timestamp) -> bool {
    row.used_at.is_none() && row.revoked_at.is_none() && now < row.expires_at
}

/// Returns the open link with this token. Opening it changes nothing.
///
/// Errors: `LinkGone`, with one message for unknown, used, revoked and ended links; `TooMany` after too many of them.
async fn open_link(
    service: &Service,
    token: &str,
    client: &PanelClient,
) -> Result<LinkRow, OperationError> {
    let now = service.clock.now();
    service
        .access
        .people
        .throttle
        .admit_link(client.from, now)?;
    let found = service.storage.link(&digest(token)).await?;
    let link = found
        .filter(|row| is_open(row, now))
        .ok_or(OperationError::LinkGone)?;
    service.access.people.throttle.good_link(client.from);
    Ok(link)
}

/// Returns what a link is for.
///
/// Errors: `LinkGone` if it is not open; `TooMany` after too many such links.
pub async fn look(
    service: &Service,
    token: &str,
    client: &PanelClient,
) -> Result<LinkDetail, OperationError> {
    let row = open_link(service, token, client).await?;
    detail(service, row).await
}

async fn detail(service: &Service, row: LinkRow) -> Result<LinkDetail, OperationError> {
    let kind = LinkKind::of(&row)?;
    let account = match (&row.target.account, kind) {
        (Some(id), _) => service.storage.account(id).await?,
        // The first owner gets the only account, if there is one.
        (None, LinkKind::Owner) => service.storage.accounts().await?.into_iter().next(),
        (None, _) => None,
    };
    let user = match (&row.target.user, &row.target.email) {
        (Some(id), _) => service.storage.user(id).await?,
        (None, Some(email)) => service.storage.user_by_email(email).await?,
        (None, None) => None,
    };
    Ok(LinkDetail {
        id: row.id,
        kind,
        account: account.map(|account| account.name),
        role: row.target.role,
        stores: row.target.stores,
        has_user: user.is_some(),
        email: row.target.email.or(user.map(|user| user.email)),
        made_by: row.made_by,
        expires_at: row.expires_at,
    })
}

/// Returns the open links of an account, the newest first, without their tokens.
pub async fn list(
    service: &Service,
    caller: &Caller,
    account: &AccountId,
) -> Result<Vec<LinkDetail>, OperationError> {
    let permit = permit_for(service, caller, "list_links", Some(account), None).await?;
    let now = service.clock.now();
    let mut links = Vec::new();
    for row in service.storage.open_links(&permit, now).await? {
        links.push(detail(service, row).await?);
    }
    Ok(links)
}

/// Revokes an open link of an account.
///
/// Errors: `NotFound` if the account has no such open link.
pub async fn revoke(
    service: &Service,
    caller: &Caller,
    account: &AccountId,
    id: LinkId,
) -> Result<LinkId, OperationError> {
    let permit = permit_for(service, caller, "revoke_link", Some(account), None).await?;
    let now = service.clock.now();
    let record = PeopleRecord::new(
        permit.actor().clone(),
        permit.request_id(),
        "revoke_link",
        "link",
        message::audited::link_revoked(),
    );
    let storage = service.storage.clone();
    run_to_completion(async move {
        let mut write = storage.change_people().await?;
        if !write.revoke_link(permit.account(), &id, now).await? {
            return Err(OperationError::NotFound {
                what: message::noun::open_link,
            });
        }
        record.write(&mut write, permit.account(), now).await?;
        write.commit().await?;
        Ok(id)
    })
    .await
}
