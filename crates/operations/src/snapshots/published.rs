//! `Published`: the state of an open store that searches see.

use super::snapshot::StoreSnapshot;
use arc_swap::ArcSwap;
use domain::feed::FeedScope;
use std::sync::Arc;

/// The state of a store that searches see. Its indexes and its configuration update it.
pub(crate) struct Published(ArcSwap<StoreSnapshot>);

impl Published {
    /// Returns the first state of a store.
    pub fn new(first: StoreSnapshot) -> Self {
        Self(ArcSwap::from_pointee(first))
    }

    /// Returns the state that searches see.
    pub fn current(&self) -> Arc<StoreSnapshot> {
        self.0.load_full()
    }

    /// Publishes the state that `change` returns for the current one.
    pub fn change(&self, change: impl Fn(&StoreSnapshot) -> StoreSnapshot) {
        self.0.rcu(|current| change(current));
    }

    /// Publishes a new state of one index.
    pub fn index(&self, scope: &FeedScope, index: &Arc<dyn engine::Snapshot>) {
        self.change(|current| current.with_index(scope, Arc::clone(index)));
    }
}
