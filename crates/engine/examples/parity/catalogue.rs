//! Products of a file, and queries: those of a file, and words of the products' names.

use crate::Outcome;
use domain::document::{DocType, Document};
use flate2::read::GzDecoder;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;

/// Reads the products, each as often as `copies` says, with ids of their own.
pub fn documents(file: &Path, copies: usize) -> Outcome<Vec<Arc<Document>>> {
    let opened = File::open(file)?;
    let reader: Box<dyn Read> = match file.extension().is_some_and(|own| own == "gz") {
        true => Box::new(GzDecoder::new(opened)),
        false => Box::new(opened),
    };
    let mut documents = Vec::new();
    for (at, line) in BufReader::new(reader).lines().enumerate() {
        let body: Value = serde_json::from_str(&line?)?;
        for copy in 0..copies {
            let mut own = body.clone();
            // Numbers by which factors and ties differ, where the file has none.
            let number = (at * 7919 + copy * 104_729) % 1000;
            own["sales_count"] = json!(number);
            own["rating"] = json!((number % 50) as f64 / 10.0);
            own["inStock"] = json!(number % 3 > 0);
            if copy > 0 {
                let id = own["id"]
                    .as_str()
                    .map_or_else(|| own["id"].to_string(), str::to_owned);
                own["id"] = json!(format!("{id}-{copy}"));
            }
            let document = Document::parse(DocType::Products, at, own);
            let document = document.map_err(|_| format!("line {} is no product", at + 1))?;
            documents.push(Arc::new(document));
        }
    }
    Ok(documents)
}

/// Returns the queries of `file`, and so many of one to three words of names, of which every third has a typo.
pub fn queries(
    documents: &[Arc<Document>],
    file: Option<&Path>,
    sample: usize,
) -> Outcome<Vec<String>> {
    let mut queries = Vec::new();
    if let Some(file) = file {
        let text = std::fs::read_to_string(file)?;
        let columns = text.lines().filter_map(|line| line.split('\t').nth(1));
        queries.extend(columns.map(str::to_owned));
    }
    for at in 0..sample {
        let document = &documents[at * 7919 % documents.len()];
        let words: Vec<&str> = document.texts.name.split_whitespace().collect();
        let first = at % words.len().max(1);
        let mut text = words
            .iter()
            .skip(first)
            .take(1 + at % 3)
            .copied()
            .collect::<Vec<_>>()
            .join(" ");
        if at % 3 == 0 {
            let middle = text.char_indices().nth(text.chars().count() / 2);
            middle.into_iter().for_each(|(place, _)| {
                text.remove(place);
            });
        }
        queries.push(text);
    }
    Ok(queries)
}
