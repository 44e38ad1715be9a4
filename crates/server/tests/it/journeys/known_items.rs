//! 1. Words out of names find their product as well as `known_items.json` says, clean and with each noise: on the demo
//!    catalogue in both its languages and on a catalogue made of a seed. No figure falls by more than 0.01;
//!    `FINDWELL_WRITE=1` writes the file anew.

use crate::harness::{Shop, eventually};
use evaluation::generated;
use evaluation::known_items::{DEPTH, KnownItemMeasures, measure, sample};
use evaluation::product_names::ProductNames;
use serde_json::{Map, Value, json};
use server::demo::catalogue;

/// Queries of each catalogue, and the seed of each sample.
const QUERIES: usize = 200;
const SEED: usize = 35;
/// Products of the generated catalogue.
const GENERATED: usize = 500;
/// How far a figure may fall below what the file says.
const TOLERANCE: f64 = 0.01;

const FILE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/it/journeys/known_items.json"
);

#[test]
fn known_items_are_found_as_well_as_written_down() {
    let mut catalogues = Vec::new();
    for language in catalogue::LANGUAGES {
        let documents = catalogue::documents(language, "http://shop.example");
        catalogues.push((format!("demo {language}"), language, documents));
    }
    let names = generated::names(SEED, GENERATED);
    let numbered = names.iter().enumerate();
    let documents = numbered.map(|(at, name)| json!({"id": at.to_string(), "name": name}));
    catalogues.push(("generated".to_owned(), "en", documents.collect()));
    let found = std::thread::scope(|scope| {
        let threads = catalogues.into_iter().map(|(name, language, documents)| {
            let measured = scope.spawn(move || figures(&measured(language, &documents)));
            (name, measured)
        });
        // All run before the first is waited for.
        let threads: Vec<_> = threads.collect();
        let joined = threads.into_iter();
        let joined = joined.map(|(name, thread)| (name, thread.join().expect("measured")));
        joined.collect::<Map<String, Value>>()
    });
    if std::env::var_os("FINDWELL_WRITE").is_some() {
        let text = serde_json::to_string_pretty(&found).expect("JSON");
        std::fs::write(FILE, text + "\n").expect("written");
    }
    let text = std::fs::read_to_string(FILE).expect("the file of figures");
    let written: Map<String, Value> = serde_json::from_str(&text).expect("JSON");
    assert_eq!(fallen(&written, &found), [""; 0]);
}

/// Returns what has fallen below the figures of the file.
fn fallen(written: &Map<String, Value>, found: &Map<String, Value>) -> Vec<String> {
    let mut fallen = Vec::new();
    for (catalogue, figures) in written {
        for (name, expected) in figures.as_object().into_iter().flatten() {
            let now = found[catalogue][name].as_f64().unwrap_or(0.0);
            if now < expected.as_f64().unwrap_or(1.0) - TOLERANCE {
                fallen.push(format!("{catalogue}, {name}: {expected} is now {now}"));
            }
        }
    }
    fallen
}

fn measured(language: &str, documents: &[Value]) -> KnownItemMeasures {
    let shop = Shop::open();
    let mut names = ProductNames::new(language);
    for document in documents {
        let text = |field: &str| document[field].as_str().unwrap_or_default();
        names.add(text("id"), text("name"));
        names.add_text(&document.to_string());
    }
    shop.bulk("products", language, &json!(documents)).ok();
    let search = |q: &str, limit: usize| {
        let request = json!({"q": q, "lang": language, "types": ["products"], "limit": limit,
            "analytics": false});
        shop.search(&request).ok().data()["products"].clone()
    };
    eventually("the catalogue is searchable", || {
        search("", 1)["total"] == documents.len() as u64
    });
    let ids = |q: &str| {
        let hits = search(q, DEPTH)["hits"].as_array().cloned();
        let ids = hits
            .into_iter()
            .flatten()
            .filter_map(|hit| hit["id"].as_str().map(str::to_owned));
        Ok::<_, ()>(ids.collect())
    };
    let items = sample(&names, SEED, QUERIES);
    measure(&items, ids, |_, _, _| {}).expect("no search fails")
}

/// The mean reciprocal rank, and the share of it with each noise.
fn figures(measures: &KnownItemMeasures) -> Value {
    let rounded = |figure: f64| json!((figure * 1_000.0).round() / 1_000.0);
    let mut figures = Map::from_iter([("clean".to_owned(), rounded(measures.mrr))]);
    for row in &measures.noises {
        if let Some(share) = row.share() {
            figures.insert(row.noise.as_str().to_owned(), rounded(share));
        }
    }
    Value::Object(figures)
}
