//! `FeedState`: what a service keeps in memory about the feed.

use super::releases::Releases;
use super::sources::{SourceOptions, SourcesState};
use super::sweeper::Sweeper;
use crate::runtime::running_total::RunningTotal;
use std::path::PathBuf;
use std::sync::Arc;

/// What a service keeps in memory about the feed.
pub(crate) struct FeedState {
    /// Wakes the job that removes rows.
    pub sweeper: Sweeper,
    /// The releases of the shop module.
    pub releases: Arc<Releases>,
    /// Sources.
    pub sources: SourcesState,
    /// Documents that were accepted.
    pub accepted: RunningTotal,
    /// Documents that were older than the stored ones.
    pub stale: RunningTotal,
    /// Documents that were rejected.
    pub rejected: RunningTotal,
}

impl FeedState {
    /// Returns the state of a service that was sent nothing; its releases are in the folder `releases`.
    pub fn new(releases: PathBuf, sources: SourceOptions) -> Self {
        Self {
            sweeper: Sweeper::default(),
            releases: Arc::new(Releases::new(releases)),
            sources: SourcesState::new(sources),
            accepted: RunningTotal::default(),
            stale: RunningTotal::default(),
            rejected: RunningTotal::default(),
        }
    }
}
