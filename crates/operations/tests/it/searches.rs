//! 1. Equal concurrent searches are executed once, and all callers get the response.
//! 2. The caches of responses and pages stay within their bounds, however small; the memos of engines are reported.
//! 3. A save invalidates the cached responses of its store at once, and only of its store.
//! 4. Another store can be searched while a configuration of 1,000 regular expressions is compiled, and the next search
//!    uses what was saved.

use crate::world::{NOW, Tenant, World, language, product, shopper};
use domain::TriggerAlternatives;
use domain::audit::{Actor, AuditEntry, FieldChange};
use domain::form::{Label, ProductIds};
use domain::relevance::{BoostMerging, RelevanceChange};
use domain::rule::{Actions, MatchKind, NewRule, Rule, RuleContent, RuleType, Trigger};
use domain::search::SearchRequest;
use domain::{CacheUsage, access};
use operations::metrics::ServiceStatistics;
use operations::search::{self, SearchResponse};
use operations::{MemoryLimits, Precondition, Service, ServiceOptions, records, relevance};
use serde_json::json;
use std::time::{Duration, Instant};

async fn find(service: &Service, tenant: &Tenant, request: SearchRequest) -> SearchResponse {
    let response = search::search(service, &shopper(&tenant.store), request).await;
    response.expect("is found")
}

fn query(q: &str) -> SearchRequest {
    SearchRequest {
        q: q.to_owned(),
        facets: true,
        ..SearchRequest::default()
    }
}

async fn figures(service: &Service) -> ServiceStatistics {
    service.statistics().await
}

async fn usage(service: &Service, cache: &str) -> CacheUsage {
    let caches = figures(service).await.caches;
    let own = caches.into_iter().find(|(name, _)| *name == cache);
    own.expect("the cache").1
}

/// A world whose stores have 200 products each, with caches of these bounds.
async fn world(memory: MemoryLimits) -> World {
    let mut world = World::new().await;
    world.indices(&["es"]).await;
    for tenant in [&world.one, &world.two] {
        let documents = (0..200).map(|at| product(&format!("p{at}"), 0)).collect();
        world.send(tenant, None, documents).await.expect("a block");
    }
    world.service.close().await;
    let options = ServiceOptions {
        clock: world.clock.shared(),
        memory,
        ..crate::world::options(&world.dir, &world.clock)
    };
    world.service = Service::open(options).await.expect("opens");
    for tenant in [&world.one, &world.two] {
        let searchable =
            (world.service).wait_until_searchable(&tenant.store, Duration::from_secs(60));
        assert!(searchable.await.expect("waits"));
    }
    world
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[expect(
    clippy::disallowed_methods,
    reason = "a wait ends, and how long something takes is tested"
)]
async fn equal_searches_are_executed_once() {
    let world = world(MemoryLimits::default()).await;
    let deadline = Instant::now() + Duration::from_secs(60);
    for attempt in 0.. {
        let before = figures(&world.service).await;
        let mut searches = Vec::new();
        for number in 0..200 {
            let (service, store) = (world.service.clone(), world.one.store.clone());
            let q = format!("{} {attempt}", ["name", "of"][number % 2]);
            searches.push(tokio::spawn(async move {
                search::search(&service, &shopper(&store), query(&q)).await
            }));
        }
        for search in searches {
            assert!(search.await.expect("runs").is_ok());
        }
        let after = figures(&world.service).await;
        let executed = after.searches_executed - before.searches_executed;
        assert!((2..20).contains(&executed), "{executed} for 200");
        // An index that became idle in the meantime has published a new state, which has no cached responses.
        if executed == 2 {
            return;
        }
        assert!(Instant::now() < deadline, "{executed}");
    }
}

/// Searches for `count` different queries, each in its own session.
async fn flood(world: &World, count: usize) {
    for at in 0..count {
        let request = SearchRequest {
            session_id: Some(format!("session {at}")),
            limit: Some(20),
            ..query(&format!("name {at}"))
        };
        find(&world.service, &world.one, request).await;
    }
}

#[tokio::test]
#[expect(
    clippy::disallowed_methods,
    reason = "a wait ends, and how long something takes is tested"
)]
async fn caches_stay_within_their_bounds() {
    let limits = MemoryLimits {
        responses: 512 * 1024,
        pages: 32 * 1024,
    };
    let world = world(limits).await;
    // Indexes that become idle publish a new state, which has no cached responses; then the search is repeated.
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        find(&world.service, &world.two, query("p199")).await;
        flood(&world, 200).await;
        for (cache, bytes_max) in [("answers", limits.responses), ("pages", limits.pages)] {
            let usage = usage(&world.service, cache).await;
            assert_eq!(usage.bytes_max, bytes_max);
            assert!(usage.bytes <= bytes_max, "{cache}: {usage:?}");
            assert!(usage.entries < 200, "{cache}: {usage:?}");
        }
        let before = figures(&world.service).await.searches_executed;
        find(&world.service, &world.two, query("p199")).await;
        find(&world.service, &world.one, query("name 199")).await;
        let executed = figures(&world.service).await.searches_executed - before;
        let usage = usage(&world.service, "answers").await;
        // The one query differs from those of the flood by its limit.
        if executed == 1 && usage.bytes > limits.responses / 2 {
            break;
        }
        assert!(Instant::now() < deadline, "{executed} executed, {usage:?}");
    }
    let computed = usage(&world.service, "engine").await;
    assert_eq!(computed.bytes_max, 512 * 1024 * 1024);
    assert!(computed.entries > 0, "{computed:?}");
    assert!(
        (1..=computed.bytes_max).contains(&computed.bytes),
        "{computed:?}"
    );
}

#[tokio::test]
#[expect(
    clippy::disallowed_methods,
    reason = "a wait ends, and how long something takes is tested"
)]
async fn a_save_invalidates_the_responses_of_its_store() {
    let world = world(MemoryLimits::default()).await;
    let caller = world.caller(&world.one.writer).await;
    let deadline = Instant::now() + Duration::from_secs(60);
    for boost in 3.. {
        for tenant in [&world.one, &world.two] {
            find(&world.service, tenant, query("name")).await;
            find(&world.service, tenant, query("of")).await;
        }
        let before = usage(&world.service, "answers").await.entries;
        let change: RelevanceChange =
            serde_json::from_value(json!({"boosts": {"name": boost}})).expect("a change");
        let store = &world.one.store;
        let (mode, any) = (BoostMerging::Merge, Precondition::None);
        let saved = relevance::update(&world.service, &caller, store, change, mode, any);
        saved.await.expect("is saved");
        let after = usage(&world.service, "answers").await.entries;
        assert!(after <= 2, "those of the other store at most");
        // An index that became idle in the meantime has published a new state, which has no cached responses.
        if (before, after) == (4, 2) {
            return;
        }
        assert!(Instant::now() < deadline, "{before} and {after}");
    }
}

/// Stores rules whose compilation takes a while, bypassing the operation, which would compile them one by one.
async fn store_patterns(world: &World, tenant: &Tenant, count: usize) {
    let storage = world.storage().await;
    let caller = world.caller(&tenant.writer).await;
    let permit = access::write(&caller, &tenant.store).expect("may");
    let mut write = storage
        .begin(&permit)
        .await
        .expect("begins")
        .expect("a store");
    let hidden = ProductIds::parse("ids", vec!["p1".to_owned()]).expect("ids");
    for at in 0..count {
        let rule = Rule {
            id: format!("rule{at}").into(),
            content: RuleContent {
                name: Label::parse(format!("rule {at}")).expect("a label"),
                language: language("es"),
                kind: RuleType::Hide,
                trigger: Trigger {
                    query: format!("{at}\\w{{4}}"),
                    kind: MatchKind::Regex,
                    alternatives: TriggerAlternatives::default(),
                },
                actions: Actions::Hide(hidden.clone()),
                priority: 1,
                active: true,
                start_date: None,
                end_date: None,
                time_zone: None,
            },
            created_at: NOW,
            updated_at: NOW,
        };
        write.save_rule(&rule).await.expect("is saved");
    }
    let entry = AuditEntry {
        actor: Actor::named("test"),
        operation: "create_rule".to_owned(),
        resource: "rules".to_owned(),
        summary: domain::message::value::missing(),
        changes: Vec::<FieldChange>::new(),
        request_id: None,
    };
    write.commit(&entry, NOW).await.expect("is committed");
}

// A single thread runs the async tasks, so compiling on it would block every search.
#[tokio::test(flavor = "current_thread")]
#[expect(
    clippy::disallowed_methods,
    reason = "a wait ends, and how long something takes is tested"
)]
async fn compiling_does_not_block_searches() {
    let world = world(MemoryLimits::default()).await;
    store_patterns(&world, &world.one, 999).await;
    find(&world.service, &world.one, query("name")).await;
    let caller = world.caller(&world.one.writer).await;
    let new: NewRule = serde_json::from_value(json!({
        "name": "last",
        "type": "HIDE",
        "trigger": {"query": "last", "match": "contains"},
        "actions": {"hide": ["p0"]},
    }))
    .expect("a rule");
    let began = Instant::now();
    let mut longest = Duration::ZERO;
    let mut searched = 0;
    {
        let mut saving = std::pin::pin!(records::create::<Rule>(
            &world.service,
            &caller,
            &world.one.store,
            new
        ));
        loop {
            let started = Instant::now();
            let other = query(&format!("name {searched}"));
            tokio::select! {
                biased;
                saved = &mut saving => {
                    saved.expect("is saved");
                    break;
                }
                _ = find(&world.service, &world.two, other) => {
                    searched += 1;
                    longest = longest.max(started.elapsed());
                }
            }
        }
    }
    let took = began.elapsed();
    assert!(searched > 1, "{searched} searches in {took:?}");
    assert!(
        longest < took / 2,
        "one of {searched} took {longest:?} of {took:?}"
    );
    let ids = |response: SearchResponse| response.products.hits.into_iter().map(|hit| hit.id);
    let response = find(&world.service, &world.one, query("7abcd")).await;
    assert!(
        ids(response).all(|id| id != "p1"),
        "the rules are in effect"
    );
}
