//! `SourceJob`: fetches what is due, two sources at a time, of different stores and hosts.

use super::one_source::{Fetching, Stop};
use crate::metrics::SourceMetrics;
use fetching::FetchClient;
use operations::Service;
use operations::sources::{DueSource, take_due};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::{Id, JoinHandle, JoinSet};

/// Fetches at a time.
const AT_ONCE: usize = 2;
/// How often sources are looked at that become due without a notice.
const EVERY: Duration = Duration::from_secs(5);
/// How long a stopping server waits for fetches to be given back.
const STOP_TIME: Duration = Duration::from_secs(5);

/// The job, which ends when it is stopped.
pub struct SourceJob {
    task: JoinHandle<()>,
    stop: Stop,
}

impl SourceJob {
    /// Starts the job of a server whose data is in `data`.
    pub fn start(service: Service, data: &Path, metrics: Arc<SourceMetrics>) -> Self {
        let stop = Stop::default();
        let job = Job {
            fetching: Fetching {
                client: FetchClient::new(service.source_options().rules.clone()),
                service,
                metrics,
                data: data.to_owned(),
                stop: stop.clone(),
            },
            running: JoinSet::new(),
            busy: HashMap::new(),
        };
        let task = tokio::spawn(job.run());
        Self { task, stop }
    }

    /// Ends the job: what is being fetched is given back, and fetched again after the next start.
    pub async fn stop(self) {
        self.stop.stop();
        if tokio::time::timeout(STOP_TIME, self.task).await.is_err() {
            tracing::warn!("a fetch took too long to end");
        }
    }
}

struct Job {
    fetching: Fetching,
    running: JoinSet<()>,
    /// Stores and hosts of what is being fetched.
    busy: HashMap<Id, DueSource>,
}

impl Job {
    async fn run(mut self) {
        let wake = self.fetching.service.sources_wake();
        loop {
            self.begin().await;
            tokio::select! {
                biased;
                () = self.fetching.stop.stopped() => break,
                Some(ended) = self.running.join_next_with_id() => {
                    let id = ended.map_or_else(|error| error.id(), |(id, ())| id);
                    self.busy.remove(&id);
                }
                () = wake.notified() => {}
                () = tokio::time::sleep(EVERY) => {}
            }
        }
        while self.running.join_next().await.is_some() {}
    }

    /// Begins fetches while there are places and sources for them.
    async fn begin(&mut self) {
        while self.running.len() < AT_ONCE && !self.fetching.stop.is_stopped() {
            let hosts = self.busy.values().filter_map(DueSource::host);
            let hosts: HashSet<String> = hosts.map(str::to_owned).collect();
            let stores: HashSet<_> = self.busy.values().map(|due| due.store.clone()).collect();
            match take_due(&self.fetching.service, &hosts, &stores).await {
                Ok(Some(due)) => {
                    let task = self.fetching.clone().fetch(due.clone());
                    let id = self.running.spawn(task).id();
                    self.busy.insert(id, due);
                }
                Ok(None) => return,
                Err(error) => {
                    tracing::warn!(%error, "sources could not be looked at");
                    return;
                }
            }
        }
    }
}
