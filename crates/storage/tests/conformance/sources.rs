//! 1. A source is saved and read whole, by its store only; its settings, state, secret and times are replaced.
//! 2. Due are those of active stores whose time has come, also those that a process holds, the longest due first.
//! 3. Of the history the latest fetches stay; deleting a source deletes it, and another store's cannot be deleted.
//! 4. Runs of connectors are told from those of imports, by scope, state and time.

use crate::world::{NOW, World, products, read_permit};
use domain::feed::{RunMode, RunOrigin};
use domain::source::{
    FETCHES_KEPT, FetchOutcome, FetchTrigger, SourceAuth, SourceFetch, SourceMode, SourceSettings,
    SourceState, SourceStatus,
};
use domain::{DocType, Language, RunId, SourceId, StoreId, Timestamp};
use storage::{NewRunRow, RunState, SourceRow};

fn row(id: &str, due: Option<Timestamp>) -> SourceRow {
    SourceRow {
        id: SourceId::from(id),
        store: StoreId::from("s1"),
        created_at: NOW,
        updated_at: NOW,
        version: 0,
        settings: SourceSettings {
            name: "Shop".to_owned(),
            url: "https://shop.example/feed?token=1".to_owned(),
            doc_type: DocType::Products,
            language: Language::parse("es").expect("a language"),
            mode: SourceMode::Complete,
            interval_minutes: 240,
            active: true,
            mapping: serde_json::Map::default(),
            auth: SourceAuth::Basic {
                user: "shop".to_owned(),
            },
        },
        secret: Some("sealed".to_owned()),
        state: SourceState::default(),
        next_fetch_at: due,
        leased_until: None,
        leased_by: None,
    }
}

async fn save(world: &World, row: &SourceRow) {
    let mut feed = world.feed(row.store.as_str()).await;
    feed.save_source(row).await.expect("saves");
    feed.commit().await.expect("commits");
}

async fn due(world: &World, at: Timestamp) -> Vec<String> {
    let found = world.storage.due_sources(at, 9).await.expect("reads");
    found.into_iter().map(|row| row.id.0).collect()
}

#[tokio::test]
async fn a_source_is_replaced_as_a_whole() {
    let world = World::new().await;
    let mut source = row("a", Some(NOW));
    save(&world, &source).await;
    source.version = 1;
    source.secret = None;
    source.settings.auth = SourceAuth::None;
    source.state.status = SourceStatus::Failing;
    source.state.failing_since = Some(NOW);
    source.next_fetch_at = None;
    source.leased_until = Some(NOW.plus_hours(1));
    source.leased_by = Some("node/process".to_owned());
    save(&world, &source).await;
    let read = world
        .storage
        .sources(&read_permit("s1"))
        .await
        .expect("reads");
    assert_eq!(read, [source.clone()]);
    let fetching = [(SourceStatus::Fetching, 1)];
    assert_eq!(counts(&world, NOW).await, fetching);
    let others = world.storage.sources(&read_permit("s2")).await;
    assert!(others.expect("reads").is_empty());
    let id = SourceId::from("a");
    for (store, found) in [("s1", true), ("s2", false)] {
        let one = world.storage.source(&read_permit(store), &id).await;
        assert_eq!(one.expect("reads").is_some(), found, "{store}");
    }
    let store = world.storage.store_of_source(&id).await.expect("reads");
    assert_eq!(store, Some(StoreId::from("s1")));
}

async fn counts(world: &World, at: Timestamp) -> Vec<(SourceStatus, u64)> {
    let counts = world.storage.source_counts(at).await.expect("counts");
    let mut counts: Vec<_> = counts;
    counts.sort_unstable();
    counts
}

#[tokio::test]
async fn sources_are_counted_by_state() {
    let world = World::new().await;
    let with = |id: &str, status: SourceStatus| {
        let mut source = row(id, None);
        source.state.status = status;
        source
    };
    save(&world, &with("new", SourceStatus::New)).await;
    save(&world, &with("ok", SourceStatus::Ok)).await;
    let mut fetched = with("fetched", SourceStatus::Ok);
    fetched.leased_until = Some(NOW.plus_hours(1));
    save(&world, &fetched).await;
    let mut resting = with("resting", SourceStatus::Ok);
    resting.settings.active = false;
    resting.leased_until = Some(NOW.plus_hours(1));
    save(&world, &resting).await;
    let mut secretless = with("secretless", SourceStatus::Failing);
    secretless.state.secret_missing = true;
    save(&world, &secretless).await;
    let mut expected = vec![
        (SourceStatus::New, 1),
        (SourceStatus::Fetching, 1),
        (SourceStatus::Ok, 1),
        (SourceStatus::Inactive, 2),
    ];
    expected.sort_unstable();
    assert_eq!(counts(&world, NOW).await, expected);
    // A lease that is over is none, and a state that changes is counted anew.
    let mut ended = with("new", SourceStatus::Held);
    ended.leased_until = Some(NOW.plus_hours(1));
    save(&world, &ended).await;
    let later = counts(&world, NOW.plus_hours(2)).await;
    assert!(later.contains(&(SourceStatus::Ok, 2)) && later.contains(&(SourceStatus::Held, 1)));
}

#[tokio::test]
async fn the_longest_due_is_first() {
    let world = World::new().await;
    for (id, hours) in [("late", 2), ("early", 0), ("next", 1)] {
        save(&world, &row(id, Some(NOW.plus_hours(hours)))).await;
    }
    save(&world, &row("resting", None)).await;
    let mut held = row("held", Some(NOW));
    held.leased_until = Some(NOW.plus_hours(2));
    save(&world, &held).await;
    assert_eq!(due(&world, NOW.plus_hours(-1)).await, Vec::<String>::new());
    assert_eq!(
        due(&world, NOW.plus_hours(1)).await,
        ["early", "held", "next"]
    );
    let all = ["early", "held", "next", "late"];
    assert_eq!(due(&world, NOW.plus_hours(2)).await, all);
}

#[tokio::test]
async fn the_latest_fetches_stay() {
    let world = World::new().await;
    save(&world, &row("a", None)).await;
    let id = SourceId::from("a");
    for number in 0..FETCHES_KEPT + 5 {
        let fetch = SourceFetch {
            at: NOW.plus_hours(i64::from(number)),
            trigger: FetchTrigger::Schedule,
            outcome: FetchOutcome::Updated,
            code: None,
            message: None,
            translatable: None,
            http_status: Some(200),
            redirects: 0,
            bytes: 1,
            took_ms: 1,
            result: None,
        };
        let mut feed = world.feed("s1").await;
        feed.keep_fetch(&id, &fetch).await.expect("stores");
        feed.commit().await.expect("commits");
    }
    let fetches = world
        .storage
        .source_fetches(&read_permit("s1"), &id, 99)
        .await;
    let fetches = fetches.expect("reads");
    assert_eq!(fetches.len(), FETCHES_KEPT as usize);
    assert_eq!(fetches[0].at, NOW.plus_hours(i64::from(FETCHES_KEPT) + 4));
    let last = world
        .storage
        .source_fetches(&read_permit("s1"), &id, 1)
        .await;
    assert_eq!(last.expect("reads"), fetches[..1]);
    for (store, left) in [("s2", 1), ("s1", 0)] {
        let mut feed = world.feed(store).await;
        feed.delete_source(&id).await.expect("deletes");
        feed.commit().await.expect("commits");
        let read = world.storage.sources(&read_permit("s1")).await;
        assert_eq!(read.expect("reads").len(), left, "{store}");
    }
}

#[tokio::test]
async fn runs_of_connectors_are_found() {
    let world = World::new().await;
    let [index, _] = world.indices().await;
    let scope = products();
    let mut feed = world.feed("s1").await;
    for (name, origin, found) in [
        ("import-1", RunOrigin::Import, false),
        ("import-2", RunOrigin::Connector, true),
    ] {
        let new = NewRunRow {
            id: RunId::from(name),
            client_run_id: name.to_owned(),
            mode: RunMode::Full,
            at: NOW,
            origin,
            by: None,
            process: None,
        };
        feed.open_run(&new, &[index]).await.expect("opens");
        let closed = feed.has_closed_run(&scope, NOW).await;
        assert!(!closed.expect("reads"));
        let run = feed.run(&new.id).await.expect("reads").expect("a run");
        let end = feed.end_run(&run, RunState::Closed, None, NOW);
        end.await.expect("ends");
        let closed = feed.has_closed_run(&scope, NOW).await;
        assert_eq!(closed.expect("reads"), found, "{name}");
    }
    let later = feed.has_closed_run(&scope, NOW.plus_hours(1)).await;
    assert!(!later.expect("reads"));
    feed.commit().await.expect("commits");
    let mut feed = world.feed("s1").await;
    let count = feed.document_count(&scope).await.expect("reads");
    assert_eq!(count, Some(0));
}
