//! Proposals: what a key with `config:propose` writes, and what people decide about it in the control panel.

mod deciding;
mod kinds;
mod lasting;
mod merging;
mod writing;

use super::{Person, shop};
use crate::harness::{Reply, Shop, product};
use domain::{KeyKind, Role, Scope};
use serde_json::{Value, json};

/// A shop with a key that proposes and an editor.
pub struct Proposing {
    pub shop: Shop,
    pub key: String,
    pub eva: Person,
}

impl Proposing {
    pub fn open() -> Self {
        let shop = shop();
        let products: Vec<Value> = (1..=4)
            .map(|n| product(&format!("t{n}"), &format!("Tienda {n}")))
            .collect();
        shop.bulk("products", "es", &json!(products)).ok();
        crate::harness::eventually("all are found", || shop.products("es").len() == 4);
        let key = shop.new_key(&shop.store, KeyKind::Configuration, Some(Scope::Propose));
        let eva = shop.member("eva@shop.example", Role::Editor);
        Self { shop, key, eva }
    }

    /// A call of the store with the key that proposes.
    pub fn call(&self, method: &'static str, rest: &str) -> crate::harness::Call<'_> {
        let path = format!("/api/v1/stores/{}{rest}", self.shop.store);
        self.shop.client.call(method, path).key(&self.key)
    }

    pub fn post(&self, rest: &str, body: &Value) -> Reply {
        self.call("POST", rest).json(body).send()
    }

    /// Saves with the key that writes.
    pub fn save(&self, method: &'static str, rest: &str, body: &Value) -> Reply {
        self.shop.own(method, rest).json(body).send().ok()
    }

    pub fn read(&self, rest: &str) -> Reply {
        self.call("GET", rest).send().ok()
    }

    /// A proposal with its entity tag.
    pub fn proposal(&self, id: &str) -> (Value, String) {
        let reply = self.read(&format!("/proposals/{id}"));
        (reply.data().clone(), reply.header("etag").to_owned())
    }

    pub fn revision(&self) -> u64 {
        let reply = self.read("/rules");
        reply.header("x-config-revision").parse().expect("a number")
    }

    /// What the editor decides, as the state with this tag.
    pub fn decide(&self, id: &str, what: &str, etag: &str, body: &Value) -> Reply {
        self.decide_as(&self.eva, id, what, etag, body)
    }

    pub fn decide_as(&self, who: &Person, id: &str, what: &str, etag: &str, body: &Value) -> Reply {
        let path = self.shop.of_store(&format!("/proposals/{id}/{what}"));
        let call = self.shop.by(who, "POST", &path).json(body);
        match etag {
            "" => call.send(),
            etag => call.header("If-Match", etag).send(),
        }
    }

    /// Applies what is there now.
    pub fn apply(&self, id: &str, body: &Value) -> Reply {
        let (_, etag) = self.proposal(id);
        self.decide(id, "apply", &etag, body)
    }

    pub fn rules(&self) -> Vec<Value> {
        self.read("/rules")
            .data()
            .as_array()
            .expect("a list")
            .clone()
    }
}

pub fn pin(name: &str, id: &str) -> Value {
    json!({"name": name, "language": "es", "type": "PIN", "trigger": {"query": name, "match": "exact"},
        "actions": {"pin": [id]}, "priority": 5})
}

/// The id of the proposal that a write became.
pub fn id_of(reply: &Reply) -> String {
    let id = &reply.json["proposal"]["id"];
    id.as_str()
        .unwrap_or_else(|| panic!("{reply:?}"))
        .to_owned()
}

/// The id of a saved record.
pub fn saved_id(reply: &Reply) -> String {
    reply.data()["id"].as_str().expect("an id").to_owned()
}
