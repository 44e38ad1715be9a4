//! A shop that sends and deletes products in Spanish, and the products it expects to be found.

use super::data::{Documents, Store, block};
use super::expected::{Expected, Outcome, outcome};
use super::random::Random;
use crate::harness::Client;
use serde_json::json;

const LANGUAGE: &str = "es";
const IDS: usize = 40;

/// The shop.
#[derive(Clone)]
pub struct Feeder {
    documents: Expected<Documents>,
    random: Random,
    writes: u64,
}

impl Feeder {
    /// A shop without products.
    pub fn new(random: Random) -> Self {
        Self {
            documents: Expected::known(Documents::new()),
            random,
            writes: 0,
        }
    }

    /// Does one write of any kind.
    pub fn act(&mut self, store: &Store, client: &Client) -> Outcome {
        match self.random.below(12) {
            0 => self.clear(store, client),
            1..=3 => self.delete(store, client),
            4..=6 => self.reprice(store, client),
            _ => self.send(store, client),
        }
    }

    /// Sends a block.
    pub fn send(&mut self, store: &Store, client: &Client) -> Outcome {
        self.writes += 1;
        let numbers = self.random.some_below(IDS, 12);
        let block = block("p", numbers, "Bota", self.writes);
        let reply = store.send(client, LANGUAGE, None, &block);
        let mut next = self.documents.acknowledged().clone();
        next.extend(block);
        self.record(next, outcome(reply.as_ref()))
    }

    /// Sends all products with other prices, which adds no texts to the index.
    pub fn reprice(&mut self, store: &Store, client: &Client) -> Outcome {
        let mut next = self.documents.acknowledged().clone();
        next.values_mut().for_each(|(_, price)| *price += 1);
        if next.is_empty() {
            return self.send(store, client);
        }
        let reply = store.send(client, LANGUAGE, None, &next);
        self.record(next, outcome(reply.as_ref()))
    }

    /// Deletes some products, including unknown ones.
    pub fn delete(&mut self, store: &Store, client: &Client) -> Outcome {
        let ids = self.random.some_below(IDS, 6);
        let ids: Vec<String> = ids.into_iter().map(|id| format!("p{id}")).collect();
        let body = json!({"ids": ids, "languages": [LANGUAGE]});
        let call = store.feed(client, "POST", "/products/delete");
        let reply = call.json(&body).try_send();
        let mut next = self.documents.acknowledged().clone();
        next.retain(|id, _| !ids.contains(id));
        self.record(next, outcome(reply.as_ref()))
    }

    /// Clears the shop.
    pub fn clear(&mut self, store: &Store, client: &Client) -> Outcome {
        let call = store.feed(client, "POST", "/products/clear");
        let reply = call.json(&json!({"languages": [LANGUAGE]})).try_send();
        self.record(Documents::new(), outcome(reply.as_ref()))
    }

    fn record(&mut self, next: Documents, outcome: Outcome) -> Outcome {
        self.documents.record(next, outcome)
    }

    /// Compares what shoppers find, and what storage counts, with what was acknowledged.
    pub fn settle(&mut self, store: &Store, client: &Client) {
        let found = store.consistent(client, LANGUAGE);
        self.documents.settle(&found, Documents::clone);
    }

    /// Records that the write in flight may be the one that led to `next`.
    pub fn may_become(&mut self, next: &Self) {
        self.documents.may_become(&next.documents);
    }

    /// Compares while the server lives.
    pub fn check(&mut self, store: &Store, client: &Client) {
        let found = store.consistent(client, LANGUAGE);
        self.documents.check(&found, Documents::clone);
    }
}
