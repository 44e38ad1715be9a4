//! 1. Many details of a store that are asked for at once are all answered soon: nobody waits for a connection while
//!    holding one.

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
    let mut asked = JoinSet::new();
    for _ in 0..32 {
        let (service, caller) = (world.service.clone(), caller.clone());
        let store = world.one.store.clone();
        asked.spawn(async move { stores::get(&service, &caller, &store).await });
    }
    let answers = timeout(Duration::from_secs(2), asked.join_all()).await;
    let answers = answers.expect("within 2 s");
    assert_eq!(answers.len(), 32);
    for answer in answers {
        answer.expect("a detail");
    }
}
