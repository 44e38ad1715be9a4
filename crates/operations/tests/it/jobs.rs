//! 1. Last uses are stored by the job and by closing, to the minute.
//! 2. A client header is stored when it changes, even a malformed one.
//! 3. A run is removed 30 days after it ended, and is unknown then; an open one stays.

use crate::world::{World, open, products, scope_close};
use domain::Caller;
use operations::feed::{connect, runs};
use operations::{jobs, keys};

#[tokio::test]
async fn last_uses_are_stored_to_the_minute() {
    let world = World::new().await;
    jobs::last_uses::run(&world.service).await.expect("runs");
    world.clock.advance_ms(90_000);
    let caller = world.caller(&world.one.writer).await;
    let id = caller.key().expect("a key").id.clone();
    world.service.close().await;
    let again = open(&world.dir, &world.clock).await;
    let listed = keys::list(&again, &Caller::operator(), None)
        .await
        .expect("lists");
    let used = listed
        .into_iter()
        .find(|k| k.summary.id == id)
        .and_then(|k| k.summary.last_used_at);
    assert_eq!(
        used.map(|t| t.to_string()).as_deref(),
        Some("2025-11-20T14:48:00Z")
    );
}

#[tokio::test]
async fn the_last_client_header_is_stored() {
    let world = World::new().await;
    for client in [
        "prestashop/1.0.0; platform=9.0.0; php=8.1.0",
        "<odd>",
        "prestashop/1.1.0",
    ] {
        let mut caller = world.feeder(&world.one).await;
        caller.client = Some(client.to_owned());
        connect::connect(&world.service, &caller)
            .await
            .expect("connects");
        let row = world
            .storage()
            .await
            .connector(&world.one.read_permit())
            .await
            .expect("reads");
        assert_eq!(row.map(|row| row.client).as_deref(), Some(client));
    }
    let row = world
        .storage()
        .await
        .connector(&world.two.read_permit())
        .await
        .expect("reads");
    assert!(row.is_none());
}

#[tokio::test]
async fn ended_runs_are_removed_after_30_days() {
    const HOUR: i64 = 3_600_000;
    let world = World::new().await;
    world.indices(&["es"]).await;
    let mut runs = Vec::new();
    for (tenant, name) in [(&world.one, "first"), (&world.one, "second")] {
        let run = world.open_run(tenant, name).await.expect("opens").run_id;
        let sent = world.send(tenant, Some(&run), products(&["1"])).await;
        sent.expect("is stored");
        let closed = world.close_run(tenant, &run, vec![scope_close(1, 0)]);
        closed.await.expect("closes");
        runs.push(run);
        world.clock.advance_ms(HOUR);
    }
    world.clock.advance_ms((30 * 24 - 2) * HOUR - 1);
    let open = world.open_run(&world.two, "open").await.expect("opens");
    let caller = world.feeder(&world.one).await;
    let known = async |at: usize| {
        let run = runs::get(&world.service, &caller, &runs[at]).await;
        run.map(|run| run.state).map_err(|error| error.code())
    };
    for (later, rows, states) in [
        (0, 0, [Ok("closed"), Ok("closed")]),
        (1, 1, [Err("run_gone"), Ok("closed")]),
        (HOUR, 1, [Err("run_gone"), Err("run_gone")]),
    ] {
        world.clock.advance_ms(later);
        let report = jobs::ended_runs::run(&world.service).await.expect("runs");
        assert_eq!(report.rows, rows);
        assert_eq!([known(0).await, known(1).await], states);
    }
    // The shop may reuse the client id of a removed run.
    let again = world.open_run(&world.one, "first").await.expect("opens");
    assert!(!again.resumed);
    let caller = world.feeder(&world.two).await;
    let other = runs::get(&world.service, &caller, &open.run_id).await;
    assert_eq!(other.expect("is known").state, "open");
}
