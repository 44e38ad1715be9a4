//! 1. A move copies every row of every table, from a file to a server and back, with texts of any characters.
//! 2. A move that was interrupted leaves a target that nobody can use, and goes on behind what it has.
//! 3. A target with data stays as it is; a source that changed after an interruption is noticed.

use crate::cluster::Cluster;
use crate::place::{Place, address};
use crate::world::{NOW, World, operator, put};
use domain::{AccountId, IndexId};
use storage::analytics::LogBatch;
use storage::{
    AccountRow, AnalyticsStorage, AuditSubject, Database, MoveProgress, MoveTarget, MovedTable,
    Storage, move_log,
};

/// Documents of the first index: more than two pages.
const DOCUMENTS: usize = 620;

/// Tenants, an index of many documents, and names with characters that need care.
async fn filled() -> World {
    let world = World::new().await;
    let [one, two] = world.indices().await;
    let ids: Vec<String> = (0..DOCUMENTS).map(|n| format!("é'{n}\u{1f600}")).collect();
    let names: Vec<&str> = ids.iter().map(String::as_str).collect();
    put(&world, "s1", one, &names).await;
    put(&world, "s2", two, &["only"]).await;
    world
}

fn rows(moved: &[MovedTable], table: &str) -> u64 {
    let found = moved.iter().find(|one| one.table == table);
    found.expect("the table is moved").rows
}

/// Moves everything, and returns what was moved.
async fn moved(source: &Storage, target: &Database) -> Vec<MovedTable> {
    let target = MoveTarget::open(target).await.expect("opens");
    assert!(!target.is_begun());
    let moved = target.fill(source, &mut |_| {}).await.expect("moves");
    target.finish().await.expect("finishes");
    moved
}

/// Returns the documents of the first index.
async fn documents(storage: &Storage) -> usize {
    let row = storage.index(IndexId(1)).await.expect("reads");
    row.expect("an index")
        .documents
        .try_into()
        .expect("a count")
}

#[tokio::test]
async fn everything_is_moved() {
    let world = filled().await;
    let target = Place::new();
    let moved = moved(&world.storage, &target.database).await;
    assert_eq!(rows(&moved, "documents"), DOCUMENTS as u64 + 1);
    assert_eq!(rows(&moved, "stores"), 2);
    let storage = Storage::open(&target.database).await.expect("opens");
    assert_eq!(documents(&storage).await, DOCUMENTS);
    assert!(storage.wrong_counters().await.expect("reads").is_empty());
    storage.close().await;
}

#[tokio::test]
async fn a_move_to_a_server_and_back_is_exact() {
    let Some(cluster) = Cluster::start(None, &[]) else {
        return;
    };
    assert!(cluster.sql("postgres", "CREATE DATABASE there TEMPLATE template0"));
    let there = address(&cluster.url("there"));
    let world = filled().await;
    let first = moved(&world.storage, &there).await;
    let storage = Storage::open(&there).await.expect("opens");
    let back = tempfile::tempdir().expect("a directory");
    let second = moved(&storage, &Database::in_dir(back.path())).await;
    storage.close().await;
    assert_eq!(first, second);
}

/// Moves until `documents` rows of a table are copied, and ends there as a killed process does.
async fn interrupt(source: Storage, target: Database, documents: u64) {
    let target = MoveTarget::open(&target).await.expect("opens");
    let task = tokio::spawn(async move {
        let mut report = |progress: MoveProgress| {
            let here = progress.table == "documents" && progress.rows >= documents;
            assert!(!here, "the move is interrupted here");
        };
        target.fill(&source, &mut report).await.map(drop)
    });
    assert!(task.await.expect_err("interrupted").is_panic());
}

#[tokio::test]
async fn an_interrupted_move_goes_on() {
    let world = filled().await;
    let target = Place::new();
    interrupt(world.storage.clone(), target.database.clone(), 250).await;
    let unfinished = Storage::open(&target.database).await.expect_err("refused");
    assert!(unfinished.to_string().contains("repeat findwell move"));
    let again = MoveTarget::open(&target.database).await.expect("opens");
    assert!(again.is_begun());
    let mut copied = Vec::new();
    let mut report = |progress: MoveProgress| {
        copied.extend(
            (progress.table == "documents" && !progress.comparing).then_some(progress.rows),
        );
    };
    let moved = again
        .fill(&world.storage, &mut report)
        .await
        .expect("moves");
    again.finish().await.expect("finishes");
    assert_eq!(copied, [500, DOCUMENTS as u64 + 1]);
    assert_eq!(rows(&moved, "document_bodies"), DOCUMENTS as u64 + 1);
    let storage = Storage::open(&target.database).await.expect("opens");
    assert_eq!(documents(&storage).await, DOCUMENTS);
    storage.close().await;
}

#[tokio::test]
async fn a_changed_source_is_noticed() {
    let world = filled().await;
    let target = Place::new();
    interrupt(world.storage.clone(), target.database.clone(), 250).await;
    let mut change = world.storage.administer(&operator()).await.expect("opens");
    let early = AccountRow {
        id: AccountId("a0".to_owned()),
        name: "Came later, sorts first".to_owned(),
        created_at: NOW,
    };
    change.create_account(&early).await.expect("created");
    let subject = AuditSubject::default();
    let entry = crate::world::entry(&[]);
    change.commit(&entry, &subject, NOW).await.expect("commits");
    let again = MoveTarget::open(&target.database).await.expect("opens");
    let differs = again.fill(&world.storage, &mut |_| {}).await;
    let differs = differs.expect_err("differs").to_string();
    assert!(differs.contains("differs from the source"), "{differs}");
    again.close().await;
    Storage::open(&target.database)
        .await
        .expect_err("unfinished");
}

#[tokio::test]
async fn a_database_with_data_is_no_target() {
    let [world, other] = [World::new().await, World::new().await];
    other.storage.close().await;
    let refused = MoveTarget::open(&other.place.database).await;
    let refused = refused.expect_err("refused").to_string();
    assert!(refused.contains("holds data already"), "{refused}");
    let storage = Storage::open(&other.place.database).await;
    storage.expect("as before").close().await;
    world.storage.close().await;
}

#[tokio::test]
async fn the_search_log_is_moved() {
    let (source, target) = (Place::of_log(), Place::of_log());
    let (log, unusable) = AnalyticsStorage::open(source.database.clone()).await;
    assert!(unusable.is_none());
    let mut batch = LogBatch::default();
    for query in ["bota", "tienda"] {
        crate::analytics::add(&mut batch, "s1", 10, query, 1);
    }
    log.write(&batch).await.expect("writes");
    log.close().await;
    let moved = move_log(&source.database, &target.database, false, &mut |_| {}).await;
    let moved = moved.expect("moves");
    assert_eq!(rows(&moved, "search_queries"), 2);
    let twice = move_log(&source.database, &target.database, false, &mut |_| {}).await;
    let twice = twice.expect_err("refused").to_string();
    assert!(twice.contains("a search log already"), "{twice}");
    let again = move_log(&source.database, &target.database, true, &mut |_| {}).await;
    assert_eq!(again.expect("equal"), moved);
}
