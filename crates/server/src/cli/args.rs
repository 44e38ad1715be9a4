//! The arguments of every command (contract section 13).
//!
//! Each option is also an environment variable `FINDWELL_<OPTION>` and a key of the settings file.

use super::logging::LogFormat;
use super::web_names;
use crate::boot::{CONNECTIONS_PER_ADDRESS, ProxyHeader};
use clap::builder::BoolishValueParser;
use clap::{Args, Parser, Subcommand};
use domain::limits::{REQUESTS_PER_MINUTE, WRITES_PER_MINUTE};
use domain::store::StoreStatus;
use domain::{AccountId, DocType, KeyId, KeyKind, Language, RunId, Scope, StoreId, Timestamp};
use ipnet::IpNet;
use operations::OPEN_INDEXES_MAX;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

/// Product search for online stores.
#[derive(Debug, Parser)]
#[command(name = "findwell", version, about, subcommand_required = true)]
#[command(
    after_help = "Every option is also read from the environment (FINDWELL_LISTEN for --listen) and from a TOML \
                  file (listen = \"…\"); the command line wins over the environment, the environment over the file."
)]
pub struct Cli {
    /// What every command takes.
    #[command(flatten)]
    pub common: Common,
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// What every command takes.
#[derive(Clone, Debug, Args)]
pub struct Common {
    /// Settings file; without it, findwell.toml of the working directory if there is one
    #[arg(long, global = true, env = "FINDWELL_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Data directory
    #[arg(
        long,
        global = true,
        env = "FINDWELL_DATA",
        default_value = "findwell-data",
        value_name = "DIR"
    )]
    pub data: PathBuf,
    /// What to log to stderr: error, warn, info, debug, trace, or a filter such as warn,access=debug
    #[arg(
        long,
        global = true,
        env = "FINDWELL_LOG",
        default_value = "warn,server=info",
        value_name = "FILTER"
    )]
    pub log: String,
    /// Form of the log: text or json
    #[arg(
        long,
        global = true,
        env = "FINDWELL_LOG_FORMAT",
        default_value = "text",
        value_name = "FORM",
        value_parser = log_format
    )]
    pub log_format: LogFormat,
    /// Answer in JSON on stdout
    #[arg(long, global = true, env = "FINDWELL_JSON", value_parser = BoolishValueParser::new())]
    pub json: bool,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the interface
    Serve(Serving),
    /// Serve a small invented shop to try things out
    Demo(Serving),
    /// Accounts
    #[command(subcommand)]
    Account(AccountCommand),
    /// Stores
    #[command(subcommand)]
    Store(StoreCommand),
    /// Keys
    #[command(subcommand)]
    Key(KeyCommand),
    /// The audit trail
    #[command(subcommand)]
    Audit(AuditCommand),
    /// Indexing runs
    #[command(subcommand)]
    Run(RunCommand),
    /// Add or replace the documents of a file
    Import(Import),
    /// Build indexes anew while they are searched
    Reindex(Reindex),
    /// Copy database and indexes, also while the server runs
    Backup(BackUp),
    /// Compare database and indexes
    Check(Check),
}

/// Where to listen, and behind which proxies.
#[derive(Debug, Args)]
pub struct Serving {
    /// Address and port to listen at
    #[arg(
        long,
        env = "FINDWELL_LISTEN",
        default_value = "127.0.0.1:7700",
        value_name = "ADDRESS"
    )]
    pub listen: SocketAddr,
    /// Address and port at which the metrics are read instead; without it, /metrics is for programs on this machine
    #[arg(long, env = "FINDWELL_METRICS_LISTEN", value_name = "ADDRESS")]
    pub metrics_listen: Option<SocketAddr>,
    /// Address or network of a proxy that is believed when it tells the address of a client; may be given several
    /// times
    #[arg(long, env = "FINDWELL_TRUSTED_PROXY", value_delimiter = ',', value_name = "CIDR",
          value_parser = network)]
    pub trusted_proxy: Vec<IpNet>,
    /// Header in which those proxies tell it: x-forwarded-for or forwarded
    #[arg(
        long,
        env = "FINDWELL_PROXY_HEADER",
        default_value = "x-forwarded-for",
        value_name = "HEADER",
        value_parser = proxy_header
    )]
    pub proxy_header: ProxyHeader,
    /// Indexes that stay open while they have nothing to do; those used least recently are closed first
    #[arg(
        long,
        env = "FINDWELL_OPEN_INDEXES_MAX",
        default_value_t = OPEN_INDEXES_MAX,
        value_name = "N"
    )]
    pub open_indexes_max: usize,
    /// Connections that one address may have, of IPv6 a /64 network; trusted proxies have no limit; 0 for none
    #[arg(
        long,
        env = "FINDWELL_CONNECTIONS_PER_ADDRESS",
        default_value_t = CONNECTIONS_PER_ADDRESS,
        value_name = "N"
    )]
    pub connections_per_address: usize,
    /// Requests that a key may make within a minute, and a search-only key from each address; 0 for no limit
    #[arg(
        long,
        env = "FINDWELL_REQUESTS_PER_MINUTE",
        default_value_t = REQUESTS_PER_MINUTE,
        value_name = "N"
    )]
    pub requests_per_minute: u32,
    /// Configuration writes that a key may make within a minute; 0 for no limit
    #[arg(
        long,
        env = "FINDWELL_WRITES_PER_MINUTE",
        default_value_t = WRITES_PER_MINUTE,
        value_name = "N"
    )]
    pub writes_per_minute: u32,
    /// Host by which the tool server at /mcp may be reached, beside those of this machine, such as mcp.example.com;
    /// may be given several times
    #[arg(
        long,
        env = "FINDWELL_MCP_HOST",
        value_parser = web_names::host,
        value_delimiter = ',',
        value_name = "HOST"
    )]
    pub mcp_host: Vec<String>,
    /// Origin of pages that may reach the tool server from a browser, such as https://agent.example; may be given
    /// several times
    #[arg(
        long,
        env = "FINDWELL_MCP_ORIGIN",
        value_parser = web_names::origin,
        value_delimiter = ',',
        value_name = "ORIGIN"
    )]
    pub mcp_origin: Vec<String>,
}

/// The commands on accounts.
#[derive(Debug, Subcommand)]
pub enum AccountCommand {
    /// Make an account; its id stands alone on stdout
    Create(NewAccount),
}

/// A new account.
#[derive(Debug, Args)]
pub struct NewAccount {
    /// Name of the account
    #[arg(long, env = "FINDWELL_NAME")]
    pub name: String,
}

/// The commands on stores.
#[derive(Debug, Subcommand)]
pub enum StoreCommand {
    /// Make a store; its id stands alone on stdout, the key of its connector on stderr
    Create(NewStoreArgs),
    /// List all stores
    List,
    /// Change status, plan or purge breaker of a store
    Set(StoreSettingsArgs),
}

/// What to change of a store.
#[derive(Debug, Args)]
pub struct StoreSettingsArgs {
    /// Id of the store, as `store list` shows it
    #[arg(value_name = "ID")]
    pub id: StoreId,
    /// active, paused (search answers, the feed does not) or suspended (neither does)
    #[arg(long, env = "FINDWELL_STATUS", value_parser = status)]
    pub status: Option<StoreStatus>,
    /// Limits of the store, as JSON, in place of the former ones
    #[arg(long, env = "FINDWELL_PLAN", value_name = "FILE.json")]
    pub plan: Option<PathBuf>,
    /// on or off: whether a run that would delete very much waits for its release
    #[arg(long, env = "FINDWELL_PURGE_BREAKER", value_name = "on|off", value_parser = switch)]
    pub purge_breaker: Option<bool>,
}

/// The commands on runs.
#[derive(Debug, Subcommand)]
pub enum RunCommand {
    /// List the latest runs of a store
    List(RunsOf),
    /// Let purges pass that are held back; the ids of their runs stand alone on stdout
    Release(Release),
}

/// Whose runs.
#[derive(Debug, Args)]
pub struct RunsOf {
    /// Store of the runs
    #[arg(long, env = "FINDWELL_STORE", value_name = "ID")]
    pub store: StoreId,
}

/// What to release.
#[derive(Debug, Args)]
pub struct Release {
    /// Store of the runs
    #[arg(long, env = "FINDWELL_STORE", value_name = "ID")]
    pub store: StoreId,
    /// The run; all of the store when left out
    #[arg(value_name = "RUN")]
    pub run: Option<RunId>,
}

/// A new store.
#[derive(Debug, Args)]
pub struct NewStoreArgs {
    /// Name of the store
    #[arg(long, env = "FINDWELL_NAME")]
    pub name: String,
    /// Account that it belongs to; may be left out when there is only one
    #[arg(long, env = "FINDWELL_ACCOUNT", value_name = "ID")]
    pub account: Option<AccountId>,
    /// Language; may be given several times, the first one is the default
    #[arg(long, env = "FINDWELL_LANGUAGE", required = true, value_delimiter = ',',
          value_name = "CODE", value_parser = language)]
    pub language: Vec<Language>,
    /// Limits of the store, as JSON
    #[arg(long, env = "FINDWELL_PLAN", value_name = "FILE.json")]
    pub plan: Option<PathBuf>,
}

/// The commands on keys.
#[derive(Debug, Subcommand)]
pub enum KeyCommand {
    /// Make a key; it stands alone on stdout and is never shown again
    Create(NewKeyArgs),
    /// List keys
    List(KeysOf),
    /// Make a key stop working at once
    Deactivate(OneKey),
}

/// A new key.
#[derive(Debug, Args)]
pub struct NewKeyArgs {
    /// Store that the key is bound to
    #[arg(long, env = "FINDWELL_STORE", value_name = "ID")]
    pub store: Option<StoreId>,
    /// Account whose stores the key reaches, instead of one store
    #[arg(long, env = "FINDWELL_ACCOUNT", value_name = "ID")]
    pub account: Option<AccountId>,
    /// configuration, connector or search-only
    #[arg(long, env = "FINDWELL_KIND", value_parser = key_kind)]
    pub kind: KeyKind,
    /// config:read (the default) or config:write, of a configuration key
    #[arg(long, env = "FINDWELL_SCOPE", value_parser = scope)]
    pub scope: Option<Scope>,
    /// Name of the key
    #[arg(long, env = "FINDWELL_NAME")]
    pub name: Option<String>,
    /// When it stops working, such as 2027-01-31T00:00:00Z
    #[arg(long, env = "FINDWELL_EXPIRES", value_name = "TIME", value_parser = instant)]
    pub expires: Option<Timestamp>,
}

/// Whose keys.
#[derive(Debug, Args)]
pub struct KeysOf {
    /// Only the keys of this store
    #[arg(long, env = "FINDWELL_STORE", value_name = "ID")]
    pub store: Option<StoreId>,
}

/// One key.
#[derive(Debug, Args)]
pub struct OneKey {
    /// Id of the key, as `key list` shows it
    #[arg(value_name = "KEY-ID")]
    pub id: KeyId,
}

/// The commands on the audit trail.
#[derive(Debug, Subcommand)]
pub enum AuditCommand {
    /// List who wrote what and when, the newest first
    List(AuditList),
}

/// Which records of the audit trail.
#[derive(Debug, Args)]
pub struct AuditList {
    /// Only those about this store
    #[arg(long, env = "FINDWELL_STORE", value_name = "ID")]
    pub store: Option<StoreId>,
    /// Only those of writes with this key
    #[arg(long, env = "FINDWELL_KEY", value_name = "KEY-ID")]
    pub key: Option<KeyId>,
    /// Only those from this time on, such as 2027-01-31T00:00:00Z
    #[arg(long, env = "FINDWELL_SINCE", value_name = "TIME", value_parser = instant)]
    pub since: Option<Timestamp>,
    /// How many, 1 to 1000
    #[arg(long, env = "FINDWELL_LIMIT", default_value = "50", value_name = "N")]
    pub limit: u32,
}

/// A file to import.
#[derive(Debug, Args)]
pub struct Import {
    /// Store that gets the documents
    #[arg(long, env = "FINDWELL_STORE", value_name = "ID")]
    pub store: StoreId,
    /// Language of the documents
    #[arg(long, env = "FINDWELL_LANGUAGE", value_name = "CODE", value_parser = language)]
    pub language: Language,
    /// products, categories, brands or pages
    #[arg(long = "type", id = "type", env = "FINDWELL_TYPE", value_parser = doc_type)]
    pub doc_type: DocType,
    /// One JSON document per line, plain or compressed by gzip
    #[arg(value_name = "FILE.ndjson[.gz]")]
    pub file: PathBuf,
}

/// Where a backup goes.
#[derive(Debug, Args)]
pub struct BackUp {
    /// Directory that gets the copy: an empty one, or one that is not there yet
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
}

/// How to check.
#[derive(Debug, Args)]
pub struct Check {
    /// Repair what can be repaired: counters, and indexes by building them anew
    #[arg(long, env = "FINDWELL_REPAIR", value_parser = BoolishValueParser::new())]
    pub repair: bool,
}

/// What to build anew.
#[derive(Debug, Args)]
pub struct Reindex {
    /// Only the indexes of this store
    #[arg(long, env = "FINDWELL_STORE", value_name = "ID")]
    pub store: Option<StoreId>,
}

fn log_format(text: &str) -> Result<LogFormat, &'static str> {
    LogFormat::parse(text).ok_or("must be text or json")
}

fn network(text: &str) -> Result<IpNet, &'static str> {
    let one = text.parse::<IpAddr>().map(IpNet::from);
    one.or_else(|_| text.parse::<IpNet>())
        .map_err(|_| "must be an address or a network such as 10.0.0.0/8")
}

fn proxy_header(text: &str) -> Result<ProxyHeader, &'static str> {
    ProxyHeader::parse(text).ok_or("must be x-forwarded-for or forwarded")
}

fn language(text: &str) -> Result<Language, String> {
    Language::parse(text)
}

fn key_kind(text: &str) -> Result<KeyKind, &'static str> {
    KeyKind::parse(text).ok_or("must be configuration, connector or search-only")
}

fn scope(text: &str) -> Result<Scope, &'static str> {
    Scope::parse(text).ok_or("must be config:read or config:write")
}

fn status(text: &str) -> Result<StoreStatus, &'static str> {
    StoreStatus::parse(text).ok_or("must be active, paused or suspended")
}

fn switch(text: &str) -> Result<bool, &'static str> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err("must be on or off"),
    }
}

fn instant(text: &str) -> Result<Timestamp, &'static str> {
    Timestamp::parse(text).ok_or("must be a time such as 2027-01-31T00:00:00Z")
}

fn doc_type(text: &str) -> Result<DocType, &'static str> {
    DocType::parse(text).ok_or("must be products, categories, brands or pages")
}

#[cfg(test)]
mod tests {
    use super::Cli;
    use clap::CommandFactory;

    #[test]
    fn every_option_is_also_a_variable_of_its_name() {
        fn check(command: &clap::Command) {
            for argument in command.get_arguments() {
                let Some(name) = argument.get_long() else {
                    continue;
                };
                let variable = argument.get_env().and_then(|env| env.to_str());
                let expected = format!("FINDWELL_{}", name.to_uppercase().replace('-', "_"));
                assert_eq!(variable, Some(expected.as_str()), "{name}");
            }
            command.get_subcommands().for_each(check);
        }
        check(&Cli::command());
        Cli::command().debug_assert();
    }
}
