//! The search log: what shoppers search and what follows, counted by day and written every ten seconds
//! (`docs/privacy.md`).
//!
//! A search hands over one record and never waits. What is counted is in memory until the next write, so a crash loses
//! some seconds of statistics and nothing else.

mod fold;
mod pending;
pub(crate) mod popular;
mod query_id;
mod queue;
mod record;
mod text;
mod writer;

pub(crate) use text::{HIDDEN, logged, unified};

use crate::runtime::clock::Clock;
use crate::runtime::seal::Seal;
use crate::{OperationError, causes};
use domain::analytics::Surface;
use domain::event::Event;
use domain::limits::{SEARCH_LOG_BYTES_MAX, SEARCH_LOG_DAYS};
use domain::{Day, Language, Permit, StoreId, access};
use parking_lot::Mutex;
use pending::{PendingLog, ReferringEvent};
use popular::PopularQueries;
use query_id::{QueryIds, QueryRef};
use queue::SearchQueue;
use record::SearchRecord;
use std::sync::Arc;
use storage::{AnalyticsStorage, Database, StorageError};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// How long and how large the search log may become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchLogOptions {
    /// Days for which queries are kept; 0 for no log at all.
    pub days: u32,
    /// Bytes of the log of all stores.
    pub bytes_max: u64,
}

impl Default for SearchLogOptions {
    fn default() -> Self {
        Self {
            days: SEARCH_LOG_DAYS,
            bytes_max: SEARCH_LOG_BYTES_MAX,
        }
    }
}

/// A search and its outcome.
#[derive(Clone, Copy, Debug)]
pub struct Searched<'a> {
    /// The store.
    pub store: &'a StoreId,
    /// Language of the search.
    pub language: &'a Language,
    /// Where the shopper searched.
    pub surface: Surface,
    /// The query as typed.
    pub q: &'a str,
    /// The shopper's session.
    pub session: Option<&'a str>,
    /// Whether it is to be counted: a first page of products, of a shopper, who did not object.
    pub counts: bool,
    /// Whether events of the response count.
    pub takes_events: bool,
    /// Id of the response that proposed the query. The search is not counted then, and its events count for that one.
    pub correction_of: Option<&'a str>,
    /// Products found.
    pub found: u64,
    /// Whether each word of the query was found.
    pub words_found: bool,
    /// Whether it had filters.
    pub filtered: bool,
    /// Whether a rule redirected it.
    pub redirected: bool,
    /// Whether it had no visitor token.
    pub anonymous: bool,
}

/// Handle of the search log; clones share it.
#[derive(Clone)]
pub struct SearchLog(Arc<LogShared>);

struct LogShared {
    options: SearchLogOptions,
    clock: Arc<dyn Clock>,
    ids: QueryIds,
    queue: SearchQueue,
    pending: Mutex<PendingLog>,
    storage: AnalyticsStorage,
    /// Held while a batch is written.
    write_turn: tokio::sync::Mutex<()>,
    popular: PopularQueries,
    stop: watch::Sender<bool>,
    task: Mutex<Option<JoinHandle<()>>>,
}

impl SearchLog {
    /// Opens the log in `database`, and starts to write it. One that cannot be opened is opened later.
    ///
    /// Errors: if no keys for ids can be derived.
    pub(crate) async fn open(
        database: Database,
        seal: &Seal,
        clock: Arc<dyn Clock>,
        options: SearchLogOptions,
    ) -> Result<Self, OperationError> {
        let (storage, error) = AnalyticsStorage::open(database).await;
        match error {
            Some(error) if error.is_damage() && storage.is_file() => {
                tracing::warn!(cause = causes(&error), "{SET_ASIDE}")
            }
            Some(error) => {
                let cause = causes(&error);
                tracing::warn!(
                    cause,
                    "the search log cannot be opened; it will be tried again"
                );
            }
            None => {}
        }
        let log = Self(Arc::new(LogShared {
            options,
            clock,
            ids: QueryIds::new(seal)?,
            queue: SearchQueue::new(),
            pending: Mutex::new(PendingLog::new()),
            storage,
            write_turn: tokio::sync::Mutex::default(),
            popular: PopularQueries::default(),
            stop: watch::Sender::new(false),
            task: Mutex::default(),
        }));
        *log.0.task.lock() = Some(tokio::spawn(writer::run(log.clone())));
        Ok(log)
    }

    /// Counts what waits, writes it, and closes the database.
    pub(crate) async fn close(&self) {
        self.0.stop.send_replace(true);
        let task = self.0.task.lock().take();
        if let Some(task) = task
            && let Err(error) = task.await
        {
            tracing::warn!(%error, "the search log was not closed");
        }
    }

    /// Returns the id of the response to a search, and hands the search over to be counted. Never waits.
    ///
    /// Errors: if the system provides no random numbers.
    pub fn note(&self, searched: &Searched<'_>) -> Result<String, OperationError> {
        let shared = &*self.0;
        let takes_events = searched.takes_events && self.is_on();
        let now = shared.clock.now();
        let mut query = QueryRef {
            at: now,
            language: searched.language.clone(),
            surface: searched.surface,
            digest: 0,
            visit: None,
            found: searched.found > 0,
            is_uncounted: !searched.counts,
            response: 0,
        };
        if !takes_events {
            return shared.ids.sign(searched.store, &query, false);
        }
        let corrected = searched.correction_of;
        if let Some(first) = corrected.and_then(|id| shared.ids.verify(searched.store, id, now)) {
            return self.note_correction(searched, first);
        }
        let text = text::logged(searched.q, searched.found > 0);
        query.digest = shared.ids.digest(searched.store, searched.language, &text);
        let session = searched.session;
        query.visit =
            session.map(|session| shared.ids.visit(searched.store, session, query.digest));
        let id = shared.ids.sign(searched.store, &query, true)?;
        if searched.counts {
            shared.queue.push(SearchRecord {
                store: searched.store.clone(),
                language: query.language,
                surface: searched.surface,
                text,
                digest: query.digest,
                visit: query.visit,
                at: now,
                found: searched.found,
                words_found: searched.words_found,
                filtered: searched.filtered,
                redirected: searched.redirected,
                anonymous: searched.anonymous,
                is_correction: false,
            });
        }
        Ok(id)
    }

    /// Returns the id of the response to a search whose query was proposed in place of that of `first`. It is not counted;
    /// the one that was typed is, at once.
    ///
    /// Errors: if the system provides no random numbers.
    fn note_correction(
        &self,
        searched: &Searched<'_>,
        first: QueryRef,
    ) -> Result<String, OperationError> {
        let shared = &*self.0;
        let query = QueryRef {
            found: searched.found > 0,
            is_uncounted: true,
            ..first
        };
        shared.queue.push(SearchRecord {
            store: searched.store.clone(),
            language: query.language.clone(),
            surface: query.surface,
            text: String::new(),
            digest: query.digest,
            visit: query.visit,
            at: shared.clock.now(),
            found: searched.found,
            words_found: searched.words_found,
            filtered: searched.filtered,
            redirected: searched.redirected,
            anonymous: searched.anonymous,
            is_correction: true,
        });
        shared.ids.sign(searched.store, &query, true)
    }

    /// Takes what searches have handed over, as the log does four times a second.
    pub fn collect(&self) {
        let shared = &*self.0;
        let now = shared.clock.now();
        shared.pending.lock().collect(&shared.queue, now);
    }

    /// Returns the number of records that were dropped since the service started, because a bound was reached.
    pub fn dropped_total(&self) -> u64 {
        self.0.queue.dropped_total()
    }

    pub(crate) fn is_on(&self) -> bool {
        self.0.options.days > 0
    }

    pub(crate) fn popular(&self) -> &PopularQueries {
        &self.0.popular
    }

    pub(crate) fn options(&self) -> SearchLogOptions {
        self.0.options
    }

    pub(crate) fn storage(&self) -> &AnalyticsStorage {
        &self.0.storage
    }

    /// Returns the outcome of a statement; a damaged file is replaced.
    pub(crate) async fn checked<T>(
        &self,
        outcome: Result<T, StorageError>,
    ) -> Result<T, OperationError> {
        match outcome {
            Err(error) if error.is_damage() && self.storage().is_file() => {
                self.begin_anew(&error).await;
                Err(OperationError::unavailable(error))
            }
            Err(error) => Err(OperationError::unavailable(error)),
            Ok(done) => Ok(done),
        }
    }

    async fn begin_anew(&self, cause: &StorageError) {
        tracing::warn!(cause = causes(cause), "{SET_ASIDE}");
        if let Err(error) = self.0.storage.begin_anew().await {
            tracing::warn!(
                cause = causes(&error),
                "analytics.db could not be replaced; it will be tried again"
            );
        }
    }

    /// Counts the events of a store; returns how many of them count.
    ///
    /// Errors: `Unavailable` if the marks of counted events cannot be read.
    pub(crate) async fn count_events(
        &self,
        permit: &Permit<access::Search>,
        events: &[Event],
    ) -> Result<usize, OperationError> {
        let shared = &*self.0;
        if !self.is_on() {
            return Ok(0);
        }
        let (store, now) = (permit.store(), shared.clock.now());
        let referring = events.iter().filter_map(|event| {
            let query = shared.ids.verify(store, &event.query_id, now)?;
            Some(ReferringEvent { query, event })
        });
        let referring: Vec<ReferringEvent<'_>> = referring.collect();
        let mut responses: Vec<i64> = referring.iter().map(|r| r.query.response).collect();
        responses.sort_unstable();
        responses.dedup();
        let visits = referring.iter().filter_map(|r| r.query.visit);
        let mut visits: Vec<i64> = visits.map(|visit| visit.0.cast_signed()).collect();
        visits.sort_unstable();
        visits.dedup();
        loop {
            let written = shared.pending.lock().written;
            let known = self
                .storage()
                .stored_marks(permit, &responses, &visits)
                .await;
            let known = self.checked(known).await?;
            let mut pending = shared.pending.lock();
            if pending.written != written {
                // Marks that were being written may be neither in memory nor in what was read.
                continue;
            }
            pending.collect(&shared.queue, now);
            let counted = referring
                .iter()
                .filter(|referring| pending.count_event(store, referring, &known, &shared.queue));
            return Ok(counted.count());
        }
    }

    /// Removes what was counted of a store and not written yet, of days before `before` or of all days.
    pub(crate) fn remove_pending(&self, store: &StoreId, before: Option<Day>) {
        let shared = &*self.0;
        let mut pending = shared.pending.lock();
        pending.collect(&shared.queue, shared.clock.now());
        pending.remove(store, before);
    }
}

const SET_ASIDE: &str = "analytics.db cannot be used; it was set aside as analytics.db.damaged, and a new search log begins";
