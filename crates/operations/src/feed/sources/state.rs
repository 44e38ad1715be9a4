//! What a service knows of sources in memory: what the operator says, and how whoever fetches is woken.

use domain::source::SourceRules;
use std::sync::Arc;
use tokio::sync::Notify;

/// What the operator says about sources.
#[derive(Clone, Debug)]
pub struct SourceOptions {
    /// Hosts that are exempt from what is refused.
    pub rules: SourceRules,
    /// Whether anything is fetched at all.
    pub enabled: bool,
}

impl Default for SourceOptions {
    fn default() -> Self {
        Self {
            rules: SourceRules::default(),
            enabled: true,
        }
    }
}

/// What a service knows of sources.
pub(crate) struct SourcesState {
    pub options: SourceOptions,
    /// Wakes whoever fetches.
    pub wake: Arc<Notify>,
}

impl SourcesState {
    pub fn new(options: SourceOptions) -> Self {
        Self {
            options,
            wake: Arc::default(),
        }
    }
}
