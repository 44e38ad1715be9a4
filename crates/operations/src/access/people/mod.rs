//! Users of the control panel: sign-in, sessions, one-time links, members of accounts, and what the command line does
//! about them.

pub mod commands;
mod links;
pub mod members;
mod profile;
mod reach;
mod sessions;
mod sign_in;

pub use links::{
    Invitation, LinkDetail, LinkKind, LinkUse, MadeLink, demo_owner, first_owner, invite,
    list as list_links, look, redeem, reset_member, revoke,
};
pub use profile::{
    MyAccount, PasswordChange, Profile, ProfileChange, change_password, confirm, get as me,
    update as update_profile,
};
pub use reach::{ReachedStore, StoreQuery, stores};
pub use sessions::{
    SessionDetail, SignedInCaller, by_session, end, list as list_sessions, sign_out,
};
pub use sign_in::{SignIn, sign_in};

use crate::runtime::content_hash;
use crate::runtime::ids;
use crate::{OperationError, Service};
use domain::audit::{Actor, AuditEntry, FieldChange};
use domain::{AccountId, ClientAddress, Email, Message, PanelLanguage, Timestamp, UserId};
use schemars::JsonSchema;
use serde::Serialize;
use storage::{AuditSubject, PeopleWrite, UserRow};

/// Random characters of the token of a session or link: 43 × 5.95 = 256 bits.
const TOKEN_CHARACTERS: usize = 43;

/// The client that signs in.
#[derive(Clone, Debug)]
pub struct PanelClient {
    /// Its address.
    pub from: ClientAddress,
    /// What the browser says it is.
    pub browser: String,
    /// Token of the session that the request brought, which ends when another one starts.
    pub former: Option<String>,
    /// Proof that a user signed in from this browser before.
    pub known: Option<String>,
    /// Id of the request.
    pub request_id: Option<String>,
}

/// A new session. Both tokens are returned only here.
#[derive(Clone)]
pub struct SignedIn {
    /// The user.
    pub user: User,
    /// Token of the session.
    pub token: String,
    /// Proof that the user signed in from this browser.
    pub known: String,
}

/// A user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// Its id.
    pub id: UserId,
    /// E-mail address.
    pub email: Email,
    /// Name.
    pub name: String,
    /// Language of the panel.
    pub language: PanelLanguage,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it signed in last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_sign_in_at: Option<Timestamp>,
    /// When it was deactivated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deactivated_at: Option<Timestamp>,
}

impl From<UserRow> for User {
    fn from(row: UserRow) -> Self {
        Self {
            id: row.id,
            email: row.email,
            name: row.name,
            language: row.language,
            created_at: row.created_at,
            last_sign_in_at: row.last_sign_in_at,
            deactivated_at: row.deactivated_at,
        }
    }
}

impl Service {
    /// Returns how many passwords were hashed since the start, for tests and metrics.
    pub fn password_hashes(&self) -> u64 {
        self.access.people.passwords.hashed()
    }
}

/// Returns the random part of a new token.
fn token() -> Result<String, OperationError> {
    ids::alphanumeric(TOKEN_CHARACTERS)
}

/// Returns what storage holds of a token.
fn digest(token: &str) -> String {
    content_hash::digest(token)
}

/// An audit record about people, before it is known for which accounts.
struct PeopleRecord {
    entry: AuditEntry,
}

impl PeopleRecord {
    fn new(
        actor: Actor,
        request_id: Option<&str>,
        operation: &str,
        resource: impl Into<String>,
        summary: Message,
    ) -> Self {
        Self {
            entry: AuditEntry {
                actor,
                operation: operation.to_owned(),
                resource: resource.into(),
                summary,
                changes: Vec::new(),
                request_id: request_id.map(str::to_owned),
            },
        }
    }

    /// Returns the record with the fields that it changed.
    fn with(mut self, changes: Vec<FieldChange>) -> Self {
        self.entry.changes = changes;
        self
    }

    /// Writes the record for `account`.
    async fn write(
        &self,
        write: &mut PeopleWrite,
        account: &AccountId,
        at: Timestamp,
    ) -> Result<(), OperationError> {
        let subject = AuditSubject {
            account: Some(account.clone()),
            store: None,
        };
        Ok(write.record(&self.entry, &subject, at).await?)
    }

    /// Writes the record for each account of `user`.
    async fn write_for(
        &self,
        write: &mut PeopleWrite,
        user: &UserId,
        at: Timestamp,
    ) -> Result<(), OperationError> {
        for membership in write.memberships_of(user).await? {
            self.write(write, &membership.account, at).await?;
        }
        Ok(())
    }
}
