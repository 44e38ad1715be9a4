//! What 500 explained hits of the simulator cost beside ten of the same question, from the request to the bytes of the
//! answer.
//!
//! Both are asked in turn and each question gives one ratio; the median of the ratios is told. What counts is the time
//! that the process computed, so that other work on the machine matters little.

#[path = "../../engine/benches/search/catalogue.rs"]
#[expect(dead_code, reason = "the other benchmark takes more of the catalogue")]
mod catalogue;
#[path = "../../engine/benches/search/measure.rs"]
#[expect(dead_code, reason = "the other benchmark measures in more ways")]
mod measure;

use catalogue::{Dice, body};
use domain::relevance::BoostMode;
use domain::store::Plan;
use domain::{Caller, DocType, Language, StoreId};
use measure::{Times, time_of_all_threads};
use operations::import::{self, ImportBlock};
use operations::simulator::{self, RelevanceTest};
use operations::stores::{self, NewStore};
use operations::{Service, ServiceOptions};
use serde_json::{Value, json};
use std::error::Error;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::time::Duration;
use tokio::runtime::Runtime;

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
    let after = |name: &str| given.iter().skip_while(|given| *given != name).nth(1);
    if let Some(data) = after("--data") {
        let bodies = icecat(Path::new(data))?;
        measure("icecat", bodies.len() as u32, |number| {
            bodies[number as usize].clone()
        })?;
    }
    let products = after("--products").map_or(Ok(PRODUCTS), |number| number.parse())?;
    measure("generated", products, |number| body(number, 0))
}

/// The products of icecat below `data`.
fn icecat(data: &Path) -> Outcome<Vec<Value>> {
    let file = std::fs::File::open(data.join("icecat-chorus/products.ndjson.gz"))?;
    let lines = BufReader::new(flate2::read::MultiGzDecoder::new(file)).lines();
    lines
        .map(|line| Ok(serde_json::from_str(&line?)?))
        .collect()
}

fn measure(what: &str, products: u32, body: impl Fn(u32) -> Value) -> Outcome<()> {
    let runtime = Runtime::new()?;
    let dir = tempfile::tempdir()?;
    let options = ServiceOptions::new(dir.path().to_owned());
    let service = runtime.block_on(Service::open(options))?;
    let store = runtime.block_on(filled(&service, products, &body))?;
    settle();
    let ask = |question: &str, limit| {
        let (bytes, took) =
            time_of_all_threads(|| runtime.block_on(ask(&service, &store, question, limit)));
        bytes.map(|bytes| (bytes, took))
    };
    let mut times: [Times; 3] = Default::default();
    let (mut first_ratios, mut ratios, mut sizes) =
        (Times::default(), Times::default(), Times::default());
    for question in questions(products, &body) {
        // Once before, so that neither of the two is the first to look a word up.
        ask(&question, 1)?;
        let (_, ten) = ask(&question, 10)?;
        let (_, first) = ask(&question, 500)?;
        let (bytes, again) = ask(&question, 500)?;
        for (times, took) in times.iter_mut().zip([ten, first, again]) {
            times.add(took);
        }
        first_ratios.add(first / ten);
        ratios.add(again / ten);
        sizes.add(bytes as f64 / 1024.0);
    }
    let [ten, first, again] = times.map(|times| times.median());
    println!(
        "simulator, {products} products of {what}, 3 words: 10 hits {ten:.0} µs; 500 hits ({:.0} KiB) {first:.0} µs, \
         ratio {:.2}; asked again {again:.0} µs, ratio {:.2}",
        sizes.median(),
        first_ratios.median(),
        ratios.median(),
    );
    Ok(())
}

/// Waits until nothing is at work behind the answers any more.
fn settle() {
    let idle = Duration::from_millis(500);
    while time_of_all_threads(|| std::thread::sleep(idle)).1 > 5_000.0 {}
}

async fn filled(
    service: &Service,
    products: u32,
    body: &impl Fn(u32) -> Value,
) -> Outcome<StoreId> {
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
            documents: block.iter().map(|number| body(*number)).collect(),
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
fn questions(products: u32, body: impl Fn(u32) -> Value) -> Vec<String> {
    let mut dice = Dice::new(3);
    let names = std::iter::repeat_with(|| body(dice.below(products))["name"].take());
    names
        .filter_map(|name| {
            let words: Vec<&str> = name.as_str()?.split_whitespace().collect();
            (words.len() >= 3).then(|| words[..3].join(" "))
        })
        .take(QUESTIONS)
        .collect()
}

/// The number of bytes of the answer.
async fn ask(service: &Service, store: &StoreId, question: &str, limit: u32) -> Outcome<usize> {
    let test: RelevanceTest = serde_json::from_value(json!({"q": question, "limit": limit}))?;
    let answer = simulator::test(
        service,
        &Caller::operator(),
        store,
        test,
        BoostMode::Replace,
    )
    .await?;
    Ok(serde_json::to_vec(&answer)?.len())
}
