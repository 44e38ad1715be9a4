//! Both engines find the same on a catalogue made of a seed, with the same scores, parts and facets, on one shard and on
//! three: with the default configuration, and with rules, synonyms, filters, orders and visitors. `cargo xtask parity` compares
//! them on real catalogues and with every setting.

mod catalogue;
mod compare;
mod filling;
#[path = "../node/access.rs"]
mod node_access;
#[path = "../node/address.rs"]
mod node_address;
mod pair;
mod stories;

use catalogue::Catalogue;
use domain::Language;
use domain::relevance::Relevance;
use pair::{Findings, Pair};
use serde_json::json;
use std::error::Error;

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// Products of the catalogue, and its seed.
const PRODUCTS: usize = 1_000;
const SEED: usize = 39;
/// Queries with the default, and with each story.
const QUERIES: usize = 150;
const QUERIES_OF_A_STORY: usize = 40;

fn catalogue() -> Catalogue {
    let language = Language::parse("en").expect("a language");
    let mut catalogue = Catalogue::new(language);
    let names = evaluation::generated::names(SEED, PRODUCTS);
    for (at, name) in names.into_iter().enumerate() {
        let brand = name.split(' ').next().unwrap_or_default();
        let color = ["Red", "Blue", "Dark green"][at % 3];
        let body = json!({
            "id": at.to_string(), "name": name, "reference": format!("KT-{at:04}"),
            "manufacturer": brand, "priceInclTax": (at * 31 % 900) as f64 / 4.0,
            "attributes": [{"group": "Color", "value": color}],
        });
        catalogue.add(body).expect("a product");
    }
    catalogue
}

fn equal_on(shards: u16) {
    if node_address::address().is_none() {
        return;
    }
    let catalogue = catalogue();
    let folder = tempfile::tempdir().expect("a folder");
    let pair = Pair::of(&catalogue, folder.path(), shards).expect("filled");
    let queries = catalogue.queries(QUERIES);
    let mut findings = Findings::default();
    let relevance = Relevance::default();
    let mut compare = |queries: &[String], story: &stories::Story| {
        let compared = pair.compare(queries, ("default", &relevance), story, &mut findings);
        compared.expect("searched");
    };
    compare(&queries, &stories::Story::default());
    let analyser = query::Analyser::new(&catalogue.language);
    for story in stories::all(&catalogue, &analyser) {
        compare(&queries[..QUERIES_OF_A_STORY], &story);
    }
    pair.discard().expect("deleted");
    assert!(findings.unknown.is_empty(), "{:#?}", findings.unknown);
}

#[test]
fn engines_agree_on_one_shard() {
    equal_on(1);
}

#[test]
fn engines_agree_on_three_shards() {
    equal_on(3);
}
