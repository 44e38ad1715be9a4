//! 1. A scripted agent mends the six complaints of `agent.json` on the demo's catalogue with at most 60 calls of the tool
//!    server: each is tried in the simulator and by a dry run first, and each write stays, so there are six revisions.
//! 2. It uses no id that a tool did not return.
//! 3. Sixty other queries keep their first ten products.
//! 4. The same holds of a catalogue made of a seed.

use crate::harness::{Shop, eventually};
use evaluation::generated;
use serde::Deserialize;
use serde_json::{Value, json};
use server::demo::catalogue;
use std::collections::BTreeSet;

const COMPLAINTS: &str = include_str!("agent.json");
/// Calls that the six complaints may take.
const CALLS_MAX: usize = 60;
/// Queries that have to stay as they are, and how many a call compares.
const BASELINE: usize = 60;
const COMPARED_AT_ONCE: usize = 25;
/// Weights of a BOOST rule, the lowest first.
const WEIGHTS: [u32; 4] = [2, 5, 20, 100];
const LANGUAGE: &str = "en";

/// What an owner complains about, and what has to hold when it is mended.
#[derive(Deserialize)]
struct Complaint {
    query: String,
    complaint: Kind,
    /// The other word, a name, a brand or an address.
    about: String,
    /// The word of the catalogue that the query lacks.
    #[serde(default)]
    word: String,
    check: Check,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    AnotherWord,
    MustBeFirst,
    MustNotShow,
    BrandShouldLead,
    ShouldLeadTo,
    NotFound,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Check {
    Finds(String),
    First(String),
    Lacks(String),
    FirstBrand(String),
    LeadsTo(String),
}

impl Check {
    /// Returns whether the result of a simulation fulfils it.
    fn holds(&self, found: &Value) -> bool {
        let hits = found["hits"].as_array().cloned().unwrap_or_default();
        let has = |name: &str| hits.iter().any(|hit| hit["name"] == name);
        match self {
            Self::Finds(name) => has(name),
            Self::Lacks(name) => !hits.is_empty() && !has(name),
            Self::First(name) => hits.first().is_some_and(|hit| hit["name"] == **name),
            Self::FirstBrand(brand) => hits
                .first()
                .is_some_and(|hit| hit["manufacturer"] == **brand),
            Self::LeadsTo(url) => found["redirect"]["url"] == **url,
        }
    }
}

/// An agent that knows what tools returned.
struct Agent<'a> {
    shop: &'a Shop,
    /// Every text that a tool returned.
    seen: BTreeSet<String>,
    calls: usize,
}

/// Arguments that are ids, or lists of ids.
const IDS: [&str; 6] = ["storeId", "productId", "synId", "ruleId", "pin", "hide"];

impl<'a> Agent<'a> {
    fn new(shop: &'a Shop) -> Self {
        Self {
            shop,
            seen: BTreeSet::new(),
            calls: 0,
        }
    }

    /// Calls a tool, which has to succeed, and returns its structured content.
    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        self.require_seen(arguments);
        self.calls += 1;
        let message = json!({"jsonrpc": "2.0", "id": self.calls, "method": "tools/call",
            "params": {"name": tool, "arguments": arguments}});
        let call = self.shop.client.call("POST", "/mcp?tools=all");
        let call = call.key(&self.shop.write_key);
        let call = call.header("Accept", "application/json, text/event-stream");
        let reply = call.json(&message).send();
        let result = &reply.json["result"];
        assert_eq!(result["isError"], false, "{tool} {arguments}: {reply:?}");
        let content = result["structuredContent"].clone();
        remember(&content, &mut self.seen);
        content
    }

    /// Fails for an id that no tool returned.
    fn require_seen(&self, arguments: &Value) {
        for (name, value) in arguments.as_object().into_iter().flatten() {
            let texts = value.as_array().cloned().unwrap_or_default();
            for id in texts.iter().chain([value]).filter_map(Value::as_str) {
                let is_id = IDS.contains(&name.as_str());
                assert!(!is_id || self.seen.contains(id), "{name} {id} is made up");
            }
            self.require_seen(value);
        }
    }

    /// Ranks a query under a draft, or under what is saved.
    fn test(&mut self, query: &str, draft: Option<&Value>) -> Value {
        let mut arguments =
            json!({"q": query, "lang": LANGUAGE, "applyRules": true, "detail": "full"});
        if let Some(draft) = draft {
            arguments["draft"] = draft.clone();
        }
        self.call("test_relevance", &arguments)["data"].clone()
    }

    /// Returns the id of a product by its name.
    fn product(&mut self, name: &str) -> Value {
        let found = self.test(name, None);
        let hits = found["hits"].as_array().cloned().unwrap_or_default();
        let hit = hits.iter().find(|hit| hit["name"] == name);
        hit.unwrap_or_else(|| panic!("{name} is not found"))["id"].clone()
    }

    /// Mends a complaint: reproduces it, tries candidates, saves the first that helps, and confirms.
    fn mend(&mut self, complaint: &Complaint) {
        let Complaint { query, check, .. } = complaint;
        assert!(
            !check.holds(&self.test(query, None)),
            "{query} is no complaint"
        );
        let candidates = self.candidates(complaint);
        let (tool, record) = candidates
            .into_iter()
            .find(|(tool, record)| {
                let kind = if *tool == "create_rule" {
                    "rules"
                } else {
                    "synonyms"
                };
                let draft = json!({kind: {"create": [record]}});
                check.holds(&self.test(query, Some(&draft)))
            })
            .unwrap_or_else(|| panic!("nothing mends {query}"));
        let mut write = record;
        write["note"] = json!(format!("Complaint about \"{query}\""));
        write["dryRun"] = json!(true);
        let tried = self.call(tool, &write);
        assert_eq!(tried["dryRun"], true);
        assert_eq!(tried["impact"]["lostAllResults"], 0, "{query}: {tried}");
        assert_eq!(tried["data"].get("advice"), None, "{query}: {tried}");
        write["dryRun"] = json!(false);
        self.call(tool, &write);
        assert!(
            check.holds(&self.test(query, None)),
            "{query} is not mended"
        );
    }

    /// Returns the writes that may mend a complaint, the smallest first.
    fn candidates(&mut self, complaint: &Complaint) -> Vec<(&'static str, Value)> {
        let (query, about) = (&complaint.query, &complaint.about);
        let rule = |kind: &str, actions: Value| {
            let trigger = json!({"query": query, "match": "exact"});
            let name = format!("{kind} for {query}");
            let rule = json!({"name": name, "language": LANGUAGE, "type": kind, "trigger": trigger,
                "actions": actions});
            ("create_rule", rule)
        };
        match complaint.complaint {
            Kind::AnotherWord => {
                let group = json!({"language": LANGUAGE, "terms": [query, about]});
                vec![("create_synonym", group)]
            }
            Kind::MustBeFirst => vec![rule("PIN", json!({"pin": [self.product(about)]}))],
            Kind::MustNotShow => vec![rule("HIDE", json!({"hide": [self.product(about)]}))],
            Kind::ShouldLeadTo => vec![rule("REDIRECT", json!({ "redirect": about }))],
            Kind::BrandShouldLead => {
                let arguments = json!({"values": "manufacturer", "q": about, "lang": LANGUAGE});
                let listed = self.call("list_filters", &arguments);
                let value = listed["values"]["items"][0]["label"].clone();
                let entry = |weight: &u32| json!({"field": "manufacturer", "value": value, "weight": weight});
                let boosts = WEIGHTS
                    .iter()
                    .map(|weight| json!({"boost": [entry(weight)]}));
                boosts.map(|actions| rule("BOOST", actions)).collect()
            }
            Kind::NotFound => {
                let arguments =
                    json!({"productId": self.product(about), "q": query, "lang": LANGUAGE});
                let product = self.call("get_product", &arguments);
                assert_eq!(product["data"]["code"], "no_word", "{product}");
                let group = json!({"language": LANGUAGE, "type": "UNIDIRECTIONAL", "input": query,
                    "terms": [complaint.word]});
                vec![("create_synonym", group)]
            }
        }
    }

    /// Returns the latest revision.
    fn revision(&mut self) -> i64 {
        let listed = self.call("list_revisions", &json!({"limit": 1}));
        listed["data"][0]["revision"].as_i64().unwrap_or(0)
    }
}

/// Adds every text in `value` to `seen`.
fn remember(value: &Value, seen: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => drop(seen.insert(text.clone())),
        Value::Array(items) => items.iter().for_each(|item| remember(item, seen)),
        Value::Object(fields) => fields.values().for_each(|field| remember(field, seen)),
        _ => {}
    }
}

/// The first two words of names that are no complaint, each once.
fn baseline(products: &[Value], complaints: &[Complaint]) -> Vec<String> {
    let mut queries = Vec::new();
    for name in products
        .iter()
        .filter_map(|product| product["name"].as_str())
    {
        let words: Vec<&str> = name.split_whitespace().take(2).collect();
        let query = words.join(" ");
        let is_complaint = complaints.iter().any(|one| one.query == query);
        if !is_complaint && !queries.contains(&query) {
            queries.push(query);
        }
    }
    queries.truncate(BASELINE);
    assert_eq!(queries.len(), BASELINE);
    queries
}

fn mends(of: &str, products: &[Value]) {
    let mut all: serde_json::Map<String, Value> = serde_json::from_str(COMPLAINTS).expect("JSON");
    let complaints: Vec<Complaint> =
        serde_json::from_value(all.remove(of).unwrap_or_default()).expect("complaints");
    let shop = Shop::open();
    shop.bulk("products", LANGUAGE, &json!(products)).ok();
    eventually("the catalogue is searchable", || {
        let request = json!({"lang": LANGUAGE, "limit": 1, "types": ["products"]});
        let found = shop.search(&request).ok();
        found.data()["products"]["total"] == products.len()
    });
    let mut agent = Agent::new(&shop);
    let account = agent.call("get_account", &json!({}));
    assert!(account.to_string().contains("config:write"), "{account}");
    let before = agent.revision();
    for complaint in &complaints {
        agent.mend(complaint);
    }
    assert_eq!(agent.revision(), before + complaints.len() as i64);
    let queries = baseline(products, &complaints);
    for part in queries.chunks(COMPARED_AT_ONCE) {
        let asked: Vec<Value> = part
            .iter()
            .map(|q| json!({"q": q, "lang": LANGUAGE}))
            .collect();
        let arguments = json!({"queries": asked, "compareWith": before});
        let compared = agent.call("test_relevance", &arguments);
        let totals = &compared["data"]["totals"];
        assert_eq!(totals["measured"], part.len(), "{compared}");
        assert_eq!(totals["changed"], 0, "{compared}");
    }
    assert_eq!(complaints.len(), 6);
    assert!(agent.calls <= CALLS_MAX, "{} calls", agent.calls);
}

#[test]
fn an_agent_mends_the_demo() {
    let products = catalogue::documents(LANGUAGE, "https://shop.example");
    mends("demo", &products);
}

#[test]
fn an_agent_mends_a_generated_store() {
    let names = generated::names(35, 500).into_iter().enumerate();
    let products: Vec<Value> = names
        .map(|(at, name)| {
            let brand = name
                .split_whitespace()
                .next()
                .unwrap_or_default()
                .to_owned();
            json!({"id": format!("g{at}"), "name": name, "manufacturer": brand, "inStock": true})
        })
        .collect();
    mends("generated", &products);
}
