//! What a search pays for the search log: the id of its response and the hand-over of its record, measured in rounds that
//! fit into the queue, with the log running.
//!
//! `docs/performance.md` describes how to run it and its results.

use domain::analytics::Surface;
use domain::{Language, StoreId};
use operations::search_log::Searched;
use operations::{Service, ServiceOptions};
use std::error::Error;
use std::hint::black_box;
use std::time::Instant;
use tokio::runtime::Runtime;

/// Records of one round; the queue holds more.
const RECORDS: usize = 4_000;
const ROUNDS: usize = 200;

fn main() -> Result<(), Box<dyn Error>> {
    // Tests of all targets start this program, too, and must not wait for it.
    if !std::env::args().any(|argument| argument == "--bench") {
        return Ok(());
    }
    let runtime = Runtime::new()?;
    let dir = tempfile::tempdir()?;
    let service = runtime.block_on(Service::open(ServiceOptions::new(dir.path().to_owned())))?;
    let store = StoreId::from("w9ybtgtknwp3e0t5v18zv6a8");
    let language = Language::parse("en")?;
    for q in [
        "tent",
        "Waterproof trekking tent for 2",
        "Sac à dos imperméable 40 litres",
    ] {
        let took = |counts, takes_events| {
            let searched = Searched {
                store: &store,
                language: &language,
                surface: Surface::Search,
                q,
                session: Some("b7e23ec29af22b0b"),
                counts,
                takes_events,
                correction_of: None,
                found: 12,
                words_found: true,
                filtered: false,
                redirected: false,
                anonymous: true,
            };
            median(&service, &searched)
        };
        let (uncounted, counted, both) =
            (took(false, false)?, took(false, true)?, took(true, true)?);
        println!(
            "\"{q}\": id of an uncounted search {uncounted} ns, of a counted one {counted} ns"
        );
        println!(
            "  with its hand-over {both} ns: {} ns for the hand-over",
            both.saturating_sub(counted)
        );
    }
    assert_eq!(
        service.search_log().dropped_total(),
        0,
        "a round fits into the queue"
    );
    runtime.block_on(service.close());
    Ok(())
}

/// Returns the median over all rounds of the time of one search, in nanoseconds.
#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
fn median(service: &Service, searched: &Searched<'_>) -> Result<u128, Box<dyn Error>> {
    let log = service.search_log();
    let mut times = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        log.collect();
        let started = Instant::now();
        for _ in 0..RECORDS {
            black_box(log.note(black_box(searched))?);
        }
        times.push(started.elapsed().as_nanos() / RECORDS as u128);
    }
    times.sort_unstable();
    Ok(times[ROUNDS / 2])
}
