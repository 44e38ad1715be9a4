//! Renders all metrics as text: requests, connections and bodies, the service, and the process.

use super::{Requests, SourceMetrics, names};
use domain::DocType;
use operations::metrics::{ServiceStatistics, StoredDocuments};
use prometheus::proto::MetricFamily;
use prometheus::{
    Encoder, Gauge, GaugeVec, IntCounter, IntCounterVec, IntGaugeVec, Opts, Registry, TextEncoder,
};

/// Renders the metrics in the text format of Prometheus.
///
/// Errors: a value that the format cannot represent.
pub fn text(
    (requests, sources): (&Requests, &SourceMetrics),
    statistics: &ServiceStatistics,
    edge: Edge,
) -> Result<Vec<u8>, prometheus::Error> {
    let mut families = requests.families();
    families.extend(sources.families());
    families.extend(of_edge(edge)?);
    families.extend(of_service(statistics)?);
    families.extend(of_process()?);
    families.sort_by(|a, b| a.name().cmp(b.name()));
    let mut text = Vec::new();
    TextEncoder::new().encode(&families, &mut text)?;
    Ok(text)
}

/// Resources that clients hold, and how often they were rejected.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// Open connections.
    pub connections: u64,
    /// Connections that were closed at once because there were too many.
    pub rejected_connections: u64,
    /// Bytes of memory reserved for bodies.
    pub body_bytes: u64,
    /// Bodies that were rejected because there was no memory.
    pub rejected_bodies: u64,
}

/// Registers a gauge that shows `value`.
fn gauge(registry: &Registry, name: &str, help: &str, value: f64) -> Result<(), prometheus::Error> {
    let gauge = Gauge::new(name, help)?;
    gauge.set(value);
    registry.register(Box::new(gauge))
}

/// Registers a counter that shows `value`.
fn counter(
    registry: &Registry,
    name: &str,
    help: &str,
    value: u64,
) -> Result<(), prometheus::Error> {
    let counter = IntCounter::new(name, help)?;
    counter.inc_by(value);
    registry.register(Box::new(counter))
}

fn of_edge(edge: Edge) -> Result<Vec<MetricFamily>, prometheus::Error> {
    let registry = Registry::new();
    gauge(
        &registry,
        names::CONNECTIONS,
        "Open connections.",
        edge.connections as f64,
    )?;
    counter(
        &registry,
        names::REFUSED_CONNECTIONS_TOTAL,
        "Connections that were closed at once because there were too many.",
        edge.rejected_connections,
    )?;
    gauge(
        &registry,
        names::BODY_BYTES,
        "Bytes of memory reserved for the bodies of all requests.",
        edge.body_bytes as f64,
    )?;
    counter(
        &registry,
        names::REFUSED_BODIES_TOTAL,
        "Bodies that were rejected because other bodies had reserved all memory for bodies.",
        edge.rejected_bodies,
    )?;
    Ok(registry.gather())
}

/// The statistics are totals, so each scrape gets a new registry.
fn of_service(statistics: &ServiceStatistics) -> Result<Vec<MetricFamily>, prometheus::Error> {
    let registry = Registry::new();
    let counters = |name, help, label, values: &[(&str, u64)]| {
        let family = IntCounterVec::new(Opts::new(name, help), &[label])?;
        for (value, count) in values {
            family.with_label_values(&[value]).inc_by(*count);
        }
        registry.register(Box::new(family))
    };
    counters(
        names::SEARCH_CACHE_LOOKUPS_TOTAL,
        "Searches that looked into the result cache, by hit or miss.",
        "result",
        &[
            ("hit", statistics.cache_hits),
            ("miss", statistics.cache_misses),
        ],
    )?;
    counters(
        names::FEED_DOCUMENTS_TOTAL,
        "Documents received by the feed, by outcome.",
        "outcome",
        &[
            ("accepted", statistics.accepted),
            ("stale", statistics.stale),
            ("rejected", statistics.rejected),
        ],
    )?;
    counters(
        names::GATE_TOTAL,
        "Ranking writes that had to pass a gate, by outcome.",
        "outcome",
        &statistics.gate,
    )?;
    gauge(
        &registry,
        names::INDEX_LAG_SECONDS,
        "Age of the oldest acknowledged change that is not searchable yet, over all indexes.",
        statistics.lag.as_secs_f64(),
    )?;
    gauge(
        &registry,
        names::INDEXES_BEHIND,
        "Indexes with acknowledged changes that are not searchable yet.",
        statistics.behind as f64,
    )?;
    gauge(
        &registry,
        names::OPEN_INDEXES,
        "Open indexes.",
        statistics.open_indexes as f64,
    )?;
    counter(
        &registry,
        names::INDEX_REJECTIONS_TOTAL,
        "Acknowledged documents that the engine rejected, each time that they were written to an index.",
        statistics.rejected_by_engine,
    )?;
    waiting(&registry, statistics)?;
    caches(&registry, statistics)?;
    stored(&registry, statistics)?;
    build(&registry)?;
    Ok(registry.gather())
}

/// Searches and writes that execute or wait for it.
fn waiting(registry: &Registry, statistics: &ServiceStatistics) -> Result<(), prometheus::Error> {
    gauge(
        registry,
        names::SEARCHES_AT_WORK,
        "Searches that are executing.",
        statistics.searches_at_work as f64,
    )?;
    gauge(
        registry,
        names::SEARCHES_WAITING,
        "Searches that wait for execution; identical ones count as one.",
        statistics.searches_waiting as f64,
    )?;
    gauge(
        registry,
        names::WRITES_WAITING,
        "Writes that wait for execution.",
        statistics.writes_waiting as f64,
    )?;
    counter(
        registry,
        names::SEARCH_LOG_DROPPED_TOTAL,
        "Searches and events that were not counted, because the search log had too many at once.",
        statistics.search_log_dropped,
    )?;
    counter(
        registry,
        names::SEARCHES_EXECUTED_TOTAL,
        "Executed searches; identical concurrent ones count as one.",
        statistics.searches_executed,
    )
}

fn caches(registry: &Registry, statistics: &ServiceStatistics) -> Result<(), prometheus::Error> {
    let family = |name, help| GaugeVec::new(Opts::new(name, help), &["cache"]);
    let bytes = family(
        names::CACHE_BYTES,
        "Approximate bytes in a cache, over all stores.",
    )?;
    let limits = family(names::CACHE_LIMIT_BYTES, "Maximum bytes of a cache.")?;
    let entries = family(names::CACHE_ENTRIES, "Entries of a cache.")?;
    for (name, usage) in &statistics.caches {
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

/// Whether storage responds, and what it holds: a value that nobody knows is left out.
fn stored(registry: &Registry, statistics: &ServiceStatistics) -> Result<(), prometheus::Error> {
    gauge(
        registry,
        names::STORAGE_UP,
        "Whether storage responds (1) or not (0).",
        if statistics.storage_up { 1.0 } else { 0.0 },
    )?;
    let Some(stored) = &statistics.stored else {
        return Ok(());
    };
    gauge(
        registry,
        names::STOPPED_FEEDS,
        "Active stores whose shop has not fed for twice its usual interval.",
        stored.silent_feeds as f64,
    )?;
    let family = Opts::new(names::SOURCES, "Sources of all open stores, by state.");
    let sources = IntGaugeVec::new(family, &["state"])?;
    for (state, count) in &stored.sources {
        let count = i64::try_from(*count).unwrap_or(i64::MAX);
        sources.with_label_values(&[state]).set(count);
    }
    registry.register(Box::new(sources))?;
    let family = Opts::new(names::PROPOSALS, "Proposals that are kept, by state.");
    let proposals = IntGaugeVec::new(family, &["state"])?;
    for (state, count) in &stored.proposals {
        let count = i64::try_from(*count).unwrap_or(i64::MAX);
        proposals.with_label_values(&[state]).set(count);
    }
    registry.register(Box::new(proposals))?;
    holdings(registry, &stored.holdings)
}

fn holdings(registry: &Registry, stored: &[StoredDocuments]) -> Result<(), prometheus::Error> {
    let family = |name, help| GaugeVec::new(Opts::new(name, help), &["type"]);
    let indexes = family(
        names::INDEXES,
        "Indexes of all open stores, by type of documents.",
    )?;
    let documents = family(names::DOCUMENTS, "Acknowledged documents, by type.")?;
    for doc_type in DocType::ALL {
        let held = stored.iter().find(|h| h.doc_type == doc_type);
        let (of_indexes, of_documents) = held.map_or((0, 0), |h| (h.indexes, h.documents));
        let label = &[doc_type.as_str()];
        indexes.with_label_values(label).set(of_indexes as f64);
        documents.with_label_values(label).set(of_documents as f64);
    }
    registry.register(Box::new(indexes))?;
    registry.register(Box::new(documents))
}

fn build(registry: &Registry) -> Result<(), prometheus::Error> {
    let help = "The running version; the value is always 1.";
    let family = IntGaugeVec::new(Opts::new(names::BUILD_INFO, help), &["version"])?;
    family
        .with_label_values(&[env!("CARGO_PKG_VERSION")])
        .set(1);
    registry.register(Box::new(family))
}

/// Returns memory, CPU time, open files and start time of this process.
#[cfg(target_os = "linux")]
fn of_process() -> Result<Vec<MetricFamily>, prometheus::Error> {
    let registry = Registry::new();
    let collector = prometheus::process_collector::ProcessCollector::for_self();
    registry.register(Box::new(collector))?;
    Ok(registry.gather())
}

/// Returns nothing: process metrics are available on Linux only.
#[cfg(not(target_os = "linux"))]
fn of_process() -> Result<Vec<MetricFamily>, prometheus::Error> {
    Ok(Vec::new())
}
