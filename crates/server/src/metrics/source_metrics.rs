//! `SourceMetrics`: what fetches and their imports are counted in.

use super::names;
use catalogue_files::report::result::ImportResult;
use domain::source::FetchOutcome;
use prometheus::proto::MetricFamily;
use prometheus::{Histogram, HistogramOpts, IntCounter, IntCounterVec, IntGauge, Opts, Registry};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Upper bounds of the histogram buckets, in seconds.
const BUCKETS: [f64; 8] = [0.1, 0.5, 1.0, 5.0, 15.0, 60.0, 300.0, 1_800.0];

/// Rows of an import by what became of them.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct ImportedRows {
    /// Rows whose documents are stored.
    pub accepted: u64,
    /// Rows that were rejected.
    pub rejected: u64,
    /// Rows that are not meant for shoppers.
    pub skipped: u64,
}

impl ImportedRows {
    /// Returns the rows of a result.
    pub fn of(result: &ImportResult) -> Self {
        Self {
            accepted: result.accepted,
            rejected: result.rejected_count(),
            skipped: result.skipped.values().sum(),
        }
    }
}

/// The metrics of sources of one server.
pub struct SourceMetrics {
    registry: Registry,
    fetches: IntCounterVec,
    durations: Histogram,
    bytes: IntCounter,
    imports: IntCounterVec,
    rows: IntCounterVec,
    spooled: IntGauge,
}

impl SourceMetrics {
    /// Creates the metrics of a server.
    ///
    /// Errors: an invalid or duplicate metric name.
    pub fn new() -> Result<Self, prometheus::Error> {
        let outcomes = |name, help| IntCounterVec::new(Opts::new(name, help), &["outcome"]);
        let fetches = outcomes(
            names::SOURCE_FETCHES_TOTAL,
            "Fetches of sources, by outcome.",
        )?;
        for outcome in FetchOutcome::ALL {
            fetches.with_label_values(&[outcome.as_str()]);
        }
        let duration = "Time of a fetch of a source, with its import.";
        let duration = HistogramOpts::new(names::SOURCE_FETCH_DURATION_SECONDS, duration);
        let metrics = Self {
            registry: Registry::new(),
            fetches,
            durations: Histogram::with_opts(duration.buckets(BUCKETS.to_vec()))?,
            bytes: IntCounter::new(
                names::SOURCE_BYTES_TOTAL,
                "Bytes that were received of sources.",
            )?,
            imports: outcomes(
                names::IMPORTS_TOTAL,
                "Imports of files that were sent, fetched or given to a command, by outcome.",
            )?,
            rows: outcomes(
                names::IMPORT_ROWS_TOTAL,
                "Rows of imported files, by what became of them.",
            )?,
            spooled: IntGauge::new(
                names::IMPORT_SPOOL_BYTES,
                "Bytes of fetched files that are on the disk.",
            )?,
        };
        let registry = &metrics.registry;
        registry.register(Box::new(metrics.fetches.clone()))?;
        registry.register(Box::new(metrics.durations.clone()))?;
        registry.register(Box::new(metrics.bytes.clone()))?;
        registry.register(Box::new(metrics.imports.clone()))?;
        registry.register(Box::new(metrics.rows.clone()))?;
        registry.register(Box::new(metrics.spooled.clone()))?;
        Ok(metrics)
    }

    /// Counts a fetch.
    pub fn fetched(&self, outcome: FetchOutcome, bytes: u64, took: Duration) {
        self.fetches.with_label_values(&[outcome.as_str()]).inc();
        self.durations.observe(took.as_secs_f64());
        self.bytes.inc_by(bytes);
    }

    /// Counts an import.
    pub fn imported(&self, outcome: FetchOutcome, rows: ImportedRows) {
        self.imports.with_label_values(&[outcome.as_str()]).inc();
        for (name, count) in [
            ("accepted", rows.accepted),
            ("rejected", rows.rejected),
            ("skipped", rows.skipped),
        ] {
            self.rows.with_label_values(&[name]).inc_by(count);
        }
    }

    /// Adds to the bytes on the disk; negative when a file is gone.
    pub fn spooled(&self, bytes: i64) {
        self.spooled.add(bytes);
    }

    pub(super) fn families(&self) -> Vec<MetricFamily> {
        self.registry.gather()
    }
}
