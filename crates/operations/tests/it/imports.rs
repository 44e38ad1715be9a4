//! 1. An import creates a missing index, adds and replaces documents, and never removes any.
//! 2. Only the operator imports; an unknown store is reported.
//! 3. A block entirely above the plan is rejected document by document, so that the import continues.

use crate::world::{World, language, products};
use domain::store::PlanLimits;
use domain::{Caller, DocType};
use operations::import::{self, ImportBlock};

fn block(world: &World, ids: &[&str]) -> ImportBlock {
    ImportBlock {
        store: world.one.store.clone(),
        language: language("es"),
        doc_type: DocType::Products,
        run: None,
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
    assert_eq!((report.report.accepted, report.changes.new), (2, 2));
    import::block(&world.service, &operator, block(&world, &["2", "3"]))
        .await
        .expect("imports");
    assert_eq!(world.live(&world.one).await, ["1", "2", "3"]);
    let other = world
        .storage()
        .await
        .indices_of(&world.two.read_permit())
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

#[tokio::test]
async fn an_import_continues_above_the_plan() {
    let plan = PlanLimits {
        max_documents: [("products".to_owned(), 2)].into(),
        ..PlanLimits::default()
    };
    let world = World::with_plan(plan).await;
    let operator = Caller::operator();
    for (ids, accepted, rejected) in [
        (&["1", "2"][..], 2, vec![]),
        (
            &["3", "4"][..],
            0,
            vec![(0, "plan_limit"), (1, "plan_limit")],
        ),
        (&["5", "2"][..], 1, vec![(0, "plan_limit")]),
    ] {
        let report = import::block(&world.service, &operator, block(&world, ids))
            .await
            .expect("imports");
        let reported: Vec<(usize, &str)> = report
            .report
            .rejected
            .iter()
            .map(|r| (r.index, r.code))
            .collect();
        assert_eq!(
            (report.report.accepted, reported),
            (accepted, rejected),
            "{ids:?}"
        );
    }
    assert_eq!(world.live(&world.one).await, ["1", "2"]);
}
