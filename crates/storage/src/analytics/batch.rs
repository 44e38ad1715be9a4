//! `LogBatch`: what the search log writes in one transaction.

use super::counts::{LogCount, LogCounts};
use domain::analytics::Surface;
use domain::{Day, Language, StoreId};
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

/// A query of a store on one day.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoggedQueryKey {
    /// The store.
    pub store: StoreId,
    /// The day.
    pub day: Day,
    /// Keyed digest of language and query.
    pub digest: i64,
}

/// What is added to a query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoggedQueryDelta {
    /// Facts of its latest search; `None` if there were only events, which count if the query is in the database.
    pub latest: Option<LatestSearch>,
    /// Numbers to add.
    pub counts: LogCounts,
}

/// Facts of the latest search of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LatestSearch {
    /// Its language.
    pub language: Language,
    /// Its text.
    pub query: String,
    /// Products found.
    pub found: i64,
    /// Whether the latest anonymous search without filters found products and each word; `None` without such a search.
    pub offered: Option<bool>,
}

/// Searches of a store on one day in one language and on one surface.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LogTotalKey {
    /// The store.
    pub store: StoreId,
    /// The day.
    pub day: Day,
    /// The language.
    pub language: Language,
    /// The surface.
    pub surface: Surface,
}

/// A response of a store, by the digest of its id.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoggedResponse {
    /// The store.
    pub store: StoreId,
    /// Digest of the id.
    pub response: i64,
}

/// Counted events of a response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventMarks {
    /// Day of the response.
    pub day: Day,
    /// Digests of the events.
    pub events: Vec<i64>,
}

/// A query of a session.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoggedVisit {
    /// The store.
    pub store: StoreId,
    /// Keyed digest of session and query.
    pub visit: i64,
}

/// The searches of a visit, by their start in milliseconds since 1970.
pub type SearchMarks = BTreeMap<i64, SearchMark>;

/// What a search of a session led to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchMark {
    /// A click on a product.
    pub clicked: bool,
    /// A cart or a purchase.
    pub converted: bool,
}

/// What the search log writes in one transaction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogBatch {
    /// Queries.
    pub queries: HashMap<LoggedQueryKey, LoggedQueryDelta>,
    /// Totals.
    pub totals: HashMap<LogTotalKey, LogCounts>,
    /// Marks of counted events.
    pub events: HashMap<LoggedResponse, EventMarks>,
    /// Marks of searches, complete.
    pub searches: HashMap<LoggedVisit, SearchMarks>,
}

impl LogBatch {
    /// Returns whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.queries.is_empty()
            && self.totals.is_empty()
            && self.events.is_empty()
            && self.searches.is_empty()
    }

    /// Returns the number of rows to write.
    pub fn rows(&self) -> usize {
        let events = self.events.values().map(|marks| marks.events.len());
        self.queries.len() + self.totals.len() + self.searches.len() + events.sum::<usize>()
    }

    /// Adds a later batch.
    pub fn merge(&mut self, later: Self) {
        for (key, delta) in later.queries {
            let own = self.queries.entry(key).or_default();
            own.counts.merge(&delta.counts);
            if let Some(latest) = delta.latest {
                own.set_latest(latest);
            }
        }
        for (key, counts) in later.totals {
            self.totals.entry(key).or_default().merge(&counts);
        }
        for (key, marks) in later.events {
            match self.events.entry(key) {
                Entry::Occupied(mut own) => own.get_mut().events.extend(marks.events),
                Entry::Vacant(free) => {
                    free.insert(marks);
                }
            }
        }
        for (key, marks) in later.searches {
            self.searches.entry(key).or_default().extend(marks);
        }
    }

    /// Removes what belongs to `store`, of days before `before` or of all days.
    pub fn remove(&mut self, store: &StoreId, before: Option<Day>) {
        let stays =
            |of: &StoreId, day: Day| of != store || before.is_some_and(|before| day >= before);
        self.queries.retain(|key, _| stays(&key.store, key.day));
        self.totals.retain(|key, _| stays(&key.store, key.day));
        self.events
            .retain(|key, marks| stays(&key.store, marks.day));
        let day = |started| Day::of(domain::Timestamp(started));
        self.searches.retain(|key, marks| {
            marks.retain(|started, _| stays(&key.store, day(*started)));
            !marks.is_empty()
        });
    }
}

impl LoggedQueryDelta {
    /// Sets the facts of a later search; what it does not tell stays.
    pub fn set_latest(&mut self, later: LatestSearch) {
        let offered = self.latest.as_ref().and_then(|latest| latest.offered);
        self.latest = Some(LatestSearch {
            offered: later.offered.or(offered),
            ..later
        });
    }

    /// Adds `number` to one of the numbers.
    pub fn add(&mut self, count: LogCount, number: i64) {
        self.counts.add(count, number);
    }
}
