//! 1. Committed changes are there after the database is opened again; others are not.
//! 2. A missing directory is a clear error.

use crate::world::{NOW, World, entry, write_permit};
use storage::{Database, Storage, StorageError};

#[tokio::test]
async fn committed_changes_survive_reopening() {
    let world = World::new().await;
    let mut kept = world
        .storage
        .begin(&write_permit("s1"))
        .await
        .expect("opens")
        .expect("a store");
    kept.save_store("Kept", "").await.expect("saves");
    kept.commit(&entry(&["name"]), NOW).await.expect("commits");
    let mut lost = world
        .storage
        .begin(&write_permit("s2"))
        .await
        .expect("opens")
        .expect("a store");
    lost.save_store("Lost", "").await.expect("saves");
    drop(lost);
    world.storage.close().await;
    let again = Storage::open(&world.place.database)
        .await
        .expect("opens again");
    again.ping().await.expect("responds");
    let names: Vec<String> = again
        .stores()
        .await
        .expect("stores")
        .into_iter()
        .map(|s| s.name)
        .collect();
    assert_eq!(names, ["Kept", "Store s2"]);
}

#[tokio::test]
async fn a_missing_directory_is_reported() {
    let nowhere = Database::in_dir(std::path::Path::new("/nowhere/at/all"));
    let error = Storage::open(&nowhere).await.expect_err("no directory");
    assert!(matches!(error, StorageError::Open { .. }), "{error}");
    assert!(error.to_string().contains("/nowhere/at/all"));
}
