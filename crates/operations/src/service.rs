//! `Service`: what every operation needs, in one cheap handle.

use crate::OperationError;
use crate::authenticate::UnknownKeys;
use crate::clock::Clock;
use crate::failed_attempts::FailedAttempts;
use crate::indexing::{BatchSizes, Indexing, Warming};
use crate::jobs::sweeps::Sweeper;
use crate::jobs::timer::Timer;
use crate::last_uses::LastUses;
use crate::rates::{Limiter, Rates};
use crate::seal::Seal;
use crate::search::{Pages, ResponseCache};
use crate::searches::Searches;
use crate::statistics::ServiceCounters;
use domain::StoreId;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use storage::Storage;
use tracing::Instrument;

/// Bytes of answers that are remembered when nothing else is said.
const ANSWER_BYTES_MAX: usize = 128 * 1024 * 1024;
/// Bytes of pages that sessions were shown when nothing else is said.
const PAGE_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Indexes that stay open when nothing else is said.
pub const OPEN_INDEXES_MAX: usize = 1_000;

/// Where a service keeps its data and how it tells the time.
#[derive(Clone, Debug)]
pub struct ServiceOptions {
    /// Directory that holds the database, the indexes and the master key; made when it is missing.
    pub data_dir: PathBuf,
    /// The clock.
    pub clock: Clock,
    /// Indexes that stay open while they have nothing to do; those used least recently are closed first.
    pub open_indexes_max: usize,
    /// How often each key may ask.
    pub rates: Rates,
    /// Searches that may be executed at once; two for each core when left out.
    pub searches_at_once: Option<usize>,
    /// What may be remembered.
    pub memory: MemoryLimits,
    /// How much indexes take from storage at once.
    pub batches: BatchSizes,
}

/// How many bytes the caches of a service may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryLimits {
    /// Answers to searches, of all stores.
    pub answers: usize,
    /// Ids that the sessions of shoppers were shown, of all stores.
    pub pages: usize,
}

impl Default for MemoryLimits {
    fn default() -> Self {
        Self {
            answers: ANSWER_BYTES_MAX,
            pages: PAGE_BYTES_MAX,
        }
    }
}

impl ServiceOptions {
    /// A service of `data_dir` that goes by the system's clock.
    pub fn new(data_dir: PathBuf) -> Self {
        Self {
            data_dir,
            clock: Clock::System,
            open_indexes_max: OPEN_INDEXES_MAX,
            rates: Rates::default(),
            searches_at_once: None,
            memory: MemoryLimits::default(),
            batches: BatchSizes::default(),
        }
    }
}

/// Whether a service can do its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// It can.
    Ready,
    /// It has started, and the stores that it opens first are not open yet.
    Opening(Warming),
    /// Storage does not answer.
    NoStorage,
}

/// A running service: clones are handles of the same one.
#[derive(Clone)]
pub struct Service {
    pub(crate) storage: Storage,
    pub(crate) indexing: Indexing,
    pub(crate) clock: Clock,
    pub(crate) seal: Seal,
    pub(crate) sweeper: Sweeper,
    pub(crate) last_uses: LastUses,
    pub(crate) failed_attempts: FailedAttempts,
    pub(crate) limiter: Limiter,
    pub(crate) counters: ServiceCounters,
    pub(crate) pages: Arc<Pages>,
    pub(crate) answers: Arc<ResponseCache>,
    pub(crate) searches: Searches,
    pub(crate) unknown_keys: Arc<UnknownKeys>,
    pub(crate) data_dir: Arc<Path>,
    timer: Arc<Timer>,
}

impl Service {
    /// Opens storage and indexes under the data directory and starts the indexer and the jobs.
    ///
    /// Errors: when the directory, the database, the indexes or the master key cannot be opened.
    pub async fn open(options: ServiceOptions) -> Result<Self, OperationError> {
        let dir = options.data_dir;
        tokio::fs::create_dir_all(&dir)
            .await
            .map_err(|error| named(&dir, &error))?;
        let (seal, is_new) = Seal::open(&dir)?;
        let storage = Storage::open(&dir).await?;
        if is_new && storage.has_installations().await? {
            tracing::warn!(
                "master.key was missing and a new one was made: the context secrets of all shop installations are lost, \
                 and shoppers with a token are treated as anonymous until each connector has rotated its public key; \
                 stop the server and put the former file back if there is a copy"
            );
        }
        let indexes = dir.join("indexes");
        let answers = Arc::new(ResponseCache::new(options.memory.answers));
        let open_max = options.open_indexes_max;
        let indexing = Indexing::open(
            indexes,
            storage.clone(),
            open_max,
            Arc::clone(&answers),
            options.batches,
        )
        .await?;
        let searches = options
            .searches_at_once
            .map_or_else(Searches::of_this_machine, Searches::new);
        let service = Self {
            storage,
            indexing,
            clock: options.clock,
            seal,
            sweeper: Sweeper::default(),
            last_uses: LastUses::default(),
            failed_attempts: FailedAttempts::default(),
            limiter: Limiter::new(options.rates),
            counters: ServiceCounters::default(),
            pages: Arc::new(Pages::new(options.memory.pages)),
            answers,
            searches,
            unknown_keys: Arc::default(),
            data_dir: Arc::from(dir),
            timer: Arc::new(Timer::default()),
        };
        service.timer.start(service.clone());
        Ok(service)
    }

    /// The indexer.
    pub fn indexing(&self) -> &Indexing {
        &self.indexing
    }

    /// Whether searches are answered at once. How far indexes are behind is told by each store's detail.
    pub async fn readiness(&self) -> Readiness {
        if let Err(error) = self.storage.ping().await {
            tracing::warn!(%error, "storage does not answer");
            return Readiness::NoStorage;
        }
        match self.indexing.warming() {
            warming if warming.is_over() => Readiness::Ready,
            warming => Readiness::Opening(warming),
        }
    }

    /// Waits until everything that was acknowledged for `store` is searchable, at most `at_most` for each index;
    /// answers whether it is.
    pub async fn wait_until_searchable(
        &self,
        store: &StoreId,
        at_most: Duration,
    ) -> Result<bool, OperationError> {
        self.indexing.wait_until_searchable(store, at_most).await
    }

    /// Stops the jobs, waits for the writers of the indexes, and closes storage.
    pub async fn close(&self) {
        self.timer.stop().await;
        if let Err(error) = crate::jobs::last_uses::run(self).await {
            tracing::warn!(%error, "the last uses of keys were not kept");
        }
        self.indexing.close().await;
        self.storage.close().await;
    }
}

fn named(dir: &std::path::Path, error: &std::io::Error) -> OperationError {
    OperationError::internal(format!(
        "cannot make the directory {}: {error}",
        dir.display()
    ))
}

/// Runs `work` to its end even when the caller goes away, so that what was committed is always announced.
pub(crate) async fn to_the_end<T: Send + 'static>(
    work: impl Future<Output = Result<T, OperationError>> + Send + 'static,
) -> Result<T, OperationError> {
    tokio::spawn(work.in_current_span())
        .await
        .map_err(OperationError::internal)?
}
