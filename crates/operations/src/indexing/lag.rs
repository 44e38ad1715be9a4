//! The lag of each index behind storage.

use domain::IndexId;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

/// The lags of all indexes.
pub(super) struct Lags {
    indexes: Mutex<HashMap<IndexId, Lag>>,
    /// Changes whenever an index makes progress.
    progress: watch::Sender<u64>,
}

#[derive(Clone, Copy, Default)]
struct Lag {
    /// Arrival of the oldest change that is not being applied yet.
    waiting: Option<Instant>,
    /// Arrival of the oldest change that is being applied.
    applying: Option<Instant>,
}

impl Default for Lags {
    fn default() -> Self {
        Self {
            indexes: Mutex::default(),
            progress: watch::Sender::new(0),
        }
    }
}

impl Lags {
    /// Records that a change was acknowledged.
    pub fn note(&self, index: IndexId) {
        let now = Instant::now();
        self.indexes
            .lock()
            .entry(index)
            .or_default()
            .waiting
            .get_or_insert(now);
    }

    /// Records that all changes so far are about to be applied.
    pub fn begin(&self, index: IndexId) {
        let mut indexes = self.indexes.lock();
        let lag = indexes.entry(index).or_default();
        let waiting = lag.waiting.take();
        lag.applying = lag.applying.or(waiting);
    }

    /// Records that the changes being applied are searchable.
    pub fn end(&self, index: IndexId) {
        if let Some(lag) = self.indexes.lock().get_mut(&index) {
            lag.applying = None;
        }
        self.progress.send_modify(|count| *count += 1);
    }

    /// Forgets an index that is not used any more.
    pub fn forget(&self, index: IndexId) {
        self.indexes.lock().remove(&index);
        self.progress.send_modify(|count| *count += 1);
    }

    /// Returns whether there is a change that is not searchable yet.
    pub fn is_behind(&self, index: IndexId) -> bool {
        self.indexes.lock().get(&index).is_some_and(Lag::is_any)
    }

    /// Returns the age of the oldest change that is not searchable yet.
    pub fn of(&self, index: IndexId) -> Duration {
        let lag = self.indexes.lock().get(&index).copied().unwrap_or_default();
        let oldest = lag.applying.or(lag.waiting);
        oldest.map_or(Duration::ZERO, |since| since.elapsed())
    }

    /// Returns the age of the oldest change of all indexes that is not searchable yet, and how many indexes have one.
    pub fn behind(&self) -> (Duration, usize) {
        let indexes = self.indexes.lock();
        let since = indexes
            .values()
            .filter_map(|lag| lag.applying.or(lag.waiting));
        let (oldest, count) = since.fold((None::<Instant>, 0), |(oldest, count), since| {
            (Some(oldest.map_or(since, |o| o.min(since))), count + 1)
        });
        (oldest.map_or(Duration::ZERO, |o| o.elapsed()), count)
    }

    /// Waits until the lag is below `bound`, at most `at_most`, and returns the lag.
    pub async fn wait_below(&self, index: IndexId, bound: Duration, at_most: Duration) -> Duration {
        let deadline = Instant::now() + at_most;
        let mut progress = self.progress.subscribe();
        loop {
            let lag = self.of(index);
            if lag < bound || timeout_at(deadline, progress.changed()).await.is_err() {
                return self.of(index);
            }
        }
    }

    /// Waits until no index lags behind, at most `at_most`.
    pub async fn wait_quiet(&self, at_most: Duration) {
        let deadline = Instant::now() + at_most;
        let mut progress = self.progress.subscribe();
        while self.indexes.lock().values().any(Lag::is_any) {
            if timeout_at(deadline, progress.changed()).await.is_err() {
                return;
            }
        }
    }
}

impl Lag {
    fn is_any(&self) -> bool {
        self.waiting.is_some() || self.applying.is_some()
    }
}

#[cfg(test)]
mod tests {
    //! 1. The lag is the age of the oldest change that is not searchable.
    //! 2. A change that arrives while an older one is applied keeps its own age.
    //! 3. Waiting ends with the lag or the timeout; waiting for quiet ends with the last lag of all indexes.

    use super::*;
    use tokio::time::advance;

    const INDEX: IndexId = IndexId(1);

    fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    #[tokio::test(start_paused = true)]
    async fn the_oldest_change_counts() {
        let lags = Lags::default();
        assert_eq!(lags.of(INDEX), Duration::ZERO);
        lags.note(INDEX);
        advance(seconds(2)).await;
        lags.begin(INDEX);
        advance(seconds(1)).await;
        lags.note(INDEX);
        assert_eq!(lags.of(INDEX), seconds(3));
        lags.note(IndexId(2));
        assert_eq!(lags.behind(), (seconds(3), 2));
        lags.begin(IndexId(2));
        lags.end(IndexId(2));
        advance(seconds(1)).await;
        lags.end(INDEX);
        assert_eq!(lags.of(INDEX), seconds(1));
        lags.begin(INDEX);
        lags.end(INDEX);
        assert_eq!(lags.of(INDEX), Duration::ZERO);
        assert_eq!(lags.behind(), (Duration::ZERO, 0));
    }

    #[tokio::test(start_paused = true)]
    async fn waiting_ends_with_the_lag_or_the_timeout() {
        let lags = Lags::default();
        lags.note(INDEX);
        advance(seconds(5)).await;
        assert_eq!(
            lags.wait_below(INDEX, seconds(1), seconds(2)).await,
            seconds(7)
        );
        lags.begin(INDEX);
        let waited = tokio::join!(lags.wait_below(INDEX, seconds(1), seconds(60)), async {
            advance(seconds(1)).await;
            lags.end(INDEX);
        });
        assert_eq!(waited.0, Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn waiting_for_quiet_ends_with_the_last_lag() {
        let lags = Lags::default();
        let other = IndexId(2);
        let started = Instant::now();
        lags.wait_quiet(seconds(5)).await;
        assert_eq!(started.elapsed(), Duration::ZERO);
        lags.note(INDEX);
        lags.note(other);
        tokio::join!(lags.wait_quiet(seconds(60)), async {
            for index in [INDEX, other] {
                advance(seconds(1)).await;
                lags.begin(index);
                lags.end(index);
            }
        });
        assert_eq!(started.elapsed(), seconds(2));
        lags.note(INDEX);
        lags.wait_quiet(seconds(5)).await;
        assert_eq!(started.elapsed(), seconds(7));
    }
}
