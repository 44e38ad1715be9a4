//! 1. Hits that are encoded as JSON equal those that are returned as values, in their order, each at its position.
//! 2. So they do under provisional relevance, with the position of each hit under the saved one.

use crate::world::{World, products};
use domain::Caller;
use domain::relevance::BoostMerging;
use operations::simulator::{self, HitEncoding, Json, RelevanceTest, SimulationHit, Tested};
use serde::Serialize;
use serde_json::{Value, json};
use std::time::Duration;

/// The response without its time.
async fn simulated<H: HitEncoding + Serialize>(world: &World, test: &Value) -> String {
    let test: RelevanceTest = serde_json::from_value(test.clone()).expect("a test");
    let store = &world.one.store;
    let (caller, mode) = (Caller::operator(), BoostMerging::Replace);
    let tested = simulator::test::<H>(&world.service, &caller, store, test, mode).await;
    let Tested::Full(mut simulation) = tested.expect("a simulation").data else {
        panic!("one query is explained");
    };
    simulation.took_ms = 0;
    serde_json::to_string(&simulation).expect("it is JSON")
}

#[tokio::test]
async fn hits_are_the_same_in_both_encodings() {
    let world = World::new().await;
    world.indices(&["es"]).await;
    let ids: Vec<String> = (0..60).map(|number| format!("p{number}")).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let mut documents = products(&ids);
    for (number, document) in documents.iter_mut().enumerate() {
        document["name"] = json!(format!("Bota {} \"roja\"", "alta ".repeat(number % 4)));
        document["sales_count"] = json!(number * 37 % 60);
        document["inStock"] = json!(number % 3 == 0);
    }
    let sent = world.send(&world.one, None, documents).await;
    sent.expect("stored");
    let waited = world
        .service
        .wait_until_searchable(&world.one.store, Duration::from_secs(30));
    assert!(waited.await.expect("storage answers"));

    let saved = json!({"q": "bota alta", "lang": "es", "limit": 50});
    let provisional = json!({"q": "bota alta", "lang": "es", "limit": 50, "boosts": {"name": 3}, "searchSettings": {"stockBoost": 5.0}});
    for (test, is_provisional) in [(saved, false), (provisional, true)] {
        let plain = simulated::<SimulationHit>(&world, &test).await;
        let json = simulated::<Json>(&world, &test).await;
        assert!(plain == json, "{plain}\n{json}");
        let json: Value = serde_json::from_str(&json).expect("JSON");
        let hits = json["hits"].as_array().expect("hits");
        assert_eq!(hits.len(), 50);
        let positions = hits.iter().map(|hit| hit["position"].as_u64());
        assert!(positions.eq((1..=50).map(Some)));
        let scores: Vec<f64> = hits
            .iter()
            .filter_map(|hit| hit["score"].as_f64())
            .collect();
        assert!(scores.is_sorted_by(|a, b| a >= b) && scores.len() == 50);
        let elsewhere = hits
            .iter()
            .filter(|hit| hit["savedPosition"] != hit["position"]);
        assert_eq!(elsewhere.count() > 0, is_provisional);
    }
    world.service.close().await;
}
