//! The options of `serve` and `demo` (`docs/cli.md`).

use super::trace_args::TraceArgs;
use super::web_names;
use crate::boot::{CONNECTIONS_PER_ADDRESS, ProxyHeader};
use crate::panel::PanelUrl;
use clap::Args;
use clap::builder::BoolishValueParser;
use domain::limits::{
    REQUESTS_PER_MINUTE, SEARCH_LOG_BYTES_MAX, SEARCH_LOG_DAYS, SEARCH_LOG_DAYS_MAX,
    WRITES_PER_MINUTE,
};
use domain::source::AllowedHost;
use ipnet::IpNet;
use operations::{OPEN_INDEXES_MAX, REMEMBER_MAX};
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

/// Where a server listens by default.
pub const LISTEN: &str = "127.0.0.1:7700";

/// Options of a server.
#[derive(Debug, Args)]
pub struct ServeArgs {
    /// Address and port to listen on
    #[arg(
        long,
        env = "FINDWELL_LISTEN",
        default_value = LISTEN,
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
    /// Log searches and suggestions that take at least this many milliseconds, with the time of each stage; default: none
    #[arg(long, env = "FINDWELL_SLOW_SEARCH_MS", value_name = "MS")]
    pub slow_search_ms: Option<u64>,
    /// Host from which sources are fetched wherever it is, such as 10.0.0.5 or intranet:8000; may be repeated
    #[arg(
        long,
        env = "FINDWELL_ALLOW_SOURCE_HOST",
        value_delimiter = ',',
        value_name = "HOST[:PORT]"
    )]
    pub allow_source_host: Vec<AllowedHost>,
    /// Fetch no sources
    #[arg(long, env = "FINDWELL_NO_SOURCES", value_parser = BoolishValueParser::new())]
    pub no_sources: bool,
    /// Seconds for which a search-only key goes on being accepted while a database on a server does not respond, at most 300; 0
    /// for none
    #[arg(
        long,
        env = "FINDWELL_REMEMBER_KEYS",
        default_value_t = REMEMBER_MAX.as_secs(),
        value_parser = clap::value_parser!(u64).range(0..=REMEMBER_MAX.as_secs()),
        value_name = "SECONDS"
    )]
    pub remember_keys: u64,
    /// Data directory of another server, or a backup, out of which indexes are copied that are missing here
    #[arg(long, env = "FINDWELL_COPY_INDEXES_FROM", value_name = "DIR")]
    pub copy_indexes_from: Option<PathBuf>,
    /// Traces.
    #[command(flatten)]
    pub traces: TraceArgs,
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

fn network(text: &str) -> Result<IpNet, &'static str> {
    let one = text.parse::<IpAddr>().map(IpNet::from);
    one.or_else(|_| text.parse::<IpNet>())
        .map_err(|_| "must be an address or a network such as 10.0.0.0/8")
}

/// Parses a time such as `12h`.
pub fn period(text: &str) -> Result<Duration, &'static str> {
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
