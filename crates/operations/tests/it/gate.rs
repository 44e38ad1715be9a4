//! The gate of a store: what happens between measuring a write and storing it.
//!
//! 1. A write that is saved while another is measured is measured with that one: it is refused if both are too much.
//! 2. A configuration that changes during each of three measurements is a conflict, and nothing is stored.
//! 3. What cannot be measured is refused with a time to wait; who insists saves it, and it is marked. A dry run says nothing
//!    of the gate then.

use crate::fake_engine::{Behaviour, Call, FakeEngine};
use crate::world::{NOW, World};
use domain::rule::{NewRule, Rule, RuleView};
use domain::watched::WatchedQueries;
use domain::{Caller, ChangeNote, StoreId, WriteAttempt};
use operations::stores::{self, GateChange, StoreSettings};
use operations::{
    OperationError, Precondition, Service, WriteOutcome, records, revisions, watched,
};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Handle;

/// A store that watches "bota", which finds two products, and lets everything through that does not empty it.
async fn gated() -> (World, Arc<Behaviour>) {
    let (engine, behaviour) = FakeEngine::new(Behaviour::default());
    let world = World::over(engine).await;
    world.indices(&["es"]).await;
    let product = |id: &str| json!({"id": id, "name": format!("bota {id}"), "rev": NOW.0});
    let documents: Vec<Value> = ["uno", "dos"].map(product).to_vec();
    world.store(&world.one, documents).await;
    let (service, store) = (&world.service, &world.one.store);
    let waited = service.wait_until_searchable(store, Duration::from_secs(30));
    assert!(waited.await.expect("storage answers"));
    let operator = Caller::operator();
    let queries: WatchedQueries =
        serde_json::from_value(json!({"queries": [{"q": "bota", "lang": "es"}]})).expect("queries");
    let set = watched::set(service, &operator, store, queries, Precondition::None);
    set.await.expect("saved");
    let settings = StoreSettings {
        impact_gate: Some(GateChange::Percent(100)),
        keys_may_force: Some(true),
        ..StoreSettings::default()
    };
    let set = stores::set(service, &operator, store, settings);
    set.await.expect("saved");
    (world, behaviour)
}

fn hiding(id: &str) -> NewRule {
    let rule = json!({"name": id, "language": "es", "type": "HIDE", "actions": {"hide": [id]},
        "trigger": {"query": "bota", "match": "exact"}});
    serde_json::from_value(rule).expect("a rule")
}

async fn hide(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    id: &str,
) -> Result<WriteOutcome<RuleView>, OperationError> {
    records::create::<Rule>(service, caller, store, hiding(id)).await
}

/// Saves of the command line, which passes no gate, during searches.
#[derive(Clone)]
struct Saves {
    service: Service,
    store: StoreId,
    behaviour: Arc<Behaviour>,
    runtime: Handle,
}

impl Saves {
    fn of(world: &World, behaviour: &Arc<Behaviour>) -> Self {
        Self {
            service: world.service.clone(),
            store: world.one.store.clone(),
            behaviour: Arc::clone(behaviour),
            runtime: Handle::current(),
        }
    }

    fn save(&self, id: &str) {
        let operator = Caller::operator();
        let hidden = hide(&self.service, &operator, &self.store, id);
        self.runtime.block_on(hidden).expect("saved");
    }

    fn during_search(&self, happens: impl FnOnce() + Send + 'static) {
        let mut during = self
            .behaviour
            .during_search
            .lock()
            .expect("no test panicked");
        *during = Some(Box::new(happens));
    }

    /// Hides a product during the next search.
    fn once(self, id: &'static str) {
        let saves = self.clone();
        self.during_search(move || saves.save(id));
    }

    /// Hides one that is not there during every search.
    fn always(self) {
        let saves = self.clone();
        self.during_search(move || {
            saves.save("unknown");
            saves.always();
        });
    }
}

async fn rules(world: &World) -> usize {
    let query = domain::rule::RuleQuery::default();
    let (service, store) = (&world.service, &world.one.store);
    let operator = Caller::operator();
    let listed = records::list::<Rule>(service, &operator, store, query);
    listed.await.expect("rules").records.len()
}

#[tokio::test]
async fn a_write_in_between_is_measured_with() {
    let (world, behaviour) = gated().await;
    let (service, store) = (&world.service, &world.one.store);
    let writer = world.caller(&world.one.writer).await;
    Saves::of(&world, &behaviour).once("dos");
    // Alone it leaves a product, and with what was saved meanwhile none.
    let refused = hide(service, &writer, store, "uno").await;
    let Err(OperationError::Conflict { code, details, .. }) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(
        (code, &details["lostAllResults"]),
        ("impact_exceeded", &json!(1))
    );
    assert_eq!(rules(&world).await, 1);

    let (world, behaviour) = gated().await;
    let writer = world.caller(&world.one.writer).await;
    Saves::of(&world, &behaviour).once("unknown");
    let saved = hide(&world.service, &writer, &world.one.store, "uno").await;
    saved.expect("together they leave a product");
    assert_eq!(rules(&world).await, 2);
}

#[tokio::test]
async fn a_configuration_that_keeps_changing_is_a_conflict() {
    let (world, behaviour) = gated().await;
    let writer = world.caller(&world.one.writer).await;
    Saves::of(&world, &behaviour).always();
    let refused = hide(&world.service, &writer, &world.one.store, "uno").await;
    let Err(OperationError::Conflict { code, .. }) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(code, "conflict");
    *behaviour.during_search.lock().expect("no test panicked") = None;
    let meanwhile = rules(&world).await;
    assert!(meanwhile >= 3, "{meanwhile}");
    let saved = hide(&world.service, &writer, &world.one.store, "uno").await;
    saved.expect("nothing comes between");
    assert_eq!(rules(&world).await, meanwhile + 1);
}

#[tokio::test]
async fn what_cannot_be_measured_is_refused() {
    let (world, behaviour) = gated().await;
    let (service, store) = (&world.service, &world.one.store);
    let writer = world.caller(&world.one.writer).await;
    behaviour.fail(&[Call::Search]);
    let refused = hide(service, &writer, store, "uno").await;
    let Err(OperationError::Unavailable { retry_after_s, .. }) = refused else {
        panic!("{refused:?}");
    };
    assert!(retry_after_s > 1);
    assert_eq!(rules(&world).await, 0);

    let with = |attempt: &WriteAttempt| Caller {
        attempt: attempt.clone(),
        ..writer.clone()
    };
    let dry = WriteAttempt::new(true, Some(false));
    let tried = hide(service, &with(&dry), store, "uno").await;
    tried.expect("a dry run fails for no gate");
    assert_eq!(dry.take_report().expect("a report").gate, None);

    let mut insisting =
        WriteAttempt::default().noted(Ok(ChangeNote::parse("why").expect("a note")));
    insisting.force = Some("force");
    let saved = hide(service, &with(&insisting), store, "uno").await;
    let revision = saved.expect("saved").revisioned.config_revision.to_string();
    let read = revisions::get(service, &writer, store, &revision).await;
    let revision = read.expect("a revision").0.revision;
    assert_eq!((revision.forced, revision.gate), (true, None));
    let totals = service.statistics().await.gate;
    let expected = [
        ("passed", 0),
        ("exceeded", 0),
        ("forced", 1),
        ("unavailable", 1),
    ];
    assert_eq!(totals, expected);
}
