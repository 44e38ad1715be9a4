//! Numbers of the published states of stores. What is kept for a state elsewhere is released when the state is dropped.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Issues the numbers of states, and passes on which states are dropped.
pub(crate) struct States {
    issued: AtomicU64,
    on_drop: Box<dyn Fn(u64) + Send + Sync>,
}

/// The number of one state, unique in this process.
pub(crate) struct State {
    number: u64,
    states: Arc<States>,
}

impl States {
    /// Returns an issuer that calls `on_drop` with the number of each state that is dropped.
    pub fn new(on_drop: impl Fn(u64) + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(Self {
            issued: AtomicU64::new(0),
            on_drop: Box::new(on_drop),
        })
    }
}

impl State {
    /// Returns the number of a new state.
    pub fn new(states: &Arc<States>) -> Self {
        Self {
            number: states.issued.fetch_add(1, Ordering::Relaxed),
            states: Arc::clone(states),
        }
    }

    /// Returns the number of the state that follows this one.
    pub fn next(&self) -> Self {
        Self::new(&self.states)
    }

    /// Returns the number.
    pub fn number(&self) -> u64 {
        self.number
    }
}

impl Drop for State {
    fn drop(&mut self) {
        (self.states.on_drop)(self.number);
    }
}
