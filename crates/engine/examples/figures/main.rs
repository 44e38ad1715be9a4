//! Measures the embedded engine and the one on OpenSearch beside each other, on a real catalogue, repeated as often as it takes.
//!
//!     figures FILE.ndjson.gz --products N
//!
//! Processor time of a document and of searches of several kinds, here and in the node; memory, room on disk, and how long a
//! changed price takes to be found. The node is the one that `cargo xtask nodes up` has started.

mod costs;
#[path = "../../tests/parity/filling.rs"]
mod filling;
#[path = "../../tests/node/access.rs"]
mod node_access;
#[path = "../../tests/node/address.rs"]
mod node_address;
mod place;
#[path = "../../tests/parity/product_file.rs"]
mod product_file;
mod products;
mod searches;

use costs::cpu;
use engine::Index;
use filling::{apply, fill};
use place::Place;
use products::Products;
use std::error::Error;
use std::path::PathBuf;
use std::time::Duration;

/// Prices that are changed, one after the other.
const PRICES: usize = 20;

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

fn options() -> Outcome<(PathBuf, usize)> {
    let (mut file, mut products) = (PathBuf::new(), 100_000);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--products" => products = arguments.next().ok_or("a number")?.parse()?,
            name => file = name.into(),
        }
    }
    Ok((file, products))
}

/// Returns the median time until a changed price is found.
fn price_lag(index: &dyn Index, products: &Products, count: usize) -> Outcome<Duration> {
    let mut all = Vec::new();
    for at in 0..PRICES {
        let changes = vec![products.change(at * 7, false)?];
        let watermark = (count + at + 1) as i64;
        all.push(costs::took(|| apply(index, changes, watermark))?);
    }
    all.sort();
    Ok(all[all.len() / 2])
}

fn measure(place: &Place, products: &Products, count: usize) -> Outcome<()> {
    let index = place.index()?;
    let before = cpu()?;
    fill(index.as_ref(), count, |at| products.change(at, true))?;
    let (costs, (own, node)) = (cpu()?.since(before), costs::memory()?);
    let each = |all: Duration| all.as_secs_f64() * 1e6 / count as f64;
    println!(
        "{}: {count} products, each {:.0} µs here and {:.0} µs in the node; {} MiB on disk; memory {} MiB here, {} MiB in the node",
        place.name(),
        each(costs.own),
        each(costs.node),
        place.disk()? >> 20,
        own >> 20,
        node >> 20,
    );
    for (name, costs, took) in searches::measure(index.as_ref(), products)? {
        println!(
            "{}: {name}: {:.2} ms, of a processor {:.2} ms here and {:.2} ms in the node",
            place.name(),
            took * 1e3,
            costs[0] * 1e3,
            costs[1] * 1e3
        );
    }
    let lag = price_lag(index.as_ref(), products, count)?;
    println!("{}: a changed price is found after {lag:.1?}", place.name());
    drop(index);
    place.discard()
}

fn main() -> Outcome<()> {
    let (file, count) = options()?;
    let products = Products::read(&file)?;
    for place in [Place::embedded()?, Place::cluster()?] {
        measure(&place, &products, count)?;
    }
    Ok(())
}
