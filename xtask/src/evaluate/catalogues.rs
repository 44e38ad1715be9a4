//! Real catalogues in which generated queries are measured, each in a server of its own.

use super::{Options, feed};
use crate::catalogue;
use crate::client::Client;
use crate::failure::Outcome;
use crate::process::{self, Server, UNLIMITED};
use evaluation::product_names::ProductNames;
use serde_json::Value;
use std::path::Path;

/// The catalogues: file in the data folder and language.
const CATALOGUES: [(&str, &str); 6] = [
    ("icecat-chorus/products.ndjson.gz", "en"),
    ("bestbuy-mobile/products.ndjson.gz", "en"),
    ("mercadona-es/products.ndjson.gz", "es"),
    ("openfoodfacts-2019/products-fr.ndjson.gz", "fr"),
    ("openfoodfacts-2019/products-de.ndjson.gz", "de"),
    ("openfoodfacts-2019/products-it.ndjson.gz", "it"),
];

/// A catalogue that is searchable.
pub struct Fed {
    /// Its file in the data folder.
    pub file: &'static str,
    /// Its names and vocabulary.
    pub names: ProductNames,
    /// A client with a search-only key.
    pub shopper: Client,
}

/// Calls `measure` with each catalogue whose file contains `--only`; returns the sum of what it returns.
pub fn each(
    data: &Path,
    options: &Options,
    mut measure: impl FnMut(&Fed) -> Outcome<usize>,
) -> Outcome<usize> {
    let binary = process::named_or_built(options.binary.as_deref())?;
    let mut sum = 0;
    for (file, language) in CATALOGUES {
        let path = data.join(file);
        if !file.contains(&options.only) {
            continue;
        }
        if !path.is_file() {
            println!("SKIPPED: {} does not exist", path.display());
            continue;
        }
        let server = Server::start_binary(binary.clone(), &UNLIMITED)?;
        sum += measure(&fed(&server, (file, &path), language)?)?;
    }
    Ok(sum)
}

fn fed(server: &Server, (file, path): (&'static str, &Path), language: &str) -> Outcome<Fed> {
    let store = server.new_store("generated-queries", language)?;
    let connector = Client::new(server.address(), &server.new_key(&store, "connector")?);
    let shopper = Client::new(server.address(), &server.new_key(&store, "search-only")?);
    let fed = feed::products(&connector, path, language)?;
    shopper.wait_until_found(language, fed.documents)?;
    Ok(Fed {
        file,
        names: names(path, language)?,
        shopper,
    })
}

/// Reads the names of a catalogue and the words of all its texts.
fn names(file: &Path, language: &str) -> Outcome<ProductNames> {
    let mut names = ProductNames::new(language);
    for document in catalogue::documents(file)? {
        let document = document?;
        if let (Some(id), Some(name)) = (document["id"].as_str(), document["name"].as_str()) {
            names.add(id, name);
        }
        add_texts(&mut names, &document);
    }
    Ok(names)
}

fn add_texts(names: &mut ProductNames, value: &Value) {
    match value {
        Value::String(text) => names.add_text(text),
        Value::Array(list) => list.iter().for_each(|value| add_texts(names, value)),
        Value::Object(members) => members.values().for_each(|value| add_texts(names, value)),
        _ => {}
    }
}
