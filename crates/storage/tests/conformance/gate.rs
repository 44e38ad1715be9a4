//! The gate of a store.
//!
//! 1. It is kept with the store, and removed again.
//! 2. The last revision that can move results is one of relevance, synonym groups or rules; without those of a key since an
//!    instant, unless one was forced.
//! 3. A forced revision keeps what was measured, and its audit record says that it was.

use crate::world::{NOW, World, entry, latest_of, operator, read_permit, write_permit};
use domain::audit::{Actor, AuditEntry};
use domain::relevance::Overrides;
use domain::{GateMeasure, ImpactGate, StoreId, Timestamp};

/// Saves as the owner of `key` at `at`, what moves results or does not.
async fn save(world: &World, key: Option<&str>, at: Timestamp, ranking: bool, forced: bool) {
    let change = world.storage.begin(&write_permit("s1")).await;
    let mut change = change.expect("opens").expect("a store");
    if ranking {
        let mut overrides = Overrides::default();
        let boost = change.before().config_revision as f64;
        overrides.boosts.insert("name".to_owned(), boost);
        change.save_relevance(&overrides).await.expect("saves");
    } else {
        change.save_store("Name", "").await.expect("saves");
    }
    if forced {
        change.set_forced(Some(measure()));
    }
    let actor = Actor {
        key_id: key.map(str::to_owned),
        ..Actor::named("somebody")
    };
    let entry = AuditEntry {
        actor,
        ..entry(&["x"])
    };
    change.commit(&entry, at).await.expect("commits");
}

fn measure() -> GateMeasure {
    let gate = ImpactGate {
        max_changed_top3_percent: 10,
        keys_may_force: true,
    };
    gate.judge(20, 3, 1)
}

#[tokio::test]
async fn a_store_keeps_its_gate() {
    let world = World::new().await;
    let gate = ImpactGate {
        max_changed_top3_percent: 10,
        keys_may_force: true,
    };
    for wanted in [Some(gate), None] {
        let change = world.storage.begin(&write_permit("s1")).await;
        let mut change = change.expect("opens").expect("a store");
        let mut next = change.before().clone();
        next.impact_gate = wanted;
        change.save_store_settings(&next).await.expect("saves");
        change.commit(&entry(&["x"]), NOW).await.expect("commits");
        let store = world.storage.store(&read_permit("s1")).await;
        let store = store.expect("reads").expect("a store");
        assert_eq!(store.impact_gate, wanted);
    }
}

#[tokio::test]
async fn the_last_ranking_revision_is_found() {
    let world = World::new().await;
    let at = |minutes: i64| Timestamp(NOW.0 + minutes * 60_000);
    let last = async |except: Option<(&str, Timestamp)>| {
        let change = world.storage.begin(&write_permit("s1")).await;
        let mut change = change.expect("opens").expect("a store");
        let found = change.last_ranking_revision(except).await;
        found.expect("reads")
    };
    assert_eq!(last(None).await, None);
    save(&world, None, at(0), true, false).await;
    save(&world, Some("k1"), at(1), true, false).await;
    save(&world, Some("k1"), at(2), true, false).await;
    save(&world, Some("k2"), at(3), false, false).await;
    assert_eq!(last(None).await, Some(3));
    assert_eq!(last(Some(("k1", at(0)))).await, Some(1));
    assert_eq!(last(Some(("k1", at(1)))).await, Some(1));
    assert_eq!(last(Some(("k1", at(2)))).await, Some(2));
    assert_eq!(last(Some(("k2", at(0)))).await, Some(3));
    save(&world, Some("k1"), at(4), true, true).await;
    assert_eq!(last(Some(("k1", at(0)))).await, Some(5));
}

#[tokio::test]
async fn a_forced_revision_says_so() {
    let world = World::new().await;
    save(&world, Some("k1"), NOW, true, false).await;
    save(&world, Some("k1"), NOW, true, true).await;
    let reading = world.storage.configuration_view(&read_permit("s1")).await;
    let mut reading = reading.expect("reads").expect("a store");
    let rows = reading.revisions((1, 10), None).await.expect("reads");
    let notes: Vec<_> = rows.iter().map(|row| &row.notes).collect();
    assert!(notes[0].forced && notes[0].gate == Some(measure()));
    assert!(!notes[1].forced && notes[1].gate.is_none());
    let latest = latest_of(&StoreId::from("s1"), 10);
    let audit = world.storage.audit(&operator(), &latest).await;
    let forced: Vec<bool> = audit.expect("reads").iter().map(|row| row.forced).collect();
    assert_eq!(forced, [true, false]);
}
