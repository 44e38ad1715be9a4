//! `Nodes`: this server among those that share a database, each with indexes of its own.
//!
//! Each follows the database by itself. They need no connection to each other: what one commits, the others read within
//! two seconds. A file has one server, which hears of nothing.

mod follow;
mod timeline;

pub(crate) use follow::{follow_once, run_always};

use crate::OperationError;
use crate::runtime::ids;
use parking_lot::Mutex;
use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;
use storage::Storage;
use timeline::Timeline;
use tokio::time::Instant;

/// The file in the data directory with the name of this node.
const NAME_FILE: &str = "node";
/// The lease of whoever runs the jobs that need to run once.
const JOBS: &str = "jobs";
/// How long the lease lasts.
const LEASE: Duration = Duration::from_secs(15);
/// A node that was not seen for this long does nothing any more. It is longer than a busy one needs to be seen again.
const GONE_AFTER: Duration = Duration::from_secs(30);
/// How much earlier the holder stops, by its own clock.
const EARLIER: Duration = Duration::from_secs(3);
/// How long a server waits before it takes or renews the lease again.
const RENEW_EVERY: Duration = Duration::from_secs(5);

/// This server among those that share a database.
#[derive(Debug)]
pub(crate) struct Nodes {
    /// Names the data directory, so it is the same after a restart.
    name: String,
    /// Names this process: the node, then what no other process of it has.
    process: String,
    /// The past of the database that the indexes follow.
    timeline: Timeline,
    /// The jobs that one of them runs; `None` for a server that is alone.
    jobs: Option<Mutex<JobsLease>>,
}

/// What this server has of the lease of the jobs.
#[derive(Clone, Copy, Debug)]
struct JobsLease {
    /// Until when this one runs the jobs.
    until: Instant,
    /// When it asks for the lease again.
    next: Instant,
}

impl Nodes {
    /// Returns the node with this data directory.
    ///
    /// Errors: if the file with its name cannot be read or written.
    pub fn open(storage: &Storage, data_dir: &Path) -> Result<Self, OperationError> {
        let own = ids::alphanumeric(12)?;
        if !storage.is_on_server() {
            return Ok(Self {
                name: String::new(),
                process: process("", &own),
                timeline: Timeline::default(),
                jobs: None,
            });
        }
        let path = data_dir.join(NAME_FILE);
        let name = match std::fs::read_to_string(&path) {
            Ok(name) => name.trim().to_owned(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let name = ids::alphanumeric(20)?;
                std::fs::write(&path, &name).map_err(OperationError::internal)?;
                name
            }
            Err(error) => return Err(OperationError::internal(error)),
        };
        let now = Instant::now();
        let jobs = JobsLease {
            until: now,
            next: now,
        };
        Ok(Self {
            process: process(&name, &own),
            name,
            timeline: Timeline::of(data_dir),
            jobs: Some(Mutex::new(jobs)),
        })
    }

    /// Returns its name; empty for a server that is alone.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the name of this process, by which others know what belongs to it.
    pub fn process(&self) -> &str {
        &self.process
    }

    /// Returns those of `processes` that have ended: others of this node, whose data directory has one process at a time,
    /// and those of nodes that were not seen for half a minute.
    pub async fn ended(
        &self,
        storage: &Storage,
        processes: HashSet<String>,
    ) -> Result<HashSet<String>, OperationError> {
        if processes.iter().all(|process| *process == self.process) {
            return Ok(HashSet::new());
        }
        let seen = storage.nodes_seen(GONE_AFTER).await?;
        let runs = |process: &String| {
            let node = process.split('/').next().unwrap_or_default();
            *process == self.process || node != self.name && seen.iter().any(|seen| seen == node)
        };
        Ok(processes.into_iter().filter(|one| !runs(one)).collect())
    }

    /// Returns whether this server runs the jobs that one of them runs.
    pub fn leads(&self) -> bool {
        let jobs = self.jobs.as_ref();
        jobs.is_none_or(|jobs| Instant::now() < jobs.lock().until)
    }

    /// Takes or renews the lease of the jobs, if no other server has it and it is time to.
    async fn try_to_lead(&self, storage: &Storage) -> Result<(), OperationError> {
        let Some(jobs) = &self.jobs else {
            return Ok(());
        };
        let now = Instant::now();
        if now < jobs.lock().next {
            return Ok(());
        }
        let has_it = storage.take_lease(JOBS, &self.name, LEASE).await?;
        let mut jobs = jobs.lock();
        jobs.next = now + RENEW_EVERY;
        if has_it {
            jobs.until = now + LEASE - EARLIER;
        }
        Ok(())
    }

    /// Lets another server run the jobs at once.
    pub async fn end(&self, storage: &Storage) {
        if self.jobs.is_some()
            && let Err(error) = storage.give_lease_back(JOBS, &self.name).await
        {
            tracing::debug!(%error, "the lease of the jobs ends by itself");
        }
    }
}

/// Returns the name of a process of a node.
fn process(node: &str, own: &str) -> String {
    format!("{node}/{own}")
}
