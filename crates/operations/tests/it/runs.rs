//! 1. A close purges documents that the run neither sent nor touched and that were not written since; writes of hooks
//!    during the run count, even if they changed nothing.
//! 2. A stale document counts as sent; an unknown or changed one is not touched.
//! 3. Different counts, nothing seen, and scopes that are not listed purge nothing.
//! 4. The same `clientRunId` resumes its run; another run on the scope fails; closing twice returns the same.
//! 5. A run that ended, expired or never existed is gone; another store's run does not exist.

use crate::world::{World, index_of, language, new_run, product, products, scope_close};
use domain::RunId;
use domain::feed::ScopeStatus;
use operations::feed::runs;
use operations::jobs;
use serde_json::json;

#[tokio::test]
async fn a_close_purges_what_the_shop_no_longer_has() {
    let world = World::new().await;
    world.indices(&["es"]).await;
    let all = ["sent", "touched", "gone", "hook", "hook same"];
    world
        .send(&world.one, None, products(&all))
        .await
        .expect("sends");
    world
        .send(&world.two, None, products(&["gone"]))
        .await
        .expect("sends");
    let run = world
        .open_run(&world.one, "c1")
        .await
        .expect("opens")
        .run_id;
    world
        .send(&world.one, Some(&run), products(&["sent", "new"]))
        .await
        .expect("sends");
    world
        .send(&world.one, Some(&run), products(&["sent"]))
        .await
        .expect("sends");
    let touched = world
        .touch(&world.one, &run, &[("touched", "sha1:touched")])
        .await
        .expect("touches");
    assert_eq!(touched.touched, 1);
    let mut hook = product("hook", 0);
    hook["name"] = json!("Changed by a hook");
    world
        .send(&world.one, None, vec![hook, product("hook same", 0)])
        .await
        .expect("sends");
    let closed = world
        .close_run(&world.one, &run, vec![scope_close(2, 1)])
        .await
        .expect("closes");
    let scope = &closed.scopes[0];
    assert_eq!(
        (scope.status, scope.seen, scope.purged, scope.documents),
        (ScopeStatus::Purged, 3, 1, 5)
    );
    assert_eq!(
        world.live(&world.one).await,
        ["sent", "touched", "hook", "hook same", "new"]
    );
    assert_eq!(world.live(&world.two).await, ["gone"]);
    let again = world
        .close_run(&world.one, &run, Vec::new())
        .await
        .expect("answers again");
    assert_eq!(again, closed);
    let caller = world.feeder(&world.one).await;
    let view = runs::get(&world.service, &caller, &run)
        .await
        .expect("reads");
    assert_eq!(
        (view.state, view.scopes[0].purged, view.expires_at),
        ("closed", Some(1), None)
    );
    let gone = world
        .send(&world.one, Some(&run), products(&["x"]))
        .await
        .err();
    assert_eq!(gone.map(|e| e.code()), Some("run_gone"));
    let gone = world.touch(&world.one, &run, &[("x", "")]).await.err();
    assert_eq!(gone.map(|e| e.code()), Some("run_gone"));
    assert!(!world.live(&world.one).await.contains(&"x".to_owned()));
}

#[tokio::test]
async fn a_purged_document_comes_back_when_it_is_sent() {
    let world = World::new().await;
    world.indices(&["es"]).await;
    world
        .send(&world.one, None, products(&["stays", "comes back"]))
        .await
        .expect("sends");
    let run = world
        .open_run(&world.one, "c1")
        .await
        .expect("opens")
        .run_id;
    world
        .touch(&world.one, &run, &[("stays", "sha1:stays")])
        .await
        .expect("touches");
    let closed = world
        .close_run(&world.one, &run, vec![scope_close(0, 1)])
        .await
        .expect("closes");
    assert_eq!(closed.scopes[0].purged, 1);
    let report = world
        .send(&world.one, None, products(&["comes back"]))
        .await
        .expect("sends");
    assert_eq!(report.accepted, 1);
    assert_eq!(
        index_of(&world.storage().await, &world.one).await.documents,
        2
    );
}

#[tokio::test]
async fn stale_documents_count_as_sent_and_unknown_ones_are_reported() {
    let world = World::new().await;
    world.indices(&["es"]).await;
    world
        .send(&world.one, None, products(&["newer", "deleted", "other"]))
        .await
        .expect("sends");
    world
        .delete(&world.one, &["deleted"], None)
        .await
        .expect("deletes");
    let run = world
        .open_run(&world.one, "c1")
        .await
        .expect("opens")
        .run_id;
    let block = vec![product("newer", -1), product("deleted", -1)];
    let report = world
        .send(&world.one, Some(&run), block)
        .await
        .expect("sends");
    assert_eq!((report.accepted, report.stale.len()), (0, 2));
    let items = [
        ("other", "sha1:old"),
        ("deleted", "sha1:deleted"),
        ("never", ""),
        ("newer", "sha1:newer"),
    ];
    let report = world
        .touch(&world.one, &run, &items)
        .await
        .expect("touches");
    assert_eq!(report.touched, 1);
    assert_eq!(report.changed, ["other"]);
    assert_eq!(report.missing, ["deleted", "never"]);
    let closed = world
        .close_run(&world.one, &run, vec![scope_close(2, 0)])
        .await
        .expect("closes");
    assert_eq!(
        (closed.scopes[0].status, closed.scopes[0].seen),
        (ScopeStatus::Purged, 2)
    );
    assert_eq!(world.live(&world.one).await, ["newer"]);
}

#[tokio::test]
async fn counts_that_differ_purge_nothing() {
    let world = World::new().await;
    world.indices(&["es"]).await;
    world
        .send(&world.one, None, products(&["1", "2"]))
        .await
        .expect("sends");
    let cases = [
        (
            "mismatch",
            vec![scope_close(2, 0)],
            Some("1"),
            ScopeStatus::Mismatch,
        ),
        ("skipped", Vec::new(), Some("1"), ScopeStatus::Skipped),
        ("empty", vec![scope_close(0, 0)], None, ScopeStatus::Empty),
    ];
    for (client, scopes, sent, status) in cases {
        let run = world
            .open_run(&world.one, client)
            .await
            .expect("opens")
            .run_id;
        if let Some(id) = sent {
            world
                .send(&world.one, Some(&run), products(&[id]))
                .await
                .expect("sends");
        }
        let closed = world
            .close_run(&world.one, &run, scopes)
            .await
            .expect("closes");
        assert_eq!(
            (closed.scopes[0].status, closed.scopes[0].purged),
            (status, 0),
            "{client}"
        );
    }
    assert_eq!(world.live(&world.one).await.len(), 2);
    let run = world
        .open_run(&world.one, "allowed")
        .await
        .expect("opens")
        .run_id;
    let mut allowed = scope_close(0, 0);
    allowed.allow_empty = true;
    let closed = world
        .close_run(&world.one, &run, vec![allowed])
        .await
        .expect("closes");
    assert_eq!(
        (closed.scopes[0].purged, closed.scopes[0].documents),
        (2, 0)
    );
}

#[tokio::test]
async fn a_run_is_resumed_and_holds_its_scopes() {
    let world = World::new().await;
    world.indices(&["es", "en"]).await;
    let first = world.open_run(&world.one, "c1").await.expect("opens");
    assert!(!first.resumed);
    assert_eq!(first.expires_at, first.opened_at.plus_hours(48));
    let again = world.open_run(&world.one, "c1").await.expect("finds");
    assert!(again.resumed && again.run_id == first.run_id && again.scopes == first.scopes);
    let error = world.open_run(&world.one, "c2").await.expect_err("refused");
    assert_eq!(error.code(), "run_open");
    assert_eq!(
        error.details().expect("details")["runId"],
        json!(first.run_id)
    );
    let caller = world.feeder(&world.one).await;
    let mut english = new_run("c3");
    english.languages = vec![language("en")];
    let english = runs::open(&world.service, &caller, english)
        .await
        .expect("another scope");
    let error = world
        .send(&world.one, Some(&english.run_id), products(&["1"]))
        .await
        .err();
    assert_eq!(
        error.map(|e| e.to_string()).as_deref(),
        Some("runId: the run does not cover products in es")
    );
    // The other tenant may use the same client id.
    world.open_run(&world.two, "c1").await.expect("opens");
    let mut missing = new_run("c4");
    missing.languages = vec![language("fr")];
    let error = runs::open(&world.service, &caller, missing).await.err();
    assert_eq!(error.map(|e| e.code()), Some("index_missing"));
}

#[tokio::test]
async fn a_run_expires_48_hours_after_its_last_use() {
    let world = World::new().await;
    world.indices(&["es"]).await;
    world
        .send(&world.one, None, products(&["1"]))
        .await
        .expect("sends");
    let run = world
        .open_run(&world.one, "c1")
        .await
        .expect("opens")
        .run_id;
    world.clock.advance_ms(47 * 3_600_000);
    world
        .touch(&world.one, &run, &[("1", "sha1:1")])
        .await
        .expect("is a use");
    world.clock.advance_ms(48 * 3_600_000 - 1);
    let caller = world.feeder(&world.one).await;
    let view = runs::get(&world.service, &caller, &run)
        .await
        .expect("reads");
    assert_eq!(view.state, "open");
    world.clock.advance_ms(1);
    let view = runs::get(&world.service, &caller, &run)
        .await
        .expect("reads");
    assert_eq!((view.state, view.scopes[0].seen), ("expired", 1));
    let gone = world
        .close_run(&world.one, &run, vec![scope_close(0, 1)])
        .await
        .err();
    assert_eq!(gone.map(|e| e.code()), Some("run_gone"));
    let gone = world.open_run(&world.one, "c1").await.err();
    assert_eq!(gone.map(|e| e.code()), Some("run_gone"));
    world
        .open_run(&world.one, "c2")
        .await
        .expect("the scope is free");
    world.clock.advance_ms(48 * 3_600_000);
    let report = jobs::expired_runs::run(&world.service).await.expect("runs");
    assert_eq!(report.rows, 1);
    assert_eq!(world.live(&world.one).await, ["1"]);
}

#[tokio::test]
async fn a_run_of_another_store_does_not_exist() {
    let world = World::new().await;
    world.indices(&["es"]).await;
    let run = world
        .open_run(&world.one, "c1")
        .await
        .expect("opens")
        .run_id;
    let caller = world.feeder(&world.two).await;
    for id in [run, RunId::from("run_never")] {
        let code = |error: operations::OperationError| error.code();
        let got = runs::get(&world.service, &caller, &id)
            .await
            .err()
            .map(code);
        assert_eq!(got, Some("run_gone"));
        let got = world
            .close_run(&world.two, &id, Vec::new())
            .await
            .err()
            .map(code);
        assert_eq!(got, Some("run_gone"));
        let got = world
            .send(&world.two, Some(&id), products(&["1"]))
            .await
            .err()
            .map(code);
        assert_eq!(got, Some("run_gone"));
    }
}

#[tokio::test]
async fn a_close_lists_each_covered_scope_once() {
    let world = World::new().await;
    world.indices(&["es"]).await;
    let run = world
        .open_run(&world.one, "c1")
        .await
        .expect("opens")
        .run_id;
    let mut other = scope_close(0, 0);
    other.language = language("en");
    for scopes in [vec![other], vec![scope_close(0, 0), scope_close(0, 0)]] {
        let error = world.close_run(&world.one, &run, scopes).await.err();
        assert_eq!(error.map(|e| e.code()), Some("invalid_request"));
    }
    let many: Vec<(String, String)> = (0..2_001).map(|n| (n.to_string(), String::new())).collect();
    let items: Vec<(&str, &str)> = many.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let error = world.touch(&world.one, &run, &items).await.err();
    assert_eq!(error.map(|e| e.code()), Some("too_many_documents"));
    let report = world
        .touch(&world.one, &run, &items[..2_000])
        .await
        .expect("touches");
    assert_eq!(report.missing.len(), 2_000);
}
