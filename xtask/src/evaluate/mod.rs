//! `evaluate`: relevance on judged queries and on known items, measured through the HTTP interface as a shop's page uses it.

mod catalogues;
mod feed;
mod judgements;
mod known_items;
mod report;
mod suggestions;

use crate::client::Client;
use crate::failure::{Failure, Outcome};
use crate::process::Server;
use crate::stopwatch::Stopwatch;
use evaluation::judgements::JudgedQuery;
use evaluation::metrics::{DEPTH, measure};
use report::Row;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Folder of the judged catalogue inside the data folder.
const JUDGED: &str = "icecat-chorus";
/// Language of that catalogue.
const LANGUAGE: &str = "en";
/// Seed of all generated queries.
const SEED: usize = 35;

/// Options of `evaluate`.
#[derive(clap::Args)]
pub struct Options {
    /// Folder of test data, with `icecat-chorus` in it.
    #[arg(long)]
    data: Option<PathBuf>,
    /// Prints a line for each query, the lowest NDCG first; with generated ones for each that falls short.
    #[arg(long)]
    per_query: bool,
    /// Searches words out of product names, clean and with noise, in six catalogues.
    #[arg(long, group = "generated", conflicts_with_all = ["run", "score", "url"])]
    known_items: bool,
    /// Types prefixes of product names, in the same catalogues, and looks at the suggestions.
    #[arg(long, group = "generated", conflicts_with_all = ["run", "score", "url"])]
    suggestions: bool,
    /// Number of queries, or names, of each catalogue.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 2_000,
        requires = "generated"
    )]
    sample: usize,
    /// Only the catalogues whose file contains this text.
    #[arg(long, value_name = "TEXT", default_value = "", requires = "generated")]
    only: String,
    /// The binary that is measured; built from this checkout if it is left out.
    #[arg(long, value_name = "FILE", requires = "generated")]
    binary: Option<PathBuf>,
    /// Writes the rankings to this file as a TREC run.
    #[arg(long, value_name = "FILE")]
    run: Option<PathBuf>,
    /// Scores the rankings of a TREC run file instead of a server's.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["run", "url"])]
    score: Option<PathBuf>,
    /// Address of a running server that has the catalogue already.
    #[arg(long, requires = "key")]
    url: Option<String>,
    /// A search-only key of that server.
    #[arg(long, requires = "url")]
    key: Option<String>,
}

/// Runs the evaluation and prints its measures; without data it prints SKIPPED and succeeds.
pub fn run(options: &Options) -> Outcome<()> {
    match &options.data {
        Some(data) if options.known_items => return known_items::run(data, options),
        Some(data) if options.suggestions => return suggestions::run(data, options),
        _ => {}
    }
    let Some(folder) = judged_folder(options.data.as_deref()) else {
        return Ok(());
    };
    let queries = judgements::read(&folder)?;
    let rows = match (&options.score, &options.url, &options.key) {
        (Some(file), ..) => score(&queries, &judgements::read_run(file)?),
        (None, Some(url), Some(key)) => measure_server(&Client::new(url, key), &queries, options)?,
        _ => measure_new_server(&folder, &queries, options)?,
    };
    if options.per_query {
        println!("{}", report::per_query_table(&rows));
    }
    print!("{}", report::summary(&rows));
    Ok(())
}

fn judged_folder(data: Option<&Path>) -> Option<PathBuf> {
    let Some(data) = data else {
        println!("SKIPPED: no --data DIR was given");
        return None;
    };
    let folder = data.join(JUDGED);
    if folder.is_dir() {
        return Some(folder);
    }
    println!("SKIPPED: {} does not exist", folder.display());
    None
}

fn measure_new_server(
    folder: &Path,
    queries: &[JudgedQuery],
    options: &Options,
) -> Outcome<Vec<Row>> {
    let server = Server::start()?;
    let store = server.new_store("evaluate", LANGUAGE)?;
    let connector = Client::new(server.address(), &server.new_key(&store, "connector")?);
    let shopper = Client::new(server.address(), &server.new_key(&store, "search-only")?);
    let watch = Stopwatch::start();
    let fed = feed::products(&connector, &folder.join("products.ndjson.gz"), LANGUAGE)?;
    shopper.wait_until_found(LANGUAGE, fed.documents)?;
    let seconds = watch.elapsed().as_secs_f64();
    let (documents, rejected) = (fed.documents, fed.rejected);
    println!(
        "catalogue            {documents} products searchable after {seconds:.1} s, {rejected} rejected"
    );
    measure_server(&shopper, queries, options)
}

fn measure_server(
    shopper: &Client,
    queries: &[JudgedQuery],
    options: &Options,
) -> Outcome<Vec<Row>> {
    let mut rows = Vec::new();
    let mut run = String::new();
    for query in queries {
        let found = shopper.search(&query.text, &query.language, DEPTH)?;
        run.push_str(&judgements::run_lines(&query.id, &found.ids));
        rows.push(row(query, &found.ids, found.total, Some(found.took_ms)));
    }
    if let Some(path) = &options.run {
        fs::write(path, run).map_err(Failure::of(path.display()))?;
    }
    Ok(rows)
}

fn score(queries: &[JudgedQuery], rankings: &HashMap<String, Vec<String>>) -> Vec<Row> {
    let ranking = |query: &JudgedQuery| rankings.get(&query.id).map_or(&[][..], Vec::as_slice);
    queries
        .iter()
        .map(|query| {
            let ids = ranking(query);
            row(query, ids, ids.len() as u64, None)
        })
        .collect()
}

fn row(query: &JudgedQuery, ids: &[String], total: u64, took_ms: Option<f64>) -> Row {
    Row {
        id: query.id.clone(),
        text: query.text.clone(),
        total,
        took_ms,
        measures: measure(ids, &query.grades),
    }
}
