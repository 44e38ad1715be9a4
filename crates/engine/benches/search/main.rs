//! Cost of questions, of words, of blocks and of breakdowns, in one run, against tantivy's own BM25 over the names.
//!
//! `docs/performance.md` tells how to run it and what it said.

#[path = "../../../server/src/allocator.rs"]
mod allocator;
mod arguments;
mod blocks;
mod breakdowns;
mod catalogue;
mod configuration;
mod expansions;
mod measure;
mod questions;
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
        questions::table(&shop, &arguments)?;
        breakdowns::table(&shop, questions::yardstick(&shop)?)?;
        println!();
    }
    println!("{} generated products", arguments.products);
    let shop = Shop::generated(&arguments)?;
    questions::table(&shop, &arguments)?;
    let yardstick = questions::yardstick(&shop)?;
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
