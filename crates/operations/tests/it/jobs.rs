//! 1. Last uses reach storage by the job and by closing, to the minute.
//! 2. A client header is kept when it changes, an odd one too.

use crate::world::{World, open};
use domain::Caller;
use operations::feed::connect;
use operations::{jobs, keys};

#[tokio::test]
async fn last_uses_are_kept_to_the_minute() {
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
        .find(|k| k.id == id)
        .and_then(|k| k.last_used_at);
    assert_eq!(
        used.map(|t| t.to_string()).as_deref(),
        Some("2025-11-20T14:48:00Z")
    );
}

#[tokio::test]
async fn the_last_client_header_is_kept() {
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
            .connector(&world.one.store)
            .await
            .expect("reads");
        assert_eq!(row.map(|row| row.client).as_deref(), Some(client));
    }
    let row = world
        .storage()
        .await
        .connector(&world.two.store)
        .await
        .expect("reads");
    assert!(row.is_none());
}
