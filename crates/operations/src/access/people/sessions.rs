//! Sessions of the control panel: from a token to its user, and how sessions start and end.

use super::{PanelClient, PeopleRecord, SignedIn, digest, token};
use crate::access::credentials::SessionTimes;
use crate::message;
use crate::runtime::ids;
use crate::service::run_to_completion;
use crate::{OperationError, PreviewSlot, Service};
use domain::access::{Identity, ReachedAccount, UserIdentity};
use domain::{Caller, StoreId, StoreReach, Timestamp, error_codes, first_characters};
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::Arc;
use storage::{MembershipRow, PeopleWrite, SessionRow, SignedInRow, UserRow};

/// Sessions of a user; the least recently used ends first.
const SESSIONS_MAX: u32 = 20;
/// How long the password counts as just given.
const CONFIRMED_MS: i64 = 10 * 60_000;
/// The last use is stored to the minute; of a session that ends sooner without use, to a tenth of that time.
const USE_STEP_MS: i64 = 60_000;
/// Characters that are kept of what a browser says it is.
const BROWSER_CHARACTERS_MAX: usize = 255;

/// The user of a session.
#[derive(Clone, Debug)]
pub struct SignedInCaller {
    /// The user as caller.
    pub caller: Caller,
    /// What storage holds of the token.
    pub(crate) digest: String,
}

impl SignedInCaller {
    /// Takes one of the places that the session has for previews, until the result is dropped.
    ///
    /// Errors: `TooMany` if it has none left.
    pub fn preview_slot(&self, service: &Service) -> Result<PreviewSlot, OperationError> {
        service.access.previews.take(&self.digest)
    }
}

/// A session in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionDetail {
    /// Its id.
    pub id: String,
    /// When the user signed in.
    pub signed_in_at: Timestamp,
    /// When it was last used, to the minute or better.
    pub used_at: Timestamp,
    /// Address of the client.
    pub address: String,
    /// What the browser says it is.
    pub browser: String,
    /// Whether it is the session of this request.
    pub current: bool,
}

/// Returns the user of the session with this token.
///
/// `counts` says whether the request prolongs the session.
///
/// Errors: `Unauthenticated`, with one message for a missing, unknown and ended session.
pub async fn by_session(
    service: &Service,
    token: Option<&str>,
    counts: bool,
) -> Result<SignedInCaller, OperationError> {
    let digest = digest(
        token
            .filter(|token| !token.is_empty())
            .ok_or_else(missing)?,
    );
    let now = service.clock.now();
    let found = service.storage.signed_in(&digest).await?;
    let SignedInRow {
        session,
        user,
        memberships,
    } = found
        .filter(|found| found.user.deactivated_at.is_none())
        .filter(|found| is_open(service.access.people.times, &found.session, now))
        .ok_or_else(missing)?;
    if counts && now.0 - session.used_at.0 >= use_step_ms(service) {
        service.storage.note_session_use(&digest, now).await?;
    }
    let confirmed = user.password.is_none()
        || session
            .confirmed_at
            .is_some_and(|at| (0..CONFIRMED_MS).contains(&(now.0 - at.0)));
    let accounts = reached(service, &user, memberships).await?;
    let identity = UserIdentity {
        id: user.id,
        name: user.name,
        accounts,
        confirmed,
    };
    Ok(SignedInCaller {
        caller: Caller {
            identity: Identity::User(Arc::new(identity)),
            request_id: None,
            attempt: domain::WriteAttempt::default(),
        },
        digest,
    })
}

/// Returns the error of a session that is missing, unknown or has ended.
pub(super) fn missing() -> OperationError {
    OperationError::Unauthenticated {
        code: error_codes::SESSION_MISSING,
        message: message::access::sign_in(),
    }
}

/// Returns how much later than stored a session must be used for the use to be stored.
fn use_step_ms(service: &Service) -> i64 {
    let idle = service.access.people.times.idle.as_millis();
    i64::try_from(idle / 10).map_or(USE_STEP_MS, |tenth| tenth.min(USE_STEP_MS))
}

fn is_open(times: SessionTimes, session: &SessionRow, now: Timestamp) -> bool {
    let lasts = |from: Timestamp, time: std::time::Duration| {
        now.0.saturating_sub(from.0) < i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
    };
    lasts(session.used_at, times.idle) && lasts(session.signed_in_at, times.max)
}

async fn reached(
    service: &Service,
    user: &UserRow,
    memberships: Vec<MembershipRow>,
) -> Result<Vec<ReachedAccount>, OperationError> {
    let stores = service.storage.stores_of_user(&user.id).await?;
    let reached = memberships.into_iter().map(|membership| {
        let of_account = stores.iter().filter(|(account, store)| {
            *account == membership.account && membership.stores.includes(store)
        });
        let stores: Vec<StoreId> = of_account.map(|(_, store)| store.clone()).collect();
        ReachedAccount {
            account: membership.account,
            role: membership.role,
            all_stores: membership.stores == StoreReach::All,
            stores: stores.into(),
        }
    });
    Ok(reached.collect())
}

/// When a session began.
#[derive(Clone, Copy)]
pub(super) struct Began {
    /// When the user signed in.
    pub signed_in_at: Timestamp,
    /// When the password was given.
    pub confirmed_at: Option<Timestamp>,
    /// The current time.
    pub now: Timestamp,
}

impl Began {
    /// A session that starts now with a password, or without one.
    pub fn now(now: Timestamp, with_password: bool) -> Self {
        Self {
            signed_in_at: now,
            confirmed_at: with_password.then_some(now),
            now,
        }
    }
}

/// Starts a session of `user` in an open transaction and ends the one that the request brought. The id that a request
/// brings is never adopted.
pub(super) async fn start(
    service: &Service,
    write: &mut PeopleWrite,
    user: &UserRow,
    client: &PanelClient,
    began: Began,
) -> Result<SignedIn, OperationError> {
    if let Some(former) = &client.former {
        write.end_session(&digest(former)).await?;
    }
    let token = token()?;
    let row = SessionRow {
        digest: digest(&token),
        id: ids::session(),
        user: user.id.clone(),
        signed_in_at: began.signed_in_at,
        used_at: began.now,
        confirmed_at: began.confirmed_at,
        address: client.from.to_string(),
        browser: first_characters(&client.browser, BROWSER_CHARACTERS_MAX).to_owned(),
    };
    write.create_session(&row, SESSIONS_MAX).await?;
    Ok(SignedIn {
        user: user.clone().into(),
        token,
        known: super::sign_in::browser_proof(&service.seal, user, began.now)?,
    })
}

/// Returns the sessions of the caller, the last used first.
pub async fn list(
    service: &Service,
    caller: &SignedInCaller,
) -> Result<Vec<SessionDetail>, OperationError> {
    let user = super::profile::of(&caller.caller)?;
    let now = service.clock.now();
    let rows = service.storage.sessions_of(&user.id).await?;
    let open = rows
        .into_iter()
        .filter(|row| is_open(service.access.people.times, row, now));
    let detail = |row: SessionRow| SessionDetail {
        current: row.digest == caller.digest,
        id: row.id,
        signed_in_at: row.signed_in_at,
        used_at: row.used_at,
        address: row.address,
        browser: row.browser,
    };
    Ok(open.map(detail).collect())
}

/// Ends one of the caller's sessions.
///
/// Errors: `NotFound` if the caller has no such session.
pub async fn end(
    service: &Service,
    caller: &SignedInCaller,
    id: String,
) -> Result<String, OperationError> {
    let user = super::profile::of(&caller.caller)?.id.clone();
    let storage = service.storage.clone();
    run_to_completion(async move {
        let mut write = storage.change_people().await?;
        if !write.end_session_of(&user, &id).await? {
            return Err(OperationError::NotFound {
                what: message::noun::session,
            });
        }
        write.commit().await?;
        Ok(id)
    })
    .await
}

/// Ends the caller's session, or all sessions of the caller.
pub async fn sign_out(
    service: &Service,
    caller: &SignedInCaller,
    everywhere: bool,
) -> Result<(), OperationError> {
    let user = super::profile::of(&caller.caller)?.id.clone();
    let record = everywhere.then(|| {
        let summary = message::audited::signed_out_everywhere();
        super::profile::record(&caller.caller, "sign_out", summary)
    });
    let ended = caller.digest.clone();
    let now = service.clock.now();
    let storage = service.storage.clone();
    run_to_completion(async move {
        let mut write = storage.change_people().await?;
        // It may have ended already.
        let _ = write.end_session(&ended).await?;
        if let Some(record) = record {
            write.end_sessions(&user).await?;
            PeopleRecord::write_for(&record, &mut write, &user, now).await?;
        }
        Ok(write.commit().await?)
    })
    .await
}
