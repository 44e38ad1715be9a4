//! Statistics of a running service for its metrics: counters since the start, and current values.

use crate::Service;
use crate::feed::sources;
use domain::{CacheUsage, DocType};
use query::rules::state_usage;
use std::time::Duration;
use storage::StorageError;

/// Statistics of all stores together; they contain no store, key or query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceStatistics {
    /// Searches that were answered from the cache.
    pub cache_hits: u64,
    /// Searches that were computed.
    pub cache_misses: u64,
    /// Documents of the feed that were accepted.
    pub accepted: u64,
    /// Documents of the feed that were older than the stored ones.
    pub stale: u64,
    /// Documents of the feed that were rejected.
    pub rejected: u64,
    /// Age of the oldest acknowledged change that is not searchable yet.
    pub lag: Duration,
    /// Indexes with such a change.
    pub behind: usize,
    /// Documents that the engine has rejected, each time that they were written to an index.
    pub rejected_by_engine: u64,
    /// Indexes that are open.
    pub open_indexes: usize,
    /// Searches that are being executed.
    pub searches_at_work: usize,
    /// Searches that wait for their turn; equal ones count as one.
    pub searches_waiting: usize,
    /// Searches that were executed; equal concurrent ones count as one.
    pub searches_executed: u64,
    /// Ranking writes that had to pass a gate, by outcome.
    pub gate: [(&'static str, u64); 4],
    /// Searches and events that the search log dropped because a bound was reached.
    pub search_log_dropped: u64,
    /// Writes of all stores that wait for their turn.
    pub writes_waiting: usize,
    /// Fill level of each cache, by name.
    pub caches: Vec<(&'static str, CacheUsage)>,
    /// Whether storage responds within two seconds.
    pub storage_up: bool,
    /// What storage holds; `None` while it does not respond, or reading it takes longer than two seconds.
    pub stored: Option<StoredStatistics>,
}

/// Statistics that are read from storage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredStatistics {
    /// Stores whose shop has stopped feeding.
    pub silent_feeds: u64,
    /// Stored documents by type.
    pub holdings: Vec<StoredDocuments>,
    /// Sources of all open stores, by state.
    pub sources: Vec<(&'static str, u64)>,
    /// Proposals that are kept, by state.
    pub proposals: Vec<(&'static str, u64)>,
}

/// Number of stored documents of one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredDocuments {
    /// The type.
    pub doc_type: DocType,
    /// Number of indexes, of all stores and languages.
    pub indexes: u64,
    /// Number of documents in them.
    pub documents: u64,
}

impl Service {
    /// Returns the fill level of every shared cache.
    fn caches(&self) -> Vec<(&'static str, CacheUsage)> {
        let mut caches = vec![
            ("answers", self.search.responses.usage()),
            ("pages", self.search.pages.usage()),
            ("unknown_keys", self.access.unknown_keys.usage()),
            ("failed_attempts", self.access.failed_attempts.usage()),
        ];
        caches.extend(self.access.limiter.usage());
        caches.extend(self.access.people.throttle.usage());
        caches.push(("rule_states", state_usage()));
        caches.push(("popular_queries", self.search_log.popular().usage()));
        caches.extend(self.indexing.engine_caches());
        caches
    }

    /// Returns the current statistics.
    pub async fn statistics(&self) -> ServiceStatistics {
        let (lag, behind) = self.indexing.behind();
        let (up, stored) =
            tokio::join!(self.probed(self.storage.ping()), self.probed(self.stored()));
        ServiceStatistics {
            cache_hits: self.search.cache_hits.total(),
            cache_misses: self.search.cache_misses.total(),
            accepted: self.feed.accepted.total(),
            stale: self.feed.stale.total(),
            rejected: self.feed.rejected.total(),
            lag,
            behind,
            rejected_by_engine: self.indexing.rejected_total(),
            open_indexes: self.snapshots.open_indexes(),
            searches_at_work: self.search.scheduler.at_work(),
            searches_waiting: self.search.scheduler.waiting(),
            searches_executed: self.search.scheduler.executed(),
            gate: self.gate_outcomes.totals(),
            search_log_dropped: self.search_log.dropped_total(),
            writes_waiting: self.storage.waiting_writes(),
            caches: self.caches(),
            storage_up: up.is_ok(),
            stored: match stored {
                Ok(stored) => Some(stored),
                Err(error) => {
                    tracing::warn!(%error, "the metrics of what is stored are missing");
                    None
                }
            },
        }
    }

    async fn stored(&self) -> Result<StoredStatistics, StorageError> {
        let rows = self.storage.type_counts().await?;
        let silent_feeds = self.storage.silent_feed_count(self.clock.now()).await?;
        let unsigned = |count: i64| u64::try_from(count).unwrap_or(0);
        let holdings = rows.into_iter().map(|row| StoredDocuments {
            doc_type: row.doc_type,
            indexes: unsigned(row.indexes),
            documents: unsigned(row.documents),
        });
        let sources = sources::counts(self).await?.into_iter();
        let proposals = self.storage.proposal_counts(self.clock.now()).await?;
        Ok(StoredStatistics {
            sources: sources
                .map(|(state, count)| (state.as_str(), count))
                .collect(),
            proposals: proposals
                .into_iter()
                .map(|(state, count)| (state.as_str(), count))
                .collect(),
            silent_feeds,
            holdings: holdings.collect(),
        })
    }
}
