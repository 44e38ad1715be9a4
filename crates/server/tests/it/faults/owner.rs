//! An owner who tunes the ranking, adds synonyms, renames the store and creates keys, and the expected configuration.

use super::data::Store;
use super::expected::{Expected, Outcome, ended, outcome};
use super::random::Random;
use crate::harness::{Client, findwell};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;

/// Records of the audit trail that creating a store and its keys leaves.
const FIRST_RECORDS: usize = 4;

/// What the owner set: two numbers that are always saved together, the terms of the groups of synonyms, the store's
/// name, and keys with whether they work; and the counts: the revision of the configuration, and the records of the audit trail.
#[derive(Clone, Debug, PartialEq)]
struct Settings {
    boost: f64,
    phrase: f64,
    synonyms: Vec<Vec<String>>,
    name: String,
    keys: BTreeMap<String, bool>,
    revision: u64,
    records: usize,
}

/// The owner.
#[derive(Clone)]
pub struct Owner {
    settings: Expected<Settings>,
    /// Texts and ids of the keys whose creation was acknowledged, by name.
    texts: BTreeMap<String, String>,
    random: Random,
    writes: u32,
}

impl Owner {
    /// The owner of a store with the default configuration.
    pub fn new(random: Random) -> Self {
        let settings = Settings {
            boost: 6.0,
            phrase: 8.0,
            synonyms: Vec::new(),
            name: "Shop".to_owned(),
            keys: BTreeMap::new(),
            revision: 0,
            records: FIRST_RECORDS,
        };
        Self {
            settings: Expected::known(settings),
            texts: BTreeMap::new(),
            random,
            writes: 0,
        }
    }

    /// Does one write of any kind.
    pub fn act(&mut self, store: &Store, client: &Client, data: &Path) -> Outcome {
        match self.random.below(16) {
            0 => self.create_key(store, data),
            1 => self.deactivate_key(data),
            2 => reindex(store, data),
            3..=5 => self.rename(store, client),
            6..=8 => self.add_synonyms(store, client),
            _ => self.tune(store, client),
        }
    }

    /// The settings after a change that creates a revision.
    fn next_revision(&self) -> Settings {
        let mut next = self.settings.acknowledged().clone();
        next.revision += 1;
        next.records += 1;
        next
    }

    /// Saves the relevance.
    pub fn tune(&mut self, store: &Store, client: &Client) -> Outcome {
        self.writes += 1;
        let mut next = self.next_revision();
        next.boost = 10.0 + f64::from(self.writes % 90);
        next.phrase = 100.0 + f64::from(self.writes % 90);
        let body =
            json!({"boosts": {"name": next.boost}, "searchSettings": {"phraseBoost": next.phrase}});
        let reply = store
            .own(client, "PUT", "/relevance")
            .json(&body)
            .try_send();
        self.settings.record(next, outcome(reply.as_ref()))
    }

    /// Adds a group of synonyms.
    pub fn add_synonyms(&mut self, store: &Store, client: &Client) -> Outcome {
        self.writes += 1;
        let mut next = self.next_revision();
        let terms = vec![
            format!("word{}", self.writes),
            format!("term{}", self.writes),
        ];
        let call = store.own(client, "POST", "/synonyms");
        let reply = call.json(&json!({"terms": terms})).try_send();
        next.synonyms.push(terms);
        self.settings.record(next, outcome(reply.as_ref()))
    }

    /// Renames the store.
    pub fn rename(&mut self, store: &Store, client: &Client) -> Outcome {
        self.writes += 1;
        let mut next = self.next_revision();
        next.name = format!("Shop {}", self.writes);
        let reply = store
            .own(client, "PUT", "")
            .json(&json!({"name": next.name}))
            .try_send();
        self.settings.record(next, outcome(reply.as_ref()))
    }

    /// Creates a key by the command line.
    pub fn create_key(&mut self, store: &Store, data: &Path) -> Outcome {
        self.writes += 1;
        let name = format!("Key {}", self.writes);
        let mut next = self.settings.acknowledged().clone();
        next.keys.insert(name.clone(), true);
        next.records += 1;
        let arguments = [
            "key",
            "create",
            "--store",
            &store.id,
            "--kind",
            "configuration",
            "--name",
            &name,
        ];
        let command = findwell(data, &arguments);
        let outcome = ended(&command);
        if outcome == Outcome::Done {
            self.texts.insert(name, command.line().to_owned());
        }
        self.settings.record(next, outcome)
    }

    /// Deactivates the oldest key that works, or creates one if there is none.
    pub fn deactivate_key(&mut self, data: &Path) -> Outcome {
        let mut next = self.settings.acknowledged().clone();
        let Some((name, works)) = next.keys.iter_mut().find(|(_, works)| **works) else {
            return Outcome::Done;
        };
        *works = false;
        next.records += 1;
        let Some(list) = keys(data) else {
            return Outcome::Unknown;
        };
        let key = list.into_iter().find(|key| key.name == *name);
        let id = key.expect("an acknowledged key is listed").id;
        let outcome = ended(&findwell(data, &["key", "deactivate", &id]));
        self.settings.record(next, outcome)
    }

    /// Compares all that was set with what was acknowledged.
    pub fn settle(&mut self, store: &Store, client: &Client, data: &Path) {
        let found = self.found(store, client, data);
        self.settings.settle(&found, Settings::clone);
    }

    /// Records that the write in flight may be the one that led to `next`.
    pub fn may_become(&mut self, next: &Self) {
        self.settings.may_become(&next.settings);
    }

    /// Compares while the server lives.
    pub fn check(&mut self, store: &Store, client: &Client, data: &Path) {
        let found = self.found(store, client, data);
        self.settings.check(&found, Settings::clone);
    }

    fn found(&self, store: &Store, client: &Client, data: &Path) -> Settings {
        let relevance = store.own(client, "GET", "/relevance").send().ok();
        let detail = store.own(client, "GET", "").send().ok();
        let number = |path: &str| {
            relevance
                .data()
                .pointer(path)
                .and_then(|value| value.as_f64())
        };
        let keys = keys(data).expect("the list of keys").into_iter();
        let keys = keys.filter(|key| key.name.starts_with("Key "));
        let revision = detail
            .header("x-config-revision")
            .parse()
            .expect("a number");
        let found = Settings {
            boost: number("/boosts/name").expect("a number"),
            phrase: number("/searchSettings/phraseBoost").expect("a number"),
            synonyms: synonyms(store, client),
            name: detail.data()["name"].as_str().expect("text").to_owned(),
            keys: keys.map(|key| (key.name, key.works)).collect(),
            revision,
            records: records(store, data, revision),
        };
        for (name, text) in &self.texts {
            let status = client.call("GET", "/api/v1/me").key(text).send().status;
            let works = found.keys.get(name).expect("an acknowledged key is there");
            assert_eq!(status, if *works { 200 } else { 401 }, "{name}");
        }
        found
    }
}

/// Returns the terms of all groups of synonyms.
fn synonyms(store: &Store, client: &Client) -> Vec<Vec<String>> {
    let reply = store.own(client, "GET", "/synonyms").send().ok();
    let groups = reply.data().as_array().expect("a list").iter();
    let terms = groups.map(|group| serde_json::from_value(group["terms"].clone()));
    terms.map(|terms| terms.expect("a list of texts")).collect()
}

/// Rebuilds the indexes, which changes nothing visible.
pub fn reindex(store: &Store, data: &Path) -> Outcome {
    ended(&findwell(data, &["reindex", "--store", &store.id]))
}

/// Returns the number of records in the audit trail of the store; every revision has one.
fn records(store: &Store, data: &Path, revision: u64) -> usize {
    let arguments = [
        "audit", "list", "--store", &store.id, "--limit", "1000", "--json",
    ];
    let list = findwell(data, &arguments).json();
    let list = list.as_array().expect("a list");
    let revisions: Vec<u64> = list
        .iter()
        .filter_map(|record| record["revision"].as_u64())
        .collect();
    let expected: Vec<u64> = (1..=revision).rev().collect();
    assert_eq!(revisions, expected, "a record for each revision");
    list.len()
}

/// A key in the list.
struct Key {
    id: String,
    name: String,
    works: bool,
}

/// All keys; `None` if the server died during the request.
fn keys(data: &Path) -> Option<Vec<Key>> {
    let command = findwell(data, &["key", "list", "--json"]);
    if ended(&command) != Outcome::Done {
        return None;
    }
    let list = command.json();
    let keys = list.as_array().expect("a list").iter();
    let key = |key: &serde_json::Value| Key {
        id: key["id"].as_str().expect("text").to_owned(),
        name: key["name"].as_str().expect("text").to_owned(),
        works: key["deactivatedAt"].is_null(),
    };
    Some(keys.map(key).collect())
}
