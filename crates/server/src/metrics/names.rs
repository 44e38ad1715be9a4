//! The names of all metrics (`docs/operations.md`).

pub const BODY_BYTES: &str = "findwell_body_bytes";
pub const BUILD_INFO: &str = "findwell_build_info";
pub const CACHE_BYTES: &str = "findwell_cache_bytes";
pub const CACHE_ENTRIES: &str = "findwell_cache_entries";
pub const CACHE_LIMIT_BYTES: &str = "findwell_cache_limit_bytes";
pub const CONNECTIONS: &str = "findwell_connections";
pub const DOCUMENTS: &str = "findwell_documents";
pub const FEED_DOCUMENTS_TOTAL: &str = "findwell_feed_documents_total";
pub const GATE_TOTAL: &str = "findwell_gate_total";
pub const IMPORTS_TOTAL: &str = "findwell_imports_total";
pub const IMPORT_ROWS_TOTAL: &str = "findwell_import_rows_total";
pub const IMPORT_SPOOL_BYTES: &str = "findwell_import_spool_bytes";
pub const INDEXES: &str = "findwell_indexes";
pub const INDEXES_BEHIND: &str = "findwell_indexes_behind";
pub const INDEX_LAG_SECONDS: &str = "findwell_index_lag_seconds";
pub const INDEX_REJECTIONS_TOTAL: &str = "findwell_index_rejections_total";
pub const OPEN_INDEXES: &str = "findwell_open_indexes";
pub const PROPOSALS: &str = "findwell_proposals";
pub const REFUSED_BODIES_TOTAL: &str = "findwell_refused_bodies_total";
pub const REFUSED_CONNECTIONS_TOTAL: &str = "findwell_refused_connections_total";
pub const REQUESTS_TOTAL: &str = "findwell_requests_total";
pub const REQUEST_DURATION_SECONDS: &str = "findwell_request_duration_seconds";
pub const SEARCHES_AT_WORK: &str = "findwell_searches_at_work";
pub const SEARCH_LOG_DROPPED_TOTAL: &str = "findwell_search_log_dropped_total";
pub const SEARCHES_EXECUTED_TOTAL: &str = "findwell_searches_executed_total";
pub const SEARCHES_WAITING: &str = "findwell_searches_waiting";
pub const SEARCH_CACHE_LOOKUPS_TOTAL: &str = "findwell_search_cache_lookups_total";
pub const SOURCES: &str = "findwell_sources";
pub const SOURCE_BYTES_TOTAL: &str = "findwell_source_bytes_total";
pub const SOURCE_FETCHES_TOTAL: &str = "findwell_source_fetches_total";
pub const SOURCE_FETCH_DURATION_SECONDS: &str = "findwell_source_fetch_duration_seconds";
pub const STORAGE_UP: &str = "findwell_storage_up";
pub const STOPPED_FEEDS: &str = "findwell_stopped_feeds";
pub const WRITES_WAITING: &str = "findwell_writes_waiting";

#[cfg(test)]
mod tests {
    //! Dashboard and alert rules read metrics that exist.

    use std::collections::BTreeSet;

    const READERS: [&str; 3] = [
        include_str!("../../../../packaging/monitoring/dashboard.json"),
        include_str!("../../../../packaging/monitoring/alerts.yml"),
        include_str!("../../../../packaging/monitoring/alerts.test.yml"),
    ];

    /// Returns the words of a text that begin like names of metrics, without what a histogram adds to its own.
    fn metrics(text: &str) -> BTreeSet<&str> {
        text.split(|c: char| !c.is_ascii_lowercase() && c != '_')
            .filter(|word| word.starts_with("findwell_"))
            .map(|word| word.strip_suffix("_bucket").unwrap_or(word))
            .collect()
    }

    #[test]
    fn dashboard_and_alerts_read_metrics_that_exist() {
        let exist = metrics(include_str!("names.rs"));
        for reader in READERS {
            let read = metrics(reader);
            let missing: Vec<_> = read.difference(&exist).collect();
            assert!(!read.is_empty() && missing.is_empty(), "{missing:?}");
        }
    }
}
