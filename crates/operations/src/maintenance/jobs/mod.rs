//! Maintenance jobs: each takes no input and may run at any time and any number of times.

pub mod closed_stores;
pub mod deletion_marks;
pub mod ended_runs;
pub mod ended_sessions;
pub mod expired_runs;
pub mod last_uses;
pub mod releases;
pub mod search_log;
pub mod sweeps;
pub(crate) mod timer;

/// Result of a job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JobReport {
    /// Rows that it changed or removed.
    pub rows: u64,
}
