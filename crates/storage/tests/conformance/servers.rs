//! 1. A server or database that cannot be used is refused with what to do: its collation, its connections, what commits
//!    wait for, the other one's tables; it is not changed.
//! 2. The errors that a server reports have the class of what happened, and no password in their texts.
//! 3. One service at a time claims a database; the next one can when it is closed.
//! 4. A database is opened to be read only when it is of this version, and nothing is written through it.
//! 5. A search log that is not reachable fails at once, and is there again without a restart.
//! 6. A certificate of the own authority is accepted for its host only, and one of an unknown authority for none.

use crate::certificates::certify_localhost;
use crate::cluster::Cluster;
use crate::place::address;
use crate::world::{NOW, entry, operator};
use domain::AccountId;
use std::error::Error;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, chown};
use storage::analytics::LogBatch;
use storage::{
    AccountRow, AnalyticsStorage, AuditSubject, Database, DatabaseUrl, ErrorClass, Storage,
    StorageError,
};

/// The error with its causes.
fn text(error: &StorageError) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text.push_str(&format!(": {inner}"));
        cause = inner.source();
    }
    text
}

async fn refusal(cluster: &Cluster, database: &str) -> String {
    let opened = Storage::open(&address(&cluster.url(database))).await;
    text(&opened.expect_err("it cannot be used"))
}

fn created(cluster: &Cluster, name: &str, options: &str) {
    let create = format!("CREATE DATABASE {name} TEMPLATE template0 {options}");
    assert!(cluster.sql("postgres", &create), "{}", cluster.log());
}

#[tokio::test]
async fn what_cannot_be_used_is_refused() {
    let Some(cluster) = Cluster::start(None, &[]) else {
        return;
    };
    for (name, options, expected) in [
        (
            "sorted",
            "LOCALE_PROVIDER icu ICU_LOCALE 'en'",
            "LOCALE 'C.UTF-8'",
        ),
        ("bytes", "ENCODING 'SQL_ASCII' LOCALE 'C'", "UTF8"),
        (
            "narrow",
            "CONNECTION LIMIT 9",
            "the database allows 9 connections",
        ),
    ] {
        created(&cluster, name, options);
        let refusal = refusal(&cluster, name).await;
        assert!(refusal.contains(expected), "{refusal}");
        assert!(
            cluster.sql(name, "CREATE TABLE stores ()"),
            "it has no tables"
        );
    }
    created(&cluster, "lossy", "");
    assert!(cluster.sql(
        "postgres",
        "ALTER DATABASE lossy SET synchronous_commit = off"
    ));
    let lossy = refusal(&cluster, "lossy").await;
    assert!(lossy.contains("synchronous_commit = on"), "{lossy}");
    let missing = refusal(&cluster, "missing").await;
    assert!(missing.contains("\"missing\" does not exist"), "{missing}");
}

#[tokio::test]
async fn service_and_log_need_a_database_each() {
    let Some(cluster) = Cluster::start(None, &[]) else {
        return;
    };
    created(&cluster, "service", "");
    created(&cluster, "log", "");
    let service = Storage::open(&address(&cluster.url("service"))).await;
    service.expect("opens").close().await;
    let (log, unusable) = AnalyticsStorage::open(address(&cluster.url("log"))).await;
    assert!(unusable.is_none());
    log.close().await;
    let of_log = refusal(&cluster, "log").await;
    assert!(of_log.contains("a database each"), "{of_log}");
    let (log, unusable) = AnalyticsStorage::open(address(&cluster.url("service"))).await;
    let of_service = text(&unusable.expect("refused"));
    assert!(of_service.contains("a database each"), "{of_service}");
    log.close().await;
}

#[tokio::test]
async fn services_share_a_database() {
    let Some(cluster) = Cluster::start(None, &[]) else {
        return;
    };
    created(&cluster, "claimed", "");
    let database = address(&cluster.url("claimed"));
    let one = Storage::open_shared(&database).await.expect("opens");
    let other = Storage::open_shared(&database).await;
    let other = other.expect("opens beside it");
    one.ping().await.expect("goes on");
    one.close().await;
    // What a command of the same process reads needs no lock.
    Storage::open(&database).await.expect("opens").close().await;
    other.close().await;
}

#[tokio::test]
async fn errors_have_classes_and_no_password() {
    let Some(cluster) = Cluster::start(None, &[]) else {
        return;
    };
    created(&cluster, "shop", "");
    let database = address(&cluster.url("shop"));
    let storage = Storage::open(&database).await.expect("opens");
    let account = |id: &str, name: &str| AccountRow {
        id: AccountId(id.to_owned()),
        name: name.to_owned(),
        created_at: NOW,
    };
    let failed = async |row: AccountRow| {
        let mut change = storage.administer(&operator()).await.expect("opens");
        let error = change.create_account(&row).await.expect_err("an error");
        match error {
            StorageError::Statement { class, .. } => class,
            other => panic!("{other}"),
        }
    };
    assert_eq!(
        failed(account("a", "one\0two")).await,
        ErrorClass::Constraint
    );
    assert_eq!(
        failed(account(&"a".repeat(1 << 20), "long")).await,
        ErrorClass::Constraint
    );
    let mut change = storage.administer(&operator()).await.expect("opens");
    change
        .create_account(&account("a", "A"))
        .await
        .expect("created");
    let subject = AuditSubject::default();
    change
        .commit(&entry(&[]), &subject, NOW)
        .await
        .expect("commits");
    assert_eq!(failed(account("a", "A")).await, ErrorClass::Constraint);

    let nobody = DatabaseUrl::parse("postgres://ann@127.0.0.1:1/shop", Some("s3cret"));
    let opened = Storage::open(&Database::Url(nobody.expect("an address"))).await;
    let error = opened.expect_err("nobody listens");
    let texts = format!("{} {error:?}", text(&error));
    assert!(
        !texts.contains("s3cret") && texts.contains("127.0.0.1:1/shop"),
        "{texts}"
    );
    storage.close().await;
}

#[tokio::test]
async fn a_database_is_opened_to_be_read() {
    let Some(cluster) = Cluster::start(None, &[]) else {
        return;
    };
    created(&cluster, "read", "");
    let database = address(&cluster.url("read"));
    let empty = Storage::open_to_read(&database).await;
    empty.expect_err("no tables");
    Storage::open(&database).await.expect("opens").close().await;
    let storage = Storage::open_to_read(&database).await.expect("opens");
    assert!(storage.damages().await.expect("checked").is_empty());
    assert!(storage.wrong_counters().await.expect("checked").is_empty());
    let mut change = storage.administer(&operator()).await.expect("opens");
    let row = AccountRow {
        id: AccountId("a".to_owned()),
        name: "A".to_owned(),
        created_at: NOW,
    };
    let error = change.create_account(&row).await.expect_err("read only");
    drop(change);
    let class = match error {
        StorageError::Statement { class, .. } => class,
        other => panic!("{other}"),
    };
    assert_eq!(class, ErrorClass::ReadOnly);
    storage.close().await;
    assert!(cluster.sql(
        "read",
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
         VALUES (9999, 'of tomorrow', TRUE, '', 0)",
    ));
    for opened in [
        Storage::open(&database).await,
        Storage::open_to_read(&database).await,
    ] {
        let error = opened.expect_err("of a newer version");
        assert!(
            matches!(
                error,
                StorageError::Newer {
                    migration: 9999,
                    ..
                }
            ),
            "{error}"
        );
    }
}

#[tokio::test]
async fn a_log_comes_back() {
    let Some(cluster) = Cluster::start(None, &[]) else {
        return;
    };
    let database = address(&cluster.url("late"));
    let (log, unusable) = AnalyticsStorage::open(database).await;
    let unusable = unusable.expect("it does not exist");
    assert!(!unusable.is_damage() && !log.is_file(), "{unusable}");
    let batch = LogBatch::default();
    let failed = log.write(&batch).await.expect_err("not yet");
    assert!(failed.is_transient(), "{failed}");
    log.begin_anew().await.expect("nothing to begin");
    created(&cluster, "late", "");
    tokio::time::pause();
    tokio::time::advance(std::time::Duration::from_secs(6)).await;
    tokio::time::resume();
    log.write(&batch).await.expect("written");
    log.close().await;
}

/// Lets the server encrypt, with a certificate for `localhost` of an authority of its own in `ca.pem`.
fn encrypt(cluster: &Cluster) {
    let folder = cluster.folder();
    certify_localhost(folder);
    let owner = folder.metadata().expect("a folder").uid();
    for name in ["server.key", "server.pem"] {
        chown(folder.join(name), Some(owner), None).expect("given away");
    }
    let shown = folder.display();
    for statement in [
        format!("ALTER SYSTEM SET ssl_cert_file = '{shown}/server.pem'"),
        format!("ALTER SYSTEM SET ssl_key_file = '{shown}/server.key'"),
        "ALTER SYSTEM SET ssl = on".to_owned(),
        "CREATE ROLE shop LOGIN PASSWORD 'pw'".to_owned(),
        "CREATE DATABASE shop OWNER shop".to_owned(),
        "SELECT pg_reload_conf()".to_owned(),
    ] {
        assert!(cluster.sql("postgres", &statement), "{}", cluster.log());
    }
}

#[tokio::test]
async fn certificates_are_verified() {
    let free = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = free.local_addr().expect("an address").port();
    drop(free);
    let Some(cluster) = Cluster::start(Some(port), &[]) else {
        return;
    };
    encrypt(&cluster);
    let root = cluster.folder().join("ca.pem");
    let root = root.display();
    let opened = async |host: &str, parameters: &str| {
        let url = format!("postgres://shop@{host}:{port}/shop?{parameters}");
        let url = DatabaseUrl::parse(&url, Some("pw")).expect("an address");
        match Storage::open(&Database::Url(url)).await {
            Ok(storage) => {
                storage.close().await;
                Ok(())
            }
            Err(error) => Err(text(&error)),
        }
    };
    let mut tries = 0;
    // The server reads its settings again when it comes to that.
    while let Err(error) = opened("localhost", "sslmode=require").await {
        tries += 1;
        assert!(tries < 100, "{error}");
    }
    let full = format!("sslmode=verify-full&sslrootcert={root}");
    opened("localhost", &full).await.expect("verified");
    let unknown = opened("localhost", "sslmode=verify-full").await;
    let unknown = unknown.expect_err("an unknown authority");
    assert!(unknown.to_lowercase().contains("certificate"), "{unknown}");
    opened("127.0.0.1", &full).await.expect_err("another host");
    let authority = format!("sslmode=verify-ca&sslrootcert={root}");
    opened("127.0.0.1", &authority)
        .await
        .expect("of the authority");
}
