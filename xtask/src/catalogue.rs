//! Reads catalogue files (NDJSON, gzip or not) and determines their language.

use crate::failure::{Failure, Outcome};
use flate2::read::MultiGzDecoder;
use serde_json::Value;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// The lines of a catalogue file, each one document.
pub fn documents(path: &Path) -> Outcome<impl Iterator<Item = Outcome<Value>>> {
    let shown = path.display().to_string();
    let file = File::open(path).map_err(Failure::of(&shown))?;
    let plain: Box<dyn Read> = if path.extension().is_some_and(|e| e == "gz") {
        Box::new(MultiGzDecoder::new(file))
    } else {
        Box::new(file)
    };
    let lines = BufReader::new(plain).lines().enumerate();
    Ok(lines.map(move |(at, line)| {
        let line = line.map_err(Failure::of(&shown))?;
        serde_json::from_str(&line).map_err(Failure::of(format!("{shown}, line {}", at + 1)))
    }))
}

/// A file of products and its language.
pub struct ProductsFile {
    /// Path of the file.
    pub path: PathBuf,
    /// Folder and name, for tables.
    pub label: String,
    /// Code of its language.
    pub language: String,
}

/// All files of products one folder below `data`, in the order of their paths.
pub fn product_files(data: &Path) -> Outcome<Vec<ProductsFile>> {
    let table = fs::read_to_string(data.join("README.md")).unwrap_or_default();
    let mut found = Vec::new();
    for folder in sorted(data)?.into_iter().filter(|path| path.is_dir()) {
        let folder_name = name(&folder);
        for path in sorted(&folder)? {
            let file_name = name(&path);
            let products = file_name.starts_with("products")
                && (file_name.ends_with(".ndjson") || file_name.ends_with(".ndjson.gz"));
            if products {
                let language = language_of_name(&file_name)
                    .or_else(|| language_of_table(&table, &folder_name))
                    .unwrap_or("en")
                    .to_owned();
                let label = format!("{folder_name}/{file_name}");
                found.push(ProductsFile {
                    path,
                    label,
                    language,
                });
            }
        }
    }
    Ok(found)
}

fn sorted(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(Failure::of(folder.display()))?;
    let mut paths = entries
        .map(|entry| entry.map(|e| e.path()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(Failure::of(folder.display()))?;
    paths.sort();
    Ok(paths)
}

fn name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// `fr-ca` of `products.2015.fr-ca.ndjson.gz`, `es` of `products-es.ndjson.gz`.
fn language_of_name(file: &str) -> Option<&str> {
    let stem = file.split(".ndjson").next()?;
    let last = stem.rsplit('.').next()?;
    let code = last.strip_prefix("products-").unwrap_or(last);
    is_language(code).then_some(code)
}

/// The first language that the table of the data's README names for `folder`.
fn language_of_table<'a>(table: &'a str, folder: &str) -> Option<&'a str> {
    let row = table
        .lines()
        .find(|line| line.starts_with(&format!("| `{folder}` |")))?;
    let languages = row.split('|').nth(3)?;
    languages
        .split([',', ' '])
        .find(|code| is_language(code.trim()))
}

fn is_language(code: &str) -> bool {
    let lower = |part: &str| part.len() == 2 && part.bytes().all(|b| b.is_ascii_lowercase());
    match code.split_once('-') {
        Some((base, region)) => lower(base) && lower(region),
        None => lower(code),
    }
}

#[cfg(test)]
mod tests {
    use super::{language_of_name, language_of_table};

    #[test]
    fn the_name_of_a_file_gives_its_language() {
        let of = language_of_name;
        assert_eq!(of("products.2015.fr-ca.ndjson.gz"), Some("fr-ca"));
        assert_eq!(of("products-es.ndjson.gz"), Some("es"));
        assert_eq!(of("products.de.ndjson"), Some("de"));
        assert_eq!(of("products.ndjson.gz"), None);
        assert_eq!(of("products-all.ndjson.gz"), None);
    }

    #[test]
    fn otherwise_the_table_gives_it() {
        let table = "| folder | n | language |\n| `food` | 818,763 | fr, en, de | scale |\n";
        assert_eq!(language_of_table(table, "food"), Some("fr"));
        assert_eq!(language_of_table(table, "shoes"), None);
    }
}
