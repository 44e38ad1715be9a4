//! Counts requests and their durations by operation.

use super::names;
use axum::extract::MatchedPath;
use axum::http::{Method, StatusCode};
use prometheus::proto::MetricFamily;
use prometheus::{HistogramOpts, HistogramVec, IntCounterVec, Opts, Registry};
use std::collections::HashMap;
use std::time::Duration;

/// Upper bounds of the histogram buckets, in seconds.
const BUCKETS: [f64; 14] = [
    0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0,
];
/// Paths that are not operations, with their label.
const PROBES: [(&str, &str); 3] = [
    ("/healthz", "healthz"),
    ("/readyz", "readyz"),
    ("/metrics", "metrics"),
];
/// Label of everything else: unknown paths and methods, pages and files of panel, widget and demo.
const OTHER: &str = "other";

/// The request metrics of one server.
pub struct Requests {
    /// Operation ids, by path and method.
    names: HashMap<String, HashMap<&'static str, &'static str>>,
    registry: Registry,
    answered: IntCounterVec,
    durations: HistogramVec,
}

impl Requests {
    /// Creates the metrics of a server with these operations, each with method, path and id.
    ///
    /// Errors: an invalid or duplicate metric name.
    pub fn new(
        operations: impl Iterator<Item = (&'static str, String, &'static str)>,
    ) -> Result<Self, prometheus::Error> {
        let answered = IntCounterVec::new(
            Opts::new(
                names::REQUESTS_TOTAL,
                "Finished requests, by operation and status.",
            ),
            &["operation", "status"],
        )?;
        let durations = HistogramVec::new(
            HistogramOpts::new(
                names::REQUEST_DURATION_SECONDS,
                "Time from the head of a request to its response, by operation.",
            )
            .buckets(BUCKETS.to_vec()),
            &["operation"],
        )?;
        let registry = Registry::new();
        registry.register(Box::new(answered.clone()))?;
        registry.register(Box::new(durations.clone()))?;
        Ok(Self {
            names: names(operations),
            registry,
            answered,
            durations,
        })
    }

    /// Counts a request for this [operation](Self::operation) that finished with `status` after `took`.
    pub fn finished(&self, operation: &'static str, status: StatusCode, took: Duration) {
        self.answered
            .with_label_values(&[operation, status.as_str()])
            .inc();
        self.durations
            .with_label_values(&[operation])
            .observe(took.as_secs_f64());
    }

    /// Returns the label of the operation of a request.
    pub fn operation(&self, method: &Method, path: Option<&MatchedPath>) -> &'static str {
        let method = match *method {
            Method::HEAD => "GET",
            ref other => other.as_str(),
        };
        let name = path
            .and_then(|path| self.names.get(path.as_str()))
            .and_then(|methods| methods.get(method));
        name.copied().unwrap_or(OTHER)
    }

    pub(super) fn families(&self) -> Vec<MetricFamily> {
        self.registry.gather()
    }
}

fn names(
    operations: impl Iterator<Item = (&'static str, String, &'static str)>,
) -> HashMap<String, HashMap<&'static str, &'static str>> {
    let probes = PROBES.map(|(path, name)| ("GET", path.to_owned(), name));
    let mut names: HashMap<String, HashMap<_, _>> = HashMap::new();
    for (method, path, name) in operations.chain(probes) {
        names.entry(path).or_default().insert(method, name);
    }
    names
}
