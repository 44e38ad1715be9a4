//! What the search log has counted and not written yet.

use super::fold::{Fold, FoldBounds, SAME_MS};
use super::query_id::{QueryRef, event_digest};
use super::queue::SearchQueue;
use super::record::SearchRecord;
use domain::event::{Event, EventObject, EventType};
use domain::limits::EVENTS_OF_QUERY_MAX;
use domain::{Day, StoreId, Timestamp};
use std::collections::HashSet;
use std::sync::Arc;
use storage::analytics::{
    EventMarks, LatestSearch, LogBatch, LogCount, LogTotalKey, LoggedQueryKey, LoggedResponse,
    LoggedVisit, SearchMark, SearchMarks, StoredMarks,
};

/// Rows of queries that wait to be written, and marks; beyond that records are dropped, for the database fails.
const QUERIES_MAX: usize = 50_000;
const MARKS_MAX: usize = 100_000;
/// Rows from which they are written before their time.
pub(crate) const ROWS_TO_WRITE: usize = 20_000;

/// The state of the search log in memory.
pub(crate) struct PendingLog {
    fold: Fold,
    batch: LogBatch,
    /// Marks in `batch`.
    marks: usize,
    /// What is being written; its marks hold until the database has them.
    writing: Option<Arc<LogBatch>>,
    /// Number of batches that have been written, by which readers of marks notice one.
    pub written: u64,
    spare: Vec<SearchRecord>,
}

/// An event with the search that it refers to.
pub(crate) struct ReferringEvent<'a> {
    /// The search.
    pub query: QueryRef,
    /// The event.
    pub event: &'a Event,
}

impl PendingLog {
    /// Returns the empty state.
    pub fn new() -> Self {
        Self {
            fold: Fold::new(FoldBounds::default()),
            batch: LogBatch::default(),
            marks: 0,
            writing: None,
            written: 0,
            spare: Vec::new(),
        }
    }

    /// Counts the records of the queue and the searches whose pause is over at `now`.
    pub fn collect(&mut self, queue: &SearchQueue, now: Timestamp) {
        let mut records = std::mem::take(&mut self.spare);
        queue.take_into(&mut records);
        let (fold, batch) = (&mut self.fold, &mut self.batch);
        let mut count = |record| count_search(batch, queue, record);
        for record in records.drain(..) {
            fold.search(record, &mut count);
        }
        fold.due(now, &mut count);
        self.spare = records;
        for (key, number) in queue.take_dropped() {
            let totals = self.batch.totals.entry(key).or_default();
            totals.add(LogCount::Dropped, number);
        }
    }

    /// Counts everything that still waits, for nothing follows.
    pub fn end(&mut self, queue: &SearchQueue, now: Timestamp) {
        self.collect(queue, now);
        let (fold, batch) = (&mut self.fold, &mut self.batch);
        fold.end(&mut |record| count_search(batch, queue, record));
    }

    /// Returns the number of rows that wait to be written.
    pub fn rows(&self) -> usize {
        self.batch.queries.len() + self.batch.totals.len() + self.marks
    }

    /// Returns what waits to be written, which then counts as being written; `None` if there is nothing.
    pub fn begin_write(&mut self) -> Option<Arc<LogBatch>> {
        if self.batch.is_empty() {
            return None;
        }
        self.marks = 0;
        let batch = Arc::new(std::mem::take(&mut self.batch));
        self.writing = Some(Arc::clone(&batch));
        Some(batch)
    }

    /// Ends a write; what failed is written with the next one.
    pub fn end_write(&mut self, succeeded: bool) {
        let writing = self.writing.take();
        if succeeded {
            self.written += 1;
            return;
        }
        if let Some(writing) = writing {
            let mut batch = Arc::unwrap_or_clone(writing);
            batch.merge(std::mem::take(&mut self.batch));
            self.marks = batch.searches.len()
                + batch
                    .events
                    .values()
                    .map(|marks| marks.events.len())
                    .sum::<usize>();
            self.batch = batch;
        }
    }

    /// Removes what was counted of `store` on days before `before`, or on all days.
    pub fn remove(&mut self, store: &StoreId, before: Option<Day>) {
        self.batch.remove(store, before);
    }

    /// Counts an event; returns whether it counts, which a repeated one does not.
    ///
    /// `known` are the marks in the database, of this state of [`Self::written`].
    pub fn count_event(
        &mut self,
        store: &StoreId,
        referring: &ReferringEvent<'_>,
        known: &StoredMarks,
        queue: &SearchQueue,
    ) -> bool {
        let ReferringEvent { query, event } = referring;
        let response = LoggedResponse {
            store: store.clone(),
            response: query.response,
        };
        let digest = digest(event);
        let counted = self.counted_events(&response, known);
        if counted.contains(&digest) || counted.len() >= EVENTS_OF_QUERY_MAX {
            return false;
        }
        if self.marks >= MARKS_MAX {
            queue.drop_events(1);
            return false;
        }
        if let Some(visit) = query.visit {
            let batch = &mut self.batch;
            (self.fold).referred(visit, &mut |record| count_search(batch, queue, record));
        }
        self.marks += 1;
        let day = Day::of(query.at);
        let marks = self.batch.events.entry(response);
        let marks = marks.or_insert_with(|| EventMarks {
            day,
            events: Vec::new(),
        });
        marks.events.push(digest);
        let first = self.mark_search(store, referring, known);
        self.add_event(store, referring, first);
        true
    }

    fn counted_events(&self, response: &LoggedResponse, known: &StoredMarks) -> HashSet<i64> {
        let mut counted = known.events.get(response).cloned().unwrap_or_default();
        let batches = [Some(&self.batch), self.writing.as_deref()];
        for marks in batches
            .iter()
            .flatten()
            .filter_map(|batch| batch.events.get(response))
        {
            counted.extend(&marks.events);
        }
        counted
    }

    /// Marks the search of a session; returns which of the marks are new.
    fn mark_search(
        &mut self,
        store: &StoreId,
        referring: &ReferringEvent<'_>,
        known: &StoredMarks,
    ) -> SearchMark {
        let ReferringEvent { query, event } = referring;
        let clicked = event.kind == EventType::Click && event.object_type == EventObject::Products;
        let converted = event.kind != EventType::Click;
        let Some(visit) = query
            .visit
            .filter(|_| query.found && (clicked || converted))
        else {
            return SearchMark::default();
        };
        let key = LoggedVisit {
            store: store.clone(),
            visit: visit.0.cast_signed(),
        };
        let mut marks = SearchMarks::new();
        let written = self
            .writing
            .as_deref()
            .and_then(|batch| batch.searches.get(&key));
        let sources = [
            known.searches.get(&key),
            written,
            self.batch.searches.get(&key),
        ];
        for source in sources.into_iter().flatten() {
            marks.extend(source.iter().map(|(started, mark)| (*started, *mark)));
        }
        let Some(started) = self.started(query, &marks) else {
            return SearchMark::default();
        };
        let former = marks.get(&started).copied().unwrap_or_default();
        let mark = SearchMark {
            clicked: former.clicked || clicked,
            converted: former.converted || converted,
        };
        if mark != former {
            self.marks += 1;
            self.batch
                .searches
                .entry(key)
                .or_default()
                .insert(started, mark);
        }
        SearchMark {
            clicked: mark.clicked && !former.clicked,
            converted: mark.converted && !former.converted,
        }
    }

    /// Returns the start of the search that an id belongs to: as counted, else that of a marked search of the same half
    /// hour, else the time of the id. `None` for one that is not counted itself and belongs
    /// to none that is known to be, such as a further page.
    fn started(&self, query: &QueryRef, marks: &SearchMarks) -> Option<i64> {
        let at = query.at.0;
        let is_same = |started: i64| (at - started).abs() < SAME_MS;
        let counted = query.visit.and_then(|visit| self.fold.started(visit));
        let counted = counted
            .map(|started| started.0)
            .filter(|started| *started <= at);
        counted
            .filter(|started| is_same(*started))
            .or_else(|| {
                marks
                    .range(..=at)
                    .map(|(started, _)| *started)
                    .rfind(|s| is_same(*s))
            })
            .or_else(|| {
                marks
                    .range(at..)
                    .map(|(started, _)| *started)
                    .find(|s| is_same(*s))
            })
            .or((!query.is_uncounted).then_some(at))
    }

    fn add_event(&mut self, store: &StoreId, referring: &ReferringEvent<'_>, first: SearchMark) {
        let ReferringEvent { query, event } = referring;
        let day = Day::of(query.at);
        let total = LogTotalKey {
            store: store.clone(),
            day,
            language: query.language.clone(),
            surface: query.surface,
        };
        let row = LoggedQueryKey {
            store: store.clone(),
            day,
            digest: query.digest,
        };
        let totals = self.batch.totals.entry(total).or_default();
        let counts = &mut self.batch.queries.entry(row).or_default().counts;
        let mut add = |count, number| {
            totals.add(count, number);
            counts.add(count, number);
        };
        match event.kind {
            EventType::Click => add(LogCount::Clicks, 1),
            EventType::Cart => add(LogCount::Carts, 1),
            EventType::Purchase => add(LogCount::Purchases, 1),
        }
        let of_product = event.object_type == EventObject::Products;
        if let Some(position) = event.position
            && event.kind == EventType::Click
            && of_product
        {
            add(LogCount::Positions, position.into());
            add(LogCount::Positioned, 1);
        }
        add(LogCount::Clicked, first.clicked.into());
        add(LogCount::Converted, first.converted.into());
    }
}

fn digest(event: &Event) -> i64 {
    let kind = match event.kind {
        EventType::Click => "click",
        EventType::Cart => "cart",
        EventType::Purchase => "purchase",
    };
    let object = match event.object_type {
        EventObject::Products => "products",
        EventObject::Categories => "categories",
        EventObject::Brands => "brands",
        EventObject::Pages => "pages",
        EventObject::Banners => "banners",
    };
    event_digest(&[kind, object, &event.id])
}

fn count_search(batch: &mut LogBatch, queue: &SearchQueue, record: SearchRecord) {
    if batch.queries.len() >= QUERIES_MAX {
        queue.drop_record(record);
        return;
    }
    let day = Day::of(record.at);
    let total = LogTotalKey {
        store: record.store.clone(),
        day,
        language: record.language.clone(),
        surface: record.surface,
    };
    let totals = batch.totals.entry(total).or_default();
    if record.text.is_empty() {
        totals.add(LogCount::Browses, 1);
        return;
    }
    let tracked = record.visit.is_some();
    let key = LoggedQueryKey {
        store: record.store.clone(),
        day,
        digest: record.digest,
    };
    let row = batch.queries.entry(key).or_default();
    for (count, counts) in [
        (LogCount::Searches, true),
        (LogCount::Anonymous, record.anonymous),
        (LogCount::Tracked, tracked),
        (LogCount::TrackedFound, tracked && record.found > 0),
        (LogCount::WithoutResults, record.is_without_results()),
        (LogCount::Filtered, record.filtered),
    ] {
        totals.add(count, counts.into());
        row.counts.add(count, counts.into());
    }
    row.set_latest(LatestSearch {
        offered: record.offered(),
        language: record.language,
        query: record.text,
        found: i64::try_from(record.found)
            .unwrap_or(i64::MAX)
            .min(999_999_999),
    });
}
