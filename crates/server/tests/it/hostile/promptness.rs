//! 1. What ten stores feed at once is searchable soon after each acknowledgement, in every store.
//! 2. So is a change in a store that feeds nothing else meanwhile.
//!
//! Two seconds are promised; `cargo xtask feed-load` measures them. Here a build without optimisation shares its cores
//! with whatever else runs, so the bound only tells prompt from delayed until the feeds are over.

use super::meter::timed;
use super::target::{Target, Tenant, retrying};
use crate::harness::{Client, eventually, product};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The maximum time from an acknowledgement until a search finds the change.
const PROMPT: Duration = Duration::from_secs(20);
/// Time between two changes in the same store.
const EVERY: Duration = Duration::from_millis(200);
/// Stores that feed at once.
const STORES: usize = 10;
/// Blocks that each of them sends.
const BLOCKS: usize = 8;
/// Products of a block.
const PRODUCTS: usize = 250;

/// The times from acknowledgement to the first search that finds the change.
#[derive(Debug, Default)]
pub struct Promptness {
    times: Vec<Duration>,
}

impl Promptness {
    /// Sends a change to one product of `tenant` and waits until its shoppers find it.
    pub fn probe(&mut self, client: &Client, tenant: &Tenant) {
        let name = format!("Sonda{:05}", self.times.len());
        let document = product("probe", &name);
        retrying(|| {
            let documents = std::slice::from_ref(&document);
            tenant.bulk(client, "es", documents).send()
        })
        .ok();
        self.times.push(until_found(client, tenant, "probe", &name));
    }

    /// Fails if a change was not found soon, or none was sent.
    pub fn assert_prompt(&self, what: &str) {
        let slowest = self.times.iter().max();
        let slowest = slowest.unwrap_or_else(|| panic!("{what}: nothing was measured"));
        println!(
            "{what}: {} changes, found after {slowest:?} at most",
            self.times.len()
        );
        assert!(*slowest <= PROMPT, "{what}: found after {slowest:?}");
    }

    /// Probes `tenant` until `work` is over.
    pub fn meanwhile<T: Send>(
        client: &Client,
        tenant: &Tenant,
        work: impl FnOnce() -> T + Send,
    ) -> (Self, T) {
        let over = AtomicBool::new(false);
        let mut promptness = Self::default();
        let result = std::thread::scope(|scope| {
            let working = scope.spawn(|| {
                let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
                over.store(true, Ordering::SeqCst);
                result
            });
            while !over.load(Ordering::SeqCst) {
                promptness.probe(client, tenant);
                std::thread::park_timeout(EVERY);
            }
            working.join().expect("its panic is caught")
        });
        match result {
            Ok(result) => (promptness, result),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}

/// Waits until shoppers of `tenant` find the product `id` by its `name`; returns how long that took.
fn until_found(client: &Client, tenant: &Tenant, id: &str, name: &str) -> Duration {
    let body = json!({"q": name, "types": ["products"], "facets": false});
    let found = || {
        let call = client.call("POST", "/api/v1/search").key(&tenant.public);
        let reply = call.json(&body).send().ok();
        let hits = reply.data()["products"]["hits"].as_array().cloned();
        let is_it = |hit: &Value| hit["id"] == id && hit["name"] == name;
        hits.is_some_and(|hits| hits.iter().any(is_it))
    };
    timed(|| eventually("an acknowledged change is found", found)).1
}

/// Sends blocks of products to a store, each followed by a search for its last one.
fn feed(client: &Client, tenant: &Tenant) -> Promptness {
    let mut promptness = Promptness::default();
    for block in 0..BLOCKS {
        let name = |at: usize| format!("Bota{block:03}x{at:04} montaña roja");
        let documents: Vec<Value> = (0..PRODUCTS)
            .map(|at| product(&format!("{block}-{at}"), &name(at)))
            .collect();
        retrying(|| tenant.bulk(client, "es", &documents).send()).ok();
        let last = PRODUCTS - 1;
        let took = until_found(client, tenant, &format!("{block}-{last}"), &name(last));
        promptness.times.push(took);
    }
    promptness
}

#[test]
fn what_ten_stores_feed_at_once_is_soon_searchable() {
    let target = Target::open();
    let client = target.client();
    let stores: Vec<Tenant> = (0..STORES)
        .map(|at| Tenant::create(target.dir.path(), client, &format!("Feeder {at}")))
        .collect();
    let (beside, fed) = Promptness::meanwhile(client, &target.bystander, || {
        std::thread::scope(|scope| {
            let feeds: Vec<_> = stores
                .iter()
                .map(|tenant| scope.spawn(|| feed(client, tenant)))
                .collect();
            let join = |feed: std::thread::ScopedJoinHandle<'_, _>| feed.join().expect("fed");
            feeds.into_iter().map(join).collect::<Vec<Promptness>>()
        })
    });
    for (at, promptness) in fed.iter().enumerate() {
        promptness.assert_prompt(&format!("store {at}"));
        assert_eq!(promptness.times.len(), BLOCKS);
    }
    beside.assert_prompt("a store beside them");
    for tenant in &stores {
        assert_eq!(tenant.total(client, "montaña"), (BLOCKS * PRODUCTS) as u64);
    }
}
