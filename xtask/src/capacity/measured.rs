//! One measurement: a setup takes the catalogues of stores, and is searched.

use super::setup::{Running, Setup, Span, Used};
use super::work::{self, Catalogue};
use crate::failure::{Failure, Outcome};
use crate::load::record::{Record, Records};
use crate::process::{Server, UNLIMITED};
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

const MIB: u64 = 1024 * 1024;

/// The head of the table.
pub const HEAD: &str = "| stores x products | setup | products a second | searchable after | processor, nodes + database + cluster, a product | searches a second | 50th, 95th | processor, nodes + database + cluster, a search | memory of each node |\n|---|---|---|---|---|---|---|---|---|";

/// Stores, and the products of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Stores.
    pub stores: usize,
    /// Products of each.
    pub products: usize,
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('x');
        let numbers = parts
            .and_then(|(stores, products)| Some((stores.parse().ok()?, products.parse().ok()?)));
        match numbers {
            Some((stores @ 1.., products @ 1..)) => Ok(Self { stores, products }),
            _ => Err("must be two numbers above 0, such as 20x5000".to_owned()),
        }
    }
}

/// What a setup did.
pub struct Measured {
    /// The setup.
    pub setup: Setup,
    /// What it was filled with.
    pub size: Size,
    /// Until all blocks were acknowledged, in seconds.
    acknowledged: f64,
    /// Until every node found all products.
    fed: Used,
    searched: Used,
    searches: f64,
    /// The 50th and 95th percentile, in milliseconds.
    percentiles: [f64; 2],
    memory: Vec<String>,
}

impl Measured {
    /// Processor time of a search: of nodes, database and cluster, in microseconds.
    pub fn of_search(&self) -> [f64; 3] {
        let searches = self.searches;
        self.searched
            .processors
            .map(|seconds| seconds / searches * 1e6)
    }

    /// Its row of the table.
    pub fn row(&self) -> String {
        let products = (self.size.stores * self.size.products) as f64;
        let of_product = self.fed.processors.map(|seconds| seconds / products * 1e6);
        let [half, most] = self.percentiles;
        format!(
            "| {} x {} | {} | {:.0} | {:.1} s | {} µs | {:.0} | {half:.1}, {most:.1} ms | {} µs | {} MiB |",
            self.size.stores,
            self.size.products,
            self.setup.name(),
            products / self.acknowledged,
            self.fed.clock,
            sum(of_product),
            self.searches / self.searched.clock,
            sum(self.of_search()),
            self.memory.join(", "),
        )
    }
}

fn sum(parts: [f64; 3]) -> String {
    parts.map(|part| format!("{part:.0}")).join(" + ")
}

/// Measures a setup.
///
/// # Errors
///
/// When a request fails, or something that it needs is missing.
pub fn measure(setup: Setup, size: Size, binary: &Path, seconds: u64) -> Outcome<Measured> {
    let running = Running::start(setup, binary, &UNLIMITED)?;
    let catalogues = (0..size.stores)
        .map(|number| Catalogue::create(&running, number, size.products))
        .collect::<Outcome<Vec<_>>>()?;
    let span = Span::begin(&running);
    work::feed(&running, &catalogues)?;
    let acknowledged = span.used(&running).clock;
    for catalogue in &catalogues {
        catalogue.wait_until_found(&running)?;
    }
    let fed = span.used(&running);
    // The first searches fill caches that all others use.
    work::search(&running, &catalogues, Duration::from_secs(seconds / 4));
    let span = Span::begin(&running);
    let records = work::search(&running, &catalogues, Duration::from_secs(seconds));
    let searched = span.used(&running);
    let record = only(&records)?;
    let ms = |percent: usize| record.percentile(percent).unwrap_or_default().as_secs_f64() * 1e3;
    Ok(Measured {
        setup,
        size,
        acknowledged,
        fed,
        searched,
        searches: record.succeeded() as f64,
        percentiles: [ms(50), ms(95)],
        memory: running.nodes.iter().map(resident).collect(),
    })
}

/// Returns the searches, if all were served.
fn only(records: &Records) -> Outcome<&Record> {
    let failures = records.failures();
    if !failures.is_empty() {
        return Err(Failure::new(failures.join("\n")));
    }
    let mut all = records.iter();
    let (_, record) = all.next().ok_or_else(|| Failure::new("no search"))?;
    if let Some((status, count)) = record.failed().next() {
        return Err(Failure::new(format!(
            "{count} searches failed with {status}"
        )));
    }
    Ok(record)
}

fn resident(node: &Server) -> String {
    let bytes = node.resident_memory();
    bytes.map_or_else(|| "?".to_owned(), |bytes| (bytes / MIB).to_string())
}

#[cfg(test)]
mod tests {
    //! A size is two numbers above 0.

    use super::Size;

    #[test]
    fn a_size_is_two_numbers() {
        let size = |text: &str| text.parse::<Size>().ok();
        let expected = Size {
            stores: 20,
            products: 5_000,
        };
        assert_eq!(size("20x5000"), Some(expected));
        for wrong in ["", "20", "0x5", "5x0", "axb", "1x2x3"] {
            assert_eq!(size(wrong), None, "{wrong}");
        }
    }
}
