//! What keeps a running service in order: periodical jobs, backups, metrics.
//!
//! May import every other folder.

pub mod backup;
pub mod jobs;
pub mod metrics;
pub mod store_removal;
