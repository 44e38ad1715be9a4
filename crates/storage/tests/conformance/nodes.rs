//! 1. The version of a store rises with its configuration, declarations, languages, indices, close and reopening, and with
//!    nothing else; a save without effect changes nothing.
//! 2. Positions of indices are those of the stores that were named; runs that end on an index are counted.
//! 3. Deletions are passed by all nodes that were seen, and lags are those of others.
//! 4. A lease has one holder until it ends or is given back.
//! 5. Failures are counted within a window, and together.
//! 6. The versions of shared indexes are those of the nodes that were seen and share any.
//! 7. A rebuild is requested of all nodes that were seen; one that is at it goes on, and what is over can be requested again.

use crate::world::{NOW, World, entry, feed_permit, operator, products, read_permit, write_permit};
use domain::{AccountId, Caller, Language, RequiredRole, StoreId, Timestamp, access};
use std::time::Duration;
use storage::{NodeProgress, NodeRebuild, NodeRebuildState};

const HOUR: Duration = Duration::from_secs(3_600);

async fn version(world: &World) -> i64 {
    let read = world.storage.store_version(&read_permit("s1")).await;
    read.expect("reads").expect("a store")
}

#[tokio::test]
async fn versions_rise_with_what_searches_see() {
    let world = World::new().await;
    let first = version(&world).await;
    let open = world.storage.begin(&write_permit("s1")).await;
    let write = open.expect("opens").expect("a store");
    let changed = entry(&["name"]);
    write.commit(&changed, NOW).await.expect("commits");
    let second = version(&world).await;
    assert!(second > first);
    // Saved once more as it is: it is audited, and nobody has to publish anything.
    let open = world.storage.begin(&write_permit("s1")).await;
    let write = open.expect("opens").expect("a store");
    write.commit(&entry(&[]), NOW).await.expect("commits");
    assert_eq!(version(&world).await, second);
    world.indices().await;
    let third = version(&world).await;
    assert!(third > second);
    let mut feed = world.feed("s1").await;
    feed.index(&products()).await.expect("locks");
    feed.commit().await.expect("commits");
    assert_eq!(version(&world).await, third);
    let mut feed = world.feed("s1").await;
    let languages = ["es", "fr"].map(|code| Language::parse(code).expect("a code"));
    feed.save_languages(&languages).await.expect("saves");
    feed.commit().await.expect("commits");
    assert!(version(&world).await > third);
    let stores = ["s1", "s9"].map(StoreId::from);
    let versions = world.storage.store_versions(&stores).await.expect("reads");
    assert_eq!(versions, [(stores[0].clone(), version(&world).await)]);
}

#[tokio::test]
async fn positions_are_those_of_the_named_stores() {
    let world = World::new().await;
    let [one, _] = world.indices().await;
    let permit = feed_permit("s1");
    let mut feed = world.storage.begin_feed(&permit).await.expect("opens");
    feed.complete_run(&products()).await.expect("counts");
    feed.commit().await.expect("commits");
    let stores = [StoreId::from("s1")];
    let positions = world.storage.index_positions(&stores).await;
    let positions = positions.expect("reads");
    assert_eq!(positions.len(), 1);
    assert_eq!(
        (positions[0].index, positions[0].completed_runs),
        (one.id, 1)
    );
}

#[tokio::test]
async fn nodes_tell_how_far_they_are() {
    let world = World::new().await;
    let [one, two] = world.indices().await;
    let storage = &world.storage;
    let row = |index, applied, lag| NodeProgress {
        index,
        applied,
        lag: Duration::from_millis(lag),
    };
    let none = storage.applied_everywhere(one.id, HOUR).await;
    assert_eq!(none.expect("reads"), None);
    let rows = [row(one.id, 5, 0), row(two.id, 9, 70)];
    storage.note_node("a", None, &rows).await.expect("writes");
    storage
        .note_node("b", None, &[row(one.id, 3, 40)])
        .await
        .expect("writes");
    storage
        .note_node("b", None, &[row(one.id, 4, 30)])
        .await
        .expect("writes");
    // An index that was removed meanwhile holds up nothing.
    let gone = [row(domain::IndexId(99), 1, 0)];
    storage.note_node("a", None, &gone).await.expect("writes");
    let all = storage.applied_everywhere(one.id, HOUR).await;
    assert_eq!(all.expect("reads"), Some(4));
    let lags = storage.lags_of_others("a", HOUR).await.expect("reads");
    assert_eq!(lags, [(one.id, Duration::from_millis(30))]);
    let nobody = storage.lags_of_others("a", Duration::ZERO).await;
    assert_eq!(nobody.expect("reads"), []);
}

#[tokio::test]
async fn versions_of_shared_indexes_are_those_of_nodes_that_were_seen() {
    let world = World::new().await;
    let storage = &world.storage;
    for (node, format) in [("a", Some(3)), ("b", Some(4)), ("c", None), ("d", Some(3))] {
        storage.note_node(node, format, &[]).await.expect("writes");
    }
    let seen = async |within| {
        let mut formats = storage.search_formats(within).await.expect("reads");
        formats.sort_unstable();
        formats
    };
    assert_eq!(seen(HOUR).await, [3, 4]);
    assert_eq!(seen(Duration::ZERO).await, [] as [u32; 0]);
    storage.note_node("b", Some(3), &[]).await.expect("writes");
    assert_eq!(seen(HOUR).await, [3]);
}

#[tokio::test]
async fn a_lease_has_one_holder() {
    let world = World::new().await;
    let storage = &world.storage;
    let take = async |holder: &str, lasts| {
        let taken = storage.take_lease("jobs", holder, lasts).await;
        taken.expect("succeeds")
    };
    assert!(take("a", HOUR).await);
    assert!(take("a", HOUR).await);
    assert!(!take("b", HOUR).await);
    storage
        .give_lease_back("jobs", "b")
        .await
        .expect("does nothing");
    assert!(!take("b", HOUR).await);
    storage.give_lease_back("jobs", "a").await.expect("ends");
    assert!(take("b", HOUR).await);
}

#[tokio::test]
async fn failures_are_counted_in_windows() {
    let world = World::new().await;
    let storage = &world.storage;
    let fail = async |subject: &str, at: Timestamp| {
        let failures = storage.count_failure(subject, HOUR, at).await;
        let failures = failures.expect("counts");
        (failures.count, failures.left)
    };
    let later = Timestamp(NOW.0 + 1_000);
    assert_eq!(fail("x", NOW).await, (1, HOUR));
    assert_eq!(fail("x", later).await, (2, HOUR - Duration::from_secs(1)));
    storage.take_failure_back("x").await.expect("taken back");
    assert_eq!(fail("x", later).await.0, 2);
    assert_eq!(fail("y", later).await.0, 1);
    assert_eq!(fail("x", NOW.plus_hours(1)).await, (1, HOUR));
    let deleted = storage.delete_ended_failures(NOW.plus_hours(2)).await;
    assert_eq!(deleted.expect("deletes"), 2);
}

#[tokio::test]
async fn a_closed_store_has_no_version() {
    let world = World::new().await;
    let account = AccountId::from("a1");
    let permit = access::account(&Caller::operator(), &account, RequiredRole::Owner);
    let permit = permit.expect("the operator may");
    let mut change = world.storage.administer(&operator()).await.expect("opens");
    let store = StoreId::from("s1");
    let closed = change.close_store(&permit, &store, "Store s1", NOW).await;
    assert!(closed.expect("closes"));
    let subject = storage::AuditSubject::default();
    change
        .commit(&entry(&[]), &subject, NOW)
        .await
        .expect("commits");
    let versions = world.storage.store_versions(&[store]).await;
    assert_eq!(versions.expect("reads"), []);
}

#[tokio::test]
async fn a_rebuild_is_requested_of_all_nodes() {
    let world = World::new().await;
    let [one, two] = world.indices().await;
    let storage = &world.storage;
    let at = |index: domain::IndexId, state: NodeRebuildState, documents: i64| NodeRebuild {
        index,
        state,
        documents,
        total: 0,
    };
    use NodeRebuildState::{Building, Done, Waiting};
    for node in ["a", "b"] {
        storage.note_node(node, None, &[]).await.expect("is seen");
    }
    let request = async |indexes: &[domain::IndexId]| {
        let requested = storage.request_rebuilds(indexes, HOUR).await;
        requested.expect("requests");
    };
    let to_do = async |node: &str| {
        let found = storage.rebuilds_to_do(node, 9).await;
        found.expect("reads")
    };
    request(&[two.id, one.id, domain::IndexId(99)]).await;
    let both = [at(one.id, Waiting, 0), at(two.id, Waiting, 0)];
    assert_eq!(
        (to_do("a").await, to_do("b").await),
        (both.to_vec(), both.to_vec())
    );
    assert_eq!(to_do("c").await, []);
    let done = [at(one.id, Building, 3), at(two.id, Done, 0)];
    storage.note_rebuilds("a", &done).await.expect("notes");
    assert_eq!(to_do("a").await, [done[0]]);
    let all = storage.rebuilds_of(&[one.id, two.id], HOUR).await;
    assert_eq!(all.expect("reads"), [done[0], both[0], done[1], both[1]]);
    // One that is at it goes on; what is done is done again.
    request(&[one.id, two.id]).await;
    assert_eq!(to_do("a").await, [done[0], both[1]]);
    let gone = storage.request_rebuilds(&[], Duration::ZERO).await;
    gone.expect("requests");
    assert_eq!(to_do("a").await, []);
}
