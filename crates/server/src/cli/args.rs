//! The arguments of all commands (`docs/cli.md`).
//!
//! Each option is also an environment variable `FINDWELL_<OPTION>` and a key of the settings file.

use super::logging::LogFormat;
use super::store_args::{AnalyticsToClear, ClosedStoreId, StoreDeletion, StoreListArgs};
use super::user_args::UserCommand;
use super::web_names;
use crate::boot::{CONNECTIONS_PER_ADDRESS, ProxyHeader};
use crate::panel::PanelUrl;
use clap::builder::BoolishValueParser;
use clap::{Args, Parser, Subcommand};
use domain::limits::{
    REQUESTS_PER_MINUTE, SEARCH_LOG_BYTES_MAX, SEARCH_LOG_DAYS, SEARCH_LOG_DAYS_MAX,
    WRITES_PER_MINUTE,
};
use domain::store::StoreStatus;
use domain::{AccountId, DocType, KeyId, KeyKind, Language, RunId, Scope, StoreId, Timestamp};
use ipnet::IpNet;
use operations::OPEN_INDEXES_MAX;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

/// Product search for online stores.
#[derive(Debug, Parser)]
#[command(name = "findwell", version, about, subcommand_required = true)]
#[command(
    after_help = "Every option can also be set in the environment (FINDWELL_LISTEN for --listen) and in a TOML file \
                  (listen = \"…\"); the command line takes precedence over the environment, the environment over the file."
)]
pub struct Cli {
    /// Options of every command.
    #[command(flatten)]
    pub common: Common,
    /// The command to run.
    #[command(subcommand)]
    pub command: Command,
}

/// Options of every command.
#[derive(Clone, Debug, Args)]
pub struct Common {
    /// Settings file; default: findwell.toml in the working directory, if it exists
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
    /// Log format: text or json
    #[arg(
        long,
        global = true,
        env = "FINDWELL_LOG_FORMAT",
        default_value = "text",
        value_name = "FORMAT",
        value_parser = log_format
    )]
    pub log_format: LogFormat,
    /// Print the result as JSON on stdout
    #[arg(long, global = true, env = "FINDWELL_JSON", value_parser = BoolishValueParser::new())]
    pub json: bool,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the server
    Serve(Serving),
    /// Run a server with a small demo shop
    Demo(Serving),
    /// Manage accounts
    #[command(subcommand)]
    Account(AccountCommand),
    /// Manage stores
    #[command(subcommand)]
    Store(StoreCommand),
    /// Manage API keys
    #[command(subcommand)]
    Key(KeyCommand),
    /// Manage users of the control panel
    #[command(subcommand)]
    User(UserCommand),
    /// Read the audit trail
    #[command(subcommand)]
    Audit(AuditCommand),
    /// Manage the statistics of searches
    #[command(subcommand)]
    Analytics(AnalyticsCommand),
    /// Manage indexing runs
    #[command(subcommand)]
    Run(RunCommand),
    /// Add or replace the documents of a file
    Import(Import),
    /// Rebuild indexes while they stay searchable
    Reindex(Reindex),
    /// Back up database and indexes, also while the server runs
    Backup(BackUp),
    /// Compare database and indexes
    Check(Check),
}

/// Options of a server.
#[derive(Debug, Args)]
pub struct Serving {
    /// Address and port to listen on
    #[arg(
        long,
        env = "FINDWELL_LISTEN",
        default_value = "127.0.0.1:7700",
        value_name = "ADDRESS"
    )]
    pub listen: SocketAddr,
    /// Separate address and port for the metrics; without it, /metrics is for programs on this machine only
    #[arg(long, env = "FINDWELL_METRICS_LISTEN", value_name = "ADDRESS")]
    pub metrics_listen: Option<SocketAddr>,
    /// Address or network of a proxy whose forwarding header is trusted; may be repeated
    #[arg(long, env = "FINDWELL_TRUSTED_PROXY", value_delimiter = ',', value_name = "CIDR",
          value_parser = network)]
    pub trusted_proxy: Vec<IpNet>,
    /// Header in which trusted proxies send the client address: x-forwarded-for or forwarded
    #[arg(
        long,
        env = "FINDWELL_PROXY_HEADER",
        default_value = "x-forwarded-for",
        value_name = "HEADER",
        value_parser = proxy_header
    )]
    pub proxy_header: ProxyHeader,
    /// Maximum number of idle indexes that stay open; the least recently used are closed first
    #[arg(
        long,
        env = "FINDWELL_OPEN_INDEXES_MAX",
        default_value_t = OPEN_INDEXES_MAX,
        value_name = "N"
    )]
    pub open_indexes_max: usize,
    /// Maximum connections per client address (per /64 network with IPv6); trusted proxies are exempt; 0 for no limit
    #[arg(
        long,
        env = "FINDWELL_CONNECTIONS_PER_ADDRESS",
        default_value_t = CONNECTIONS_PER_ADDRESS,
        value_name = "N"
    )]
    pub connections_per_address: usize,
    /// Maximum requests per minute and key, with a search-only key per client address; 0 for no limit
    #[arg(
        long,
        env = "FINDWELL_REQUESTS_PER_MINUTE",
        default_value_t = REQUESTS_PER_MINUTE,
        value_name = "N"
    )]
    pub requests_per_minute: u32,
    /// Maximum configuration writes per minute and key; 0 for no limit
    #[arg(
        long,
        env = "FINDWELL_WRITES_PER_MINUTE",
        default_value_t = WRITES_PER_MINUTE,
        value_name = "N"
    )]
    pub writes_per_minute: u32,
    /// Additional host name of the MCP server at /mcp, such as mcp.example.com; may be repeated
    #[arg(
        long,
        env = "FINDWELL_MCP_HOST",
        value_parser = web_names::host,
        value_delimiter = ',',
        value_name = "HOST"
    )]
    pub mcp_host: Vec<String>,
    /// Origin of web pages that may use the MCP server, such as https://agent.example; may be repeated
    #[arg(
        long,
        env = "FINDWELL_MCP_ORIGIN",
        value_parser = web_names::origin,
        value_delimiter = ',',
        value_name = "ORIGIN"
    )]
    pub mcp_origin: Vec<String>,
    /// Address of this server as shops and their pages call it, such as https://search.example.com
    #[arg(
        long,
        env = "FINDWELL_PUBLIC_URL",
        value_parser = web_names::public_url,
        value_name = "URL"
    )]
    pub public_url: Option<String>,
    /// Folder of the releases of the shop module; default: releases in the data directory
    #[arg(long, env = "FINDWELL_RELEASES", value_name = "DIR")]
    pub releases: Option<PathBuf>,
    /// Days for which the search log keeps queries, at most 730; 0 for no search log
    #[arg(
        long,
        env = "FINDWELL_SEARCH_LOG_DAYS",
        default_value_t = SEARCH_LOG_DAYS,
        value_parser = clap::value_parser!(u32).range(0..=i64::from(SEARCH_LOG_DAYS_MAX)),
        value_name = "N"
    )]
    pub search_log_days: u32,
    /// Bytes that the search log of all stores may take; beyond, the largest store gives its oldest days
    #[arg(
        long,
        env = "FINDWELL_SEARCH_LOG_BYTES_MAX",
        default_value_t = SEARCH_LOG_BYTES_MAX,
        value_name = "BYTES"
    )]
    pub search_log_bytes_max: u64,
    /// The control panel.
    #[command(flatten)]
    pub panel: PanelArgs,
}

/// Options of the control panel.
#[derive(Debug, Args)]
pub struct PanelArgs {
    /// Address of the control panel, such as https://panel.example; may be repeated, links use the first one
    #[arg(
        long,
        env = "FINDWELL_PANEL_URL",
        value_delimiter = ',',
        value_name = "URL"
    )]
    pub panel_url: Vec<PanelUrl>,
    /// Serve no control panel
    #[arg(long, env = "FINDWELL_NO_PANEL", value_parser = BoolishValueParser::new())]
    pub no_panel: bool,
    /// How long a session of the control panel lasts without use, such as 30m, 12h or 2d
    #[arg(long, env = "FINDWELL_SESSION_IDLE", default_value = "12h", value_name = "TIME", value_parser = period)]
    pub session_idle: Duration,
    /// How long a session of the control panel lasts at most
    #[arg(long, env = "FINDWELL_SESSION_MAX", default_value = "7d", value_name = "TIME", value_parser = period)]
    pub session_max: Duration,
}

/// The commands on accounts.
#[derive(Debug, Subcommand)]
pub enum AccountCommand {
    /// Create an account and print its id
    Create(NewAccount),
    /// Set how many stores the users of an account may have
    Set(AccountSettingsArgs),
}

/// Changes to an account.
#[derive(Debug, Args)]
pub struct AccountSettingsArgs {
    /// Account
    #[arg(value_name = "ID")]
    pub account: AccountId,
    /// Stores that its users may have
    #[arg(long, env = "FINDWELL_MAX_STORES", value_name = "N")]
    pub max_stores: u32,
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
    /// Create a store; prints its id to stdout and its connector key to stderr
    Create(NewStoreArgs),
    /// List all stores
    List(StoreListArgs),
    /// Delete a store: it is closed at once, and removed after seven days
    Delete(StoreDeletion),
    /// Open a store again that was deleted within the last seven days
    Reopen(ClosedStoreId),
    /// Change status, plan, purge breaker, address or platform of a store
    Set(StoreSettingsArgs),
}

/// Changes to a store.
#[derive(Debug, Args)]
pub struct StoreSettingsArgs {
    /// Id of the store, as `store list` shows it
    #[arg(value_name = "ID")]
    pub id: StoreId,
    /// active, paused (only search works) or suspended (neither search nor feed works)
    #[arg(long, env = "FINDWELL_STATUS", value_parser = status)]
    pub status: Option<StoreStatus>,
    /// JSON file with the new limits of the store
    #[arg(long, env = "FINDWELL_PLAN", value_name = "FILE.json")]
    pub plan: Option<PathBuf>,
    /// on or off: whether a run that would delete many documents waits for a release
    #[arg(long, env = "FINDWELL_PURGE_BREAKER", value_name = "on|off", value_parser = switch)]
    pub purge_breaker: Option<bool>,
    /// Address of the shop, which its module does not change; empty: the next that the module reports
    #[arg(long, env = "FINDWELL_URL", value_name = "URL")]
    pub url: Option<String>,
    /// Platform of the shop, such as prestashop, which its module does not change; empty: the next that the module
    /// reports
    #[arg(long, env = "FINDWELL_PLATFORM", value_name = "NAME")]
    pub platform: Option<String>,
}

/// The commands on runs.
#[derive(Debug, Subcommand)]
pub enum RunCommand {
    /// List the latest runs of a store
    List(RunsOf),
    /// Release held purges and print the ids of their runs
    Release(Release),
}

/// Which runs to list.
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
    /// Id of the run; default: all runs of the store
    #[arg(value_name = "RUN")]
    pub run: Option<RunId>,
}

/// A new store.
#[derive(Debug, Args)]
pub struct NewStoreArgs {
    /// Name of the store
    #[arg(long, env = "FINDWELL_NAME")]
    pub name: String,
    /// Account of the store; optional if there is only one
    #[arg(long, env = "FINDWELL_ACCOUNT", value_name = "ID")]
    pub account: Option<AccountId>,
    /// Language; may be repeated, the first one is the default
    #[arg(long, env = "FINDWELL_LANGUAGE", required = true, value_delimiter = ',',
          value_name = "CODE", value_parser = language)]
    pub language: Vec<Language>,
    /// JSON file with the limits of the store
    #[arg(long, env = "FINDWELL_PLAN", value_name = "FILE.json")]
    pub plan: Option<PathBuf>,
}

/// The commands on keys.
#[derive(Debug, Subcommand)]
pub enum KeyCommand {
    /// Create a key and print it; it is never shown again
    Create(NewKeyArgs),
    /// List keys
    List(KeysOf),
    /// Deactivate a key
    Deactivate(OneKey),
}

/// A new key.
#[derive(Debug, Args)]
pub struct NewKeyArgs {
    /// Store that the key is bound to
    #[arg(long, env = "FINDWELL_STORE", value_name = "ID")]
    pub store: Option<StoreId>,
    /// Account whose stores the key can access, instead of one store
    #[arg(long, env = "FINDWELL_ACCOUNT", value_name = "ID")]
    pub account: Option<AccountId>,
    /// configuration, connector or search-only
    #[arg(long, env = "FINDWELL_KIND", value_parser = key_kind)]
    pub kind: KeyKind,
    /// Scope of a configuration key: config:read (default) or config:write
    #[arg(long, env = "FINDWELL_SCOPE", value_parser = scope)]
    pub scope: Option<Scope>,
    /// Name of the key
    #[arg(long, env = "FINDWELL_NAME")]
    pub name: Option<String>,
    /// Expiry time, such as 2027-01-31T00:00:00Z
    #[arg(long, env = "FINDWELL_EXPIRES", value_name = "TIME", value_parser = instant)]
    pub expires: Option<Timestamp>,
}

/// Which keys to list.
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
    /// List records of the audit trail, newest first
    List(AuditList),
}

/// Which records of the audit trail.
#[derive(Debug, Args)]
pub struct AuditList {
    /// Only records of this store
    #[arg(long, env = "FINDWELL_STORE", value_name = "ID")]
    pub store: Option<StoreId>,
    /// Only records of writes with this key
    #[arg(long, env = "FINDWELL_KEY", value_name = "KEY-ID")]
    pub key: Option<KeyId>,
    /// Only records since this time, such as 2027-01-31T00:00:00Z
    #[arg(long, env = "FINDWELL_SINCE", value_name = "TIME", value_parser = instant)]
    pub since: Option<Timestamp>,
    /// Maximum number of records, 1 to 1000
    #[arg(long, env = "FINDWELL_LIMIT", default_value = "50", value_name = "N")]
    pub limit: u32,
}

/// The commands on the statistics of searches.
#[derive(Debug, Subcommand)]
pub enum AnalyticsCommand {
    /// Delete the statistics of a store and print how many rows they had
    Clear(AnalyticsToClear),
}

/// A file to import.
#[derive(Debug, Args)]
pub struct Import {
    /// Store of the documents
    #[arg(long, env = "FINDWELL_STORE", value_name = "ID")]
    pub store: StoreId,
    /// Language of the documents
    #[arg(long, env = "FINDWELL_LANGUAGE", value_name = "CODE", value_parser = language)]
    pub language: Language,
    /// products, categories, brands or pages
    #[arg(long = "type", id = "type", env = "FINDWELL_TYPE", value_parser = doc_type)]
    pub doc_type: DocType,
    /// File with one JSON document per line, plain or gzip
    #[arg(value_name = "FILE.ndjson[.gz]")]
    pub file: PathBuf,
}

/// The target of a backup.
#[derive(Debug, Args)]
pub struct BackUp {
    /// Target directory; must be empty or missing
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
}

/// Options of a check.
#[derive(Debug, Args)]
pub struct Check {
    /// Repair counters, and rebuild damaged indexes
    #[arg(long, env = "FINDWELL_REPAIR", value_parser = BoolishValueParser::new())]
    pub repair: bool,
}

/// Which indexes to rebuild.
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

fn period(text: &str) -> Result<Duration, &'static str> {
    const REASON: &str = "must be a time such as 30m, 12h or 7d, at most 365d";
    let end = text.char_indices().last().map_or(0, |(at, _)| at);
    let (number, unit) = text.split_at(end);
    let seconds = match unit {
        "m" => 60,
        "h" => 3_600,
        "d" => 86_400,
        _ => return Err(REASON),
    };
    let number: u64 = number.parse().map_err(|_| REASON)?;
    let all = number.checked_mul(seconds).ok_or(REASON)?;
    (1..=365 * 86_400)
        .contains(&all)
        .then_some(Duration::from_secs(all))
        .ok_or(REASON)
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
    fn every_option_has_an_environment_variable_of_its_name() {
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
