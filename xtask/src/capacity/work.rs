//! What the nodes do while they are measured: take the catalogues of stores, then search them.

use super::setup::Running;
use crate::client::Client;
use crate::failure::{Failure, Outcome};
use crate::load::record::Records;
use crate::load::sender::Sender;
use crate::stopwatch::Stopwatch;
use evaluation::choices::Choices;
use evaluation::generated;
use serde_json::{Value, json};
use std::thread::scope;
use std::time::Duration;

/// Connections that feed, and that search.
const FEEDING: usize = 4;
const SEARCHING: usize = 8;
/// Documents of a block.
const BLOCK: usize = 500;

/// A store with its keys and the names of its products.
pub struct Catalogue {
    connector: String,
    public: String,
    names: Vec<String>,
}

impl Catalogue {
    /// Creates a store whose products are invented, the same for the same number.
    ///
    /// # Errors
    ///
    /// When a command or request fails.
    pub fn create(running: &Running, number: usize, products: usize) -> Outcome<Self> {
        let node = &running.nodes[0];
        let store = node.new_store(&format!("Store {number}"), "en")?;
        let connector = node.new_key(&store, "connector")?;
        let indices = json!({"types": ["products"], "languages": [{"code": "en"}]});
        Client::new(node.address(), &connector).post("/feed/indices", &indices)?;
        Ok(Self {
            public: node.new_key(&store, "search-only")?,
            names: generated::names(number, products),
            connector,
        })
    }

    fn product(&self, at: usize) -> Value {
        let name = &self.names[at];
        let category = name.split(' ').next_back().unwrap_or_default();
        json!({
            "id": at.to_string(), "name": name, "reference": format!("R-{at}"),
            "description": format!("{name}. ").repeat(6), "manufacturer": name.split(' ').next(),
            "categories": [{"id": category, "name": category}], "categoryIds": [category],
            "url": format!("https://shop.example/{at}"), "image": format!("https://shop.example/{at}.jpg"),
            "inStock": !at.is_multiple_of(7), "currency": "EUR", "priceInclTax": at % 300
        })
    }

    fn send(&self, client: &Client) -> Outcome<()> {
        let all: Vec<usize> = (0..self.names.len()).collect();
        for block in all.chunks(BLOCK) {
            let documents: Vec<Value> = block.iter().map(|at| self.product(*at)).collect();
            let body = json!({"language": "en", "documents": documents});
            client.post("/feed/products/bulk", &body)?;
        }
        Ok(())
    }

    /// Waits until every node finds all products.
    ///
    /// # Errors
    ///
    /// When that takes too long.
    pub fn wait_until_found(&self, running: &Running) -> Outcome<()> {
        running.nodes.iter().try_for_each(|node| {
            let shopper = Client::new(node.address(), &self.public);
            shopper.wait_until_found("en", self.names.len() as u64)
        })
    }
}

/// Feeds all catalogues by several connections, in turn to each node.
///
/// # Errors
///
/// When a block is not acknowledged.
pub fn feed(running: &Running, catalogues: &[Catalogue]) -> Outcome<()> {
    scope(|scope| {
        let workers: Vec<_> = (0..FEEDING)
            .map(|at| scope.spawn(move || feed_share(running, catalogues, at)))
            .collect();
        workers
            .into_iter()
            .try_for_each(|worker| match worker.join() {
                Ok(done) => done,
                Err(_) => Err(Failure::new("a connection that feeds ended")),
            })
    })
}

/// Feeds the catalogues of the connection `at`.
fn feed_share(running: &Running, catalogues: &[Catalogue], at: usize) -> Outcome<()> {
    let address = running.nodes[at % running.nodes.len()].address();
    let mut own = catalogues.iter().skip(at).step_by(FEEDING);
    own.try_for_each(|catalogue| catalogue.send(&Client::new(address, &catalogue.connector)))
}

/// Searches as fast as the nodes respond, each connection one after the other, for a time.
pub fn search(running: &Running, catalogues: &[Catalogue], lasts: Duration) -> Records {
    scope(|scope| {
        let workers: Vec<_> = (0..SEARCHING)
            .map(|at| scope.spawn(move || search_as(running, catalogues, at, lasts)))
            .collect();
        let mut all = Records::default();
        for worker in workers {
            match worker.join() {
                Ok(records) => all.merge(records),
                Err(_) => all.lose_a_worker(),
            }
        }
        all
    })
}

/// The searches of the connection `at`.
fn search_as(running: &Running, catalogues: &[Catalogue], at: usize, lasts: Duration) -> Records {
    let watch = Stopwatch::start();
    let mut records = Records::default();
    let mut choices = Choices::new(4_000 + at);
    let sender = Sender::new(running.nodes[at % running.nodes.len()].address());
    while watch.elapsed() < lasts {
        let catalogue = &catalogues[choices.ranked(catalogues.len())];
        let body = json!({"q": query(catalogue, &mut choices), "lang": "en", "limit": 24});
        let begun = watch.elapsed();
        let sent = sender.send("POST", "/search", &catalogue.public, &body);
        let took = watch.elapsed().saturating_sub(begun);
        records.add("search", sent.status, took);
    }
    records
}

/// One to three words of a name.
fn query(catalogue: &Catalogue, choices: &mut Choices) -> String {
    let name = &catalogue.names[choices.below(catalogue.names.len())];
    let words: Vec<&str> = name.split(' ').collect();
    let first = choices.below(words.len());
    let last = (first + 1 + choices.below(3)).min(words.len());
    words[first..last].join(" ")
}
