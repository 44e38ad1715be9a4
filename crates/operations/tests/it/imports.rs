//! 1. An import makes the index that is missing, adds and replaces, and never removes.
//! 2. Nobody but the operator imports; a store that is not there is told.

use crate::world::{World, language, products};
use domain::{Caller, DocType};
use operations::import::{self, ImportBlock};

fn block(world: &World, ids: &[&str]) -> ImportBlock {
    ImportBlock {
        store: world.one.store.clone(),
        language: language("es"),
        doc_type: DocType::Products,
        documents: products(ids),
    }
}

#[tokio::test]
async fn an_import_adds_and_replaces() {
    let world = World::new().await;
    let operator = Caller::operator();
    let report = import::block(&world.service, &operator, block(&world, &["1", "2"]))
        .await
        .expect("imports");
    assert_eq!(report.accepted, 2);
    import::block(&world.service, &operator, block(&world, &["2", "3"]))
        .await
        .expect("imports");
    assert_eq!(world.live(&world.one).await, ["1", "2", "3"]);
    let other = world
        .storage()
        .await
        .indices_of(&world.two.store)
        .await
        .expect("reads");
    assert!(other.is_empty());
}

#[tokio::test]
async fn only_the_operator_imports() {
    let world = World::new().await;
    let caller = world.caller(&world.one.connector).await;
    let error = import::block(&world.service, &caller, block(&world, &["1"]))
        .await
        .err();
    assert_eq!(error.map(|e| e.code()), Some("key_kind"));
    let mut nowhere = block(&world, &["1"]);
    nowhere.store = "nowhere".into();
    let error = import::block(&world.service, &Caller::operator(), nowhere)
        .await
        .err();
    assert_eq!(error.map(|e| e.code()), Some("not_found"));
}
