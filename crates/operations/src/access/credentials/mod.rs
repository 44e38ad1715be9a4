//! What a service keeps in memory about sign-in: turns for hashing passwords, failed attempts, lifetimes of sessions.

mod passwords;
mod throttle;

pub(crate) use passwords::{PasswordMatch, Passwords};
pub(crate) use throttle::{Attempter, FAILURES_PER_EMAIL, SignInThrottle};

use std::time::Duration;

/// How long sessions of the control panel last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionTimes {
    /// After the last use.
    pub idle: Duration,
    /// After sign-in.
    pub max: Duration,
}

impl Default for SessionTimes {
    fn default() -> Self {
        Self {
            idle: Duration::from_secs(12 * 3_600),
            max: Duration::from_secs(7 * 24 * 3_600),
        }
    }
}

/// What a service keeps in memory about people.
pub(crate) struct PeopleState {
    pub times: SessionTimes,
    pub passwords: Passwords,
    pub throttle: SignInThrottle,
}

impl PeopleState {
    pub fn new(times: SessionTimes) -> Self {
        Self {
            times,
            passwords: Passwords::default(),
            throttle: SignInThrottle::default(),
        }
    }
}
