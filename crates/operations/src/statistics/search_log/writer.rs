//! The task of the search log: takes records from the queue, and writes what was counted every ten seconds.

use super::pending::ROWS_TO_WRITE;
use super::{LogShared, SearchLog};
use crate::{OperationError, causes};
use std::sync::Arc;
use std::time::Duration;
use storage::StorageError;
use tokio::time::{MissedTickBehavior, interval};

/// Time between two looks at the queue.
const TICK: Duration = Duration::from_millis(250);
/// Time between two writes.
const WRITE_EVERY: Duration = Duration::from_secs(10);

/// Runs until the log is closed, then writes the rest.
pub(super) async fn run(log: SearchLog) {
    let mut stopped = log.0.stop.subscribe();
    let (mut ticks, mut writes) = (interval(TICK), interval(WRITE_EVERY));
    for interval in [&mut ticks, &mut writes] {
        interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
    }
    loop {
        let mut is_due = false;
        tokio::select! {
            // A dropped sender means stop, too.
            _ = stopped.wait_for(|stop| *stop) => break,
            _ = ticks.tick() => {}
            _ = writes.tick() => is_due = true,
        }
        log.collect();
        if is_due || log.0.pending.lock().rows() >= ROWS_TO_WRITE {
            // The error was logged; the next write takes what failed along.
            let _ = log.write().await;
        }
    }
    {
        let shared = &*log.0;
        let now = shared.clock.now();
        shared.pending.lock().end(&shared.queue, now);
    }
    let _ = log.write().await;
    log.0.storage.close().await;
}

impl SearchLog {
    /// Writes what was counted. Must run to its end; see [`Self::flush`].
    ///
    /// Errors: `Unavailable` if the database fails; the next write takes along what this one could not write.
    async fn write(&self) -> Result<(), OperationError> {
        let shared = &*self.0;
        let _turn = shared.write_turn.lock().await;
        let batch = shared.pending.lock().begin_write();
        let Some(batch) = batch else {
            return Ok(());
        };
        let written = shared.storage.write(&batch).await;
        drop(batch);
        shared.pending.lock().end_write(written.is_ok());
        self.report(written).await
    }

    async fn report(&self, written: Result<(), StorageError>) -> Result<(), OperationError> {
        if let Err(error) = &written
            && !error.is_damage()
        {
            tracing::warn!(
                cause = causes(error),
                "the search log was not written; it will be tried again"
            );
        }
        self.checked(written).await
    }

    /// Counts what is due and writes it, even if the caller is cancelled.
    pub(crate) async fn flush(&self) -> Result<(), OperationError> {
        self.collect();
        let log = Self(Arc::<LogShared>::clone(&self.0));
        let written = tokio::spawn(async move { log.write().await });
        written.await.map_err(OperationError::internal)?
    }
}
