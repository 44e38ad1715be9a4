//! The arguments of the commands on sources (`docs/cli.md`).

use super::args::doc_type;
use super::mapping_args::MappingArgs;
use super::outcome::CommandError;
use clap::builder::BoolishValueParser;
use clap::{Args, Subcommand};
use domain::{DocType, SourceId, StoreId};
use serde_json::{Map, Value, json};
use std::time::Duration;

/// The commands on sources.
#[derive(Debug, Subcommand)]
pub enum SourceCommand {
    /// List the sources of a store
    List(SourcesOf),
    /// Add an address from which the catalogue of a store is fetched
    Add(Box<SourceAdd>),
    /// Change a source; what is left out stays
    Set(Box<SourceSet>),
    /// Fetch a source now
    Fetch(SourceToFetch),
    /// Delete a source; its documents stay
    Delete(OneSource),
}

/// Which sources to list.
#[derive(Debug, Args)]
pub struct SourcesOf {
    /// Store of the sources
    #[arg(long, env = "FINDWELL_STORE", value_name = "ID")]
    pub store: StoreId,
}

/// A source.
#[derive(Debug, Args)]
pub struct OneSource {
    /// Id of the source
    #[arg(value_name = "ID")]
    pub source: SourceId,
}

/// A source to fetch.
#[derive(Debug, Args)]
pub struct SourceToFetch {
    /// Id of the source
    #[arg(value_name = "ID")]
    pub source: SourceId,
    /// Wait until it was fetched, and print how that ended
    #[arg(long, env = "FINDWELL_WAIT", value_parser = BoolishValueParser::new())]
    pub wait: bool,
}

/// A new source.
#[derive(Debug, Args)]
pub struct SourceAdd {
    /// Store of the source
    #[arg(long, env = "FINDWELL_STORE", value_name = "ID")]
    pub store: StoreId,
    /// What is written of it.
    #[command(flatten)]
    pub written: SourceArgs,
}

/// A changed source.
#[derive(Debug, Args)]
pub struct SourceSet {
    /// Id of the source
    #[arg(value_name = "ID")]
    pub source: SourceId,
    /// Whether it is fetched: true or false
    #[arg(long, env = "FINDWELL_ACTIVE", value_name = "BOOL")]
    pub active: Option<bool>,
    /// What is written of it.
    #[command(flatten)]
    pub written: SourceArgs,
}

/// What is written of a source.
#[derive(Debug, Args)]
pub struct SourceArgs {
    /// Address of the file
    #[arg(long, env = "FINDWELL_URL", value_name = "URL")]
    pub url: Option<String>,
    /// Name of the source; default: its host
    #[arg(long, env = "FINDWELL_NAME", value_name = "NAME")]
    pub name: Option<String>,
    /// Type of the documents; default: products
    #[arg(long = "type", env = "FINDWELL_TYPE", value_name = "TYPE", value_parser = doc_type)]
    pub doc_type: Option<DocType>,
    /// Language of the documents; default: that of the store
    #[arg(long, env = "FINDWELL_LANGUAGE", value_name = "LANGUAGE")]
    pub language: Option<String>,
    /// Add and replace only: what is not in the file stays
    #[arg(long, env = "FINDWELL_ADD", value_parser = BoolishValueParser::new())]
    pub add: bool,
    /// How often it is fetched, such as 15m, 4h or 1d; default: 4h
    #[arg(long, env = "FINDWELL_INTERVAL", value_name = "TIME", value_parser = super::serving_args::period)]
    pub interval: Option<Duration>,
    /// User name; the password comes from FINDWELL_SOURCE_SECRET or standard input
    #[arg(
        long,
        env = "FINDWELL_USER",
        value_name = "NAME",
        conflicts_with = "header"
    )]
    pub user: Option<String>,
    /// Name of a header; its value comes from FINDWELL_SOURCE_SECRET or standard input
    #[arg(long, env = "FINDWELL_HEADER", value_name = "NAME")]
    pub header: Option<String>,
    /// What the columns of the file mean.
    #[command(flatten)]
    pub mapping: MappingArgs,
}

impl SourceArgs {
    /// Returns the request without a secret; what is left out is not in it.
    ///
    /// Errors: the file of the mapping cannot be read.
    pub fn request(&self) -> Result<Map<String, Value>, CommandError> {
        let mut request = Map::new();
        let mut put = |key: &str, value: Option<Value>| {
            if let Some(value) = value {
                request.insert(key.to_owned(), value);
            }
        };
        put("url", self.url.clone().map(Value::from));
        put("name", self.name.clone().map(Value::from));
        put("type", self.doc_type.map(|doc_type| json!(doc_type)));
        put("language", self.language.clone().map(Value::from));
        put("mode", self.add.then(|| json!("add")));
        let minutes = self.interval.map(|interval| interval.as_secs() / 60);
        put("intervalMinutes", minutes.map(Value::from));
        let user = self
            .user
            .as_ref()
            .map(|user| json!({"kind": "basic", "user": user}));
        let header = self
            .header
            .as_ref()
            .map(|name| json!({"kind": "header", "name": name}));
        put("auth", user.or(header));
        put("mapping", self.mapping.value()?);
        Ok(request)
    }
}
