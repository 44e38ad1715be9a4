//! `Service`: the shared state of all operations, composed of that of each folder, as a handle that is cheap to clone.

use crate::OperationError;
use crate::access::credentials::SessionTimes;
use crate::access::limiter::Rates;
use crate::access::remembered_keys::REMEMBER_MAX;
use crate::access::state::AccessState;
use crate::configuration::gate_outcomes::GateOutcomes;
use crate::feed::releases::Releases;
use crate::feed::sources::SourceOptions;
use crate::feed::state::FeedState;
use crate::indexing::copied::copy_missing;
use crate::indexing::{BatchSizes, Indexing};
use crate::maintenance::nodes::Nodes;
use crate::runtime::background::BackgroundTasks;
use crate::runtime::clock::{Clock, SystemClock};
use crate::runtime::seal::{KEY_FILE, Seal};
use crate::search::state::{MemoryLimits, SearchState};
use crate::snapshots::states::States;
use crate::snapshots::{Snapshots, Warming};
use crate::statistics::search_log::{SearchLog, SearchLogOptions};
use crate::statistics::shop_activity::ShopActivity;
use domain::StoreId;
use engine::{ClusterAccess, Engine};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use storage::{Database, DatabaseUrl, Storage, StorageError};
use tokio::time::timeout;
use tracing::Instrument;

/// Default number of idle indexes that stay open.
pub const OPEN_INDEXES_MAX: usize = 1_000;

/// Where the data is that may be elsewhere than in the data directory.
#[derive(Clone, Debug, Default)]
pub struct DataLocations {
    /// The database on a server.
    pub database: Option<DatabaseUrl>,
    /// The database of the search log on a server.
    pub search_log: Option<DatabaseUrl>,
    /// The file of the master key; required with a database on a server.
    pub master_key: Option<PathBuf>,
    /// The search cluster with the indexes; needs a database on a server.
    pub search: Option<ClusterAccess>,
}

impl DataLocations {
    /// Returns whether anything is on a server.
    pub fn has_server(&self) -> bool {
        self.database.is_some() || self.search_log.is_some() || self.search.is_some()
    }

    /// Returns the database of a service in `dir`.
    pub(crate) fn database_of(&self, dir: &Path) -> Database {
        let url = self.database.clone();
        url.map_or_else(|| Database::in_dir(dir), Database::Url)
    }

    pub(crate) fn search_log_of(&self, dir: &Path) -> Database {
        let url = self.search_log.clone();
        url.map_or_else(|| Database::of_log_in_dir(dir), Database::Url)
    }

    pub(crate) fn master_key_of(&self, dir: &Path) -> PathBuf {
        let path = self.master_key.clone();
        path.unwrap_or_else(|| dir.join(KEY_FILE))
    }
}

/// Options of a service.
#[derive(Clone, Debug)]
pub struct ServiceOptions {
    /// Directory of the indexes, and of what `locations` does not name; created if it is missing.
    pub data_dir: PathBuf,
    /// Where the data is that is not in that directory.
    pub locations: DataLocations,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// Most idle indexes that stay open; the least recently used are closed first.
    pub open_indexes_max: usize,
    /// Rate limits of each key.
    pub rates: Rates,
    /// Searches that are executed at once; if not set, as many as the engine can, or two per core.
    pub searches_at_once: Option<usize>,
    /// How long a search takes that is logged with its stages; none is if not set.
    pub slow_searches: Option<Duration>,
    /// Bounds of the caches.
    pub memory: MemoryLimits,
    /// How much indexes read from storage at once.
    pub batches: BatchSizes,
    /// Folder of the releases of the shop module; `releases` of the data directory if not set.
    pub releases: Option<PathBuf>,
    /// How long and how large the search log may become.
    pub search_log: SearchLogOptions,
    /// How long sessions of the control panel last.
    pub sessions: SessionTimes,
    /// What is fetched, and from where.
    pub sources: SourceOptions,
    /// For how long a search-only key that was read is accepted while a database on a server does not respond.
    pub remember_keys: Duration,
    /// Data directory of another server, or a backup, out of which indexes are copied that are missing here.
    pub copy_indexes_from: Option<PathBuf>,
}

impl ServiceOptions {
    /// Returns the default options for `data_dir`.
    pub fn new(data_dir: PathBuf) -> Self {
        Self {
            data_dir,
            locations: DataLocations::default(),
            clock: Arc::new(SystemClock),
            open_indexes_max: OPEN_INDEXES_MAX,
            rates: Rates::default(),
            searches_at_once: None,
            slow_searches: None,
            memory: MemoryLimits::default(),
            batches: BatchSizes::default(),
            releases: None,
            search_log: SearchLogOptions::default(),
            sessions: SessionTimes::default(),
            sources: SourceOptions::default(),
            remember_keys: REMEMBER_MAX,
            copy_indexes_from: None,
        }
    }
}

/// How long a probe waits for storage.
const PROBE_WAIT: Duration = Duration::from_secs(2);

/// Readiness of a service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Readiness {
    /// Progress of opening stores at the start.
    pub warming: Warming,
    /// Whether storage responds. It says nothing about this service alone: others may share the database.
    pub storage: bool,
}

impl Readiness {
    /// Returns whether requests may be sent to this service, rather than to another one with the same storage.
    ///
    /// Whether storage responds is no part of that: if it does not, all services that share it would be taken out at once,
    /// with those searches that need no storage.
    pub fn is_ready(&self) -> bool {
        self.warming.is_over()
    }
}

/// Handle of a running service; clones share it.
#[derive(Clone)]
pub struct Service {
    pub(crate) storage: Storage,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) seal: Seal,
    pub(crate) data_dir: Arc<Path>,
    pub(crate) key_file: Arc<Path>,
    pub(crate) background: BackgroundTasks,
    pub(crate) access: Arc<AccessState>,
    pub(crate) snapshots: Snapshots,
    pub(crate) indexing: Indexing,
    pub(crate) feed: Arc<FeedState>,
    pub(crate) search_log: SearchLog,
    pub(crate) search: Arc<SearchState>,
    pub(crate) activity: Arc<ShopActivity>,
    pub(crate) nodes: Arc<Nodes>,
    pub(crate) gate_outcomes: Arc<GateOutcomes>,
}

impl Service {
    /// Opens storage under the data directory and the indexes of `engine`, and starts the indexer.
    ///
    /// Errors: if the directory, the database, the indexes or the master key cannot be opened.
    pub(crate) async fn without_jobs(
        options: ServiceOptions,
        engine: Arc<dyn Engine>,
    ) -> Result<Self, OperationError> {
        let dir = options.data_dir;
        tokio::fs::create_dir_all(&dir)
            .await
            .map_err(|error| directory_error(&dir, &error))?;
        let locations = options.locations;
        let key_file = locations.master_key_of(&dir);
        // Other nodes could use a database on a server, and a key that was named is somewhere.
        let may_create = locations.database.is_none() && locations.master_key.is_none();
        let (seal, is_new) = Seal::open(&key_file, may_create)?;
        let database = locations.database_of(&dir);
        let storage = Storage::open_shared(&database).await?;
        let nodes = Nodes::open(&storage, &dir)?;
        if storage.is_on_server() {
            seal.check(&storage, &key_file).await?;
        }
        if is_new && storage.has_installations().await? {
            tracing::warn!(
                "master.key was missing and a new one was created: the context secrets of all shop installations are lost, \
                 and shoppers with a token are treated as anonymous until each connector has rotated its public key; \
                 stop the server and restore the former file if there is a copy"
            );
        }
        let releases = options.releases.unwrap_or_else(|| dir.join("releases"));
        let at_once = options.searches_at_once.or(engine.searches_at_once());
        let search = SearchState::new(options.memory, at_once, options.slow_searches);
        let responses = Arc::clone(&search.responses);
        let states = States::new(move |state| responses.remove_state(state));
        // A file that cannot be read has no indexes beside it either.
        let remembers = storage.is_on_server();
        let remember_keys = if remembers {
            options.remember_keys
        } else {
            Duration::ZERO
        };
        let access = AccessState::new(options.rates, options.sessions, remember_keys);
        if let Some(from) = &options.copy_indexes_from {
            copy_missing(&engine, &storage, from).await?;
        }
        let open_max = options.open_indexes_max;
        let engine = (engine, nodes.name().to_owned());
        let indexing = Indexing::new(engine, storage.clone(), open_max, states, options.batches);
        let snapshots = indexing.snapshots().clone();
        nodes.begin_with(&storage, &indexing).await?;
        snapshots.warm().await?;
        let log = locations.search_log_of(&dir);
        let log = SearchLog::open(log, &seal, Arc::clone(&options.clock), options.search_log);
        Ok(Self {
            search_log: log.await?,
            storage,
            clock: options.clock,
            seal,
            data_dir: Arc::from(dir),
            key_file: Arc::from(key_file),
            background: BackgroundTasks::default(),
            access: Arc::new(access),
            snapshots,
            indexing,
            feed: Arc::new(FeedState::new(releases, options.sources)),
            search: Arc::new(search),
            activity: Arc::default(),
            nodes: Arc::new(nodes),
            gate_outcomes: Arc::default(),
        })
    }

    /// Returns whether `dir` may be the data directory of a service; with a database on a server any directory may.
    pub fn has_data(dir: &Path, locations: &DataLocations) -> bool {
        locations.database_of(dir).may_exist()
    }

    /// Returns the indexer.
    pub fn indexing(&self) -> &Indexing {
        &self.indexing
    }

    /// Returns the releases of the shop module.
    pub fn releases(&self) -> &Releases {
        &self.feed.releases
    }

    /// Returns the search log.
    pub fn search_log(&self) -> &SearchLog {
        &self.search_log
    }

    /// Returns what this service has opened, and whether storage responds, after at most two seconds.
    ///
    /// The lag of indexes is part of each store's detail.
    pub async fn readiness(&self) -> Readiness {
        let storage = match self.probed(self.storage.ping()).await {
            Ok(()) => true,
            Err(error) => {
                tracing::warn!(%error, "storage does not respond");
                false
            }
        };
        Readiness {
            warming: self.snapshots.warming(),
            storage,
        }
    }

    /// Returns the result of reads for a probe, which waits for a short time only.
    pub(crate) async fn probed<T>(
        &self,
        reads: impl Future<Output = Result<T, StorageError>>,
    ) -> Result<T, OperationError> {
        match timeout(PROBE_WAIT, reads).await {
            Ok(read) => Ok(read?),
            Err(_) => Err(OperationError::unavailable("storage is too slow")),
        }
    }

    /// Waits until everything that was acknowledged for `store` is searchable, at most `at_most` for each index;
    /// returns whether it is.
    pub async fn wait_until_searchable(
        &self,
        store: &StoreId,
        at_most: Duration,
    ) -> Result<bool, OperationError> {
        self.indexing.wait_until_searchable(store, at_most).await
    }
}

fn directory_error(dir: &std::path::Path, error: &std::io::Error) -> OperationError {
    OperationError::internal(format!(
        "cannot create the directory {}: {error}",
        dir.display()
    ))
}

/// Runs `work` to its end even if the caller is cancelled, so that the indexer is notified of every commit.
pub(crate) async fn run_to_completion<T: Send + 'static>(
    work: impl Future<Output = Result<T, OperationError>> + Send + 'static,
) -> Result<T, OperationError> {
    tokio::spawn(work.in_current_span())
        .await
        .map_err(OperationError::internal)?
}
