//! Searches and suggestions that take long, as lines of the program's log: where the time went.

use crate::statistics::search_log::{Searched, logged};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::time::Instant;

/// When the stages of one search began.
pub(crate) struct Stages {
    started: Instant,
    opened: Instant,
    prepared: Instant,
    computation: Computation,
}

/// When the computation of a response began and ended; empty for a response of the cache, and for one that another search
/// computes. Clones share it.
#[derive(Clone, Default)]
pub(crate) struct Computation(Arc<OnceLock<[Instant; 2]>>);

impl Computation {
    /// Runs `work`, and notes when.
    pub fn of<T>(&self, work: impl FnOnce() -> T) -> T {
        let began = Instant::now();
        let result = work();
        // A computation runs once; a second one would be that of another search.
        let _ = self.0.set([began, Instant::now()]);
        result
    }
}

impl Stages {
    /// Begins a search.
    pub fn begin() -> Self {
        let now = Instant::now();
        Self {
            started: now,
            opened: now,
            prepared: now,
            computation: Computation::default(),
        }
    }

    /// Notes that the store is open.
    pub fn opened(&mut self) {
        self.opened = Instant::now();
    }

    /// Notes that the request is checked and its visitor known; returns where its computation is noted.
    pub fn prepared(&mut self) -> Computation {
        self.prepared = Instant::now();
        self.computation.clone()
    }

    /// Returns the time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Logs a search that took at least `threshold`; none is logged without one.
    ///
    /// Of the query the log has what the search log would keep: nothing that may identify a person.
    pub fn log(&self, threshold: Option<Duration>, searched: &Searched<'_>) {
        let took = self.elapsed();
        if threshold.is_none_or(|threshold| took < threshold) {
            return;
        }
        let ended = self.started + took;
        let computed = self.computation.0.get().copied();
        let [began, done] = computed.unwrap_or([self.prepared; 2]);
        let ms = |from: Instant, to: Instant| {
            let time = to.saturating_duration_since(from);
            (time.as_micros() as f64 / 100.0).round() / 10.0
        };
        tracing::warn!(
            store = %searched.store,
            surface = searched.surface.as_str(),
            language = %searched.language,
            query = logged(searched.q, searched.found > 0),
            found = searched.found,
            computed = computed.is_some(),
            took_ms = ms(self.started, ended),
            open_ms = ms(self.started, self.opened),
            check_ms = ms(self.opened, self.prepared),
            wait_ms = ms(self.prepared, began),
            compute_ms = ms(began, done),
            respond_ms = ms(done, ended),
            "slow search"
        );
    }
}
