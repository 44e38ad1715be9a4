//! Cost of queries, analysis, batches and breakdowns, in one run, compared with tantivy's own BM25 over the names.
//!
//! `docs/performance.md` explains how to run it, and its results.

#[path = "../../../server/src/allocator.rs"]
mod allocator;
mod arguments;
mod blocks;
mod breakdowns;
mod catalogue;
mod configuration;
mod expansions;
mod measure;
mod queries;
mod raw;
mod shop;
mod words;

use arguments::Arguments;
use shop::Shop;
use std::error::Error;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let Some(arguments) = Arguments::read() else {
        return Ok(());
    };
    allocator::keep_freed_memory();
    if let Some(data) = &arguments.data {
        println!("icecat");
        let shop = Shop::icecat(data)?;
        queries::table(&shop, &arguments)?;
        breakdowns::table(&shop, queries::yardstick(&shop)?)?;
        println!();
    }
    println!("{} generated products", arguments.products);
    let shop = Shop::generated(&arguments)?;
    queries::table(&shop, &arguments)?;
    let yardstick = queries::yardstick(&shop)?;
    println!("raw, 3 words: {yardstick:.1} µs, which the ratios below are of");
    if arguments.wants("analysis") {
        words::table(&shop, yardstick)?;
    }
    if arguments.wants("expansion") {
        expansions::table(&shop, yardstick)?;
    }
    if arguments.wants("breakdown") {
        breakdowns::table(&shop, yardstick)?;
    }
    if arguments.wants("configuration") {
        configuration::table(&shop)?;
    }
    if arguments.wants("block") {
        blocks::table(&shop, yardstick)?;
    }
    Ok(())
}
