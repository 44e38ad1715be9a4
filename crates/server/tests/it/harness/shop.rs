//! A server with one store and every kind of key.

use super::client::{Call, Client, Reply};
use super::{TestClock, eventually};
use crate::each_test::{self, TestDatabase};
use domain::audit::AuditFilter;
use domain::store::PlanLimits;
use domain::{AccountId, KeyKind, Language, Scope, StoreId};
use operations::keys::NewApiKey;
use operations::rates::Rates;
use operations::stores::NewStore;
use operations::{DataLocations, DatabaseUrl};
use serde_json::{Value, json};
use server::admin::{AdminRequest, execute};
use server::boot::{Running, ServerOptions, start};
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// A running server whose data is deleted when the test ends.
pub struct Shop {
    pub client: Client,
    pub account: AccountId,
    pub store: StoreId,
    /// Configuration keys of the store.
    pub write_key: String,
    pub read_key: String,
    /// The connector key.
    pub connector: String,
    /// A search-only key, issued through the feed.
    pub public: String,
    pub clock: TestClock,
    runtime: Runtime,
    running: Option<Running>,
    dir: TempDir,
    /// Where its data is in a run of the tests on a server.
    _database: Option<TestDatabase>,
}

/// Returns where the data is that has this database, with a key file in `dir`.
pub fn locations(dir: &TempDir, database: Option<DatabaseUrl>) -> DataLocations {
    if database.is_none() {
        return DataLocations::default();
    }
    let key = dir.path().join("shared.key");
    std::fs::write(&key, [7; 32]).expect("written");
    DataLocations {
        database,
        master_key: Some(key),
        ..DataLocations::default()
    }
}

impl Shop {
    /// An empty store with the languages `es` and `en` and an index of products and categories in each.
    pub fn open() -> Self {
        Self::open_at(TestClock::default())
    }

    /// Opens the shop with a clock of the test.
    pub fn open_at(clock: TestClock) -> Self {
        Self::open_at_with(clock, |_| {})
    }

    /// Opens the shop with other server options.
    pub fn open_with(change: impl FnOnce(&mut ServerOptions)) -> Self {
        Self::open_at_with(TestClock::default(), change)
    }

    /// Opens the shop with a clock of the test and other server options; rate limits are off, because tests poll until
    /// something holds.
    pub fn open_at_with(clock: TestClock, change: impl FnOnce(&mut ServerOptions)) -> Self {
        let dir = TempDir::new().expect("a directory");
        let runtime = Runtime::new().expect("a runtime");
        let mut options = ServerOptions::new(dir.path().to_owned(), ([127, 0, 0, 1], 0).into());
        options.rates = Rates::NONE;
        options.clock = clock.shared();
        let database = each_test::of_this_test();
        let url = database.as_ref().map(TestDatabase::url);
        let url = url.map(|url| DatabaseUrl::parse(&url, None).expect("an address"));
        options.locations = locations(&dir, url);
        change(&mut options);
        let running = runtime.block_on(start(options)).expect("the server starts");
        let client = Client::new(format!("http://{}", running.address()));
        let mut shop = Self {
            client,
            account: AccountId::from(""),
            store: StoreId::from(""),
            write_key: String::new(),
            read_key: String::new(),
            connector: String::new(),
            public: String::new(),
            clock,
            runtime,
            running: Some(running),
            dir,
            _database: database,
        };
        shop.populate();
        shop
    }

    fn populate(&mut self) {
        let name = "Acme".to_owned();
        let account = self.admin(AdminRequest::CreateAccount {
            name,
            max_stores: None,
        });
        self.account = text(&account["id"]).into();
        self.store = self.new_store("Shop");
        let store = self.store.clone();
        self.write_key = self.new_key(&store, KeyKind::Configuration, Some(Scope::Write));
        self.read_key = self.new_key(&store, KeyKind::Configuration, Some(Scope::Read));
        self.connector = self.new_key(&store, KeyKind::Connector, None);
        let issued = self
            .feed("POST", "/feed/public-key")
            .json(&json!({"instanceId": "test"}))
            .send()
            .ok();
        self.public = text(&issued.data()["publicKey"]);
        self.feed("POST", "/feed/indices")
            .json(&json!({
                "types": ["products", "categories"],
                "languages": [{"code": "es", "default": true}, {"code": "en"}]
            }))
            .send()
            .ok();
    }

    /// Runs an administrative command as the command line would.
    pub fn admin(&self, request: AdminRequest) -> Value {
        self.runtime
            .block_on(execute(self.running().service(), request))
            .expect("the request is valid")
    }

    /// The latest `limit` audit records about the store.
    pub fn audit(&self, limit: u32) -> Value {
        self.admin(AdminRequest::ListAudit(AuditFilter {
            store: Some(self.store.clone()),
            limit,
            ..AuditFilter::default()
        }))
    }

    /// Waits for a future of the server.
    pub fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }

    /// The server itself.
    pub fn running(&self) -> &Running {
        self.running.as_ref().expect("the server runs")
    }

    /// The data directory.
    pub fn dir(&self) -> &std::path::Path {
        self.dir.path()
    }

    /// Counts the searches whose pause is over, and writes the search log.
    pub fn write_search_log(&self) {
        let written = operations::jobs::search_log::write(self.running().service());
        self.runtime.block_on(written).expect("the log is written");
    }

    /// Replaces the queries that the store never suggests.
    pub fn hide_queries(&self, queries: &[&str]) {
        let queries = queries.iter().map(|text| (*text).to_owned()).collect();
        let hidden = domain::analytics::HiddenQueries { queries };
        let (service, operator) = (self.running().service(), domain::Caller::operator());
        let guard = operations::Precondition::None;
        let set = operations::hidden_queries::set(service, &operator, &self.store, hidden, guard);
        self.block_on(set).expect("saved");
    }

    /// Creates another store of the account.
    pub fn new_store(&self, name: &str) -> StoreId {
        self.store_of(&self.account, name)
    }

    /// Creates a store of another account.
    pub fn foreign_store(&self) -> StoreId {
        let name = "Other".to_owned();
        let account = self.admin(AdminRequest::CreateAccount {
            name,
            max_stores: None,
        });
        self.store_of(&text(&account["id"]).into(), "Theirs")
    }

    fn store_of(&self, account: &AccountId, name: &str) -> StoreId {
        let language = |code| Language::parse(code).expect("a language");
        let store = self.admin(AdminRequest::CreateStore(NewStore {
            name: name.to_owned(),
            account: Some(account.clone()),
            languages: vec![language("es"), language("en")],
            plan: PlanLimits::default(),
        }));
        text(&store["id"]).into()
    }

    /// Creates another key of `store`.
    pub fn new_key(&self, store: &StoreId, kind: KeyKind, scope: Option<Scope>) -> String {
        let key = self.admin(AdminRequest::CreateKey(NewApiKey {
            store: Some(store.clone()),
            account: None,
            kind,
            scope,
            name: None,
            expires: None,
        }));
        text(&key["key"])
    }

    /// Creates a configuration key of the whole account.
    pub fn account_key(&self, account: &AccountId, scope: Scope) -> String {
        let key = self.admin(AdminRequest::CreateKey(NewApiKey {
            store: None,
            account: Some(account.clone()),
            kind: KeyKind::Configuration,
            scope: Some(scope),
            name: None,
            expires: None,
        }));
        text(&key["key"])
    }

    /// A request for `path` below `/api/v1`, without a key.
    pub fn api(&self, method: &'static str, path: &str) -> Call<'_> {
        self.client.call(method, format!("/api/v1{path}"))
    }

    /// A request for `path` below the store, with the write key.
    pub fn own(&self, method: &'static str, path: &str) -> Call<'_> {
        let path = format!("/stores/{}{path}", self.store);
        self.api(method, &path).key(&self.write_key)
    }

    /// A request with the connector key.
    pub fn feed(&self, method: &'static str, path: &str) -> Call<'_> {
        self.api(method, path).key(&self.connector)
    }

    /// Searches as a shopper.
    pub fn search(&self, request: &Value) -> Reply {
        self.api("POST", "/search")
            .key(&self.public)
            .json(request)
            .send()
    }

    /// A shop with these products in `language`, which it has beside Spanish and English, once they are found.
    pub fn with_products(language: &str, documents: &Value) -> Self {
        let shop = Self::open();
        if !["es", "en"].contains(&language) {
            let languages =
                json!([{"code": "es", "default": true}, {"code": "en"}, {"code": language}]);
            let indices = json!({"types": ["products"], "languages": languages});
            shop.feed("POST", "/feed/indices")
                .json(&indices)
                .send()
                .ok();
        }
        shop.bulk("products", language, documents).ok();
        let ids = documents.as_array().expect("a list").iter();
        let mut ids: Vec<&str> = ids.filter_map(|d| d["id"].as_str()).collect();
        ids.sort_unstable();
        shop.until_found(language, &ids);
        shop
    }

    /// Sends documents of one type and language.
    pub fn bulk(&self, doc_type: &str, language: &str, documents: &Value) -> Reply {
        self.feed("POST", &format!("/feed/{doc_type}/bulk"))
            .json(&json!({"language": language, "documents": documents}))
            .send()
    }

    /// Ids of all products in `language`, sorted.
    pub fn products(&self, language: &str) -> Vec<String> {
        let request = json!({"lang": language, "types": ["products"], "limit": 100});
        let found = self.search(&request).ok();
        let hits = found.data()["products"]["hits"].as_array().cloned();
        let mut ids: Vec<String> = hits
            .unwrap_or_default()
            .iter()
            .map(|hit| text(&hit["id"]))
            .collect();
        ids.sort();
        ids
    }

    /// Waits until exactly these products are found in `language`.
    pub fn until_found(&self, language: &str, ids: &[&str]) {
        eventually(&format!("{ids:?} are found in {language}"), || {
            self.products(language) == ids
        });
    }
}

impl Drop for Shop {
    fn drop(&mut self) {
        if let Some(running) = self.running.take() {
            self.runtime.block_on(running.stop());
        }
    }
}

/// A small product.
pub fn product(id: &str, name: &str) -> Value {
    json!({
        "id": id, "name": name, "url": format!("https://shop.example/{id}"),
        "reference": format!("REF-{id}"), "inStock": true, "priceInclTax": 10.0, "currency": "EUR"
    })
}

fn text(value: &Value) -> String {
    value
        .as_str()
        .unwrap_or_else(|| panic!("expected text, got {value}"))
        .to_owned()
}
