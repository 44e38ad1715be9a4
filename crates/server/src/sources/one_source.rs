//! Fetches one source: the file, unless it is the same as before, then its import; and stores how that ended.

use super::fetch_file::fetch_file;
use super::import_file::{ImportEnd, import_file};
use super::spool::SpooledFile;
use crate::imports::folder;
use crate::imports::{ImportControl, NoFile};
use crate::metrics::SourceMetrics;
use domain::source::FetchOutcome;
use domain::{Message, error_codes, message};
use fetching::{FetchClient, FetchCode, FetchFault, Fetched};
use operations::Service;
use operations::sources::{DueSource, FetchReport, ReceivedVersion, finish, give_back, renew};
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior};

/// How often the lease of a source is extended.
const RENEWED_EVERY: Duration = Duration::from_secs(180);

/// Stops all fetches of a process.
#[derive(Clone)]
pub struct Stop(Arc<watch::Sender<bool>>);

impl Default for Stop {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(false)))
    }
}

impl Stop {
    /// Stops them.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }

    /// Returns whether they are stopped.
    pub fn is_stopped(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until they are stopped.
    pub async fn stopped(&self) {
        let mut stopped = self.0.subscribe();
        // The sender is here, so waiting cannot fail.
        let _ = stopped.wait_for(|stopped| *stopped).await;
    }
}

/// What a fetch needs.
#[derive(Clone)]
pub struct Fetching {
    pub service: Service,
    pub client: FetchClient,
    pub metrics: Arc<SourceMetrics>,
    pub data: PathBuf,
    pub stop: Stop,
}

/// Why a fetch ended without a report: the server is stopping.
struct Stopped;

impl Fetching {
    /// Fetches a source and stores how that ended.
    pub async fn fetch(self, due: DueSource) {
        let started = Instant::now();
        let ended = tokio::select! {
            ended = self.report(&due) => ended,
            () = self.renew(&due) => Err(Stopped),
        };
        let stored = match ended {
            Ok(report) => {
                let took = started.elapsed();
                self.metrics.fetched(report.outcome, report.bytes, took);
                let outcome = report.outcome.as_str();
                let code = report.code.as_deref().unwrap_or_default();
                tracing::info!(store = %due.store, source = %due.id, address = due.shown(), outcome, code, "fetched");
                finish(&self.service, due, FetchReport { took, ..report }).await
            }
            Err(Stopped) => give_back(&self.service, due).await,
        };
        if let Err(error) = stored {
            tracing::warn!(%error, "how a fetch ended could not be stored");
        }
    }

    /// Extends the lease until the fetch ends.
    async fn renew(&self, due: &DueSource) {
        let mut ticks = tokio::time::interval(RENEWED_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        ticks.tick().await;
        loop {
            ticks.tick().await;
            if let Err(error) = renew(&self.service, &due.store, &due.id).await {
                tracing::warn!(%error, "the lease of a source could not be extended");
            }
        }
    }

    async fn report(&self, due: &DueSource) -> Result<FetchReport, Stopped> {
        let address = match &due.address {
            Ok(address) => address.clone(),
            Err(reason) => return Ok(failed(FetchCode::AddressRefused.as_str(), reason.clone())),
        };
        let folder = match folder(&self.data) {
            Ok(folder) => folder,
            Err(error) => return Ok(io_failed(&error)),
        };
        let fetch = fetch_file(&self.client, due, address, &folder, &self.stop);
        let fetched = tokio::select! {
            fetched = fetch => fetched,
            () = self.stop.stopped() => return Err(Stopped),
        };
        let (fetched, file) = match fetched {
            Ok(fetched) => fetched,
            Err(NoFile::Fault(fault)) if fault.code == FetchCode::Cancelled => return Err(Stopped),
            Err(NoFile::Fault(fault)) => return Ok(of_fault(fault)),
            Err(NoFile::Io(error)) => return Ok(io_failed(&error)),
        };
        let report = of_fetched(&fetched);
        let Some(received) = &fetched.file else {
            return Ok(report);
        };
        if due.sha256.as_ref() == Some(&received.sha256) {
            return Ok(report);
        }
        let bytes = i64::try_from(received.bytes).unwrap_or(i64::MAX);
        let file = (file, received.charset.clone());
        self.metrics.spooled(bytes);
        let ended = self.import(due, file, &folder).await;
        self.metrics.spooled(-bytes);
        let ended = ended.ok_or(Stopped)?;
        self.metrics.imported(ended.outcome, ended.rows);
        Ok(with_import(report, ended))
    }

    /// Imports a file; a server that is stopping ends the import, which ends its run.
    async fn import(
        &self,
        due: &DueSource,
        file: (SpooledFile, Option<String>),
        folder: &Path,
    ) -> Option<ImportEnd> {
        let (control, cancel) = ImportControl::new(|_| {});
        let mut import = pin!(import_file(&self.service, due, file, folder, &control));
        tokio::select! {
            ended = &mut import => ended,
            () = self.stop.stopped() => {
                cancel.cancel();
                import.await
            }
        }
    }
}

fn empty(outcome: FetchOutcome) -> FetchReport {
    FetchReport {
        outcome,
        code: None,
        reason: None,
        http_status: None,
        redirects: 0,
        bytes: 0,
        took: Duration::ZERO,
        retry_after: None,
        result: None,
        version: None,
        next_sale_change: None,
        held_run: None,
        has_stored: false,
    }
}

fn failed(code: &str, reason: Message) -> FetchReport {
    FetchReport {
        code: Some(code.to_owned()),
        reason: Some(Ok(reason)),
        ..empty(FetchOutcome::Failed)
    }
}

/// A failure of this machine: the disk is full, or something of it is broken, which the log says.
fn io_failed(error: &std::io::Error) -> FetchReport {
    if error.kind() == std::io::ErrorKind::StorageFull {
        let full = message::source::disk_full();
        return failed(FetchCode::DiskFull.as_str(), full);
    }
    tracing::error!(%error, "a source could not be spooled");
    failed(error_codes::INTERNAL, message::source::broken())
}

fn of_fault(fault: FetchFault) -> FetchReport {
    FetchReport {
        http_status: fault.status,
        redirects: fault.redirects,
        retry_after: fault.retry_after,
        ..failed(fault.code.as_str(), fault.message)
    }
}

/// A file that is the same as before, until it turns out to be another.
fn of_fetched(fetched: &Fetched) -> FetchReport {
    let version = fetched.file.as_ref().map(|file| ReceivedVersion {
        etag: file.validators.etag.clone(),
        last_modified: file.validators.last_modified.clone(),
        sha256: file.sha256.clone(),
    });
    FetchReport {
        http_status: Some(fetched.status),
        redirects: fetched.redirects,
        bytes: fetched.file.as_ref().map_or(0, |file| file.bytes),
        version,
        ..empty(FetchOutcome::Unchanged)
    }
}

fn with_import(report: FetchReport, ended: ImportEnd) -> FetchReport {
    FetchReport {
        outcome: ended.outcome,
        code: ended.code,
        reason: ended.reason.map(Err),
        result: ended.result,
        next_sale_change: ended.next_sale_change,
        held_run: ended.held_run,
        has_stored: ended.has_stored,
        ..report
    }
}
