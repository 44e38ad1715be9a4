//! 1. Equal searches of one moment are executed once, and everybody gets the answer.
//! 2. What is remembered of answers and of pages stays within its bound, however small; what engines compute is shown.
//! 3. A save empties what is remembered of its store at once, and only of its store.
//! 4. While a configuration of 1,000 regular expressions is compiled, another store is searched, and what was saved is
//!    in effect for the next search.

use crate::world::{NOW, Tenant, World, language, product};
use domain::audit::{Actor, AuditEntry, FieldChange};
use domain::relevance::{BoostMerging, RelevanceChange};
use domain::rule::{Actions, MatchKind, NewRule, Rule, RuleContent, RuleType, Trigger};
use domain::search::SearchRequest;
use domain::{Caller, access};
use operations::search::{self, SearchResponse};
use operations::statistics::ServiceStatistics;
use operations::{
    CacheUsage, MemoryLimits, Precondition, Service, ServiceOptions, relevance, rules,
};
use serde_json::json;
use std::time::{Duration, Instant};

async fn ask(service: &Service, tenant: &Tenant, request: SearchRequest) -> SearchResponse {
    let operator = Caller::operator();
    let answer = search::for_store(service, &operator, &tenant.store, request);
    answer.await.expect("is found")
}

fn query(q: &str) -> SearchRequest {
    SearchRequest {
        q: q.to_owned(),
        facets: true,
        ..SearchRequest::default()
    }
}

async fn figures(service: &Service) -> ServiceStatistics {
    service.figures().await.expect("figures")
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
        clock: world.clock.clone(),
        memory,
        ..ServiceOptions::new(world.dir.path().to_owned())
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
                let operator = Caller::operator();
                search::for_store(&service, &operator, &store, query(&q)).await
            }));
        }
        for search in searches {
            assert!(search.await.expect("runs").is_ok());
        }
        let after = figures(&world.service).await;
        let executed = after.searches_executed - before.searches_executed;
        assert!((2..20).contains(&executed), "{executed} for 200");
        // An index that came to rest meanwhile has begun a state of its own, in which nothing is remembered.
        if executed == 2 {
            return;
        }
        assert!(Instant::now() < deadline, "{executed}");
    }
}

/// Asks `count` different queries, each in a session of its own.
async fn flood(world: &World, count: usize) {
    for at in 0..count {
        let request = SearchRequest {
            session_id: Some(format!("session {at}")),
            limit: Some(20),
            ..query(&format!("name {at}"))
        };
        ask(&world.service, &world.one, request).await;
    }
}

#[tokio::test]
#[expect(
    clippy::disallowed_methods,
    reason = "a wait ends, and how long something takes is tested"
)]
async fn memory_stays_within_its_bounds() {
    let limits = MemoryLimits {
        responses: 512 * 1024,
        pages: 32 * 1024,
    };
    let world = world(limits).await;
    // Indexes that come to rest begin a state of their own, in which nothing is remembered; then once more.
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        ask(&world.service, &world.two, query("p199")).await;
        flood(&world, 200).await;
        for (cache, bytes_max) in [("answers", limits.responses), ("pages", limits.pages)] {
            let usage = usage(&world.service, cache).await;
            assert_eq!(usage.bytes_max, bytes_max);
            assert!(usage.bytes <= bytes_max, "{cache}: {usage:?}");
            assert!(usage.entries < 200, "{cache}: {usage:?}");
        }
        let before = figures(&world.service).await.searches_executed;
        ask(&world.service, &world.two, query("p199")).await;
        ask(&world.service, &world.one, query("name 199")).await;
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
async fn a_save_forgets_the_answers_of_its_store() {
    let world = world(MemoryLimits::default()).await;
    let caller = world.caller(&world.one.writer).await;
    let deadline = Instant::now() + Duration::from_secs(60);
    for boost in 3.. {
        for tenant in [&world.one, &world.two] {
            ask(&world.service, tenant, query("name")).await;
            ask(&world.service, tenant, query("of")).await;
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
        // An index that came to rest meanwhile has begun a state of its own, in which nothing is remembered.
        if (before, after) == (4, 2) {
            return;
        }
        assert!(Instant::now() < deadline, "{before} and {after}");
    }
}

/// Stores rules whose compilation takes a while, past the operation that would compile them one after the other.
async fn store_patterns(world: &World, tenant: &Tenant, count: usize) {
    let storage = world.storage().await;
    let caller = world.caller(&tenant.writer).await;
    let permit = access::write(&caller, &tenant.store).expect("may");
    let mut write = storage
        .begin(&permit)
        .await
        .expect("begins")
        .expect("a store");
    for at in 0..count {
        let rule = Rule {
            id: format!("rule{at}").into(),
            content: RuleContent {
                name: format!("rule {at}"),
                language: language("es"),
                kind: RuleType::Hide,
                trigger: Trigger {
                    query: format!("{at}\\w{{4}}"),
                    kind: MatchKind::Regex,
                },
                actions: Actions::Hide(vec!["p1".to_owned()]),
                priority: 1,
                active: true,
                start_date: None,
                end_date: None,
            },
            created_at: NOW,
            updated_at: NOW,
        };
        write.save_rule(&rule).await.expect("is saved");
    }
    let entry = AuditEntry {
        actor: Actor {
            key_id: None,
            name: "test".to_owned(),
        },
        operation: "create_rule".to_owned(),
        resource: "rules".to_owned(),
        summary: "Rules made.".to_owned(),
        changes: Vec::<FieldChange>::new(),
        request_id: None,
    };
    write.commit(&entry, NOW).await.expect("is committed");
}

// One thread does everything that is not handed to others, so that compiling on it would hold up every search.
#[tokio::test(flavor = "current_thread")]
#[expect(
    clippy::disallowed_methods,
    reason = "a wait ends, and how long something takes is tested"
)]
async fn compiling_holds_up_nobody() {
    let world = world(MemoryLimits::default()).await;
    store_patterns(&world, &world.one, 999).await;
    ask(&world.service, &world.one, query("name")).await;
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
        let mut saving = std::pin::pin!(rules::create(
            &world.service,
            &caller,
            &world.one.store,
            new
        ));
        loop {
            let asked = Instant::now();
            let other = query(&format!("name {searched}"));
            tokio::select! {
                biased;
                saved = &mut saving => {
                    saved.expect("is saved");
                    break;
                }
                _ = ask(&world.service, &world.two, other) => {
                    searched += 1;
                    longest = longest.max(asked.elapsed());
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
    let ids = |answer: SearchResponse| answer.products.hits.into_iter().map(|hit| hit.id);
    let answer = ask(&world.service, &world.one, query("7abcd")).await;
    assert!(ids(answer).all(|id| id != "p1"), "the rules are in effect");
}
