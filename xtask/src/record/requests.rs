//! The list of what is recorded, and the requests that come of it.

use crate::failure::{Failure, Outcome};
use serde_json::{Value, json};

/// Hits of a recorded response.
const HITS: usize = 50;
const SORTS: [&str; 7] = [
    "relevance",
    "price_asc",
    "price_desc",
    "name",
    "newest",
    "sales",
    "rating",
];

/// How a request is sent.
#[derive(Clone, Copy, Debug)]
pub enum Face {
    /// As a shopper's search.
    Search,
    /// As a simulation.
    Simulator,
}

/// A request that is recorded.
pub struct Recorded {
    /// How it is sent.
    pub face: Face,
    /// Its body.
    pub body: Value,
}

/// The committed list.
pub struct List(Value);

impl List {
    /// Reads the list.
    pub fn read() -> Outcome<Self> {
        let text = include_str!("searches.toml");
        toml::from_str(text)
            .map(Self)
            .map_err(Failure::of("searches.toml"))
    }

    /// Returns the bodies under `name`: `synonyms` or `rules`.
    pub fn bodies(&self, name: &str) -> impl Iterator<Item = &Value> {
        self.0[name].as_array().into_iter().flatten()
    }

    /// Returns all requests in their order.
    pub fn requests(&self) -> Vec<Recorded> {
        let mut all = self.searches();
        all.extend(self.simulations());
        all.extend(self.ends());
        all
    }

    fn queries(&self, language: &str) -> Vec<String> {
        texts(&self.0[language]["queries"])
    }

    /// Every query in every order, with and without facets, some with a filter or on the second page.
    fn searches(&self) -> Vec<Recorded> {
        let mut all = Vec::new();
        for language in ["en", "es"] {
            for (at, q) in self.queries(language).iter().enumerate() {
                for (number, sort) in SORTS.iter().enumerate() {
                    let filters = match (at + number) % 3 {
                        0 => json!({}),
                        1 => json!({"price": {"min": 1, "max": 60}}),
                        _ => json!({"inStock": ["true"]}),
                    };
                    let page = 1 + (at + number) % 2;
                    all.push(Recorded {
                        face: Face::Search,
                        body: json!({"q": q, "lang": language, "types": ["products"], "page": page, "limit": 24,
                            "sort": sort, "filters": filters, "facets": number % 2 == 0}),
                    });
                }
            }
        }
        all
    }

    /// Every query as saved, with rules, and for a visitor of a group with prices of its own.
    fn simulations(&self) -> Vec<Recorded> {
        let mut all = Vec::new();
        for language in ["en", "es"] {
            for q in self.queries(language) {
                let plain = json!({"q": q, "lang": language, "limit": HITS});
                let mut ruled = plain.clone();
                ruled["applyRules"] = json!(true);
                let mut visited = ruled.clone();
                visited["visitor"] = json!({"groups": ["4"], "tier": "4"});
                all.extend([plain, ruled, visited].map(simulation));
            }
        }
        all
    }

    /// Some queries at both ends of each setting and of each boost.
    fn ends(&self) -> Vec<Recorded> {
        let mut all = Vec::new();
        for language in ["en", "es"] {
            for q in texts(&self.0["ends"][language]) {
                let plain = json!({"q": q, "lang": language, "limit": HITS});
                let settings = self.0["settings"].as_object().into_iter().flatten();
                for (name, ends) in settings {
                    for end in ends.as_array().into_iter().flatten() {
                        let mut body = plain.clone();
                        body["searchSettings"] = json!({ name: end });
                        all.push(simulation(body));
                    }
                }
                for field in texts(&self.0["boosts"]["fields"]) {
                    for end in [0, 200] {
                        let mut body = plain.clone();
                        body["boosts"] = json!({ &field: end });
                        all.push(simulation(body));
                    }
                }
            }
        }
        all
    }
}

fn simulation(body: Value) -> Recorded {
    Recorded {
        face: Face::Simulator,
        body,
    }
}

fn texts(list: &Value) -> Vec<String> {
    let values = list.as_array().into_iter().flatten();
    values
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect()
}
