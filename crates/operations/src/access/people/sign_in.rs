//! Sign-in with e-mail address and password. Nothing that it returns tells an outsider whether an address has a user.

use super::sessions::{self, Began};
use super::{PanelClient, PeopleRecord, SignedIn};
use crate::access::credentials::{Attempter, FAILURES_PER_EMAIL, PasswordMatch};
use crate::message;
use crate::runtime::ids;
use crate::runtime::seal::Seal;
use crate::service::run_to_completion;
use crate::{OperationError, Service};
use domain::audit::Actor;
use domain::limits::SIGN_IN_CHARACTERS_MAX;
use domain::{Day, Email, Message, Timestamp, error_codes};
use schemars::JsonSchema;
use serde::Deserialize;
use storage::UserRow;

/// How long a browser stays known: a year.
const KNOWN_MS: i64 = 365 * Day::MS;

/// Who signs in.
#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SignIn {
    /// E-mail address.
    #[schemars(length(max = SIGN_IN_CHARACTERS_MAX))]
    pub email: String,
    /// Password.
    #[schemars(length(max = SIGN_IN_CHARACTERS_MAX))]
    pub password: String,
}

/// Starts a session.
///
/// Errors: `Unauthenticated`, with one message for an unknown address, a wrong password, a deactivated user and one
/// without accounts; `TooMany` after too many failures of the address or the client.
pub async fn sign_in(
    service: &Service,
    input: SignIn,
    client: PanelClient,
) -> Result<SignedIn, OperationError> {
    let email = Email::parse(&input.email).ok();
    let user = match &email {
        Some(email) => service.storage.user_by_email(email).await?,
        None => None,
    };
    let typed = input.email.trim().to_lowercase();
    let attempt = Attempt::of(service, &typed, user.as_ref(), &client).await?;
    let right = attempt
        .compare(service, &input.password, user.as_ref())
        .await?;
    let Some((user, right)) = user.zip(right) else {
        return Err(failed());
    };
    let now = service.clock.now();
    let service = service.clone();
    run_to_completion(async move {
        let renewed = match right {
            PasswordMatch::RightAndOutdated => Some(
                service
                    .access
                    .people
                    .passwords
                    .renew(&input.password)
                    .await?,
            ),
            _ => None,
        };
        let mut write = service.storage.change_people().await?;
        // The password may have been replaced, or the user put out, while it was compared.
        let user = write.unchanged_user(&user).await?.ok_or_else(failed)?;
        if write.memberships_of(&user.id).await?.is_empty() {
            return Err(failed());
        }
        if let Some(phc) = &renewed {
            write.save_password(&user.id, phc).await?;
        }
        write.note_sign_in(&user.id, now).await?;
        let began = Began::now(now, true);
        let signed_in = sessions::start(&service, &mut write, &user, &client, began).await?;
        let summary = match attempt.earlier {
            0 => message::audited::signed_in(),
            failures => message::audited::signed_in_after(failures),
        };
        let record = record(&user, &client, summary);
        record.write_for(&mut write, &user.id, now).await?;
        write.commit().await?;
        Ok(signed_in)
    })
    .await
}

fn failed() -> OperationError {
    OperationError::Unauthenticated {
        code: error_codes::SIGN_IN_FAILED,
        message: message::access::sign_in_failed(),
    }
}

fn record(user: &UserRow, client: &PanelClient, summary: Message) -> PeopleRecord {
    let actor = Actor::user(&user.id, &user.name);
    let id = client.request_id.as_deref();
    PeopleRecord::new(actor, id, "sign_in", "session", summary)
}

/// An admitted attempt to give the password of a user.
pub(super) struct Attempt {
    who: Attempter,
    /// Failures of the same kind before it, in its window.
    pub earlier: u32,
    client: PanelClient,
}

impl Attempt {
    /// Admits an attempt with the address `email`, of `user` if there is one.
    ///
    /// Errors: `TooMany` after too many failures.
    pub async fn of(
        service: &Service,
        email: &str,
        user: Option<&UserRow>,
        client: &PanelClient,
    ) -> Result<Self, OperationError> {
        let now = service.clock.now();
        let browser = user.and_then(|user| browser_id(&service.seal, user, client, now));
        let who = Attempter::new(email, browser.as_deref(), client.from);
        let throttle = &service.access.people.throttle;
        let own = throttle.admit(&who, now)?;
        let shared = throttle.admit_shared(&service.storage, &who, own, now);
        let count = shared.await?;
        Ok(Self {
            who,
            earlier: count.saturating_sub(1),
            client: client.clone(),
        })
    }

    /// Compares the password, with the same work whether or not there is a user; returns `None` if it does not let the
    /// user in.
    pub async fn compare(
        &self,
        service: &Service,
        password: &str,
        user: Option<&UserRow>,
    ) -> Result<Option<PasswordMatch>, OperationError> {
        let stored = user.and_then(|user| user.password.as_deref());
        let compared = service
            .access
            .people
            .passwords
            .compare(password, stored)
            .await;
        let enters = match (&compared, user) {
            (Ok(PasswordMatch::Wrong), _) | (Ok(_), None) => false,
            (Ok(_), Some(user)) => enters(service, user).await?,
            // Nobody knows whether the password was right.
            (Err(_), _) => true,
        };
        if enters {
            let throttle = &service.access.people.throttle;
            throttle.succeeded_shared(&service.storage, &self.who).await;
            return compared.map(Some);
        }
        if let Some(user) = user.filter(|_| self.earlier + 1 == FAILURES_PER_EMAIL) {
            self.record_failures(service, user).await?;
        }
        Ok(None)
    }

    /// Compares the password of a user who may have no account yet; a deactivated one never passes.
    pub async fn compare_any(
        &self,
        service: &Service,
        password: &str,
        user: &UserRow,
    ) -> Result<bool, OperationError> {
        let people = &service.access.people;
        let compared = people
            .passwords
            .compare(password, user.password.as_deref())
            .await;
        let right = matches!(&compared, Ok(found) if *found != PasswordMatch::Wrong);
        if (right && user.deactivated_at.is_none()) || compared.is_err() {
            let throttle = &people.throttle;
            throttle.succeeded_shared(&service.storage, &self.who).await;
            return compared.map(|_| true);
        }
        Ok(false)
    }

    /// Records that the limit of failures was reached.
    async fn record_failures(
        &self,
        service: &Service,
        user: &UserRow,
    ) -> Result<(), OperationError> {
        let now = service.clock.now();
        let summary = message::audited::sign_in_failures(FAILURES_PER_EMAIL, &user.name);
        let id = self.client.request_id.as_deref();
        let actor = Actor::named("somebody");
        let record = PeopleRecord::new(actor, id, "sign_in", "session", summary);
        let mut write = service.storage.change_people().await?;
        record.write_for(&mut write, &user.id, now).await?;
        Ok(write.commit().await?)
    }
}

/// Returns whether a user with the right password may enter.
async fn enters(service: &Service, user: &UserRow) -> Result<bool, OperationError> {
    if user.deactivated_at.is_some() {
        return Ok(false);
    }
    Ok(!service.storage.memberships_of(&user.id).await?.is_empty())
}

/// Returns the proof that `user` signed in from a browser.
pub(super) fn browser_proof(
    seal: &Seal,
    user: &UserRow,
    now: Timestamp,
) -> Result<String, OperationError> {
    let text = format!("{} {}", now.0, ids::session());
    seal.seal(&text, &context(user))
}

/// Returns the id of the browser, if `user` signed in from it within a year.
fn browser_id(seal: &Seal, user: &UserRow, client: &PanelClient, now: Timestamp) -> Option<String> {
    let sealed = client.known.as_deref()?;
    let text = seal.unseal(sealed, &context(user)).ok()?;
    let (at, id) = text.split_once(' ')?;
    let age = now.0.checked_sub(at.parse().ok()?)?;
    (0..KNOWN_MS).contains(&age).then(|| id.to_owned())
}

fn context(user: &UserRow) -> String {
    format!("known browser of {}", user.id)
}
