//! The arguments of the commands on configuration files (`docs/cli.md`).

use clap::builder::BoolishValueParser;
use clap::{Args, Subcommand};
use domain::StoreId;
use domain::configuration_file::{FilePart, ImportMode};
use std::path::PathBuf;

/// The commands on configuration files.
#[derive(Debug, Subcommand)]
pub enum ConfigurationCommand {
    /// Print the configuration of a store as a file
    Export(ExportArgs),
    /// Import a configuration file into a store
    Import(ImportArgs),
    /// Copy the configuration of one store to another
    Copy(CopyArgs),
}

/// Which configuration to print.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// Store
    #[arg(long, env = "FINDWELL_STORE", value_name = "ID")]
    pub store: StoreId,
    /// Parts of the file, separated by commas; all by default
    #[arg(long, env = "FINDWELL_PARTS", value_delimiter = ',', value_name = "PARTS", value_parser = file_part)]
    pub parts: Option<Vec<FilePart>>,
}

/// What to import, and where.
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// Store
    #[arg(long, env = "FINDWELL_STORE", value_name = "ID")]
    pub store: StoreId,
    /// How to import.
    #[command(flatten)]
    pub how: ImportOptions,
    /// The file; - for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

/// What to copy, and where.
#[derive(Debug, Args)]
pub struct CopyArgs {
    /// Store to copy
    #[arg(long, env = "FINDWELL_FROM", value_name = "ID")]
    pub from: StoreId,
    /// Store whose configuration is replaced
    #[arg(long, env = "FINDWELL_TO", value_name = "ID")]
    pub to: StoreId,
    /// How to import.
    #[command(flatten)]
    pub how: ImportOptions,
}

/// How to import.
#[derive(Debug, Args)]
pub struct ImportOptions {
    /// Parts to import, separated by commas: store, relevance, synonyms, rules, filters, widget, watched, hiddenQueries
    #[arg(long, env = "FINDWELL_PARTS", value_delimiter = ',', value_name = "PARTS", value_parser = file_part)]
    pub parts: Option<Vec<FilePart>>,
    /// replace: what the file lacks is deleted; merge: it stays
    #[arg(long, env = "FINDWELL_MODE", value_name = "replace|merge", default_value = "replace", value_parser = mode)]
    pub mode: ImportMode,
    /// Check everything and save nothing
    #[arg(long, env = "FINDWELL_DRY_RUN", value_parser = BoolishValueParser::new())]
    pub dry_run: bool,
}

fn file_part(text: &str) -> Result<FilePart, String> {
    FilePart::named(text.trim()).ok_or_else(|| {
        let names: Vec<&str> = FilePart::ALL.into_iter().map(FilePart::name).collect();
        format!("must be one of {}", names.join(", "))
    })
}

fn mode(text: &str) -> Result<ImportMode, String> {
    let found = ImportMode::ALL
        .into_iter()
        .find(|mode| mode.as_str() == text);
    found.ok_or_else(|| "must be replace or merge".to_owned())
}
