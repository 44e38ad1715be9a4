//! The options of `demo` (`docs/cli.md`).

use super::args::DATA;
use super::mapping_args::MappingArgs;
use super::serving_args::ServeArgs;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args};
use domain::Language;
use std::path::{Path, PathBuf};

/// The data directory of a demo of a file by default: the invented shop has the other one.
const DATA_OF_FILE: &str = "findwell-demo-file";

/// Options of a demo.
#[derive(Debug, Args)]
pub struct DemoArgs {
    /// The server.
    #[command(flatten)]
    pub serving: ServeArgs,
    /// Products of a file in the place of the invented ones, read as by import; - for standard input
    #[arg(long, env = "FINDWELL_FILE", value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Language of the file; default: the one that it declares, else that of the terminal
    #[arg(long, env = "FINDWELL_LANGUAGE", value_name = "CODE", value_parser = Language::parse)]
    pub language: Option<Language>,
    /// What the columns of the file mean.
    #[command(flatten)]
    pub mapping: MappingArgs,
}

/// Returns the data directory of a demo of a file, unless one is named.
pub fn data_of_file(matches: &ArgMatches, data: &Path) -> Option<PathBuf> {
    let demo = matches.subcommand_matches("demo")?;
    let is_named = demo.value_source("data") != Some(ValueSource::DefaultValue);
    let is_other = is_named || data != Path::new(DATA);
    let of_file = demo.contains_id("file") && !is_other;
    of_file.then(|| DATA_OF_FILE.into())
}
