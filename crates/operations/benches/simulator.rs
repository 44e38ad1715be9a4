//! What 500 explained hits of the simulator cost beside ten of the same question, from the request to the bytes of the
//! answer.
//!
//! Both are asked in turn and each question gives one ratio; the median of the ratios is told.

#[path = "../../engine/benches/search/catalogue.rs"]
#[expect(dead_code, reason = "the other benchmark takes more of the catalogue")]
mod catalogue;

use catalogue::{Dice, body, name};
use domain::store::Plan;
use domain::{Caller, DocType, Language, StoreId};
use operations::import::{self, ImportBlock};
use operations::simulator::{self, RelevanceTest};
use operations::stores::{self, NewStore};
use operations::{Service, ServiceOptions};
use serde_json::json;
use std::error::Error;
use std::time::{Duration, Instant};

const PRODUCTS: u32 = 20_000;
const QUESTIONS: usize = 100;
const BLOCK: usize = 500;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    // Tests of all targets start this program too, and must not wait for it.
    let given: Vec<String> = std::env::args().collect();
    if !given.iter().any(|argument| argument == "--bench") {
        return Ok(());
    }
    let after = given
        .iter()
        .skip_while(|argument| *argument != "--products")
        .nth(1);
    let products = after.map_or(Ok(PRODUCTS), |number| number.parse())?;
    tokio::runtime::Runtime::new()?.block_on(run(products))
}

async fn run(products: u32) -> Outcome<()> {
    let dir = tempfile::tempdir()?;
    let options = ServiceOptions::new(dir.path().to_owned());
    let service = Service::open(options).await?;
    let store = filled(&service, products).await?;
    let mut ratios = Vec::new();
    let (mut tens, mut all) = (Vec::new(), Vec::new());
    for question in questions(products) {
        // Once before, so that neither of the two is the first to touch anything.
        ask(&service, &store, &question, 500).await?;
        let (few, _) = ask(&service, &store, &question, 10).await?;
        let (many, bytes) = ask(&service, &store, &question, 500).await?;
        ratios.push(many.as_secs_f64() / few.as_secs_f64());
        tens.push(few.as_secs_f64() * 1e6);
        all.push((many.as_secs_f64() * 1e6, bytes as f64));
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (many, bytes) = all[all.len() / 2];
    println!(
        "simulator, {products} products, 3 words: 10 hits {:.0} µs, 500 hits {many:.0} µs ({:.0} KiB), ratio {:.2}",
        median(tens),
        bytes / 1024.0,
        median(ratios),
    );
    Ok(())
}

async fn filled(service: &Service, products: u32) -> Outcome<StoreId> {
    let language = Language::parse("en")?;
    let new = NewStore {
        name: "Bench".to_owned(),
        account: None,
        languages: vec![language.clone()],
        plan: Plan::default(),
    };
    let created = stores::create(service, &Caller::operator(), new).await?;
    let store = created.store.id;
    let numbers: Vec<u32> = (0..products).collect();
    for block in numbers.chunks(BLOCK) {
        let block = ImportBlock {
            store: store.clone(),
            language: language.clone(),
            doc_type: DocType::Products,
            documents: block.iter().map(|number| body(*number, 0)).collect(),
        };
        import::block(service, &Caller::operator(), block).await?;
    }
    while total(service, &store).await? < u64::from(products) {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Ok(store)
}

async fn total(service: &Service, store: &StoreId) -> Outcome<u64> {
    let request = serde_json::from_value(json!({"q": "", "types": ["products"]}))?;
    let operator = Caller::operator();
    let answer = operations::search::for_store(service, &operator, store, request).await?;
    Ok(answer.products.total)
}

/// Three neighbouring words out of names.
fn questions(products: u32) -> Vec<String> {
    let mut dice = Dice::new(3);
    let names = std::iter::repeat_with(|| name(dice.below(products), 0));
    names
        .filter_map(|name| {
            let words: Vec<&str> = name.split(' ').collect();
            (words.len() >= 3).then(|| words[..3].join(" "))
        })
        .take(QUESTIONS)
        .collect()
}

#[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
async fn ask(
    service: &Service,
    store: &StoreId,
    question: &str,
    limit: u32,
) -> Outcome<(Duration, usize)> {
    let test: RelevanceTest = serde_json::from_value(json!({"q": question, "limit": limit}))?;
    let started = Instant::now();
    let answer = simulator::test(service, &Caller::operator(), store, test).await?;
    let bytes = serde_json::to_vec(&answer)?;
    Ok((started.elapsed(), bytes.len()))
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or(0.0)
}
