//! 1. An index that cannot be opened is tried again until it can, and then holds what was acknowledged meanwhile.
//! 2. An old copy of an index, with documents whose deletion storage has forgotten, is built anew.
//! 3. A store whose indexes are gone is complete again after a start.

use crate::world::{Tenant, World, open, products};
use domain::search::SearchRequest;
use domain::{Caller, DocType};
use operations::simulator::{self, RelevanceTest};
use operations::{Service, jobs, search};
use serde_json::json;
use std::path::Path;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(30);

async fn searchable(service: &Service, tenant: &Tenant) {
    let waited = service.wait_until_searchable(&tenant.store, PATIENCE).await;
    assert!(waited.expect("storage answers"), "the index stays behind");
}

/// Number of products that a shopper finds.
async fn total(service: &Service, tenant: &Tenant) -> u64 {
    let request = SearchRequest {
        types: Some(vec![DocType::Products]),
        lang: Some("es".to_owned()),
        ..SearchRequest::default()
    };
    let found = search::for_store(service, &Caller::operator(), &tenant.store, request).await;
    found.expect("a search").products.total
}

/// Whether a question equals a code of the index.
async fn is_code(service: &Service, tenant: &Tenant, q: &str) -> bool {
    let test: RelevanceTest =
        serde_json::from_value(json!({"q": q, "lang": "es"})).expect("a test");
    let simulated = simulator::test(service, &Caller::operator(), &tenant.store, test).await;
    simulated.expect("a simulation").query.code
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
async fn an_index_that_cannot_be_opened_is_tried_again() {
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
    world.service.close().await;
    std::fs::remove_dir_all(world.dir.path().join("indexes")).expect("removed");
    let service = open(&world.dir, &world.clock).await;
    assert_eq!(total(&service, &world.one).await, 3);
    service.close().await;
}
