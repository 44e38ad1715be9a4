//! Compares the embedded engine with the one on OpenSearch on real catalogues.
//!
//!     parity DATA [--only NAME] [--shards N]... [--default] [--queries N]
//!
//! Queries that people judged and words of names, with the default configuration; fewer of them, each time others, with every
//! setting at both ends, every boost at 0 and 200, rules, synonyms, filters, orders and visitors, unless only the default is
//! asked for. Totals, tiers, facets and words have to be equal, scores and their parts within 1e-5, and the first ten the same,
//! but for neighbours that are closer than that. What differs otherwise is printed, and fails.

#[path = "../../tests/parity/catalogue.rs"]
mod catalogue;
#[path = "../../tests/parity/compare.rs"]
mod compare;
#[path = "../../tests/parity/configurations.rs"]
mod configurations;
#[path = "../../tests/parity/filling.rs"]
mod filling;
mod judged;
#[path = "../../tests/node/access.rs"]
mod node_access;
#[path = "../../tests/node/address.rs"]
mod node_address;
#[path = "../../tests/parity/pair.rs"]
mod pair;
#[path = "../../tests/parity/product_file.rs"]
mod product_file;
mod real;
#[path = "../../tests/parity/stories.rs"]
mod stories;

use domain::relevance::Relevance;
use pair::{Findings, Pair};
use query::Analyser;
use real::Real;
use std::error::Error;
use std::path::PathBuf;
use stories::Story;

/// Queries of names with the default configuration, and with each other one unless it is said.
const QUERIES: usize = 2_000;
const QUERIES_OF_OTHERS: usize = 200;
/// Differences that are printed.
const PRINTED_MAX: usize = 40;

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

struct Options {
    data: PathBuf,
    only: String,
    shards: Vec<u16>,
    default_alone: bool,
    queries_of_others: usize,
}

fn options() -> Outcome<Options> {
    let mut options = Options {
        data: PathBuf::new(),
        only: String::new(),
        shards: Vec::new(),
        default_alone: false,
        queries_of_others: QUERIES_OF_OTHERS,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or("an option without its value");
        match argument.as_str() {
            "--only" => options.only = value()?,
            "--shards" => options.shards.push(value()?.parse()?),
            "--default" => options.default_alone = true,
            "--queries" => options.queries_of_others = value()?.parse()?,
            folder => options.data = folder.into(),
        }
    }
    if options.shards.is_empty() {
        options.shards = vec![1, 3];
    }
    Ok(options)
}

/// Compares a catalogue on so many shards; returns whether nothing differs without a known cause.
fn compare(real: &Real, shards: u16, options: &Options) -> Outcome<bool> {
    let folder = tempfile::tempdir()?;
    let pair = Pair::of(&real.catalogue, folder.path(), shards)?;
    let name = real.name;
    let judged: Vec<String> = real.judged.iter().map(|own| own.text.clone()).collect();
    let of_names = real.catalogue.queries(QUERIES);
    let mut findings = Findings::default();
    let (default, story) = (Relevance::default(), Story::default());
    let queries = [judged.clone(), of_names.clone()].concat();
    pair.compare(&queries, ("default", &default), &story, &mut findings)?;
    if !options.default_alone {
        // Each time the next ones, so that all occur with some.
        let mut rest = of_names.iter().cycle().cloned();
        let mut queries = || -> Vec<String> {
            let next = rest.by_ref().take(options.queries_of_others);
            judged.iter().cloned().chain(next).collect()
        };
        // What is counted depends on what is found, which is compared, and on no setting besides.
        let bare = Story {
            without_facets: true,
            ..Story::default()
        };
        for (name, relevance) in configurations::all() {
            pair.compare(&queries(), (&name, &relevance), &bare, &mut findings)?;
        }
        let analyser = Analyser::new(&real.catalogue.language);
        for story in stories::all(&real.catalogue, &analyser) {
            pair.compare(&queries(), ("default", &default), &story, &mut findings)?;
        }
    }
    let agrees = judged::agrees(&pair, &real.judged)?;
    pair.discard()?;
    let (searches, near, unknown) = (findings.searches, findings.near, &findings.unknown);
    for difference in unknown.iter().take(PRINTED_MAX) {
        println!("{difference}");
    }
    println!(
        "{name}, {} products, {shards} shards: {searches} searches, {near} with neighbours closer than 1e-5 in another order, {} other differences",
        real.catalogue.documents.len(),
        unknown.len()
    );
    Ok(unknown.is_empty() && agrees)
}

fn main() -> Outcome<()> {
    let options = options()?;
    let (mut compared, mut equal) = (0, true);
    for real in real::catalogues(&options.data, &options.only)? {
        for shards in &options.shards {
            equal &= compare(&real, *shards, &options)?;
            compared += 1;
        }
    }
    match (compared, equal) {
        (0, _) => Err("no catalogue was compared".into()),
        (_, false) => Err("the engines differ".into()),
        (_, true) => Ok(()),
    }
}
