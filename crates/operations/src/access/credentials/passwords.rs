//! Passwords: argon2id (RFC 9106) with 19 MiB, two passes and one lane; two at a time.

use crate::OperationError;
use crate::message;
use crate::runtime::ids;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version, password_hash};
use domain::user::check_password_length;
use domain::{Email, Invalid, Message};
use password_hash::phc::PasswordHash;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use zxcvbn::{Score, zxcvbn};

/// Memory of a hash in KiB.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
const LANES: u32 = 1;
const SALT_BYTES: usize = 16;
/// Passwords that are hashed at once.
const AT_ONCE: usize = 2;
/// How long a password waits for its turn.
const WAIT: Duration = Duration::from_secs(5);
/// The hash of no password, for the comparison with that of an unknown user. It has the parameters of all others.
const NOBODY: &str = "$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5IGlzIGhlcmU$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Hashes and compares passwords.
pub(crate) struct Passwords {
    turns: Arc<Semaphore>,
    hashed: Arc<AtomicU64>,
}

impl Default for Passwords {
    fn default() -> Self {
        Self {
            turns: Arc::new(Semaphore::new(AT_ONCE)),
            hashed: Arc::default(),
        }
    }
}

/// Result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PasswordMatch {
    /// It is another one.
    Wrong,
    /// It is the password.
    Right,
    /// It is the password, and its hash has smaller parameters than new ones.
    RightAndOutdated,
}

impl Passwords {
    /// Returns how many hashes were computed since the start.
    pub fn hashed(&self) -> u64 {
        self.hashed.load(Ordering::Relaxed)
    }

    /// Checks `password` as a new one of the user with this address, and returns its PHC string.
    ///
    /// Errors: `Invalid` at `field`; `Unavailable` if its turn does not come within 5 s.
    pub async fn hash(
        &self,
        field: &'static str,
        password: &str,
        email: &Email,
    ) -> Result<String, OperationError> {
        check_password_length(password)
            .map_err(|reason| OperationError::Invalid(vec![Invalid::new(field, reason)]))?;
        let turn = self.turn().await?;
        let (password, email) = (password.to_owned(), email.clone());
        self.blocking(turn, move |hashed| {
            check(&password, &email).map_err(|reason| OperationError::invalid(field, reason))?;
            hashed.fetch_add(1, Ordering::Relaxed);
            hash(&password)
        })
        .await
    }

    /// Returns the PHC string of a password that is in use already.
    pub async fn renew(&self, password: &str) -> Result<String, OperationError> {
        let turn = self.turn().await?;
        let password = password.to_owned();
        self.blocking(turn, move |hashed| {
            hashed.fetch_add(1, Ordering::Relaxed);
            hash(&password)
        })
        .await
    }

    /// Compares `password` with the PHC string `stored`; the same work if there is none.
    ///
    /// Errors: `Unavailable` if its turn does not come within 5 s.
    pub async fn compare(
        &self,
        password: &str,
        stored: Option<&str>,
    ) -> Result<PasswordMatch, OperationError> {
        let turn = self.turn().await?;
        let password = password.to_owned();
        let stored = stored.map(str::to_owned);
        self.blocking(turn, move |hashed| {
            hashed.fetch_add(1, Ordering::Relaxed);
            compare(&password, stored.as_deref())
        })
        .await
    }

    async fn turn(&self) -> Result<OwnedSemaphorePermit, OperationError> {
        let turn = tokio::time::timeout(WAIT, Arc::clone(&self.turns).acquire_owned()).await;
        match turn {
            Ok(Ok(turn)) => Ok(turn),
            Ok(Err(closed)) => Err(OperationError::internal(closed)),
            Err(_) => Err(OperationError::unavailable(
                "too many passwords are being compared",
            )),
        }
    }

    async fn blocking<T: Send + 'static>(
        &self,
        turn: OwnedSemaphorePermit,
        work: impl FnOnce(&AtomicU64) -> Result<T, OperationError> + Send + 'static,
    ) -> Result<T, OperationError> {
        let hashed = Arc::clone(&self.hashed);
        let work = move || {
            let result = work(&hashed);
            drop(turn);
            result
        };
        tokio::task::spawn_blocking(work)
            .await
            .map_err(OperationError::internal)?
    }
}

fn hasher() -> Result<Argon2<'static>, OperationError> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None)
        .map_err(|error| OperationError::internal(error.to_string()))?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

fn hash(password: &str) -> Result<String, OperationError> {
    let salt = ids::bytes::<SALT_BYTES>()?;
    let hash: PasswordHash = hasher()?
        .hash_password_with_salt(password.as_bytes(), &salt)
        .map_err(|error| OperationError::internal(error.to_string()))?;
    Ok(hash.to_string())
}

fn compare(password: &str, stored: Option<&str>) -> Result<PasswordMatch, OperationError> {
    let text = stored.unwrap_or(NOBODY);
    let known =
        PasswordHash::new(text).map_err(|error| OperationError::internal(error.to_string()))?;
    // The parameters are those of the stored hash.
    let same = hasher()?
        .verify_password(password.as_bytes(), &known)
        .is_ok();
    if !same || stored.is_none() {
        return Ok(PasswordMatch::Wrong);
    }
    let parameters = |text: &str| text.split('$').nth(3).map(str::to_owned);
    Ok(if parameters(text) == parameters(NOBODY) {
        PasswordMatch::Right
    } else {
        PasswordMatch::RightAndOutdated
    })
}

/// Checks that a password is not the address and not easily guessed.
fn check(password: &str, email: &Email) -> Result<(), Message> {
    let lower = password.to_lowercase();
    if lower == email.as_str() || lower == email.local_part() {
        return Err(message::people::password_of_email());
    }
    let entropy = zxcvbn(password, &[email.as_str(), email.local_part(), "findwell"]);
    if entropy.score() < Score::Three {
        return Err(message::people::password_guessable());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    //! 1. A password is found again by its hash, which has the documented parameters; another one is not.
    //! 2. A hash with smaller parameters is outdated; the hash of nobody matches nothing and costs one hash.
    //! 3. Addresses, short and guessable passwords are rejected at their field.

    use super::*;

    fn email() -> Email {
        Email::parse("ana.ruiz.long@shop.example").expect("an address")
    }

    #[tokio::test]
    async fn a_password_is_found_again() {
        let passwords = Passwords::default();
        let phc = passwords
            .hash("password", "tram gravel oboe 41", &email())
            .await;
        let phc = phc.expect("a good password");
        assert!(phc.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{phc}");
        let compare = |text: &'static str, stored: Option<String>| {
            let passwords = &passwords;
            async move {
                passwords
                    .compare(text, stored.as_deref())
                    .await
                    .expect("compares")
            }
        };
        assert_eq!(
            compare("tram gravel oboe 41", Some(phc.clone())).await,
            PasswordMatch::Right
        );
        assert_eq!(
            compare("tram gravel oboe 42", Some(phc)).await,
            PasswordMatch::Wrong
        );
        let before = passwords.hashed();
        assert_eq!(compare("anything", None).await, PasswordMatch::Wrong);
        assert_eq!(passwords.hashed(), before + 1);
    }

    #[test]
    fn a_hash_with_smaller_parameters_is_outdated() {
        let params = Params::new(64, 1, 1, None).expect("parameters");
        let weak = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let phc: PasswordHash = weak
            .hash_password_with_salt(b"tram gravel oboe 41", b"0123456789abcdef")
            .expect("a hash");
        let compared = compare("tram gravel oboe 41", Some(&phc.to_string()));
        assert_eq!(compared.expect("compares"), PasswordMatch::RightAndOutdated);
    }

    #[tokio::test]
    async fn bad_passwords_are_rejected_at_their_field() {
        let passwords = Passwords::default();
        for bad in [
            "short",
            "ana.ruiz.long@shop.example",
            "Ana.Ruiz.Long",
            "aaaaaaaaaaaaaaaa",
            "password1234",
            "qwertyuiop12",
        ] {
            let error = passwords.hash("new", bad, &email()).await.err();
            let Some(OperationError::Invalid(errors)) = error else {
                panic!("{bad} is accepted");
            };
            assert_eq!(errors[0].field, "new", "{bad}");
        }
        assert_eq!(passwords.hashed(), 0, "a rejected password is not hashed");
    }
}
