//! The timer that runs the jobs.

use super::{JobReport, deletion_marks, ended_runs, expired_runs, last_uses};
use crate::{OperationError, Service};
use parking_lot::Mutex;
use std::time::Duration;
use tokio::task::JoinHandle;

const LAST_USES_EVERY: Duration = Duration::from_secs(30);
/// The other jobs run at every tenth tick.
const TICKS_PER_CLEANUP: u64 = 10;

/// The tasks that run the jobs: one periodically, and the sweeper.
#[derive(Default)]
pub(crate) struct Timer(Mutex<Vec<JoinHandle<()>>>);

impl Timer {
    /// Starts the tasks.
    pub fn start(&self, service: Service) {
        let sweeper = service.sweeper.clone().run(service.clone());
        let tasks = vec![tokio::spawn(run_jobs(service)), tokio::spawn(sweeper)];
        for former in std::mem::replace(&mut *self.0.lock(), tasks) {
            former.abort();
        }
    }

    /// Stops the tasks. A job consists of whole transactions, so it may be stopped between any two.
    pub async fn stop(&self) {
        let tasks = std::mem::take(&mut *self.0.lock());
        for task in tasks {
            task.abort();
            // The only possible outcome is that it was cancelled.
            let _ = task.await;
        }
    }
}

async fn run_jobs(service: Service) {
    let mut interval = tokio::time::interval(LAST_USES_EVERY);
    let mut ticks: u64 = 0;
    loop {
        interval.tick().await;
        log("last uses", last_uses::run(&service).await);
        if ticks.is_multiple_of(TICKS_PER_CLEANUP) {
            log("expired runs", expired_runs::run(&service).await);
            log("ended runs", ended_runs::run(&service).await);
            log("deletion marks", deletion_marks::run(&service).await);
        }
        ticks += 1;
    }
}

fn log(job: &str, outcome: Result<JobReport, OperationError>) {
    match outcome {
        Ok(JobReport { rows: 0 }) => {}
        Ok(JobReport { rows }) => tracing::debug!(job, rows, "job done"),
        Err(error) => tracing::warn!(job, error = ?error, "job failed; it will be tried again"),
    }
}
