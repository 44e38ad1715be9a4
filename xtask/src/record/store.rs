//! The store that is recorded: two real catalogues, one for each language, with stock, sales, ratings, prices of a group
//! and access made up from the number of the document.

use super::requests::List;
use crate::catalogue;
use crate::client::Client;
use crate::failure::Outcome;
use crate::process::Server;
use serde_json::{Value, json};
use std::path::Path;

/// The catalogues and their languages; the first language is the default.
const CATALOGUES: [(&str, &str); 2] = [("icecat-chorus", "en"), ("mercadona-es", "es")];
const BLOCK: usize = 500;

/// The store and its keys.
pub struct Store {
    /// Its id.
    pub id: String,
    /// A search-only key.
    pub public: String,
    /// A configuration key that may write.
    pub configuration: String,
    /// Ids of its synonyms and rules, in the order of the list.
    pub records: Vec<String>,
}

/// Creates the store, feeds it and saves the synonyms and rules of `list`.
pub fn fill(server: &Server, data: &Path, list: &List) -> Outcome<Store> {
    let id = server.command(&[
        "store",
        "create",
        "--name",
        "record",
        "--language",
        "en",
        "--language",
        "es",
    ])?;
    let configuration = server.command(&[
        "key",
        "create",
        "--store",
        &id,
        "--kind",
        "configuration",
        "--scope",
        "config:write",
    ])?;
    let connector = Client::new(server.address(), &server.new_key(&id, "connector")?);
    let public = server.new_key(&id, "search-only")?;
    declare(&connector)?;
    for (folder, language) in CATALOGUES {
        let fed = feed(&connector, &data.join(folder), language)?;
        Client::new(server.address(), &public).wait_until_found(language, fed)?;
    }
    // Average lengths of fields depend on how the feed was batched; an index built in one go has those of all documents.
    server.command(&["reindex", "--store", &id])?;
    let owner = Client::new(server.address(), &configuration);
    let mut records = Vec::new();
    for resource in ["synonyms", "rules"] {
        for body in list.bodies(resource) {
            let created = owner.post(&format!("/stores/{id}/{resource}"), body)?;
            records.extend(created["id"].as_str().map(str::to_owned));
        }
    }
    Ok(Store {
        id,
        public,
        configuration,
        records,
    })
}

fn declare(connector: &Client) -> Outcome<()> {
    let languages = json!([{"code": "en", "default": true}, {"code": "es"}]);
    let groups = json!([{"id": "1"}, {"id": "4"}]);
    let declarations = [
        (
            "indices",
            json!({"types": ["products"], "languages": languages}),
        ),
        (
            "price-tiers",
            json!({"base": {"groupId": "1"}, "tiers": [{"groupId": "4"}]}),
        ),
        (
            "access-groups",
            json!({"enabled": true, "visitorGroup": "1", "groups": groups}),
        ),
    ];
    for (path, body) in declarations {
        connector.post(&format!("/feed/{path}"), &body)?;
    }
    Ok(())
}

/// Feeds a catalogue and returns how many of its products an anonymous visitor may see.
fn feed(connector: &Client, folder: &Path, language: &str) -> Outcome<u64> {
    let mut block = Vec::with_capacity(BLOCK);
    let mut seen = 0;
    let file = folder.join("products.ndjson.gz");
    let documents = catalogue::documents(&file)?;
    for (number, document) in documents.enumerate() {
        let document = with_numbers(document?, number);
        seen += u64::from(document.get("accessGroups").is_none());
        block.push(document);
        if block.len() == BLOCK {
            send(connector, language, &mut block)?;
        }
    }
    send(connector, language, &mut block)?;
    Ok(seen)
}

fn send(connector: &Client, language: &str, block: &mut Vec<Value>) -> Outcome<()> {
    if block.is_empty() {
        return Ok(());
    }
    let documents = std::mem::take(block);
    let body = json!({"language": language, "documents": documents});
    connector.post("/feed/products/bulk", &body).map(|_| ())
}

/// Adds what the catalogues lack to a document, by its number.
fn with_numbers(mut document: Value, number: usize) -> Value {
    document["sales_count"] = json!(number * 37 % 251);
    document["rating"] = json!((number * 7 % 50) as f64 / 10.0);
    document["inStock"] = json!(!number.is_multiple_of(5));
    document["quantity"] = json!(number % 5);
    if let (Some(price), true) = (document["priceInclTax"].as_f64(), number.is_multiple_of(3)) {
        document["originalPriceInclTax"] = json!(price * 1.25);
        document["priceInclTax_t4"] = json!(price * 0.9);
    }
    if number.is_multiple_of(11) {
        document["accessGroups"] = json!(["4"]);
    }
    document
}
