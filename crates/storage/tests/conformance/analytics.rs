//! 1. Batches add up by day, language and query; a day has at most 2,000 different queries, more count in totals only.
//! 2. Marks of events and searches are found again, of their store only.
//! 3. Retention deletes what is too old; the rarest queries of the oldest day of a store with over 100,000 rows go first.
//! 4. Beyond its bytes, the store that holds most gives its oldest days; logs of unknown stores are deleted.
//! 5. A file that is no database is set aside; it is begun anew once more while in use.
//! 6. A file of a newer version stays as it is, and the error says so.

use crate::place::Place;
use domain::analytics::{DayRange, QueryListKind, Surface};
use domain::limits::{LOGGED_QUERIES_PER_DAY, LOGGED_ROWS_MAX};
use domain::{Caller, Day, Language, Permit, StoreId, access};
use sqlx::{AnyConnection, Connection};
use storage::analytics::{
    EventMarks, LatestSearch, LogBatch, LogCount, LogRetention, LogTotalKey, LoggedQuery,
    LoggedQueryKey, LoggedResponse, LoggedVisit, QueryPage, SearchMark,
};
use storage::{AnalyticsStorage, StorageError};

struct Log {
    storage: AnalyticsStorage,
    place: Place,
}

impl Log {
    async fn open() -> Self {
        let place = Place::of_log();
        let (storage, unusable) = AnalyticsStorage::open(place.database.clone()).await;
        assert!(unusable.is_none());
        Self { storage, place }
    }

    fn file(&self, name: &str) -> std::path::PathBuf {
        self.place.dir.path().join(name)
    }

    async fn write(&self, batch: &LogBatch) {
        self.storage.write(batch).await.expect("written");
    }

    async fn queries(&self, store: &str) -> Vec<LoggedQuery> {
        let page = QueryPage {
            kind: QueryListKind::Top,
            days: DayRange {
                from: Day(0),
                to: Day(100_000),
            },
            language: None,
            page: 1,
            limit: 5,
        };
        let read = self.storage.queries(&permit(store), page).await;
        read.expect("read").0
    }

    async fn count(&self, store: &str) -> u64 {
        let page = QueryPage {
            kind: QueryListKind::Top,
            days: DayRange {
                from: Day(0),
                to: Day(100_000),
            },
            language: None,
            page: 1,
            limit: 1,
        };
        let read = self.storage.queries(&permit(store), page).await;
        read.expect("read").1
    }

    async fn searches(&self, store: &str) -> i64 {
        let days = DayRange {
            from: Day(0),
            to: Day(100_000),
        };
        let sums = self
            .storage
            .sums(&permit(store), days, None)
            .await
            .expect("read");
        sums.days
            .iter()
            .map(|day| day.counts.get(LogCount::Searches))
            .sum()
    }
}

fn permit(store: &str) -> Permit<access::Read> {
    access::read(&Caller::operator(), &StoreId::from(store)).expect("the operator may")
}

/// Adds `searches` of a query.
pub fn add(batch: &mut LogBatch, store: &str, day: i64, query: &str, searches: i64) {
    let mut digest = [0; 8];
    for (at, byte) in query.bytes().enumerate() {
        digest[at % 8] ^= byte.rotate_left(u32::try_from(at / 8).unwrap_or(0));
    }
    let key = LoggedQueryKey {
        store: store.into(),
        day: Day(day),
        digest: i64::from_be_bytes(digest),
    };
    let row = batch.queries.entry(key).or_default();
    row.add(LogCount::Searches, searches);
    row.set_latest(LatestSearch {
        language: Language::spanish(),
        query: query.to_owned(),
        found: day,
        offered: Some(true),
    });
    let total = LogTotalKey {
        store: store.into(),
        day: Day(day),
        language: Language::spanish(),
        surface: Surface::Search,
    };
    batch
        .totals
        .entry(total)
        .or_default()
        .add(LogCount::Searches, searches);
}

#[tokio::test]
async fn batches_add_up_and_a_day_has_a_bound() {
    let log = Log::open().await;
    for round in 1..=2 {
        let mut batch = LogBatch::default();
        add(&mut batch, "s1", 10, "bota", round);
        add(&mut batch, "s1", 11, "bota", 10);
        log.write(&batch).await;
    }
    let rows = log.queries("s1").await;
    assert_eq!(rows.len(), 1);
    assert_eq!(
        (
            rows[0].counts.get(LogCount::Searches),
            rows[0].found,
            rows[0].last_day
        ),
        (23, 11, Day(11))
    );
    let mut batch = LogBatch::default();
    let many = LOGGED_QUERIES_PER_DAY as usize + 10;
    for at in 0..many {
        add(&mut batch, "s2", 10, &format!("{at:08}"), 1);
    }
    log.write(&batch).await;
    let mut more = LogBatch::default();
    add(&mut more, "s2", 10, "another", 1);
    log.write(&more).await;
    assert_eq!(log.count("s2").await, LOGGED_QUERIES_PER_DAY);
    assert_eq!(
        log.searches("s2").await,
        many as i64 + 1,
        "the totals count all"
    );
}

#[tokio::test]
async fn marks_are_found_again() {
    let log = Log::open().await;
    let mut batch = LogBatch::default();
    let response = LoggedResponse {
        store: "s1".into(),
        response: 7,
    };
    let marks = EventMarks {
        day: Day(20_000),
        events: vec![1, 2],
    };
    batch.events.insert(response.clone(), marks);
    let visit = LoggedVisit {
        store: "s1".into(),
        visit: -3,
    };
    let mark = SearchMark {
        clicked: true,
        converted: false,
    };
    batch
        .searches
        .entry(visit.clone())
        .or_default()
        .insert(5, mark);
    log.write(&batch).await;
    log.write(&batch).await;
    let shopper = |store: &str| {
        let key = domain::access::KeyIdentity {
            id: "k".into(),
            name: String::new(),
            kind: domain::KeyKind::SearchOnly,
            scope: None,
            account: "a".into(),
            store: Some(store.into()),
            account_stores: std::sync::Arc::from([]),
        };
        let identity = domain::access::Identity::Key(std::sync::Arc::new(key));
        access::search(&Caller {
            identity,
            request_id: None,
            attempt: domain::WriteAttempt::default(),
        })
        .expect("a shopper may")
    };
    let known = log
        .storage
        .stored_marks(&shopper("s1"), &[7, 8], &[-3])
        .await
        .expect("read");
    assert_eq!(known.events[&response].len(), 2);
    assert_eq!(known.searches[&visit][&5], mark);
    let others = log
        .storage
        .stored_marks(&shopper("s2"), &[7], &[-3])
        .await
        .expect("read");
    assert!(others.events.is_empty() && others.searches.is_empty());
    let retention = LogRetention {
        queries_from: Day(0),
        totals_from: Day(0),
        marks_from: Day(20_001),
    };
    assert_eq!(log.storage.delete_old(retention).await.expect("deleted"), 3);
}

#[tokio::test]
async fn old_and_surplus_rows_are_deleted() {
    let log = Log::open().await;
    let mut batch = LogBatch::default();
    for day in 1..=4 {
        add(&mut batch, "s1", day, "bota", 1);
    }
    log.write(&batch).await;
    let retention = LogRetention {
        queries_from: Day(4),
        totals_from: Day(3),
        marks_from: Day(0),
    };
    assert_eq!(
        log.storage.delete_old(retention).await.expect("deleted"),
        3 + 2
    );
    assert_eq!((log.count("s1").await, log.searches("s1").await), (1, 2));
    let mut batch = LogBatch::default();
    add(&mut batch, "gone", 4, "bota", 1);
    log.write(&batch).await;
    assert_eq!(
        log.storage
            .keep_only(&["s1".into()])
            .await
            .expect("deleted"),
        2
    );
    assert_eq!((log.count("gone").await, log.count("s1").await), (0, 1));
}

#[tokio::test]
async fn the_rarest_queries_of_the_oldest_day_go_first() {
    let log = Log::open().await;
    let days = i64::try_from(LOGGED_ROWS_MAX / LOGGED_QUERIES_PER_DAY).expect("few");
    for day in 1..=days + 1 {
        let mut batch = LogBatch::default();
        let queries = if day > days {
            10
        } else {
            LOGGED_QUERIES_PER_DAY
        };
        for at in 0..queries {
            // One query of each day is frequent.
            let searches = if at == 0 { 9 } else { 1 };
            add(&mut batch, "s1", day, &format!("q{at:05}"), searches);
        }
        log.write(&batch).await;
    }
    assert_eq!(log.storage.enforce_rows().await.expect("deleted"), 10);
    assert_eq!(log.storage.enforce_rows().await.expect("deleted"), 0);
    let of = |day: i64| {
        let page = QueryPage {
            kind: QueryListKind::Top,
            days: DayRange {
                from: Day(day),
                to: Day(day),
            },
            language: None,
            page: 1,
            limit: 1,
        };
        let storage = &log.storage;
        async move { storage.queries(&permit("s1"), page).await.expect("read") }
    };
    let (top, left) = of(1).await;
    assert_eq!(
        (top[0].query.as_str(), left),
        ("q00000", LOGGED_QUERIES_PER_DAY - 10)
    );
    assert_eq!(of(2).await.1, LOGGED_QUERIES_PER_DAY);
    assert_eq!(of(days + 1).await.1, 10);
}

#[tokio::test]
async fn the_largest_store_gives_its_oldest_days() {
    let log = Log::open().await;
    let mut batch = LogBatch::default();
    add(&mut batch, "small", 1, "bota", 1);
    log.write(&batch).await;
    for day in 1..=3 {
        let mut batch = LogBatch::default();
        for at in 0..300 {
            add(
                &mut batch,
                "large",
                day,
                &format!("{at:04} {}", "x".repeat(90)),
                1,
            );
        }
        log.write(&batch).await;
    }
    let before = log.storage.used_bytes().await.expect("read");
    assert!(before > 100_000, "{before}");
    let rows = log
        .storage
        .enforce_bytes(before / 3 * 2)
        .await
        .expect("deleted");
    assert!(rows >= 300, "{rows}");
    assert!(log.storage.used_bytes().await.expect("read") <= before / 3 * 2);
    let left = log.queries("large").await;
    assert_eq!(left[0].last_day, Day(3));
    assert_eq!(log.count("small").await, 1);
    log.storage.enforce_bytes(0).await.expect("deleted");
    assert_eq!((log.count("large").await, log.count("small").await), (0, 0));
}

#[tokio::test]
async fn an_unusable_file_is_set_aside() {
    let log = Log::open().await;
    let mut batch = LogBatch::default();
    add(&mut batch, "s1", 1, "bota", 1);
    log.write(&batch).await;
    log.storage.begin_anew().await.expect("begun");
    assert_eq!(log.count("s1").await, 0);
    log.write(&batch).await;
    log.storage.close().await;
    let file = log.file("analytics.db");
    for content in [&b"no database"[..], &[0; 8192]] {
        std::fs::write(&file, content).expect("written");
        let (storage, unusable) = AnalyticsStorage::open(log.place.database.clone()).await;
        assert!(unusable.is_some(), "{content:?}");
        let aside = std::fs::read(log.file("analytics.db.damaged"));
        assert_eq!(aside.expect("a file").first(), content.first());
        storage.write(&batch).await.expect("written");
        storage.close().await;
    }
    std::fs::remove_file(&file).expect("removed");
    std::fs::create_dir(&file).expect("created");
    let (storage, unusable) = AnalyticsStorage::open(log.place.database.clone()).await;
    assert!(unusable.is_some());
    storage.close().await;
}

/// Runs a statement on the file of the log, which nobody has open.
async fn run(log: &Log, statement: &'static str) {
    let file = log.file("analytics.db");
    let opened = AnyConnection::connect(&format!("sqlite:{}", file.display())).await;
    let mut connection = opened.expect("opens");
    let done = sqlx::query(statement).execute(&mut connection).await;
    assert_eq!(done.expect("done").rows_affected(), 1, "{statement}");
    connection.close().await.expect("closes");
}

#[tokio::test]
async fn a_file_of_a_newer_version_stays() {
    let log = Log::open().await;
    let mut batch = LogBatch::default();
    add(&mut batch, "s1", 1, "bota", 1);
    log.write(&batch).await;
    log.storage.close().await;
    run(
        &log,
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
         VALUES (9999, 'of tomorrow', TRUE, x'00', 0)",
    )
    .await;
    let (storage, unusable) = AnalyticsStorage::open(log.place.database.clone()).await;
    let written = storage.write(&batch).await.err();
    for error in [unusable, written] {
        let error = error.expect("an error");
        let of_tomorrow = matches!(
            error,
            StorageError::Newer {
                migration: 9999,
                ..
            }
        );
        assert!(of_tomorrow && !error.is_damage(), "{error}");
        assert!(error.to_string().contains("newer version"), "{error}");
    }
    storage.close().await;
    assert!(!log.file("analytics.db.damaged").exists());
    run(&log, "DELETE FROM _sqlx_migrations WHERE version = 9999").await;
    let (storage, unusable) = AnalyticsStorage::open(log.place.database.clone()).await;
    assert!(unusable.is_none());
    let log = Log { storage, ..log };
    assert_eq!(log.count("s1").await, 1);
}
