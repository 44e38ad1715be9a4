//! Cost of questions, of blocks and of breakdowns, in one run, against tantivy's own BM25 over the names.
//!
//! `docs/performance.md` tells how to run it and what it said.

mod arguments;
mod blocks;
mod breakdowns;
mod catalogue;
mod configuration;
mod measure;
mod questions;
mod raw;
mod shop;

use arguments::Arguments;
use shop::Shop;
use std::error::Error;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let Some(arguments) = Arguments::read() else {
        return Ok(());
    };
    if let Some(data) = &arguments.data {
        println!("icecat");
        let shop = Shop::icecat(data)?;
        questions::table(&shop, &arguments)?;
        breakdowns::table(&shop)?;
        println!();
    }
    println!("{} generated products", arguments.products);
    let shop = Shop::generated(&arguments)?;
    questions::table(&shop, &arguments)?;
    if arguments.wants("breakdown") {
        breakdowns::table(&shop)?;
    }
    if arguments.wants("configuration") {
        configuration::table(&shop)?;
    }
    if arguments.wants("block") {
        blocks::table(&shop)?;
    }
    Ok(())
}
