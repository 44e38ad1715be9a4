//! Who calls and what they may do: accounts, keys, people and their sessions, limits of each caller, and the audit trail.
//!
//! May import `runtime`.

pub mod accounts;
pub mod audit;
pub mod authenticate;
pub(crate) mod credentials;
pub(crate) mod daily_changes;
pub(crate) mod failed_attempts;
pub(crate) mod key_text;
pub mod keys;
pub(crate) mod last_uses;
pub(crate) mod limiter;
pub mod people;
pub(crate) mod permits;
pub(crate) mod preview_slots;
pub mod rates;
pub(crate) mod remembered_keys;
pub(crate) mod state;
pub(crate) mod unknown_keys;
