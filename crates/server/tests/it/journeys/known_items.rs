//! 1. Words out of names find their product as well as `known_items.json` says, clean and with each noise: on the demo
//!    catalogue in both its languages and on a catalogue made of a seed. No figure falls by more than 0.01;
//!    `FINDWELL_WRITE=1` writes the file anew.
//! 2. The same holds of the suggestions after three characters and after half of a name, beside categories and brands.

use crate::harness::{Shop, eventually};
use evaluation::generated;
use evaluation::known_items::{self, DEPTH, KnownItemMeasures};
use evaluation::product_names::ProductNames;
use evaluation::suggestions::{self, SUGGESTIONS, SuggestedNames, SuggestionMeasures};
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
        let base = "http://shop.example";
        catalogues.push(Catalogue {
            name: format!("demo {language}"),
            language,
            products: catalogue::documents(language, base),
            categories: catalogue::categories(language, base),
            brands: catalogue::brands(language, base),
        });
    }
    let names = generated::names(SEED, GENERATED);
    let numbered = names.iter().enumerate();
    let products = numbered.map(|(at, name)| json!({"id": at.to_string(), "name": name}));
    catalogues.push(Catalogue {
        name: "generated".to_owned(),
        language: "en",
        products: products.collect(),
        ..Catalogue::default()
    });
    let found = std::thread::scope(|scope| {
        let threads = catalogues
            .iter()
            .map(|own| scope.spawn(|| (own.name.clone(), own.figures())));
        // All run before the first is waited for.
        let threads: Vec<_> = threads.collect();
        let joined = threads.into_iter();
        let joined = joined.map(|thread| thread.join().expect("measured"));
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

#[derive(Default)]
struct Catalogue {
    name: String,
    language: &'static str,
    products: Vec<Value>,
    categories: Vec<Value>,
    brands: Vec<Value>,
}

impl Catalogue {
    fn figures(&self) -> Value {
        let mut names = ProductNames::new(self.language);
        for product in &self.products {
            names.add(text(product, "id"), text(product, "name"));
            names.add_text(&product.to_string());
        }
        let shop = self.shop();
        let items = known_items::sample(&names, SEED, QUERIES);
        let ids = |q: &str| Ok::<_, ()>(self.found(&shop, q, DEPTH).1);
        let found = known_items::measure(&items, ids, |_, _, _| {}).expect("no search fails");
        let prefixes = suggestions::prefixes(&names);
        let halves = suggestions::halves(&names, SEED, QUERIES);
        let suggest = |q: &str| Ok::<_, ()>(self.suggested(&shop, q));
        let asked = (&prefixes[..], &halves[..]);
        let suggested = suggestions::measure(&names, asked, suggest, |_, _| {});
        figures(&found, &suggested.expect("no suggestion fails"))
    }

    fn shop(&self) -> Shop {
        let shop = Shop::open();
        let languages = json!([{"code": "es", "default": true}, {"code": "en"}]);
        let brands = json!({"types": ["brands"], "languages": languages});
        shop.feed("POST", "/feed/indices").json(&brands).send().ok();
        // Products come last: once they are found, so are the others.
        for (of, documents) in [
            ("brands", &self.brands),
            ("categories", &self.categories),
            ("products", &self.products),
        ] {
            if !documents.is_empty() {
                shop.bulk(of, self.language, &json!(documents)).ok();
            }
        }
        let all = [&self.products, &self.categories, &self.brands].map(Vec::len);
        eventually("the catalogue is searchable", || {
            let request = json!({"lang": self.language, "limit": 1, "analytics": false});
            let found = shop.search(&request).ok();
            let total = |of: &str| found.data()[of]["total"].as_u64().unwrap_or(0) as usize;
            ["products", "categories", "brands"].map(total) == all
        });
        shop
    }

    /// Names and ids of the products that a query finds.
    fn found(&self, shop: &Shop, q: &str, limit: usize) -> (Vec<String>, Vec<String>) {
        let request = json!({"q": q, "lang": self.language, "types": ["products"], "limit": limit,
            "analytics": false});
        hits(&shop.search(&request).ok().data()["products"])
    }

    /// The suggestions in the order in which the widget shows them: brands, categories, products.
    fn suggested(&self, shop: &Shop, q: &str) -> SuggestedNames {
        let request =
            json!({"q": q, "lang": self.language, "limit": SUGGESTIONS, "analytics": false});
        let call = shop
            .api("POST", "/suggest")
            .key(&shop.public)
            .json(&request);
        let found = call.send().ok();
        let shown = ["brands", "categories", "products"].map(|of| hits(&found.data()[of]));
        SuggestedNames {
            first: shown.iter().flat_map(|(names, _)| names).next().cloned(),
            products: shown[2].1.clone(),
        }
    }
}

fn text<'a>(of: &'a Value, field: &str) -> &'a str {
    of[field].as_str().unwrap_or_default()
}

fn hits(of: &Value) -> (Vec<String>, Vec<String>) {
    let hits = of["hits"].as_array().into_iter().flatten();
    let hits = hits.map(|hit| (text(hit, "name").to_owned(), text(hit, "id").to_owned()));
    hits.unzip()
}

/// The mean reciprocal rank, the share of it with each noise, and the shares of suggestions.
fn figures(found: &KnownItemMeasures, suggested: &SuggestionMeasures) -> Value {
    let rounded = |figure: f64| json!((figure * 1_000.0).round() / 1_000.0);
    let mut figures = Map::from_iter([("clean".to_owned(), rounded(found.mrr))]);
    let shares = found
        .noises
        .iter()
        .filter_map(|row| Some((row.noise.as_str(), row.share()?)));
    for (name, share) in shares {
        figures.insert(name.to_owned(), rounded(share));
    }
    figures.insert("first begins so".to_owned(), rounded(suggested.begins));
    let share = suggested.share().unwrap_or(0.0);
    figures.insert("suggested after half".to_owned(), rounded(share));
    Value::Object(figures)
}
