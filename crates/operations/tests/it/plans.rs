//! 1. Existing documents are always updated; new ones above the plan are rejected one by one, a block of only such as a
//!    whole.
//! 2. Languages above the plan are skipped; those with an index keep their slot.
//! 3. The default language goes before languages that are listed earlier.

use crate::world::{World, language, new_indices, products};
use domain::store::PlanLimits;
use operations::OperationError;
use operations::feed::indices;

fn plan() -> PlanLimits {
    PlanLimits {
        max_languages: Some(2),
        max_documents: [("products".to_owned(), 2)].into(),
        ..PlanLimits::default()
    }
}

#[tokio::test]
async fn documents_above_the_plan_are_rejected() {
    let world = World::with_plan(plan()).await;
    world.indices(&["es"]).await;
    let report = world
        .send(&world.one, None, products(&["1", "2", "3"]))
        .await
        .expect("sends");
    assert_eq!((report.accepted, report.rejected.len()), (2, 1));
    assert_eq!(
        (report.rejected[0].index, report.rejected[0].code),
        (2, "plan_limit")
    );
    let report = world
        .send(&world.one, None, products(&["1", "4"]))
        .await
        .expect("sends");
    assert_eq!((report.accepted, report.rejected.len()), (1, 1));
    let error = world
        .send(&world.one, None, products(&["3", "4"]))
        .await
        .expect_err("refused");
    let OperationError::PlanLimit { details, .. } = error else {
        panic!("the plan is named");
    };
    assert_eq!(details, serde_json::json!({"max": 2, "documents": 2}));
    world
        .delete(&world.one, &["1"], None)
        .await
        .expect("deletes");
    let report = world
        .send(&world.one, None, products(&["3"]))
        .await
        .expect("sends");
    assert_eq!(report.accepted, 1);
    let report = world
        .send(&world.two, None, products(&["1", "2", "3"]))
        .await
        .expect("sends");
    assert_eq!(report.accepted, 3);
}

#[tokio::test]
async fn languages_above_the_plan_are_skipped() {
    let world = World::with_plan(plan()).await;
    let caller = world.feeder(&world.one).await;
    let wanted = new_indices(&["es", "en", "fr"]);
    let report = indices::create(&world.service, &caller, wanted)
        .await
        .expect("makes");
    assert_eq!(report.languages.indexed, [language("es"), language("en")]);
    assert_eq!(report.languages.skipped[0].code, language("fr"));
    assert_eq!(report.indices.len(), 2);
    let report = indices::create(&world.service, &caller, new_indices(&["fr", "en"]))
        .await
        .expect("makes");
    assert_eq!(report.languages.indexed, [language("en")]);
    let error = indices::create(&world.service, &caller, new_indices(&["fr"]))
        .await
        .err();
    assert_eq!(error.map(|e| e.code()), Some("plan_limit"));
}

#[tokio::test]
async fn the_default_language_goes_first() {
    let world = World::with_plan(plan()).await;
    let caller = world.feeder(&world.one).await;
    let mut wanted = new_indices(&["en", "de", "fr", "it"]);
    for language in &mut wanted.languages {
        language.default = language.code == "fr";
    }
    let report = indices::create(&world.service, &caller, wanted)
        .await
        .expect("makes");
    assert_eq!(report.languages.indexed, [language("fr"), language("en")]);
    let skipped: Vec<_> = report.languages.skipped.iter().map(|s| &s.code).collect();
    assert_eq!(skipped, [&language("de"), &language("it")]);
}
