//! `import-all`: imports every products file of a folder with `findwell import`, each into a store of its own.

use crate::catalogue::{self, ProductsFile};
use crate::client::Client;
use crate::failure::{Failure, Outcome};
use crate::process::Server;
use crate::stopwatch::Stopwatch;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Options of `import-all`.
#[derive(clap::Args)]
pub struct Options {
    /// Folder of test data: folders with `products*.ndjson.gz` in them.
    #[arg(long)]
    data: Option<PathBuf>,
    /// Only files whose folder or name contains this text.
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
}

/// Imports every file and prints a line for each; without data it prints SKIPPED and succeeds.
pub fn run(options: &Options) -> Outcome<()> {
    let Some(data) = options.data.as_deref() else {
        println!("SKIPPED: no --data DIR was given");
        return Ok(());
    };
    if !data.is_dir() {
        println!("SKIPPED: {} does not exist", data.display());
        return Ok(());
    }
    let mut files = catalogue::product_files(data)?;
    files.retain(|file| file.label.contains(&options.only));
    let server = Server::start()?;
    println!(
        "{:<50} {:<6} {:>9} {:>8} {:>8} {:>8} {:>9}  sample search",
        "file", "lang", "documents", "rejected", "seconds", "docs/s", "peak MiB"
    );
    for file in &files {
        println!("{}", import(&server, file)?);
    }
    Ok(())
}

/// One line of the table.
fn import(server: &Server, file: &ProductsFile) -> Outcome<String> {
    let store = server.new_store(&file.label, &file.language)?;
    let shopper = Client::new(server.address(), &server.new_key(&store, "search-only")?);
    let path = file.path.to_string_lossy();
    server.reset_peak();
    let watch = Stopwatch::start();
    let rejected = feed(server, &store, &file.language, &path)?;
    let documents = stored(server, &store)?;
    shopper.wait_until_found(&file.language, documents)?;
    let seconds = watch.elapsed().as_secs_f64();
    let memory = server
        .peak_memory()
        .map_or("-".to_owned(), |bytes| (bytes / 1024 / 1024).to_string());
    Ok(format!(
        "{:<50} {:<6} {:>9} {:>8} {seconds:>8.1} {:>8.0} {memory:>9}  {}",
        file.label,
        file.language,
        documents,
        rejected,
        documents as f64 / seconds,
        sample(&shopper, file)?
    ))
}

/// Imports the file and returns the number of rejected lines.
fn feed(server: &Server, store: &str, language: &str, path: &str) -> Outcome<usize> {
    let arguments = [
        "import",
        "--store",
        store,
        "--language",
        language,
        "--type",
        "products",
        "--json",
        path,
    ];
    let output = server.run(&arguments)?;
    // The command ends with status 1 when lines were rejected; its report distinguishes that from a failure.
    let report: Value = serde_json::from_slice(&output.stdout).map_err(|_| {
        let stderr = String::from_utf8_lossy(&output.stderr);
        Failure::new(format!("findwell import {path}: {}", stderr.trim()))
    })?;
    report["rejected"].as_array().map(Vec::len).ok_or_else(|| {
        Failure::new(format!(
            "findwell import {path}: no report of rejected lines: {report}"
        ))
    })
}

/// Number of products in the store; fewer than were accepted when ids repeat.
fn stored(server: &Server, store: &str) -> Outcome<u64> {
    let reader = Client::new(server.address(), &server.new_key(store, "configuration")?);
    let detail = reader.get(&format!("/stores/{store}"))?;
    Ok(detail["counters"]["products"].as_u64().unwrap_or(0))
}

/// Searches the first two words of the first product's name and describes the result.
fn sample(shopper: &Client, file: &ProductsFile) -> Outcome<String> {
    let Some(query) = sample_query(&file.path)? else {
        return Ok("-".to_owned());
    };
    let found = shopper.search(&query, &file.language, 10)?;
    let first = found.first_name.unwrap_or_else(|| "nothing".to_owned());
    Ok(format!(
        "\"{query}\" → {} in {:.1} ms, first: {first}",
        found.total, found.took_ms
    ))
}

fn sample_query(path: &Path) -> Outcome<Option<String>> {
    let Some(document) = catalogue::documents(path)?.next() else {
        return Ok(None);
    };
    let name = document?["name"].as_str().unwrap_or_default().to_owned();
    let words: Vec<&str> = name.split_whitespace().take(2).collect();
    Ok(Some(words.join(" ")))
}
