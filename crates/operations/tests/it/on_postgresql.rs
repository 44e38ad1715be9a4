//! All other tests once more, with databases on a PostgreSQL server, less those about SQLite's file; and what differs.
//!
//! 1. A missing master key is never created, and another key than the first one is refused.
//! 2. A backup is refused and names what to use.

use crate::cluster::Cluster;
use crate::each_test::{Selection, run_again};
use domain::Caller;
use operations::{
    DataLocations, DatabaseUrl, OperationError, Service, ServiceOptions, backup, causes,
};
use storage::{Database, Storage};
use tokio::runtime::Runtime;

/// Tests that copy or damage the file, or look at its copy.
const OF_FILES: [&str; 2] = [
    "acknowledged_documents_survive_a_restart",
    "a_backup_leaves_out_indexes_without_files",
];

#[test]
fn everything_but_files() {
    let tests = Selection {
        skipped: &OF_FILES,
        ..Selection::default()
    };
    run_again(&tests, |template| {
        let database = Database::Url(DatabaseUrl::parse(template, None).expect("an address"));
        Runtime::new().expect("a runtime").block_on(async {
            Storage::open(&database)
                .await
                .expect("migrates")
                .close()
                .await;
        });
    });
}

#[tokio::test]
async fn keys_are_compared_and_backups_refused() {
    let Some(cluster) = Cluster::start(None, &[]) else {
        return;
    };
    assert!(cluster.sql("postgres", "CREATE DATABASE shop"));
    let dir = tempfile::tempdir().expect("a directory");
    let key = dir.path().join("shared.key");
    let open = async || {
        let url = DatabaseUrl::parse(&cluster.url("shop"), None);
        let locations = DataLocations {
            database: Some(url.expect("an address")),
            master_key: Some(key.clone()),
            ..DataLocations::default()
        };
        let options = ServiceOptions {
            locations,
            ..ServiceOptions::new(dir.path().join("data"))
        };
        Service::open(options).await
    };
    let refused = async || {
        let error = open().await.err().expect("refused");
        causes(&error)
    };
    let missing = refused().await;
    assert!(missing.contains("shared.key") && !key.exists(), "{missing}");
    std::fs::write(&key, [1; 32]).expect("written");
    let service = open().await.expect("opens");
    let to = dir.path().join("backup");
    let error = backup::create(&service, &Caller::operator(), to.clone()).await;
    match error.expect_err("refused") {
        OperationError::Conflict { message, .. } => {
            let text = message.to_string();
            assert!(
                text.contains("pg_dump") && text.contains("shared.key"),
                "{text}"
            );
        }
        other => panic!("{other:?}"),
    }
    assert!(!to.exists());
    service.close().await;
    std::fs::write(&key, [2; 32]).expect("written");
    let other = refused().await;
    assert!(other.contains("not the one"), "{other}");
    std::fs::write(&key, [1; 32]).expect("written");
    open().await.expect("opens again").close().await;
}
