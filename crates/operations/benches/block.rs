//! How long a block of 500 products takes until it is acknowledged, on a real file with full synchronisation, and how
//! long it takes from there until it can be found.
//!
//! Each product has some 1,500 characters. The indexer runs at the same time, as in a server.

use divan::Bencher;
use domain::store::PlanLimits;
use domain::{Caller, DocType, Language, StoreId};
use operations::import::{self, ImportBlock};
use operations::stores::{self, NewStore};
use operations::{Service, ServiceOptions};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tempfile::TempDir;
use tokio::runtime::Runtime;

const DOCUMENTS: usize = 500;
/// Products of the store in which prices change.
const CATALOGUE: usize = 20_000;

fn main() {
    divan::main();
}

struct Bench {
    runtime: Runtime,
    service: Service,
    store: StoreId,
    _dir: TempDir,
}

impl Bench {
    fn new() -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let dir = tempfile::tempdir().expect("a directory");
        let (service, store) = runtime.block_on(async {
            let options = ServiceOptions::new(dir.path().to_owned());
            let service = Service::open(options).await.expect("opens");
            let new = NewStore {
                name: "Bench".to_owned(),
                account: None,
                languages: vec![Language::parse("en").expect("a code")],
                plan: PlanLimits::default(),
            };
            let created = stores::create(&service, &Caller::operator(), new).await;
            (service, created.expect("a store").store.id)
        });
        Self {
            runtime,
            service,
            store,
            _dir: dir,
        }
    }

    fn send(&self, documents: Vec<Value>) {
        let block = ImportBlock {
            store: self.store.clone(),
            language: Language::parse("en").expect("a code"),
            doc_type: DocType::Products,
            run: None,
            documents,
        };
        let report = self
            .runtime
            .block_on(import::block(&self.service, &Caller::operator(), block))
            .expect("imports");
        assert_eq!(report.report.accepted, DOCUMENTS);
    }
}

impl Bench {
    /// A store with a catalogue, idle but with filled caches.
    fn filled() -> Self {
        let bench = Self::new();
        for first in (0..CATALOGUE).step_by(DOCUMENTS) {
            bench.send(block(first, 0));
        }
        bench.wait_until_visible();
        bench
    }

    fn wait_until_visible(&self) {
        let waiting = self
            .service
            .wait_until_searchable(&self.store, Duration::from_secs(60));
        let visible = self.runtime.block_on(waiting).expect("an index");
        assert!(visible, "an index stands still");
    }
}

fn block(first: usize, price: usize) -> Vec<Value> {
    (first..first + DOCUMENTS)
        .map(|number| product(number, price))
        .collect()
}

fn product(n: usize, price: usize) -> Value {
    let words = format!("word{} term{} thing{} ", n % 977, n % 331, n % 89);
    json!({
        "id": format!("product-{}", n.wrapping_mul(2_654_435_761) % 1_000_000_007),
        "name": format!("Product {words} number {n}"),
        "reference": format!("REF-{n:07}"),
        "description": words.repeat(60),
        "manufacturer": format!("Brand {}", n % 40),
        "priceInclTax": (n % 100 + price) as f64 + 0.99,
        "inStock": !n.is_multiple_of(3),
    })
}

/// Products that were never seen.
#[divan::bench(sample_count = 40, sample_size = 1)]
fn new_products(bencher: Bencher<'_, '_>) {
    let bench = Bench::new();
    let next = AtomicUsize::new(0);
    bencher
        .with_inputs(|| block(next.fetch_add(DOCUMENTS, Ordering::Relaxed), 0))
        .bench_values(|documents| bench.send(documents));
}

/// The same products again.
#[divan::bench(sample_count = 40, sample_size = 1)]
fn unchanged_products(bencher: Bencher<'_, '_>) {
    let bench = Bench::new();
    bench.send(block(0, 0));
    bencher
        .with_inputs(|| block(0, 0))
        .bench_values(|documents| bench.send(documents));
}

/// The same products with another price each time.
#[divan::bench(sample_count = 40, sample_size = 1)]
fn new_prices(bencher: Bencher<'_, '_>) {
    let bench = Bench::new();
    let price = AtomicUsize::new(0);
    bencher
        .with_inputs(|| block(0, price.fetch_add(1, Ordering::Relaxed)))
        .bench_values(|documents| bench.send(documents));
}

/// From the response until other prices of products, which are adjacent or scattered over the store, can be found.
#[divan::bench(args = ["side by side", "all over"], sample_count = 40, sample_size = 1)]
fn new_prices_until_visible(bencher: Bencher<'_, '_>, where_they_lie: &str) {
    let bench = Bench::filled();
    let price = AtomicUsize::new(1);
    let step = if where_they_lie == "all over" {
        CATALOGUE / DOCUMENTS
    } else {
        1
    };
    bencher
        .with_inputs(|| {
            let price = price.fetch_add(1, Ordering::Relaxed);
            let numbers = (0..DOCUMENTS).map(|number| number * step);
            bench.send(numbers.map(|number| product(number, price)).collect());
        })
        .bench_values(|()| bench.wait_until_visible());
}
