//! `AccessState`: what a service keeps in memory about its callers.

use super::credentials::{PeopleState, SessionTimes};
use super::failed_attempts::FailedAttempts;
use super::last_uses::LastUses;
use super::limiter::{Limiter, Rates};
use super::preview_slots::PreviewSlots;
use super::remembered_keys::RememberedKeys;
use super::unknown_keys::UnknownKeys;
use std::time::Duration;

/// What a service keeps in memory about its callers.
pub(crate) struct AccessState {
    /// Last uses of keys that are not written yet.
    pub last_uses: LastUses,
    /// Attempts with wrong keys, by address.
    pub failed_attempts: FailedAttempts,
    /// Keys that storage does not have.
    pub unknown_keys: UnknownKeys,
    /// Search-only keys that were read lately.
    pub remembered: RememberedKeys,
    /// Requests of each caller.
    pub limiter: Limiter,
    /// Previews of each session that run.
    pub previews: PreviewSlots,
    /// Sign-in and sessions.
    pub people: PeopleState,
}

impl AccessState {
    /// Returns the state of a service that has had no caller, and remembers search-only keys for a time.
    pub fn new(rates: Rates, sessions: SessionTimes, remember_keys: Duration) -> Self {
        Self {
            last_uses: LastUses::default(),
            failed_attempts: FailedAttempts::default(),
            unknown_keys: UnknownKeys::default(),
            remembered: RememberedKeys::new(remember_keys),
            limiter: Limiter::new(rates),
            previews: PreviewSlots::default(),
            people: PeopleState::new(sessions),
        }
    }
}
