//! A simulated shop: its keys, its small catalogue, and the queries of its shoppers.

use super::sender::Sender;
use crate::client::Client;
use crate::failure::{Failure, Outcome};
use crate::process::Server;
use evaluation::choices::Choices;
use serde_json::{Value, json};

/// Products of a shop.
pub const PRODUCTS: usize = 150;
/// One shop in this many has two languages.
const BILINGUAL_EVERY: usize = 5;
const THINGS: [&str; 16] = [
    "jacket", "boots", "tent", "lamp", "bottle", "rope", "gloves", "helmet", "backpack", "shirt",
    "socks", "stove", "mat", "poles", "compass", "goggles",
];
const KINDS: [&str; 12] = [
    "light",
    "winter",
    "waterproof",
    "trekking",
    "kids",
    "women",
    "alpine",
    "urban",
    "running",
    "cycling",
    "merino",
    "carbon",
];
const COLORS: [&str; 8] = [
    "red", "blue", "green", "black", "white", "orange", "grey", "violet",
];

/// A shop and its keys.
pub struct Shop {
    /// Its number.
    pub number: usize,
    /// Its store.
    pub store: String,
    /// A configuration key that may write.
    pub write_key: String,
    /// Its connector key.
    pub connector: String,
    /// The search-only key of its pages.
    pub public: String,
    /// Its languages, the default one first.
    pub languages: Vec<&'static str>,
    address: String,
}

impl Shop {
    /// Creates the shop `number` with its catalogue.
    ///
    /// # Errors
    ///
    /// When a command or a request of it fails.
    pub fn create(server: &Server, number: usize) -> Outcome<Self> {
        let name = format!("Shop {number}");
        let store = server.new_store(&name, "en")?;
        let key = [
            "key",
            "create",
            "--store",
            &store,
            "--kind",
            "configuration",
            "--scope",
            "config:write",
        ];
        let mut shop = Self {
            number,
            write_key: server.command(&key)?,
            connector: server.new_key(&store, "connector")?,
            public: String::new(),
            languages: match number % BILINGUAL_EVERY {
                0 => vec!["en", "es"],
                _ => vec!["en"],
            },
            address: server.address().to_owned(),
            store,
        };
        shop.fill(&Client::new(server.address(), &shop.connector))
            .map(|public| shop.public = public)?;
        Ok(shop)
    }

    fn fill(&self, connector: &Client) -> Outcome<String> {
        let languages: Vec<Value> = self
            .languages
            .iter()
            .map(|code| json!({"code": code, "default": *code == self.languages[0]}))
            .collect();
        connector.post(
            "/feed/indices",
            &json!({"types": ["products"], "languages": languages}),
        )?;
        for language in &self.languages {
            let documents: Vec<Value> = (0..PRODUCTS).map(|at| self.product(at, 0)).collect();
            connector.post(
                "/feed/products/bulk",
                &json!({"language": language, "documents": documents}),
            )?;
        }
        let issued = connector.post("/feed/public-key", &json!({"instanceId": "pages"}))?;
        let key = issued["publicKey"].as_str();
        key.map(str::to_owned)
            .ok_or_else(|| Failure::new("no public key"))
    }

    /// Waits until its catalogue is found.
    ///
    /// # Errors
    ///
    /// When it is not found in time.
    pub fn wait_until_found(&self) -> Outcome<()> {
        let shopper = Client::new(&self.address, &self.public);
        shopper.wait_until_found(self.languages[0], PRODUCTS as u64)
    }

    /// The product `at`, as it is after `changes` changes of price and stock.
    pub fn product(&self, at: usize, changes: usize) -> Value {
        let mut choices = Choices::new(self.number * PRODUCTS + at);
        let (thing, kind) = (
            THINGS[choices.ranked(THINGS.len())],
            KINDS[choices.below(KINDS.len())],
        );
        let color = COLORS[choices.below(COLORS.len())];
        json!({
            "id": at.to_string(), "name": format!("{kind} {thing} {color} {at}"), "reference": format!("S{}-{at}", self.number),
            "url": format!("https://shop.example/{at}"), "manufacturer": format!("Brand {}", choices.below(12)),
            "description": format!("A {color} {thing} for {kind} use. ").repeat(8),
            "categories": [{"id": thing, "name": thing}], "categoryIds": [thing], "tags": [kind, color],
            "features": [{"featureId": "1", "feature": "Color", "id": color, "value": color}],
            "inStock": !(at + changes).is_multiple_of(5), "currency": "EUR", "priceInclTax": (at * 7 + changes) % 300
        })
    }

    /// Returns a query of a shopper: mostly a few words, sometimes with a number or a typo.
    pub fn query(choices: &mut Choices) -> String {
        let thing = THINGS[choices.ranked(THINGS.len())];
        let kind = KINDS[choices.ranked(KINDS.len())];
        match choices.below(6) {
            0 => thing.to_owned(),
            1 => format!("{kind} {thing}"),
            2 => format!("{} {thing}", COLORS[choices.ranked(COLORS.len())]),
            3 => format!("{thing} {}", choices.below(PRODUCTS)),
            4 => thing.chars().skip(1).collect(),
            _ => format!("{kind} {thing} {}", COLORS[choices.below(COLORS.len())]),
        }
    }

    /// Sends a request of its connector.
    pub fn feed(&self, sender: &Sender, path: &str, body: &Value) -> super::sender::Sent {
        sender.send("POST", &format!("/feed{path}"), &self.connector, body)
    }
}
