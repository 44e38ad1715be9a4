//! The signals that tell a server to stop.

use super::outcome::{Ending, ExitStatus};
use crate::boot::Running;
use std::time::Duration;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// How long a repeated signal counts as the first one: some programs send it to a process and to its group.
const SAME_SIGNAL: Duration = Duration::from_secs(1);

/// SIGINT and SIGTERM, as they come from now on.
pub struct StopSignals {
    interrupt: Signal,
    terminate: Signal,
}

impl StopSignals {
    /// Listens; until then a signal ends the process at once.
    pub fn listen() -> Result<Self, Ending> {
        let failed = |error| Ending::failed(format!("cannot listen for signals: {error}"));
        Ok(Self {
            interrupt: signal(SignalKind::interrupt()).map_err(failed)?,
            terminate: signal(SignalKind::terminate()).map_err(failed)?,
        })
    }

    /// Lets `server` serve until a signal comes, then stops it; a later signal ends the process at once.
    pub async fn serve_until_told(mut self, server: Running) -> Result<ExitStatus, Ending> {
        self.told().await;
        tracing::info!("stopping");
        tokio::select! {
            () = server.stop() => Ok(ExitStatus::Done),
            again = told_again() => again.and(Err(Ending::failed("stopped at once"))),
        }
    }

    async fn told(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

async fn told_again() -> Result<(), Ending> {
    tokio::time::sleep(SAME_SIGNAL).await;
    StopSignals::listen()?.told().await;
    Ok(())
}
