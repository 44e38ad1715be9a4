//! The cost of analysing a query and a document.

use crate::Outcome;
use crate::catalogue::product;
use crate::measure::{Times, time};
use crate::queries::queries;
use crate::shop::Shop;
use domain::{Language, Relevance};
use engine::indexed_document::IndexedDocument;
use query::{Analyser, CachedAnalyser, UserQuery};
use std::sync::Arc;

/// Documents that are analysed before the measured ones, to fill the cache of words.
const FIRST_DOCUMENTS: u32 = 2_000;
const DOCUMENTS: u32 = 1_000;

/// Prints both, with their ratios to the yardstick.
pub fn table(shop: &Shop, yardstick: f64) -> Outcome<()> {
    let settings = Relevance::default().search_settings;
    let mut asked = Times::default();
    for query in queries(shop, 3, false) {
        let (_, took) = time(|| UserQuery::new(&query.text, &shop.analyser, &settings));
        asked.add(took);
    }
    print("a query of 3 words", &asked, yardstick);
    let analyser = Arc::new(Analyser::new(&Language::parse("en")?));
    let mut analyser_cache = CachedAnalyser::new(analyser);
    let mut written = Times::default();
    for number in 0..FIRST_DOCUMENTS + DOCUMENTS {
        let document = product(number, 0);
        let (_, took) = time(|| drop(IndexedDocument::new(&document, &mut analyser_cache)));
        if number >= FIRST_DOCUMENTS {
            written.add(took);
        }
    }
    print("a document", &written, yardstick);
    Ok(())
}

fn print(what: &str, times: &Times, yardstick: f64) {
    println!(
        "analysis of {what}: {:.1} µs, p95 {:.1} µs, ratio {:.2}",
        times.median(),
        times.quantile(0.95),
        times.median() / yardstick
    );
}
