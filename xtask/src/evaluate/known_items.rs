//! `evaluate --known-items`: queries out of the names of six real catalogues, clean and with noise, compared with floors.

use super::{Options, feed};
use crate::catalogue;
use crate::client::Client;
use crate::failure::{Failure, Outcome};
use crate::process::{self, Server, UNLIMITED};
use evaluation::known_items::{DEPTH, KnownItemMeasures, NoiseMeasures, measure, sample};
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

/// Seed of every sample.
const SEED: usize = 35;

/// Measures the catalogues whose file contains `--only` and prints a table of each.
///
/// Errors: if a share is below its floor, after all tables.
pub fn run(data: &Path, options: &Options) -> Outcome<()> {
    let binary = match &options.binary {
        Some(binary) => binary.clone(),
        None => process::build(&[])?,
    };
    let mut below = 0;
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
        let measures = catalogue(&server, &path, language, options)?;
        print!("{}", table(file, &measures));
        let shares = measures.noises.iter();
        below += shares.filter(|row| is_below(row)).count();
    }
    match below {
        0 => Ok(()),
        _ => Err(Failure::new(format!(
            "{below} shares are below their floor"
        ))),
    }
}

fn catalogue(
    server: &Server,
    file: &Path,
    language: &str,
    options: &Options,
) -> Outcome<KnownItemMeasures> {
    let names = names(file, language)?;
    let store = server.new_store("known-items", language)?;
    let connector = Client::new(server.address(), &server.new_key(&store, "connector")?);
    let shopper = Client::new(server.address(), &server.new_key(&store, "search-only")?);
    let fed = feed::products(&connector, file, language)?;
    shopper.wait_until_found(language, fed.documents)?;
    let items = sample(&names, SEED, options.sample);
    let search = |q: &str| Ok(shopper.search(q, language, DEPTH)?.ids);
    measure(&items, search, |item, noise, [clean, noisy]| {
        if options.per_query && noisy < clean {
            let typed = item.noisy.iter().find(|(of, _)| *of == noise);
            let typed = typed.map_or("", |(_, query)| query.as_str());
            let name = noise.as_str();
            println!("{name:<12} {clean:.2} {noisy:.2}  {} → {typed}", item.query);
        }
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

fn table(file: &str, measures: &KnownItemMeasures) -> String {
    let KnownItemMeasures { queries, mrr, .. } = measures;
    let mut text = format!("\n{file}: {queries} queries, MRR {mrr:.3}\n");
    text.push_str("noise         queries  clean  noisy  share  floor\n");
    for row in &measures.noises {
        let share = row.share();
        let shown = share.map_or("-".to_owned(), |share| format!("{share:.3}"));
        let mark = if is_below(row) { "  below" } else { "" };
        text.push_str(&format!(
            "{:<12} {:>8}  {:.3}  {:.3}  {shown:<5}  {:.2}{mark}\n",
            row.noise.as_str(),
            row.queries,
            row.clean,
            row.noisy,
            row.noise.floor()
        ));
    }
    text
}

fn is_below(row: &NoiseMeasures) -> bool {
    row.share().is_some_and(|share| share < row.noise.floor())
}
