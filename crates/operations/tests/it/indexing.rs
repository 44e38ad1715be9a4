//! 1. An index that cannot be opened is retried until it can, and then holds what was acknowledged in the meantime.
//! 2. An old copy of an index, with documents whose deletion marks are removed already, is rebuilt.
//! 3. A store whose indexes are lost is complete again after a start, even if prices changed after the texts.
//! 4. While an index is rebuilt every search has its results, and changes in the meantime are in both indexes.
//! 5. Two concurrent rebuilds of one index are one.
//! 6. After concurrent blocks and deletions, searches show exactly what is stored, with prices and names.

use crate::world::{Tenant, World, index_of, open, products, shopper, total};
use domain::relevance::BoostMerging;
use domain::search::SearchRequest;
use domain::{Caller, DocType};
use operations::indexing::Rebuild;
use operations::reindex::{self, ReindexState};
use operations::simulator::{self, RelevanceTest, SimulationHit, Tested};
use operations::{Service, jobs, search};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(30);

async fn searchable(service: &Service, tenant: &Tenant) {
    let waited = service.wait_until_searchable(&tenant.store, PATIENCE).await;
    assert!(waited.expect("storage answers"), "the index stays behind");
}

/// Whether a query equals a code in the index.
async fn is_code(service: &Service, tenant: &Tenant, q: &str) -> bool {
    let test: RelevanceTest =
        serde_json::from_value(json!({"q": q, "lang": "es"})).expect("a test");
    let simulated = simulator::test::<SimulationHit>(
        service,
        &Caller::operator(),
        &tenant.store,
        test,
        BoostMerging::Replace,
    )
    .await;
    match simulated.expect("a simulation").data {
        Tested::Full(simulation) => simulation.query.code,
        Tested::Moves(_) | Tested::Bare(_) => panic!("one query is explained"),
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).expect("a copy");
        }
    }
}

#[tokio::test]
async fn an_index_that_cannot_be_opened_is_retried() {
    let world = World::new().await;
    let indexes = world.dir.path().join("indexes");
    std::fs::write(&indexes, "in the way").expect("a file");
    world.indices(&["es"]).await;
    let sent = world.send(&world.one, None, products(&["1", "2"])).await;
    assert_eq!(sent.expect("stored").accepted, 2);
    std::fs::remove_file(&indexes).expect("out of the way");
    searchable(&world.service, &world.one).await;
    assert_eq!(total(&world.service, &world.one).await, 2);
    world.service.close().await;
}

#[tokio::test]
async fn an_old_copy_of_an_index_keeps_no_ghosts() {
    let world = World::new().await;
    let indexes = world.dir.path().join("indexes");
    let aside = tempfile::tempdir().expect("a directory");
    world.indices(&["es"]).await;
    let mut documents = products(&["1", "2", "3"]);
    documents[1]["reference"] = json!("GHOST-2");
    world
        .send(&world.one, None, documents)
        .await
        .expect("stored");
    searchable(&world.service, &world.one).await;
    assert!(is_code(&world.service, &world.one, "ghost 2").await);
    world.service.close().await;
    copy(&indexes, aside.path());

    let service = open(&world.dir, &world.clock).await;
    let world = World { service, ..world };
    world
        .delete(&world.one, &["2"], None)
        .await
        .expect("deleted");
    searchable(&world.service, &world.one).await;
    world.clock.advance_ms(25 * 3_600_000);
    jobs::deletion_marks::run(&world.service)
        .await
        .expect("runs");
    world.service.close().await;

    std::fs::remove_dir_all(&indexes).expect("removed");
    copy(aside.path(), &indexes);
    let service = open(&world.dir, &world.clock).await;
    assert_eq!(total(&service, &world.one).await, 2);
    assert!(!is_code(&service, &world.one, "ghost 2").await);
    service.close().await;
}

#[tokio::test]
async fn a_store_without_indexes_is_complete_again() {
    let world = World::new().await;
    world.indices(&["es"]).await;
    world
        .send(&world.one, None, products(&["1", "2", "3"]))
        .await
        .expect("stored");
    // Now there is an index that can be removed.
    searchable(&world.service, &world.one).await;
    world.service.close().await;
    std::fs::remove_dir_all(world.dir.path().join("indexes")).expect("removed");
    let service = open(&world.dir, &world.clock).await;
    assert_eq!(total(&service, &world.one).await, 3);
    service.close().await;
}

#[tokio::test]
async fn a_text_is_not_lost_because_its_price_changed_later() {
    let world = World::new().await;
    world.indices(&["es"]).await;
    // More than one batch of the indexer.
    let ids: Vec<String> = (0..4_100).map(|id| id.to_string()).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    world.store(&world.one, products(&ids)).await;
    let mut repriced = products(&["0"]);
    repriced[0]["priceInclTax"] = json!(99.5);
    world.store(&world.one, repriced).await;
    searchable(&world.service, &world.one).await;
    assert_eq!(total(&world.service, &world.one).await, 4_100);
    world.service.close().await;
    std::fs::remove_dir_all(world.dir.path().join("indexes")).expect("removed");
    let service = open(&world.dir, &world.clock).await;
    assert_eq!(total(&service, &world.one).await, 4_100);
    service.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rebuild_does_not_affect_searches() {
    let world = World::new().await;
    world.indices(&["es"]).await;
    let ids: Vec<String> = (0..1_000).map(|id| id.to_string()).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    world.store(&world.one, products(&ids)).await;
    searchable(&world.service, &world.one).await;
    let operator = Caller::operator();
    let store = Some(&world.one.store);
    let started = reindex::start(&world.service, &operator, store).await;
    let indexes: Vec<_> = started.expect("starts").iter().map(|i| i.index).collect();
    let mut found = Vec::new();
    let mut more = 0..;
    loop {
        found.push(total(&world.service, &world.one).await);
        let id = format!("new-{}", more.next().expect("endless"));
        let sent = world.send(&world.one, None, products(&[&id])).await;
        sent.expect("stored");
        let statuses = reindex::progress(&world.service, &operator, &indexes).await;
        let statuses = statuses.expect("a progress");
        assert!(
            statuses
                .iter()
                .all(|index| index.state != ReindexState::Failed)
        );
        if statuses
            .iter()
            .all(|index| index.state == ReindexState::Done)
        {
            break;
        }
    }
    assert!(found.is_sorted() && found[0] >= 1_000, "{found:?}");
    searchable(&world.service, &world.one).await;
    let all = 1_000 + more.start;
    assert_eq!(total(&world.service, &world.one).await, all);
    let folder = world
        .dir
        .path()
        .join("indexes")
        .join(indexes[0].to_string());
    let names = std::fs::read_dir(folder).expect("a folder");
    let names: Vec<_> = names.map(|e| e.expect("an entry").file_name()).collect();
    assert_eq!(names, ["2"]);
    world.service.close().await;
}

#[tokio::test]
async fn two_concurrent_rebuilds_are_one() {
    let world = World::new().await;
    world.indices(&["es"]).await;
    world
        .send(&world.one, None, products(&["1"]))
        .await
        .expect("stored");
    let row = index_of(&world.storage().await, &world.one).await;
    let indexing = world.service.indexing();
    let (mut one, two) = (indexing.rebuild(&row), indexing.rebuild(&row));
    assert!(one.same_channel(&two));
    let end = one
        .wait_for(Rebuild::is_over)
        .await
        .expect("an end")
        .clone();
    assert_eq!(end, Rebuild::Done);
    let mut next = indexing.rebuild(&row);
    assert!(!next.same_channel(&two));
    let end = next
        .wait_for(Rebuild::is_over)
        .await
        .expect("an end")
        .clone();
    assert_eq!(end, Rebuild::Done);
    world.service.close().await;
}

/// Names and prices of all products, by id, as a shopper sees them.
async fn shown(service: &Service, tenant: &Tenant) -> BTreeMap<String, (String, Option<f64>)> {
    let request = SearchRequest {
        types: Some(vec![DocType::Products]),
        lang: Some("es".to_owned()),
        limit: Some(50),
        ..SearchRequest::default()
    };
    let found = search::search(service, &shopper(&tenant.store), request).await;
    let hits = found.expect("a search").products.hits.into_iter();
    hits.map(|hit| (hit.id, (hit.name, hit.price))).collect()
}

/// Names and prices of all products, by id, as they are stored.
async fn stored(world: &World) -> BTreeMap<String, (String, Option<f64>)> {
    let storage = world.storage().await;
    let index = index_of(&storage, &world.one).await;
    let live = storage
        .live_documents(index.id, None, crate::world::PAGE)
        .await;
    let bodies = live.expect("reads").documents.into_iter().map(|document| {
        let body: Value = serde_json::from_str(&document.body).expect("a stored text");
        let name = body["name"].as_str().expect("a name").to_owned();
        (document.id, (name, body["priceInclTax"].as_f64()))
    });
    bodies.collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn searches_show_what_concurrent_writes_stored() {
    let world = World::new().await;
    world.indices(&["es"]).await;
    let block = |ids: Range<u32>, round: u32, renamed: bool| -> Vec<Value> {
        let product = |id: u32| {
            let name = if renamed {
                format!("Name {round}")
            } else {
                "Name".to_owned()
            };
            let price = f64::from(round * 10 + ids.start) + 0.5;
            json!({"id": id.to_string(), "name": name, "priceInclTax": price})
        };
        ids.clone().map(product).collect()
    };
    for round in 0..25 {
        // One block first, so that the index may or may not have caught up with it.
        let alone = world.send(&world.one, None, block(0..9, round, false));
        alone.await.expect("stored");
        let (numbers, texts, gone) = tokio::join!(
            world.send(&world.one, None, block(3..7, round, false)),
            world.send(&world.one, None, block(5..12, round, round % 3 == 0)),
            world.delete(&world.one, &["4", "8"], None),
        );
        let stored_blocks = [numbers.expect("stored"), texts.expect("stored")];
        assert_eq!(stored_blocks.map(|report| report.rejected.len()), [0, 0]);
        gone.expect("deleted");
        searchable(&world.service, &world.one).await;
        assert_eq!(
            shown(&world.service, &world.one).await,
            stored(&world).await,
            "round {round}"
        );
    }
    world.service.close().await;
}
