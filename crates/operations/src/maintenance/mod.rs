//! What keeps a service in order: periodical jobs, backups, metrics, moves to another place and to another version.
//!
//! May import every other folder.

pub mod backup;
pub mod jobs;
pub mod metrics;
pub mod moving;
pub(crate) mod nodes;
pub mod prepare;
pub mod store_removal;
