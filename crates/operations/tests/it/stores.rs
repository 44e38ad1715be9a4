//! 1. Many concurrent requests for the detail of a store all end soon: none waits for a connection while holding one.

use crate::world::World;
use operations::stores;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::timeout;

#[tokio::test]
async fn many_details_at_once_do_not_wait_for_each_other() {
    let world = World::new().await;
    world.indices(&["es"]).await;
    let caller = world.caller(&world.one.reader).await;
    let mut requests = JoinSet::new();
    for _ in 0..32 {
        let (service, caller) = (world.service.clone(), caller.clone());
        let store = world.one.store.clone();
        requests.spawn(async move { stores::get(&service, &caller, &store).await });
    }
    let responses = timeout(Duration::from_secs(2), requests.join_all()).await;
    let responses = responses.expect("within 2 s");
    assert_eq!(responses.len(), 32);
    for response in responses {
        response.expect("a detail");
    }
}
