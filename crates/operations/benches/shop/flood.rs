//! What searches take while the search log is flooded: 10,000 records a second of other searches, each of a query of its
//! own, for as long as the searches go on.
//!
//! Rounds with and without the flood alternate, so that noise affects both.

use crate::Outcome;
use crate::measure::{Times, wall_time};
use crate::shop::{Catalogue, Shop};
use domain::analytics::Surface;
use domain::{Language, StoreId};
use operations::Service;
use operations::search_log::Searched;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// Rounds of each kind.
const ROUNDS: usize = 10;
/// Records that are handed over at once, and the pause after them.
const BURST: u64 = 100;
const PAUSE: Duration = Duration::from_millis(10);
/// How long the searches of a round go on, in microseconds.
const ROUND: f64 = 1_000_000.0;
/// Number of queries, each of which is asked in every order of its words before the first is asked again.
const QUERIES: usize = 5_000;
const ORDERS: [[usize; 3]; 6] = [
    [0, 1, 2],
    [1, 2, 0],
    [2, 0, 1],
    [0, 2, 1],
    [2, 1, 0],
    [1, 0, 2],
];

/// Searches of three words, none of which was made before, so that no cache answers.
struct Searches {
    queries: Vec<String>,
    made: usize,
}

impl Searches {
    fn next(&mut self) -> Value {
        let count = self.queries.len();
        let words: Vec<&str> = self.queries[self.made % count].split(' ').collect();
        let q = ORDERS[self.made / count % ORDERS.len()].map(|at| words[at]);
        self.made += 1;
        json!({"q": q.join(" "), "types": ["products"]})
    }
}

/// Prints the times of searches with and without the flood.
pub fn table(shop: &Shop, catalogue: &Catalogue) -> Outcome<()> {
    let mut searches = Searches {
        queries: crate::simulator::queries(catalogue, QUERIES),
        made: 0,
    };
    let (mut quiet, mut flooded) = (Times::default(), Times::default());
    round(shop, &mut searches, &mut Times::default())?;
    let mut sent = 0;
    for _ in 0..ROUNDS {
        round(shop, &mut searches, &mut quiet)?;
        sent += beside_a_flood(shop, sent, || round(shop, &mut searches, &mut flooded))?;
    }
    println!("searches of 3 words while the search log is handed {sent} other records:");
    for (what, times) in [("without", &quiet), ("with", &flooded)] {
        println!(
            "  {what}: median {:.0} µs, 95th percentile {:.0} µs",
            times.median(),
            times.quantile(0.95)
        );
    }
    println!("  dropped {}", shop.service.search_log().dropped_total());
    Ok(())
}

fn round(shop: &Shop, searches: &mut Searches, times: &mut Times) -> Outcome<()> {
    let mut passed = 0.0;
    while passed < ROUND {
        let request = serde_json::from_value(searches.next())?;
        let (found, took) = wall_time(|| shop.search(request));
        found?;
        times.add(took);
        passed += took;
    }
    Ok(())
}

/// Runs `work` while another thread floods the log; returns the number of records.
fn beside_a_flood(shop: &Shop, first: u64, work: impl FnOnce() -> Outcome<()>) -> Outcome<u64> {
    let (ended, sent) = (AtomicBool::new(false), AtomicU64::new(0));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !ended.load(Ordering::Relaxed) {
                let from = first + sent.fetch_add(BURST, Ordering::Relaxed);
                for number in from..from + BURST {
                    note(&shop.service, &shop.store, number);
                }
                std::thread::sleep(PAUSE);
            }
        });
        let done = work();
        ended.store(true, Ordering::Relaxed);
        done
    })?;
    Ok(sent.into_inner())
}

fn note(service: &Service, store: &StoreId, number: u64) {
    let language = Language::parse("en").expect("a language");
    let q = format!("flood {number}");
    let session = format!("{number:016x}");
    let searched = Searched {
        store,
        language: &language,
        surface: Surface::Search,
        q: &q,
        session: Some(&session),
        counts: true,
        takes_events: true,
        correction_of: None,
        found: 12,
        words_found: true,
        filtered: false,
        redirected: false,
        anonymous: true,
    };
    service.search_log().note(&searched).expect("an id");
}
