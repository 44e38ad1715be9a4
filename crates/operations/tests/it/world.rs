//! Two accounts with a store and keys each, on a fresh service with a fixed clock.

use crate::places::{PlacesOf, places_of};
use crate::test_clock::TestClock;
use domain::access::{self, Identity, KeyIdentity, OperatorPermit, Read};
use domain::audit::AuditFilter;
use domain::feed::{
    Block, BlockReport, Deletion, DeletionReport, FeedLanguage, FeedScope, NewIndices, NewRun,
    RunClose, RunMode, RunOpened, ScopeClose, Touch, TouchItem,
};
use domain::search::SearchRequest;
use domain::store::PlanLimits;
use domain::{Caller, DocType, KeyKind, Language, Permit, RunId, Scope, StoreId, Timestamp};
use engine::Engine;
use operations::feed::{FeedCaller, blocks, indices, runs};
use operations::indexing::BatchSizes;
use operations::keys::{self, NewApiKey};
use operations::stores::{self, NewStore};
use operations::{
    MemoryLimits, OperationError, Service, ServiceOptions, accounts, authenticate, search,
};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use storage::{Database, Storage};
use tempfile::TempDir;

/// How long a test waits for an index.
const PATIENCE: Duration = Duration::from_secs(60);

pub const PAGE: storage::PageSize = storage::PageSize {
    documents: 10_000,
    bytes: 1 << 24,
};
pub const NOW: Timestamp = Timestamp(1_763_650_000_000);

pub struct World {
    pub service: Service,
    pub clock: TestClock,
    pub dir: TempDir,
    pub one: Tenant,
    pub two: Tenant,
    /// Removes the databases at the end.
    pub _places: PlacesOf,
}

/// A store with the text of one key of each kind.
pub struct Tenant {
    pub store: StoreId,
    pub writer: String,
    pub reader: String,
    pub connector: String,
    pub account_key: String,
}

impl World {
    pub async fn new() -> Self {
        Self::with_plan(PlanLimits::default()).await
    }

    pub async fn with_plan(plan: PlanLimits) -> Self {
        let dir = tempfile::tempdir().expect("a directory");
        let clock = TestClock::fixed(NOW);
        let service = open(&dir, &clock).await;
        Self::of(service, dir, clock, plan).await
    }

    /// With the indexes of `engine`.
    pub async fn over(engine: Arc<dyn Engine>) -> Self {
        let dir = tempfile::tempdir().expect("a directory");
        let clock = TestClock::fixed(NOW);
        let service = open_over(&dir, &clock, engine).await;
        Self::of(service, dir, clock, PlanLimits::default()).await
    }

    /// With the indexes of `engine`, and caches within these bounds.
    pub async fn over_within(engine: Arc<dyn Engine>, memory: MemoryLimits) -> Self {
        let dir = tempfile::tempdir().expect("a directory");
        let clock = TestClock::fixed(NOW);
        let options = ServiceOptions {
            memory,
            ..options(&dir, &clock)
        };
        let service = Service::open_over(options, engine).await.expect("opens");
        Self::of(service, dir, clock, PlanLimits::default()).await
    }

    async fn of(service: Service, dir: TempDir, clock: TestClock, plan: PlanLimits) -> Self {
        let one = tenant(&service, "One", &plan).await;
        let two = tenant(&service, "Two", &PlanLimits::default()).await;
        let places = PlacesOf::new(dir.path());
        Self {
            service,
            clock,
            dir,
            one,
            two,
            _places: places,
        }
    }

    /// A second connection to the same database.
    pub async fn storage(&self) -> Storage {
        let database = places_of(self.dir.path()).database;
        let file = || Database::in_dir(self.dir.path());
        let database = database.map_or_else(file, Database::Url);
        Storage::open(&database).await.expect("opens")
    }

    pub async fn caller(&self, key: &str) -> Caller {
        authenticate::by_key(&self.service, key)
            .await
            .expect("a valid key")
    }

    pub async fn feeder(&self, tenant: &Tenant) -> FeedCaller {
        FeedCaller {
            caller: self.caller(&tenant.connector).await,
            client: None,
        }
    }

    /// Products in these languages of both tenants.
    pub async fn indices(&self, languages: &[&str]) {
        for tenant in [&self.one, &self.two] {
            let caller = self.feeder(tenant).await;
            indices::create(&self.service, &caller, new_indices(languages))
                .await
                .expect("indices");
        }
    }

    pub async fn send(
        &self,
        tenant: &Tenant,
        run: Option<&RunId>,
        documents: Vec<Value>,
    ) -> Result<BlockReport, OperationError> {
        let caller = self.feeder(tenant).await;
        let block = Block {
            language: "es".to_owned(),
            run_id: run.cloned(),
            documents: documents.into(),
        };
        blocks::upsert(&self.service, &caller, DocType::Products, block).await
    }

    /// Stores products, 500 at once, as a connector does: one that is rejected because the index lags is sent again.
    pub async fn store(&self, tenant: &Tenant, documents: Vec<Value>) {
        for block in documents.chunks(500) {
            while let Err(error) = self.send(tenant, None, block.to_vec()).await {
                assert!(
                    matches!(error, OperationError::Unavailable { .. }),
                    "{error:?}"
                );
                let waited = self.service.wait_until_searchable(&tenant.store, PATIENCE);
                assert!(
                    waited.await.expect("storage answers"),
                    "the index stays behind"
                );
            }
        }
    }

    pub async fn delete(
        &self,
        tenant: &Tenant,
        ids: &[&str],
        rev: Option<i64>,
    ) -> Result<DeletionReport, OperationError> {
        let caller = self.feeder(tenant).await;
        let deletion = Deletion {
            ids: ids.iter().map(|id| (*id).to_owned()).collect(),
            languages: None,
            rev,
        };
        blocks::delete(&self.service, &caller, DocType::Products, deletion).await
    }

    pub async fn open_run(
        &self,
        tenant: &Tenant,
        client: &str,
    ) -> Result<RunOpened, OperationError> {
        let caller = self.feeder(tenant).await;
        runs::open(&self.service, &caller, new_run(client)).await
    }

    pub async fn touch(
        &self,
        tenant: &Tenant,
        run: &RunId,
        items: &[(&str, &str)],
    ) -> Result<domain::feed::TouchReport, OperationError> {
        let caller = self.feeder(tenant).await;
        let touch = Touch {
            run_id: run.clone(),
            doc_type: DocType::Products,
            language: "es".to_owned(),
            items: items
                .iter()
                .map(|(id, hash)| TouchItem {
                    id: (*id).to_owned(),
                    hash: (*hash).to_owned(),
                })
                .collect(),
        };
        runs::touch(&self.service, &caller, touch).await
    }

    pub async fn close_run(
        &self,
        tenant: &Tenant,
        run: &RunId,
        scopes: Vec<ScopeClose>,
    ) -> Result<domain::feed::RunClosed, OperationError> {
        let caller = self.feeder(tenant).await;
        let close = RunClose {
            scopes,
            confirm_purge: false,
        };
        runs::close(&self.service, &caller, run, close).await
    }

    /// The ids of the live documents of the tenant's products in Spanish, by arrival.
    pub async fn live(&self, tenant: &Tenant) -> Vec<String> {
        let storage = self.storage().await;
        let index = index_of(&storage, tenant).await;
        let live = storage
            .live_documents(index.id, None, crate::world::PAGE)
            .await
            .expect("reads");
        let live = live.documents.into_iter();
        live.map(|document| document.id).collect()
    }
}

impl Tenant {
    /// Returns a permit to read the store in the database.
    pub fn read_permit(&self) -> Permit<Read> {
        access::read(&Caller::operator(), &self.store).expect("the operator may")
    }
}

pub fn operator_permit() -> OperatorPermit {
    access::operator(&Caller::operator()).expect("the operator may")
}

/// Selects the latest `limit` audit records about `store`.
pub fn latest_of(store: &StoreId, limit: u32) -> AuditFilter {
    AuditFilter {
        store: Some(store.clone()),
        limit,
        ..AuditFilter::default()
    }
}

/// Returns a caller with a search-only key of `store`.
pub fn shopper(store: &StoreId) -> Caller {
    Caller {
        identity: Identity::Key(Arc::new(KeyIdentity {
            id: "shopper".into(),
            name: "Shopper".to_owned(),
            kind: KeyKind::SearchOnly,
            scope: None,
            account: "account".into(),
            store: Some(store.clone()),
            account_stores: [store.clone()].into(),
        })),
        request_id: None,
        attempt: domain::WriteAttempt::default(),
    }
}

pub async fn index_of(storage: &Storage, tenant: &Tenant) -> storage::IndexRow {
    let scope = scope("es");
    let indices = storage
        .indices_of(&tenant.read_permit())
        .await
        .expect("reads");
    indices
        .into_iter()
        .find(|index| index.scope == scope)
        .expect("an index")
}

pub async fn open(dir: &TempDir, clock: &TestClock) -> Service {
    Service::open(options(dir, clock)).await.expect("opens")
}

/// A service with the indexes of `engine`.
pub async fn open_over(dir: &TempDir, clock: &TestClock, engine: Arc<dyn Engine>) -> Service {
    let opened = Service::open_over(options(dir, clock), engine).await;
    opened.expect("opens")
}

pub fn options(dir: &TempDir, clock: &TestClock) -> ServiceOptions {
    ServiceOptions {
        clock: clock.shared(),
        locations: places_of(dir.path()),
        batches: BatchSizes::small(),
        ..ServiceOptions::new(dir.path().to_owned())
    }
}

/// Number of products that a shopper finds.
pub async fn total(service: &Service, tenant: &Tenant) -> u64 {
    let request = SearchRequest {
        types: Some(vec![DocType::Products]),
        lang: Some("es".to_owned()),
        ..SearchRequest::default()
    };
    let found = search::search(service, &shopper(&tenant.store), request).await;
    found.expect("a search").products.total
}

async fn tenant(service: &Service, name: &str, plan: &PlanLimits) -> Tenant {
    let operator = Caller::operator();
    let account = accounts::create(service, &operator, name, None)
        .await
        .expect("account");
    let new = NewStore {
        name: name.to_owned(),
        account: Some(account.id.clone()),
        languages: vec![language("es")],
        plan: plan.clone(),
    };
    let created = stores::create(service, &operator, new)
        .await
        .expect("store");
    let store = created.store.id;
    let key = |kind, scope| NewApiKey {
        store: Some(store.clone()),
        account: None,
        kind,
        scope,
        name: None,
        expires: None,
    };
    let of_account = NewApiKey {
        store: None,
        account: Some(account.id.clone()),
        ..key(KeyKind::Configuration, Some(Scope::Write))
    };
    let writer = key(KeyKind::Configuration, Some(Scope::Write));
    let reader = key(KeyKind::Configuration, None);
    let connector = key(KeyKind::Connector, None);
    let mut texts = Vec::new();
    for new in [writer, reader, connector, of_account] {
        let created = keys::create(service, &operator, new).await.expect("key");
        texts.push(created.key);
    }
    let mut texts = texts.into_iter();
    let mut next = || texts.next().expect("four keys");
    Tenant {
        writer: next(),
        reader: next(),
        connector: next(),
        account_key: next(),
        store,
    }
}

pub fn language(code: &str) -> Language {
    Language::parse(code).expect("a code")
}

pub fn scope(code: &str) -> FeedScope {
    FeedScope {
        doc_type: DocType::Products,
        language: language(code),
    }
}

pub fn new_indices(languages: &[&str]) -> NewIndices {
    NewIndices {
        types: vec![DocType::Products],
        languages: languages
            .iter()
            .enumerate()
            .map(|(at, code)| FeedLanguage {
                code: (*code).to_owned(),
                locale: None,
                name: None,
                default: at == 0,
            })
            .collect(),
    }
}

pub fn new_run(client: &str) -> NewRun {
    NewRun {
        client_run_id: client.to_owned(),
        mode: RunMode::Incremental,
        types: vec![DocType::Products],
        languages: vec![language("es")],
    }
}

pub fn scope_close(sent: u64, touched: u64) -> ScopeClose {
    ScopeClose {
        doc_type: DocType::Products,
        language: language("es"),
        sent,
        touched,
        dropped: 0,
        allow_empty: false,
    }
}

/// A product that was built at `NOW + rev_ms`, with a hash of its id.
pub fn product(id: &str, rev_ms: i64) -> Value {
    json!({"id": id, "name": format!("Name of {id}"), "rev": NOW.0 + rev_ms, "hash": format!("sha1:{id}")})
}

pub fn products(ids: &[&str]) -> Vec<Value> {
    ids.iter().map(|id| product(id, 0)).collect()
}
