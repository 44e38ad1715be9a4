//! What is measured while something else goes on: searches, the time until a change is searchable, and memory.

use super::store::Store;
use crate::load::pace::Pace;
use crate::load::record::Records;
use crate::process::Server;
use crate::stopwatch::{Stopwatch, pause, poll_every};
use evaluation::choices::Choices;
use serde_json::json;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Searches a second.
const SEARCHES: f64 = 10.0;
/// Connections that search.
const SEARCHING: usize = 2;
/// Time between two changes.
const CHANGE_EVERY: Duration = Duration::from_millis(500);
/// Longest time that a change is waited for.
const CHANGE_MAX: Duration = Duration::from_secs(60);
/// Time between two searches for a change.
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// Time between two samples of memory.
const SAMPLE_EVERY: Duration = Duration::from_millis(200);
/// Longer than any measurement.
const FOREVER: Duration = Duration::from_secs(86_400);

/// Names of the recorded kinds of requests.
pub const SEARCH: &str = "search";
pub const CHANGE: &str = "change until searchable";

/// What was measured.
#[derive(Default)]
pub struct Measured {
    /// Searches and changes.
    pub records: Records,
    /// Peak of anonymous memory in bytes; 0 where the system does not report it.
    pub anonymous: u64,
    /// How long the work took.
    pub took: Duration,
}

/// What searches, and which stores are changed.
pub struct Probes<'a> {
    /// The server.
    pub server: &'a Server,
    /// The store that is searched.
    pub searched: &'a Store,
    /// What shoppers search for.
    pub queries: &'a [String],
    /// The stores that get changes.
    pub changed: &'a [&'a Store],
}

impl Probes<'_> {
    /// Measures until `work` is over.
    pub fn during<T>(&self, work: impl FnOnce() -> T) -> (T, Measured) {
        let over = AtomicBool::new(false);
        let clock = Stopwatch::start();
        std::thread::scope(|scope| {
            let mut recording: Vec<_> = (0..SEARCHING)
                .map(|at| {
                    scope.spawn({
                        let (clock, over) = (&clock, &over);
                        move || self.search(at, clock, over)
                    })
                })
                .collect();
            recording.extend(self.changed.iter().enumerate().map(|(at, store)| {
                let over = &over;
                scope.spawn(move || change(store, at, over))
            }));
            let memory = scope.spawn(|| self.peak_of_anonymous_memory(&over));
            let result = work();
            let took = clock.elapsed();
            over.store(true, Ordering::Relaxed);
            let mut measured = Measured {
                took,
                ..Measured::default()
            };
            for recorded in recording {
                match recorded.join() {
                    Ok(records) => measured.records.merge(records),
                    Err(_) => measured.records.lose_a_worker(),
                }
            }
            measured.anonymous = memory.join().unwrap_or_default();
            (result, measured)
        })
    }

    fn search(&self, at: usize, clock: &Stopwatch, over: &AtomicBool) -> Records {
        let mut choices = Choices::new(at);
        let mut records = Records::default();
        let sender = self.searched.sender();
        let mut pace = Pace::new(clock, FOREVER, SEARCHES, (at, SEARCHING));
        while let Some(due) = pace.wait().filter(|_| !over.load(Ordering::Relaxed)) {
            let query = &self.queries[choices.below(self.queries.len())];
            let sent = self.searched.search(&sender, query, true);
            records.add(SEARCH, sent.status, pace.since(due));
        }
        records
    }

    fn peak_of_anonymous_memory(&self, over: &AtomicBool) -> u64 {
        let mut peak = 0;
        while !over.load(Ordering::Relaxed) {
            peak = peak.max(self.server.anonymous_memory().unwrap_or(0));
            pause(SAMPLE_EVERY);
        }
        peak
    }
}

/// Changes one product again and again, and measures the time from each acknowledgement until a search finds it.
fn change(store: &Store, at: usize, over: &AtomicBool) -> Records {
    let mut records = Records::default();
    let sender = store.sender();
    for number in 0.. {
        if over.load(Ordering::Relaxed) {
            break;
        }
        let name = format!("probe{at}x{number}");
        let document = json!({"id": "probe", "name": name});
        let body = json!({"language": super::catalogue::LANGUAGE, "documents": [document]});
        if store.feed(&sender, "/products/bulk", &body).is_err() {
            records.add(CHANGE, 0, Duration::ZERO);
            break;
        }
        let watch = Stopwatch::start();
        let found = poll_every(LOOK_EVERY, CHANGE_MAX, || {
            let hits = store.search(&sender, &name, false).data;
            let hits = hits["products"]["hits"].as_array()?.clone();
            hits.iter().any(|hit| hit["name"] == name).then_some(())
        });
        let status = found.map_or(0, |()| 200);
        records.add(CHANGE, status, watch.elapsed());
        pause(CHANGE_EVERY);
    }
    records
}
