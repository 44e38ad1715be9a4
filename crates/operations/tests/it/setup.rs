//! 1. Connecting returns the store of the key and the capabilities of this version.
//! 2. Indices are created once, per type and language, and their languages are added to the store.
//! 3. A request without a language, with two default ones or with a duplicate fails.
//! 4. Feed operations reject every other kind of key.

use crate::world::{World, new_indices};
use domain::DocType;
use operations::OperationError;
use operations::feed::{FeedCaller, connect, indices};

#[tokio::test]
async fn connecting_returns_the_store() {
    let world = World::new().await;
    let caller = world.feeder(&world.one).await;
    let connected = connect::connect(&world.service, &caller)
        .await
        .expect("connects");
    assert_eq!(connected.store_id, world.one.store);
    assert_eq!(connected.limits.bulk_documents, 500);
    assert!(connected.capabilities.contains(&"touch"));
    assert!(connected.capabilities.contains(&"clear"));
    assert!(!connected.capabilities.contains(&"events"));
}

#[tokio::test]
async fn other_kinds_of_keys_are_rejected() {
    let world = World::new().await;
    for key in [&world.one.writer, &world.one.account_key] {
        let caller = FeedCaller {
            caller: world.caller(key).await,
            client: Some("odd".to_owned()),
        };
        let error = connect::connect(&world.service, &caller)
            .await
            .expect_err("refused");
        assert!(matches!(
            error,
            OperationError::Forbidden {
                code: "key_kind",
                ..
            }
        ));
    }
}

#[tokio::test]
async fn indices_are_created_once() {
    let world = World::new().await;
    let caller = world.feeder(&world.one).await;
    let mut wanted = new_indices(&["es", "en-gb"]);
    wanted.types = DocType::ALL.to_vec();
    let report = indices::create(&world.service, &caller, wanted.clone())
        .await
        .expect("makes");
    assert_eq!(report.indices.len(), 8);
    assert!(report.indices.iter().all(|i| i.status == "created"));
    let report = indices::create(&world.service, &caller, wanted)
        .await
        .expect("makes");
    assert!(report.indices.iter().all(|i| i.status == "exists"));
    let store = world
        .storage()
        .await
        .store(&world.one.read_permit())
        .await
        .expect("reads")
        .expect("a store");
    let languages: Vec<&str> = store.languages.iter().map(|l| l.as_str()).collect();
    assert_eq!(languages, ["es", "en-gb"]);
    let other = world
        .storage()
        .await
        .indices_of(&world.two.read_permit())
        .await
        .expect("reads");
    assert!(other.is_empty());
}

#[tokio::test]
async fn invalid_requests_for_indices_are_rejected() {
    let world = World::new().await;
    let caller = world.feeder(&world.one).await;
    let mut two_defaults = new_indices(&["es", "en"]);
    two_defaults.languages[1].default = true;
    for wanted in [
        new_indices(&[]),
        two_defaults,
        new_indices(&["es", "ES"]),
        new_indices(&["español"]),
    ] {
        let error = indices::create(&world.service, &caller, wanted).await.err();
        assert_eq!(error.map(|e| e.code()), Some("invalid_request"));
    }
}
