//! The timer that runs the jobs.

use super::{
    JobReport, closed_stores, deletion_marks, ended_runs, ended_sessions, expired_runs, last_uses,
    releases, search_log, sweeps,
};
use crate::maintenance::nodes;
use crate::{OperationError, Service};
use std::time::Duration;
use tokio::time::MissedTickBehavior;

const LAST_USES_EVERY: Duration = Duration::from_secs(30);
/// Releases are read at every second tick: once a minute.
const TICKS_PER_RELEASES: u64 = 2;
/// The other jobs run at every tenth tick.
const TICKS_PER_CLEANUP: u64 = 10;

/// Starts the tasks that run the jobs: short ones periodically, the sweeper, and the removal of stores. A job consists of
/// whole transactions, so it may be stopped between any two.
pub(crate) fn start(service: &Service) {
    service.background.replace(vec![
        tokio::spawn(run_jobs(service.clone())),
        tokio::spawn(sweeps::run_always(service.clone())),
        tokio::spawn(closed_stores::run_always(service.clone())),
        tokio::spawn(nodes::run_always(service.clone())),
    ]);
}

async fn run_jobs(service: Service) {
    let mut interval = tokio::time::interval(LAST_USES_EVERY);
    // After a delay the next tick is a whole interval away, instead of all that were missed at once.
    interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut ticks: u64 = 0;
    loop {
        interval.tick().await;
        log("last uses", last_uses::run(&service).await);
        if ticks.is_multiple_of(TICKS_PER_RELEASES) {
            log("releases", releases::run(&service).await);
        }
        if ticks.is_multiple_of(TICKS_PER_CLEANUP) && service.nodes.leads() {
            log("expired runs", expired_runs::run(&service).await);
            log("ended runs", ended_runs::run(&service).await);
            log("ended sessions", ended_sessions::run(&service).await);
            log("deletion marks", deletion_marks::run(&service).await);
            log("search log", search_log::clean(&service).await);
        }
        ticks += 1;
    }
}

/// Logs what a job did, or why it failed.
pub(super) fn log(job: &str, outcome: Result<JobReport, OperationError>) {
    match outcome {
        Ok(JobReport { rows: 0 }) => {}
        Ok(JobReport { rows }) => tracing::debug!(job, rows, "job done"),
        Err(error) => tracing::warn!(job, error = ?error, "job failed; it will be tried again"),
    }
}
