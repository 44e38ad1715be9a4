//! The invented catalogue, with the same products in both formats.

use crate::failure::{Failure, Outcome};
use evaluation::choices::Choices;
use evaluation::generated;
use serde_json::json;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Names that are made at a time, each time of another seed.
const PORTION: usize = 10_000;
/// Words of a description.
const DESCRIPTION: usize = 30;
const COLOURS: [&str; 6] = ["red", "blue", "green", "black", "white", "yellow"];
const HEADER: &str =
    "sku,title,description,price,availability,brand,product type,color,image_link,link";

/// How the products are written.
#[derive(Clone, Copy)]
pub enum Format {
    /// One document a line, in our names.
    Lines,
    /// CSV with columns as shops have them.
    Csv,
}

impl Format {
    /// Ending of the file.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Lines => "ndjson",
            Self::Csv => "csv",
        }
    }
}

struct Product {
    id: usize,
    name: String,
    description: String,
    cents: usize,
    brand: String,
    kind: String,
    colour: &'static str,
}

/// Writes `count` products.
///
/// # Errors
///
/// The file cannot be written.
pub fn write(format: Format, count: usize, path: &Path) -> Outcome<()> {
    let failed = || Failure::of(path.display());
    let mut file = BufWriter::new(File::create(path).map_err(failed())?);
    if let Format::Csv = format {
        writeln!(file, "{HEADER}").map_err(failed())?;
    }
    for portion in 0..count.div_ceil(PORTION) {
        let names = generated::names(portion, PORTION.min(count - portion * PORTION));
        let words: Vec<&str> = names.iter().flat_map(|name| name.split(' ')).collect();
        let mut choices = Choices::new(portion);
        for (at, name) in names.iter().enumerate() {
            let product = product(portion * PORTION + at + 1, name, &words, &mut choices);
            let line = match format {
                Format::Lines => as_document(&product),
                Format::Csv => as_row(&product),
            };
            writeln!(file, "{line}").map_err(failed())?;
        }
    }
    file.flush().map_err(failed())
}

fn product(id: usize, name: &str, words: &[&str], choices: &mut Choices) -> Product {
    let description = (0..DESCRIPTION).map(|_| words[choices.below(words.len())]);
    let description: Vec<&str> = description.collect();
    let mut parts = name.split(' ');
    Product {
        id,
        name: name.to_owned(),
        description: description.join(" "),
        cents: 99 + choices.below(50_000),
        brand: parts.next().unwrap_or_default().to_owned(),
        kind: parts.next().unwrap_or("other").to_owned(),
        colour: COLOURS[choices.below(COLOURS.len())],
    }
}

fn price(cents: usize) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}

fn as_row(product: &Product) -> String {
    let Product {
        id,
        name,
        description,
        cents,
        brand,
        kind,
        colour,
    } = product;
    let price = price(*cents);
    format!(
        "SKU-{id},{name},\"{description}, {colour}\",{price} EUR,in stock,{brand},{brand} > {kind},{colour},\
         https://shop.example/i/{id}.jpg,https://shop.example/p/{id}"
    )
}

fn as_document(product: &Product) -> String {
    let Product {
        id,
        name,
        description,
        cents,
        brand,
        kind,
        colour,
    } = product;
    let price: f64 = price(*cents).parse().unwrap_or(0.0);
    let document = json!({
        "id": format!("SKU-{id}"), "name": name, "description": format!("{description}, {colour}"), "priceInclTax": price,
        "currency": "EUR", "inStock": true, "manufacturer": brand, "reference": format!("SKU-{id}"),
        "categories": [{"id": format!("{brand}-{kind}"), "name": kind, "path": [brand, kind]}],
        "attributes": [{"groupId": "color", "group": "Color", "id": colour, "value": colour}],
        "image": format!("https://shop.example/i/{id}.jpg"), "url": format!("https://shop.example/p/{id}")
    });
    document.to_string()
}

#[cfg(test)]
mod tests {
    use super::{Format, write};

    #[test]
    fn both_files_have_the_same_products() {
        let file = std::env::temp_dir().join(format!("findwell-both-{}", std::process::id()));
        let mut texts = Vec::new();
        for format in [Format::Lines, Format::Csv] {
            write(format, 3, &file).expect("written");
            texts.push(std::fs::read_to_string(&file).expect("read"));
        }
        std::fs::remove_file(&file).expect("removed");
        assert_eq!((texts[0].lines().count(), texts[1].lines().count()), (3, 4));
        for line in texts[0].lines() {
            let document: serde_json::Value = serde_json::from_str(line).expect("a document");
            let name = document["name"].as_str().expect("a name");
            assert!(texts[1].contains(&format!(
                "{},{name},",
                document["id"].as_str().expect("an id")
            )));
        }
    }
}
