//! An engine of which every kind of call may fail, one kind at a time.
//!
//! 1. An operation that needs the call fails as `Unavailable`; any other returns what it returns otherwise, never a part
//!    of it. Once the call succeeds again, so does the operation.
//! 2. A synchronisation of filters that fails saves nothing.
//! 3. A block and a clear are acknowledged while the index cannot be written, and are found once it can.
//! 4. A store whose index cannot be opened, created or loaded is unavailable until it can. A rebuild that fails leaves the
//!    former index in use.
//! 5. What may block is called on threads that may only.

use crate::fake_engine::{Behaviour, Call, FakeEngine};
use crate::world::{World, index_of, open_over, product, products, scope, total};
use domain::feed::{Block, Clear};
use domain::filter::{Filter, NewFilter, ValuesQuery};
use domain::relevance::BoostMerging;
use domain::search::{SearchRequest, SuggestRequest};
use domain::watched::WatchedQueries;
use domain::widget::ConfigQuery;
use domain::{Caller, DocType, KeyKind};
use engine::Engine;
use operations::feed::{blocks, clear, indices};
use operations::keys::{self, NewApiKey};
use operations::simulator::{self, RelevanceTest, SimulationHit};
use operations::{
    MemoryLimits, OperationError, Precondition, Service, authenticate, check, field_values,
    filters, preview, records, search, suggest, watched, widget_config,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

const PATIENCE: Duration = Duration::from_secs(30);

/// Operations that ask an engine, with the calls that each needs.
const OPERATIONS: [(&str, &[Call]); 13] = [
    (
        "search",
        &[Call::Search, Call::SettledWords, Call::HiddenFrom],
    ),
    ("search without facets", &[Call::Search, Call::SettledWords]),
    (
        "filtered search",
        &[
            Call::Search,
            Call::Fields,
            Call::SettledWords,
            Call::HiddenFrom,
        ],
    ),
    ("search by an unknown field", &[Call::Fields]),
    ("invalid search with filters", &[Call::Fields]),
    ("suggest", &[Call::Search]),
    ("simulator", &[Call::Search]),
    ("preview", &[Call::Search, Call::Fields, Call::HiddenFrom]),
    ("explain", &[Call::Search, Call::Fields]),
    ("watched queries", &[Call::Search]),
    ("values", &[Call::Search, Call::Fields]),
    ("widget", &[Call::Fields]),
    ("check", &[Call::Fingerprints]),
];

/// A shop with products and categories, some of them hidden, on a service that caches no response.
struct Shop {
    world: World,
    behaviour: Arc<Behaviour>,
    engine: Arc<dyn Engine>,
    shopper: Caller,
}

impl Shop {
    async fn new(is_local: bool) -> Self {
        let (engine, behaviour) = FakeEngine::new(Behaviour {
            is_local,
            ..Behaviour::default()
        });
        let engine: Arc<dyn Engine> = engine;
        let none = MemoryLimits {
            responses: 0,
            pages: 0,
        };
        let world = World::over_within(Arc::clone(&engine), none).await;
        let feeder = world.feeder(&world.one).await;
        let mut wanted = crate::world::new_indices(&["es"]);
        wanted.types = vec![DocType::Products, DocType::Categories];
        let created = indices::create(&world.service, &feeder, wanted).await;
        created.expect("indices");
        let mut boots = products(&["a", "b", "c"]);
        for (boot, colour) in boots.iter_mut().zip(["red", "red", "blue"]) {
            boot["features"] = json!([{"featureId": "7", "feature": "Colour", "value": colour}]);
            boot["manufacturer"] = json!("Acme");
            boot["categories"] = json!([{"id": "c1", "name": "Boots"}]);
            boot["categoryIds"] = json!(["c1"]);
        }
        let sent = world.send(&world.one, None, boots).await;
        assert_eq!(sent.expect("stored").rejected.len(), 0);
        let block = Block {
            language: "es".to_owned(),
            run_id: None,
            documents: vec![json!({"id": "c1", "name": "Boots", "accessGroups": []})].into(),
        };
        let sent = blocks::upsert(&world.service, &feeder, DocType::Categories, block).await;
        assert_eq!(sent.expect("stored").rejected.len(), 0);
        let shopper = shopper(&world).await;
        let shop = Self {
            world,
            behaviour,
            engine,
            shopper,
        };
        shop.searchable().await;
        shop
    }

    fn service(&self) -> &Service {
        &self.world.service
    }

    async fn searchable(&self) {
        let waited = (self.service()).wait_until_searchable(&self.world.one.store, PATIENCE);
        assert!(
            waited.await.expect("storage answers"),
            "the index stays behind"
        );
    }

    /// Waits for a call of this kind after the first `before` ones.
    async fn tried(&self, call: Call, before: usize) {
        let tried = async {
            while self.behaviour.count(call) == before {
                tokio::task::yield_now().await;
            }
        };
        timeout(PATIENCE, tried).await.expect("it is tried");
    }

    /// The result of an operation as JSON, without times and ids of responses.
    async fn run(&self, operation: &str) -> Result<Value, OperationError> {
        let running = timeout(PATIENCE, self.operation(operation));
        let mut result = running.await.expect("it does not wait for the engine")?;
        if let Some(fields) = result.as_object_mut() {
            for volatile in ["queryId", "tookMs"] {
                fields.remove(volatile);
            }
        }
        Ok(result)
    }

    async fn operation(&self, operation: &str) -> Result<Value, OperationError> {
        let (service, store) = (self.service(), &self.world.one.store);
        let operator = &Caller::operator();
        let trial = json!({"q": "name", "filters": {"features.7": ["red"]}});
        match operation {
            "suggest" => {
                let typed = request::<SuggestRequest>(json!({"q": "na"}));
                json_of(suggest::suggest(service, &self.shopper, typed).await)
            }
            "simulator" => {
                let test = request::<RelevanceTest>(json!({"q": "name"}));
                let mode = BoostMerging::Replace;
                let tested = simulator::test::<SimulationHit>(service, operator, store, test, mode);
                json_of(tested.await.map(|tested| tested.data))
            }
            "preview" => {
                let mut asked = trial;
                asked["facets"] = json!(true);
                json_of(preview::preview(service, operator, store, request(asked)).await)
            }
            "explain" => {
                let mut asked = trial;
                asked["ids"] = json!(["a", "c"]);
                json_of(preview::explain(service, operator, store, request(asked)).await)
            }
            "watched queries" => {
                let asked = request(json!({"from": 0, "count": 5}));
                json_of(preview::watched(service, operator, store, asked).await)
            }
            "values" => {
                let asked = request::<ValuesQuery>(json!({"field": "features.7"}));
                let values = field_values::values(service, operator, store, asked).await;
                json_of(values.map(|listed| listed.records))
            }
            "widget" => {
                let query = ConfigQuery::default();
                json_of(widget_config::config(service, &self.shopper, query, "").await)
            }
            "check" => json_of(check::run(service, operator, false).await),
            search => {
                let asked = match search {
                    "search" => json!({"q": "name"}),
                    "search without facets" => json!({"q": "name", "facets": false}),
                    "filtered search" => trial,
                    "search by an unknown field" => json!({"filters": {"features.8": ["red"]}}),
                    "invalid search with filters" => {
                        json!({"limit": 0, "filters": {"features.7": ["red"], "colour": ["red"]}})
                    }
                    other => unreachable!("{other}"),
                };
                let asked = request::<SearchRequest>(asked);
                json_of(search::search(service, &self.shopper, asked).await)
            }
        }
    }
}

async fn shopper(world: &World) -> Caller {
    let new = NewApiKey {
        store: Some(world.one.store.clone()),
        account: None,
        kind: KeyKind::SearchOnly,
        scope: None,
        name: None,
        expires: None,
    };
    let created = keys::create(&world.service, &Caller::operator(), new).await;
    let key = created.expect("a key").key;
    let caller = authenticate::by_key(&world.service, &key).await;
    caller.expect("a valid key")
}

fn request<T: DeserializeOwned>(body: Value) -> T {
    serde_json::from_value(body).expect("a request")
}

fn json_of<T: Serialize>(result: Result<T, OperationError>) -> Result<Value, OperationError> {
    result.map(|value| serde_json::to_value(value).expect("JSON"))
}

/// A result for comparison: the value, or the error as it is reported.
fn reported(result: &Result<Value, OperationError>) -> String {
    format!("{result:?}")
}

fn is_unavailable<T>(result: &Result<T, OperationError>) -> bool {
    matches!(result, Err(OperationError::Unavailable { .. }))
}

async fn configured(shop: &Shop) {
    let (service, store, operator) = (shop.service(), &shop.world.one.store, Caller::operator());
    for field in ["features.7", "manufacturer", "categories"] {
        let filter = request::<NewFilter>(json!({"field": field}));
        let created = records::create::<Filter>(service, &operator, store, filter).await;
        created.expect("a filter");
    }
    let queries = json!({"queries": [{"q": "name", "lang": "es"}]});
    let queries = request::<WatchedQueries>(queries);
    let set = watched::set(service, &operator, store, queries, Precondition::default()).await;
    set.expect("watched queries");
}

async fn assert_fails_and_works_again(is_local: bool) {
    let shop = Shop::new(is_local).await;
    configured(&shop).await;
    for (operation, needed) in OPERATIONS {
        let before = reported(&shop.run(operation).await);
        for call in Call::ALL {
            shop.behaviour.fail(&[call]);
            let result = shop.run(operation).await;
            match needed.contains(&call) {
                true => assert!(is_unavailable(&result), "{operation}, {call:?}: {result:?}"),
                false => assert_eq!(reported(&result), before, "{operation}, {call:?}"),
            }
            shop.behaviour.fail(&[]);
            let again = shop.run(operation).await;
            assert_eq!(reported(&again), before, "{operation} after {call:?}");
        }
        shop.behaviour.fail(&Call::ALL);
        let result = shop.run(operation).await;
        assert!(is_unavailable(&result), "{operation}: {result:?}");
        shop.behaviour.fail(&[]);
    }
    let found = shop.run("filtered search").await.expect("hits");
    assert_eq!(found["products"]["total"], json!(2));
    let unknown = shop.run("search by an unknown field").await;
    assert!(
        matches!(unknown, Err(OperationError::Invalid(_))),
        "{unknown:?}"
    );
    let invalid = shop.run("invalid search with filters").await;
    let Err(OperationError::Invalid(invalid)) = invalid else {
        panic!("{invalid:?}");
    };
    let fields: Vec<&str> = invalid.iter().map(|one| one.field.as_str()).collect();
    assert_eq!(fields, ["limit", "filters.colour"]);
    let config = shop.run("widget").await.expect("a configuration");
    assert_eq!(config["filters"][0]["label"], json!("Colour"));
    assert_eq!(shop.behaviour.on_async_thread(), []);
    shop.service().close().await;
}

#[tokio::test]
async fn operations_fail_with_the_engine_and_work_again() {
    assert_fails_and_works_again(true).await;
}

#[tokio::test]
async fn operations_fail_with_an_engine_on_other_machines_and_work_again() {
    assert_fails_and_works_again(false).await;
}

#[tokio::test]
async fn a_failed_synchronisation_of_filters_saves_nothing() {
    let shop = Shop::new(true).await;
    let (service, store, operator) = (shop.service(), &shop.world.one.store, Caller::operator());
    shop.behaviour.fail(&[Call::Fields]);
    let failed = filters::sync(service, &operator, store).await;
    assert!(is_unavailable(&failed), "{failed:?}");
    let listed = records::list::<Filter>(service, &operator, store, ()).await;
    assert_eq!(listed.expect("filters").records.len(), 0);
    shop.behaviour.fail(&[]);
    let (report, _) = filters::sync(service, &operator, store)
        .await
        .expect("filters");
    assert!(report.created >= 3, "{report:?}");
    assert_eq!(shop.behaviour.on_async_thread(), []);
    service.close().await;
}

#[tokio::test]
async fn a_feed_is_acknowledged_while_the_index_cannot_be_written() {
    for is_local in [true, false] {
        let shop = Shop::new(is_local).await;
        let world = &shop.world;
        shop.behaviour.fail(&[Call::Apply]);
        let before = shop.behaviour.count(Call::Apply);
        let sent = world.send(&world.one, None, vec![product("d", 0)]).await;
        assert_eq!(sent.expect("stored").rejected.len(), 0);
        shop.tried(Call::Apply, before).await;
        assert_eq!(total(shop.service(), &world.one).await, 3);
        shop.behaviour.fail(&[]);
        shop.searchable().await;
        assert_eq!(total(shop.service(), &world.one).await, 4);

        shop.behaviour.fail(&[Call::Clear]);
        let before = shop.behaviour.count(Call::Clear);
        let feeder = world.feeder(&world.one).await;
        let cleared = clear::clear(shop.service(), &feeder, Clear::default()).await;
        cleared.expect("acknowledged");
        shop.tried(Call::Clear, before).await;
        assert_eq!(total(shop.service(), &world.one).await, 4);
        shop.behaviour.fail(&[]);
        shop.searchable().await;
        assert_eq!(total(shop.service(), &world.one).await, 0);
        assert_eq!(shop.behaviour.on_async_thread(), []);
        shop.service().close().await;
    }
}

#[tokio::test]
async fn a_store_is_unavailable_until_its_index_opens() {
    for (is_local, calls) in [(true, [Call::Open, Call::Load]), (false, [Call::Open; 2])] {
        let shop = Shop::new(is_local).await;
        let (world, behaviour) = (&shop.world, &shop.behaviour);
        world.service.close().await;
        // The service opens its first stores in the background when it starts.
        behaviour.fail(&calls[..1]);
        let service = open_over(&world.dir, &world.clock, Arc::clone(&shop.engine)).await;
        for call in calls {
            behaviour.fail(&[call]);
            let request = SearchRequest::default();
            let found = search::search(&service, &shop.shopper, request);
            let found = timeout(PATIENCE, found).await.expect("it does not wait");
            assert!(is_unavailable(&found), "{call:?}: {found:?}");
        }
        behaviour.fail(&[]);
        assert_eq!(total(&service, &world.one).await, 3);
        assert_eq!(behaviour.on_async_thread(), []);
        service.close().await;
    }
}

#[tokio::test]
async fn a_rebuild_that_fails_leaves_the_former_index_in_use() {
    let shop = Shop::new(true).await;
    let (world, service) = (&shop.world, shop.service());
    let row = index_of(&world.storage().await, &world.one).await;
    assert_eq!(row.scope, scope("es"));
    let rebuild = async || {
        let mut progress = service.indexing().rebuild(&row);
        let end = progress.wait_for(operations::indexing::Rebuild::is_over);
        let end = timeout(PATIENCE, end).await.expect("it ends");
        end.expect("an end").clone()
    };
    for call in [
        Call::Rebuild,
        Call::Apply,
        Call::FreezeAverages,
        Call::Complete,
    ] {
        shop.behaviour.fail(&[call]);
        let end = rebuild().await;
        assert!(
            matches!(end, operations::indexing::Rebuild::Failed(_)),
            "{call:?}: {end:?}"
        );
        assert_eq!(total(service, &world.one).await, 3, "{call:?}");
    }
    shop.behaviour.fail(&[]);
    assert_eq!(rebuild().await, operations::indexing::Rebuild::Done);
    assert_eq!(total(service, &world.one).await, 3);
    assert_eq!(shop.behaviour.on_async_thread(), []);
    service.close().await;
}
