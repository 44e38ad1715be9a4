//! All metrics as text: what was counted here, the figures of the service, and those of the process.

use super::Requests;
use domain::DocType;
use operations::statistics::ServiceStatistics;
use prometheus::proto::MetricFamily;
use prometheus::{
    Encoder, Gauge, GaugeVec, IntCounter, IntCounterVec, IntGaugeVec, Opts, Registry, TextEncoder,
};

/// The metrics in the text format of Prometheus.
///
/// Errors: a value that the format cannot hold.
pub fn text(
    requests: &Requests,
    figures: &ServiceStatistics,
    edge: Edge,
) -> Result<Vec<u8>, prometheus::Error> {
    let mut families = requests.families();
    families.extend(of_edge(edge)?);
    families.extend(of_service(figures)?);
    families.extend(of_process()?);
    families.sort_by(|a, b| a.name().cmp(b.name()));
    let mut text = Vec::new();
    TextEncoder::new().encode(&families, &mut text)?;
    Ok(text)
}

/// What clients hold, and what they were refused.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// Connections that are open.
    pub connections: u64,
    /// Connections that were closed at once.
    pub refused_connections: u64,
    /// Bytes of memory that bodies are counted with.
    pub body_bytes: u64,
    /// Bodies for which there was no memory.
    pub refused_bodies: u64,
}

fn of_edge(edge: Edge) -> Result<Vec<MetricFamily>, prometheus::Error> {
    let registry = Registry::new();
    let gauge = |name, help, value: u64| {
        let gauge = Gauge::new(name, help)?;
        gauge.set(value as f64);
        registry.register(Box::new(gauge))
    };
    let counter = |name, help, value: u64| {
        let counter = IntCounter::new(name, help)?;
        counter.inc_by(value);
        registry.register(Box::new(counter))
    };
    gauge(
        "findwell_connections",
        "Connections that are open.",
        edge.connections,
    )?;
    counter(
        "findwell_refused_connections_total",
        "Connections that were closed at once, because there were too many.",
        edge.refused_connections,
    )?;
    gauge(
        "findwell_body_bytes",
        "Bytes of memory that the bodies of all requests are counted with.",
        edge.body_bytes,
    )?;
    counter(
        "findwell_refused_bodies_total",
        "Bodies that were refused because those of others took all memory there is for them.",
        edge.refused_bodies,
    )?;
    Ok(registry.gather())
}

/// The figures come as totals, so each reading gets a registry of its own.
fn of_service(figures: &ServiceStatistics) -> Result<Vec<MetricFamily>, prometheus::Error> {
    let registry = Registry::new();
    let counters = |name, help, label, values: &[(&str, u64)]| {
        let family = IntCounterVec::new(Opts::new(name, help), &[label])?;
        for (value, count) in values {
            family.with_label_values(&[value]).inc_by(*count);
        }
        registry.register(Box::new(family))
    };
    counters(
        "findwell_search_cache_lookups_total",
        "Searches that asked the cache, by whether it had the answer.",
        "result",
        &[("hit", figures.cache_hits), ("miss", figures.cache_misses)],
    )?;
    counters(
        "findwell_feed_documents_total",
        "Documents that were fed, by what became of them.",
        "outcome",
        &[
            ("accepted", figures.accepted),
            ("stale", figures.stale),
            ("rejected", figures.rejected),
        ],
    )?;
    let gauge = |name, help, value: f64| {
        let gauge = Gauge::new(name, help)?;
        gauge.set(value);
        registry.register(Box::new(gauge))
    };
    gauge(
        "findwell_index_lag_seconds",
        "Age of the oldest acknowledged change of any index that cannot be searched yet.",
        figures.lag.as_secs_f64(),
    )?;
    gauge(
        "findwell_indexes_behind",
        "Indexes that have such a change.",
        figures.behind as f64,
    )?;
    gauge(
        "findwell_open_indexes",
        "Indexes that are open.",
        figures.open_indexes as f64,
    )?;
    gauge(
        "findwell_searches_at_work",
        "Searches that are executed at this moment.",
        figures.searches_at_work as f64,
    )?;
    gauge(
        "findwell_searches_waiting",
        "Searches that wait for their turn; equal ones count as one.",
        figures.searches_waiting as f64,
    )?;
    gauge(
        "findwell_writes_waiting",
        "Writes that wait for their turn.",
        figures.writes_waiting as f64,
    )?;
    let executed = IntCounter::new(
        "findwell_searches_executed_total",
        "Searches that were executed; equal ones of the same moment count as one.",
    )?;
    executed.inc_by(figures.searches_executed);
    registry.register(Box::new(executed))?;
    caches(&registry, figures)?;
    holdings(&registry, figures)?;
    build(&registry)?;
    Ok(registry.gather())
}

fn caches(registry: &Registry, figures: &ServiceStatistics) -> Result<(), prometheus::Error> {
    let family = |name, help| GaugeVec::new(Opts::new(name, help), &["cache"]);
    let bytes = family(
        "findwell_cache_bytes",
        "Bytes that a cache of all stores holds, about.",
    )?;
    let limits = family("findwell_cache_limit_bytes", "Bytes that it may hold.")?;
    let entries = family("findwell_cache_entries", "Entries that it holds.")?;
    for (name, usage) in &figures.caches {
        bytes.with_label_values(&[name]).set(usage.bytes as f64);
        limits
            .with_label_values(&[name])
            .set(usage.bytes_max as f64);
        entries.with_label_values(&[name]).set(usage.entries as f64);
    }
    for family in [bytes, limits, entries] {
        registry.register(Box::new(family))?;
    }
    Ok(())
}

fn holdings(registry: &Registry, figures: &ServiceStatistics) -> Result<(), prometheus::Error> {
    let family = |name, help| GaugeVec::new(Opts::new(name, help), &["type"]);
    let indexes = family(
        "findwell_indexes",
        "Indexes of all stores, by type of documents.",
    )?;
    let documents = family("findwell_documents", "Acknowledged documents, by type.")?;
    for doc_type in DocType::ALL {
        let held = figures.holdings.iter().find(|h| h.doc_type == doc_type);
        let (of_indexes, of_documents) = held.map_or((0, 0), |h| (h.indexes, h.documents));
        let label = &[doc_type.as_str()];
        indexes.with_label_values(label).set(of_indexes as f64);
        documents.with_label_values(label).set(of_documents as f64);
    }
    registry.register(Box::new(indexes))?;
    registry.register(Box::new(documents))
}

fn build(registry: &Registry) -> Result<(), prometheus::Error> {
    let help = "The version that runs; the value is always 1.";
    let family = IntGaugeVec::new(Opts::new("findwell_build_info", help), &["version"])?;
    family
        .with_label_values(&[env!("CARGO_PKG_VERSION")])
        .set(1);
    registry.register(Box::new(family))
}

/// Memory, processor time, open files and start of this process.
#[cfg(target_os = "linux")]
fn of_process() -> Result<Vec<MetricFamily>, prometheus::Error> {
    let registry = Registry::new();
    let collector = prometheus::process_collector::ProcessCollector::for_self();
    registry.register(Box::new(collector))?;
    Ok(registry.gather())
}

/// Other systems do not tell.
#[cfg(not(target_os = "linux"))]
fn of_process() -> Result<Vec<MetricFamily>, prometheus::Error> {
    Ok(Vec::new())
}
