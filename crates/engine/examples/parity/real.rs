//! The real catalogues that are compared, and the queries that people judged for one of them.

use crate::Outcome;
use crate::catalogue::Catalogue;
use crate::product_file::bodies;
use domain::Language;
use evaluation::judgements::{JudgedQuery, parse};
use std::fs::read_to_string;
use std::path::Path;

/// Folder in the data and language.
const CATALOGUES: [(&str, &str); 3] = [
    ("icecat-chorus", "en"),
    ("magento-luma", "en"),
    ("mercadona-es", "es"),
];

/// A catalogue and its judged queries, if there are some.
pub struct Real {
    pub name: &'static str,
    pub catalogue: Catalogue,
    pub judged: Vec<JudgedQuery>,
}

/// Reads the catalogues whose name contains `only`; one that is not there is said and left out.
pub fn catalogues(data: &Path, only: &str) -> Outcome<Vec<Real>> {
    let mut all = Vec::new();
    for (name, language) in CATALOGUES {
        let folder = data.join(name);
        if !name.contains(only) {
            continue;
        }
        if !folder.is_dir() {
            println!("SKIPPED: {} does not exist", folder.display());
            continue;
        }
        all.push(read(name, &folder, language)?);
    }
    Ok(all)
}

fn read(name: &'static str, folder: &Path, language: &str) -> Outcome<Real> {
    let language = Language::parse(language).map_err(|_| "no language")?;
    let mut catalogue = Catalogue::new(language);
    for body in bodies(&folder.join("products.ndjson.gz"))? {
        catalogue.add(body?)?;
    }
    let [queries, grades] = ["queries.tsv", "qrels.txt"].map(|file| folder.join(file));
    let judged = match queries.is_file() {
        true => parse(&read_to_string(queries)?, &read_to_string(grades)?)?,
        false => Vec::new(),
    };
    Ok(Real {
        name,
        catalogue,
        judged,
    })
}
