//! `Serving`: what opening, publishing and closing of stores share.

use super::indexer::Indexer;
use super::states::States;
use super::stores::Stores;
use super::warming::Warming;
use crate::OperationError;
use crate::runtime::closing::Closing;
use crate::runtime::workers::Workers;
use std::sync::{Arc, Weak};
use storage::Storage;
use tokio::sync::watch;

/// The open stores, and what opens them.
pub(super) struct Serving {
    pub storage: Storage,
    /// Numbers of the states of all stores.
    pub states: Arc<States>,
    pub stores: Stores,
    /// It owns this state, so it is not owned by it.
    indexer: Weak<dyn Indexer>,
    pub warming: watch::Sender<Warming>,
    pub closing: Closing,
    /// What compiles configurations.
    pub compiling: Workers,
}

impl Serving {
    /// Returns a state without open stores.
    pub fn new(
        storage: Storage,
        indexes_max: usize,
        states: Arc<States>,
        indexer: Weak<dyn Indexer>,
        closing: Closing,
    ) -> Self {
        Self {
            storage,
            states,
            stores: Stores::new(indexes_max),
            indexer,
            warming: watch::Sender::default(),
            closing,
            compiling: Workers::new("compiling"),
        }
    }

    /// Returns what opens indexes and keeps them current.
    ///
    /// Errors: `Unavailable` while the service ends.
    pub fn indexer(&self) -> Result<Arc<dyn Indexer>, OperationError> {
        let indexer = self.indexer.upgrade();
        indexer.ok_or_else(|| OperationError::unavailable("the service is closing"))
    }
}
