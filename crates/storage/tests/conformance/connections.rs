//! 1. Every connection has the configured journal mode, synchronisation, foreign keys and busy timeout.
//! 2. Committed changes are there after the database is opened again; others are not.
//! 3. A missing directory is a clear error.

use crate::world::{NOW, World, entry, write_permit};
use storage::{Storage, StorageError};

#[tokio::test]
async fn every_connection_has_the_settings_for_durability() {
    let world = World::new().await;
    let settings = world.storage.connection_settings().await.expect("settings");
    let wanted = [
        ("busy_timeout", "5000"),
        ("journal_mode", "wal"),
        ("synchronous", "2"),
        ("foreign_keys", "1"),
    ];
    assert_eq!(settings.len(), 3 * wanted.len());
    for (at, (name, value)) in settings.iter().enumerate() {
        assert_eq!((name.as_str(), value.as_str()), wanted[at % wanted.len()]);
    }
    world.storage.ping().await.expect("responds");
}

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
    let again = Storage::open(world.dir.path()).await.expect("opens again");
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
    let error = Storage::open(std::path::Path::new("/nowhere/at/all"))
        .await
        .expect_err("no directory");
    assert!(matches!(error, StorageError::Open { .. }), "{error}");
    assert!(error.to_string().contains("/nowhere/at/all"));
}
