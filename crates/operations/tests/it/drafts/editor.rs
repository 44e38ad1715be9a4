//! `Editor`: reads and writes the whole configuration of a tenant, by chance or on request.

use crate::world::{Tenant, World};
use domain::draft::{ChangesRequest, RestoreRequest};
use domain::filter::Filter;
use domain::relevance::BoostMerging;
use domain::rule::Rule;
use domain::synonym::Synonym;
use domain::{Caller, FilterId, RuleId, SynonymId, Timestamp};
use operations::drafts::{Restored, apply_changes, restore};
use operations::{OperationError, Precondition, records, relevance, stores, synonyms, widget};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// No precondition.
const ANY: Precondition = Precondition::None;

/// The kinds of records.
pub const KINDS: [&str; 3] = ["synonyms", "rules", "filters"];

pub fn from<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).expect("a request")
}

/// A reproducible source of choices.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % sides
    }

    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.roll(of.len() as u64) as usize]
    }
}

/// Creates, updates or deletes a record of one kind.
macro_rules! write_record {
    ($editor:expr, $record:ty, $id:ident, $target:expr, $body:expr) => {{
        let (service, store) = (&$editor.world.service, &$editor.tenant.store);
        let caller = &$editor.caller;
        match ($target.map($id::from), $body) {
            (None, new) => {
                let new = from(new.expect("a body"));
                let made = records::create::<$record>(service, caller, store, new).await;
                made.expect("created");
            }
            (Some(id), Some(patch)) => {
                let made =
                    records::update::<$record>(service, caller, store, &id, from(patch), ANY).await;
                made.expect("updated");
            }
            (Some(id), None) => {
                let made = records::delete::<$record>(service, caller, store, &id, ANY).await;
                made.expect("deleted");
            }
        }
    }};
}

/// A tenant and who changes its configuration.
pub struct Editor<'a> {
    pub world: &'a World,
    tenant: &'a Tenant,
    caller: Caller,
    made: u64,
}

impl<'a> Editor<'a> {
    pub async fn of(world: &'a World, tenant: &'a Tenant) -> Self {
        let caller = world.caller(&tenant.writer).await;
        Self {
            world,
            tenant,
            caller,
            made: 0,
        }
    }

    /// What reads return of the whole configuration.
    pub async fn read(&self) -> Value {
        let (service, store) = (&self.world.service, &self.tenant.store);
        let caller = &self.caller;
        let (relevance, _) = relevance::get(service, caller, store).await.expect("reads");
        let synonyms = records::list::<Synonym>(service, caller, store, from(json!({}))).await;
        let rules = records::list::<Rule>(service, caller, store, from(json!({}))).await;
        let filters = records::list::<Filter>(service, caller, store, ()).await;
        let (widget, _) = widget::get(service, caller, store).await.expect("reads");
        let (detail, _) = stores::get(service, caller, store).await.expect("reads");
        let detail = json!(detail);
        json!({
            "relevance": json!(relevance)["overrides"],
            "synonyms": synonyms.expect("reads").records,
            "rules": rules.expect("reads").records,
            "filters": filters.expect("reads").records,
            "widget": widget,
            "store": {"name": detail["name"], "devUrl": detail["devUrl"]},
        })
    }

    pub async fn revision(&self) -> i64 {
        let reading = relevance::get(&self.world.service, &self.caller, &self.tenant.store).await;
        reading.expect("reads").1.config_revision
    }

    pub async fn ids(&self, kind: &str) -> Vec<String> {
        let all = self.read().await[kind].clone();
        let all = all.as_array().expect("a list").clone();
        let mut ids: Vec<(Option<Timestamp>, String)> = all
            .iter()
            .map(|one| {
                let text = |key: &str| one[key].as_str().expect("text").to_owned();
                (Timestamp::parse(&text("createdAt")), text("id"))
            })
            .collect();
        ids.sort();
        ids.into_iter().map(|(_, id)| id).collect()
    }

    /// The content of a new record.
    pub fn new_record(&mut self, dice: &mut Dice, kind: &str) -> Value {
        self.made += 1;
        let number = self.made;
        match kind {
            "synonyms" => json!({"terms": [format!("a{number}"), format!("b{number}")]}),
            "rules" => json!({
                "name": format!("rule {number}"), "type": "PIN",
                "trigger": {"query": format!("q{number}"), "match": *dice.pick(&["exact", "regex"])},
                "actions": {"pin": [format!("{number}")]}, "priority": dice.roll(3),
            }),
            _ => json!({
                "field": format!("features.{number}"),
                "config": {"valueGroups": [{"label": "G", "values": ["1", "2"]}]},
            }),
        }
    }

    pub fn patch(&mut self, dice: &mut Dice, kind: &str) -> Value {
        self.made += 1;
        let number = self.made;
        match kind {
            "synonyms" => {
                json!({"terms": [format!("c{number}"), "d"], "active": dice.roll(2) == 0})
            }
            "rules" => json!({"name": format!("renamed {number}"), "priority": dice.roll(3)}),
            _ => json!({"position": dice.roll(20), "label": {"es": format!("F{number}")}}),
        }
    }

    pub async fn write(&self, kind: &str, id: Option<&str>, body: Option<Value>) {
        let (service, store) = (&self.world.service, &self.tenant.store);
        let caller = &self.caller;
        self.world.clock.advance_ms(7);
        let sent = || body.clone().expect("a body");
        match kind {
            "synonyms" => write_record!(self, Synonym, SynonymId, id, body),
            "rules" => write_record!(self, Rule, RuleId, id, body),
            "filters" => write_record!(self, Filter, FilterId, id, body),
            "relevance" => {
                let (change, mode) = (from(sent()), BoostMerging::Replace);
                let made = relevance::update(service, caller, store, change, mode, ANY).await;
                made.expect("saved");
            }
            "widget" => {
                let made = widget::update(service, caller, store, from(sent()), ANY).await;
                made.expect("saved");
            }
            "store" => {
                let made = stores::update(service, caller, store, from(sent()), ANY).await;
                made.expect("saved");
            }
            _ => {
                let made = synonyms::import(service, caller, store, from(sent())).await;
                made.expect("imported");
            }
        }
    }

    /// Entity tags of everything that a draft changes.
    async fn tags(&self, draft: &Value) -> BTreeMap<String, String> {
        let (service, store) = (&self.world.service, &self.tenant.store);
        let caller = &self.caller;
        let request: ChangesRequest = from(json!({"draft": draft}));
        let mut tags = BTreeMap::new();
        for resource in request.draft.resources() {
            let revisioned = match resource.split_once('/') {
                None if resource == "relevance" => relevance::get(service, caller, store)
                    .await
                    .map(|got| got.1),
                None if resource == "widget" => {
                    widget::get(service, caller, store).await.map(|got| got.1)
                }
                None => stores::get(service, caller, store).await.map(|got| got.1),
                Some(("synonyms", id)) => {
                    let id = SynonymId::from(id);
                    let got = records::get::<Synonym>(service, caller, store, &id).await;
                    got.map(|got| got.1)
                }
                Some(("rules", id)) => {
                    let id = RuleId::from(id);
                    records::get::<Rule>(service, caller, store, &id)
                        .await
                        .map(|got| got.1)
                }
                Some((_, id)) => {
                    let id = FilterId::from(id);
                    records::get::<Filter>(service, caller, store, &id)
                        .await
                        .map(|got| got.1)
                }
            };
            tags.insert(resource, revisioned.expect("reads").etag);
        }
        tags
    }

    pub async fn save(&self, draft: Value) {
        self.world.clock.advance_ms(7);
        let if_match = self.tags(&draft).await;
        let request = from(json!({"draft": draft, "ifMatch": if_match, "note": "why"}));
        let (service, store) = (&self.world.service, &self.tenant.store);
        let saved = apply_changes(service, &self.caller, store, request).await;
        saved.expect("saved");
    }

    pub async fn restore(&self, number: i64, request: Value) -> Result<Restored, OperationError> {
        self.world.clock.advance_ms(7);
        let (service, store) = (&self.world.service, &self.tenant.store);
        let (number, request) = (number.to_string(), from::<RestoreRequest>(request));
        restore(service, &self.caller, store, &number, request).await
    }
}
