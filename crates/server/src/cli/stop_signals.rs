//! The signals that stop a server.

use super::outcome::{CommandError, ExitStatus};
use crate::boot::Running;
use std::time::Duration;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Time in which a repeated signal counts as the first one: some programs send it to a process and to its group.
const SAME_SIGNAL: Duration = Duration::from_secs(1);

/// Streams of SIGINT and SIGTERM.
pub struct StopSignals {
    interrupt: Signal,
    terminate: Signal,
}

impl StopSignals {
    /// Starts listening; before that, a signal ends the process at once.
    pub fn listen() -> Result<Self, CommandError> {
        let failed = |error| CommandError::failed(format!("cannot listen for signals: {error}"));
        Ok(Self {
            interrupt: signal(SignalKind::interrupt()).map_err(failed)?,
            terminate: signal(SignalKind::terminate()).map_err(failed)?,
        })
    }

    /// Lets `server` run until a signal arrives, then stops it; a later signal ends the process at once.
    pub async fn serve_until_stopped(
        mut self,
        server: Running,
    ) -> Result<ExitStatus, CommandError> {
        self.received().await;
        tracing::info!("stopping");
        tokio::select! {
            () = server.stop() => Ok(ExitStatus::Done),
            again = received_again() => again.and(Err(CommandError::failed("stopped at once"))),
        }
    }

    async fn received(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

async fn received_again() -> Result<(), CommandError> {
    tokio::time::sleep(SAME_SIGNAL).await;
    StopSignals::listen()?.received().await;
    Ok(())
}
