//! What a store of many products costs through the operations: long responses of the simulator, searches while the
//! search log is flooded, and changed numbers from the request until a search shows them.
//!
//! `docs/performance.md` describes how to run it and its results.

#[path = "../../../server/src/allocator.rs"]
mod allocator;
#[path = "../../../engine/benches/search/catalogue.rs"]
#[expect(dead_code, reason = "the other benchmark takes more of the catalogue")]
mod catalogue;
mod flood;
#[path = "../../../engine/benches/search/measure.rs"]
#[expect(dead_code, reason = "the other benchmark measures in more ways")]
mod measure;
mod numbers;
mod shop;
mod simulator;
mod trials;

use shop::{Catalogue, Shop};
use std::error::Error;
use std::path::PathBuf;

const PRODUCTS: u32 = 20_000;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    // Tests of all targets start this program, too, and must not wait for it.
    let given: Vec<String> = std::env::args().collect();
    if !given.iter().any(|argument| argument == "--bench") {
        return Ok(());
    }
    allocator::keep_freed_memory();
    let after = |name: &str| given.iter().skip_while(|given| *given != name).nth(1);
    if let Some(data) = after("--data") {
        measure(&Catalogue::icecat(data.as_ref())?, None)?;
    }
    let products = after("--products").map_or(Ok(PRODUCTS), |number| number.parse())?;
    let keep = after("--keep").map(PathBuf::from);
    measure(&Catalogue::generated(products), keep)
}

fn measure(catalogue: &Catalogue, keep: Option<PathBuf>) -> Outcome<()> {
    let shop = Shop::open(catalogue, keep)?;
    println!("{}", catalogue.name());
    simulator::table(&shop, catalogue)?;
    trials::table(&shop, catalogue)?;
    flood::table(&shop, catalogue)?;
    if catalogue.is_generated() {
        numbers::table(&shop, catalogue)?;
    }
    shop.close();
    Ok(())
}
