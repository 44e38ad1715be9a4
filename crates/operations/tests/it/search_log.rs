//! 1. Queries go after their days, totals stay; marks go after eight days; logs of unknown stores go at once.
//! 2. The bytes of the log are bounded.
//! 3. Of a store whose log is off nothing is recorded, and what was recorded before goes.
//! 4. A search never waits: what the queue has no room for is dropped, and the summary says how much.

use crate::world::World;
use domain::analytics::{QueryListRequest, SearchSummaryRequest, Surface};
use domain::{Caller, Language, StoreId};
use operations::jobs::search_log;
use operations::search_log::{SearchLogOptions, Searched};
use operations::{Service, ServiceOptions, analytics};

const DAY_MS: i64 = 86_400_000;

fn note(service: &Service, store: &StoreId, q: &str) -> String {
    let searched = Searched {
        store,
        language: &Language::spanish(),
        surface: Surface::Search,
        q,
        session: None,
        counts: true,
        takes_events: true,
        correction_of: None,
        found: 1,
        words_found: true,
        filtered: false,
        redirected: false,
        anonymous: true,
    };
    service.search_log().note(&searched).expect("an id")
}

async fn counts(service: &Service, store: &StoreId) -> (u64, i64) {
    let operator = Caller::operator();
    let from = Some("2025-11-01".to_owned());
    let listed = QueryListRequest {
        from: from.clone(),
        ..QueryListRequest::default()
    };
    let summed = SearchSummaryRequest {
        from,
        ..SearchSummaryRequest::default()
    };
    let listed = analytics::list_queries(service, &operator, store, listed).await;
    let summary = analytics::summary(service, &operator, store, summed).await;
    (
        listed.expect("a list").1.total,
        summary.expect("a summary").searches,
    )
}

#[tokio::test]
async fn what_is_old_or_of_nobody_is_deleted() {
    let world = World::new().await;
    let (service, store) = (&world.service, &world.one.store);
    note(service, store, "bota");
    note(service, &StoreId::from("gone"), "bota");
    search_log::write(service).await.expect("written");
    world.clock.advance_ms(60 * DAY_MS);
    note(service, store, "zapato");
    search_log::write(service).await.expect("written");
    let mut cleaned = search_log::clean(service).await.expect("cleaned").rows;
    if cleaned == 0 {
        // The job that runs once at the start was late, and has deleted them.
        note(service, &StoreId::from("gone"), "bota");
        search_log::write(service).await.expect("written");
        cleaned = search_log::clean(service).await.expect("cleaned").rows;
    }
    // A query and a total of the unknown store.
    assert_eq!(cleaned, 2);
    assert_eq!(counts(service, store).await, (2, 2));
    world.clock.advance_ms(30 * DAY_MS);
    assert_eq!(search_log::clean(service).await.expect("cleaned").rows, 1);
    assert_eq!(counts(service, store).await, (1, 2));
    assert_eq!(search_log::clean(service).await.expect("cleaned").rows, 0);
}

#[tokio::test]
async fn a_log_may_be_small_or_off() {
    let world = World::new().await;
    let store = world.one.store.clone();
    for at in 0..200 {
        note(&world.service, &store, &format!("bota {at}"));
    }
    search_log::write(&world.service).await.expect("written");
    assert_eq!(counts(&world.service, &store).await, (200, 200));
    world.service.close().await;
    let open = |days, bytes_max| {
        let options = ServiceOptions {
            clock: world.clock.shared(),
            search_log: SearchLogOptions { days, bytes_max },
            ..crate::world::options(&world.dir, &world.clock)
        };
        async move { Service::open(options).await.expect("opens") }
    };
    let small = open(90, 1_000).await;
    search_log::clean(&small).await.expect("cleaned");
    assert_eq!(counts(&small, &store).await, (0, 0));
    note(&small, &store, "bota");
    small.close().await;
    let off = open(0, u64::MAX).await;
    note(&off, &store, "zapato");
    search_log::write(&off).await.expect("written");
    search_log::clean(&off).await.expect("cleaned");
    assert_eq!(counts(&off, &store).await, (0, 1), "sums hold no query");
    off.close().await;
}

#[tokio::test]
async fn what_the_queue_has_no_room_for_is_counted() {
    let world = World::new().await;
    let store = &world.one.store;
    // Nothing else runs between these calls, so nothing takes records from the queue.
    for _ in 0..8_192 + 5 {
        note(&world.service, store, "bota");
    }
    search_log::write(&world.service).await.expect("written");
    assert_eq!(counts(&world.service, store).await, (1, 8_192));
    let operator = Caller::operator();
    let summed = SearchSummaryRequest {
        from: Some("2025-11-01".to_owned()),
        ..SearchSummaryRequest::default()
    };
    let summary = analytics::summary(&world.service, &operator, store, summed).await;
    assert_eq!(summary.expect("a summary").dropped, 5);
}
