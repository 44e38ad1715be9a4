//! The way to a cluster: requests over HTTP to the next host that responds, with timeouts and pauses between attempts.

use super::access::{AccessError, ClusterAccess, ClusterCredentials, PATIENCE};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use ureq::http::Request;
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, TlsProvider, parse_pem};
use ureq::{Agent, Timeout};

/// How long a host may take to accept a connection.
const CONNECT_MAX: Duration = Duration::from_secs(1);
/// The part of the patience of a search that one host has to respond, before the next one is tried.
const ATTEMPTS: u32 = 2;
/// How long a host may take to respond to a write.
const WRITE_MAX: Duration = Duration::from_secs(60);
/// How long a host may take to respond to a request of the check at the start.
const CHECK_MAX: Duration = Duration::from_secs(20);
/// Searches at once; a cluster that is slow is not given more.
pub const SEARCHES_AT_ONCE: usize = 64;
/// Bytes that are buffered of a request and of a response, for as long as the connection is kept.
const BUFFER_BYTES: usize = 32 * 1024;
/// Bytes of a response that are read.
const RESPONSE_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// Rounds over all hosts.
const ROUNDS: u32 = 3;
/// Pause after the first round; each further one takes twice as long.
const PAUSE: Duration = Duration::from_millis(100);
/// Characters of an error of the cluster that are kept.
const REASON_CHARACTERS_MAX: usize = 500;

/// Why a cluster did not do what was requested.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// It refused; its code and words.
    #[error("OpenSearch refused with status {status}: {kind}: {reason}")]
    Refused {
        /// Status of HTTP.
        status: u16,
        /// Type of the error, such as `index_not_found_exception`; empty where it gave none.
        kind: String,
        /// Its words.
        reason: String,
    },
    /// No host responded in time.
    #[error("no host of OpenSearch responded: {0}")]
    Unreachable(String),
    /// Its response is not what it should be.
    #[error("OpenSearch sent a response that cannot be read: {0}")]
    Malformed(&'static str),
    /// Another server has put another index in the place of the former one.
    #[error("another server has replaced the index meanwhile")]
    Overtaken,
    /// A certificate of an authority cannot be read.
    #[error("the certificates of authorities are not in PEM")]
    Authorities,
    /// The access itself is wrong.
    #[error(transparent)]
    Access(#[from] AccessError),
}

impl ClientError {
    /// Whether the cluster refused because an index does not exist.
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::Refused { status: 404, .. })
    }

    /// Whether the index is closed, which takes as long as the cluster needs to change its similarities, or until the next
    /// write where that was interrupted.
    pub fn is_closed(&self) -> bool {
        matches!(self, Self::Refused { kind, .. } if kind == "index_closed_exception")
    }

    /// Whether a host that is being stopped, or another node on the way, could not pass the request on.
    fn is_between_nodes(&self) -> bool {
        matches!(self, Self::Refused { status: 500, kind, .. }
            if kind.ends_with("transport_exception") || kind.starts_with("node_"))
    }

    /// Returns this or a later error of the same request: what a host says is more than that another one is away.
    fn then(self, next: Self) -> Self {
        match (&self, &next) {
            (Self::Refused { .. }, Self::Unreachable(_)) => self,
            _ => next,
        }
    }

    /// Whether the cluster may do later what it refuses now.
    fn is_passing(&self) -> bool {
        match self {
            Self::Unreachable(_) => true,
            Self::Refused { status, .. } => {
                matches!(status, 429 | 502 | 503 | 504)
                    || self.is_closed()
                    || self.is_between_nodes()
            }
            Self::Malformed(_) | Self::Overtaken | Self::Authorities | Self::Access(_) => false,
        }
    }
}

/// What a request is for, which says how long it may take.
#[derive(Clone, Copy, Debug)]
pub struct Purpose {
    /// How long a host may take to respond, before the next one is tried.
    attempt: Duration,
    /// When it is given up.
    until: Instant,
    /// Until when it is sent again to an index that is closed.
    opened_by: Instant,
}

impl Purpose {
    /// A write, which nobody waits for.
    pub fn write() -> Self {
        Self {
            // Whoever writes opens it then.
            opened_by: now() + PATIENCE,
            ..Self::new(WRITE_MAX, 2 * WRITE_MAX)
        }
    }

    /// A check at the start.
    pub fn check() -> Self {
        Self::new(CHECK_MAX, 2 * CHECK_MAX)
    }

    fn new(attempt: Duration, all: Duration) -> Self {
        let until = now() + all;
        Self {
            attempt,
            until,
            opened_by: until,
        }
    }

    /// The same, given up when one host did not respond: there is another way then.
    pub fn first_attempt(self) -> Self {
        let until = self.until.min(now() + self.attempt);
        Self { until, ..self }
    }

    /// Returns what is left of `most` until it is given up.
    fn left(self, most: Duration) -> Duration {
        most.min(self.until.saturating_duration_since(now()))
    }
}

/// A cluster. Its methods block.
pub struct Client {
    agent: Agent,
    hosts: Vec<String>,
    /// Number of the host that is tried first.
    first: AtomicUsize,
    authorization: Option<String>,
    patience: Duration,
    /// What the names of all our indexes begin with.
    pub prefix: String,
    /// Shards of a new index.
    pub shards: u16,
    /// Version of the form of the indexes.
    pub format: u32,
}

impl Client {
    /// The cluster of `access`, to which nothing is sent yet.
    ///
    /// Errors: the access is wrong, or its certificates cannot be read.
    pub fn new(access: &ClusterAccess) -> Result<Self, ClientError> {
        access.check()?;
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .proxy(None)
            .max_redirects(0)
            .timeout_connect(Some(CONNECT_MAX))
            // As many as search at once, rather than a new connection with its buffers for most of the requests.
            .max_idle_connections(SEARCHES_AT_ONCE)
            .max_idle_connections_per_host(SEARCHES_AT_ONCE)
            .input_buffer_size(BUFFER_BYTES)
            .output_buffer_size(BUFFER_BYTES)
            .tls_config(tls(access)?)
            .build();
        Ok(Self {
            agent: config.into(),
            hosts: access.hosts.clone(),
            first: AtomicUsize::new(0),
            authorization: access.credentials.as_ref().map(authorization),
            patience: access.patience,
            prefix: access.prefix.clone(),
            shards: access.shards,
            format: access.format,
        })
    }

    /// Searches that somebody waits for, from now on.
    pub fn searching(&self) -> Purpose {
        Purpose::new(self.patience / ATTEMPTS, self.patience)
    }

    /// Sends `body` as JSON and returns the response.
    ///
    /// Errors: the cluster refused, or no host responded.
    pub fn send(
        &self,
        purpose: Purpose,
        method: &'static str,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Value, ClientError> {
        let body = body.map_or_else(Vec::new, |body| body.to_string().into_bytes());
        self.send_bytes(purpose, method, path, ("application/json", body))
    }

    /// Sends lines of JSON and returns the response.
    ///
    /// Errors: the cluster refused all of it, or no host responded.
    pub fn send_lines(
        &self,
        purpose: Purpose,
        path: &str,
        lines: Vec<u8>,
    ) -> Result<Value, ClientError> {
        self.send_bytes(purpose, "POST", path, ("application/x-ndjson", lines))
    }

    fn send_bytes(
        &self,
        purpose: Purpose,
        method: &'static str,
        path: &str,
        body: (&'static str, Vec<u8>),
    ) -> Result<Value, ClientError> {
        let mut last = ClientError::Unreachable("not in time".to_owned());
        // Whether a host has said so; others may be away, or have copies that are still being opened.
        let mut closed = false;
        let mut round = 0;
        while round < ROUNDS || (closed && now() < purpose.opened_by) {
            if round > 0 {
                std::thread::sleep(purpose.left(PAUSE * 2u32.pow(round.min(ROUNDS) - 1)));
            }
            round += 1;
            for _ in 0..self.hosts.len() {
                if purpose.left(PAUSE).is_zero() {
                    return Err(last);
                }
                let at = self.first.load(Ordering::Relaxed) % self.hosts.len();
                match self.once(purpose, method, (&self.hosts[at], path), &body) {
                    Err(error) if error.is_passing() => {
                        // The next request begins with a host that may be in a better state.
                        self.first.store(at + 1, Ordering::Relaxed);
                        closed |= error.is_closed();
                        last = last.then(error);
                    }
                    done => return done,
                }
            }
        }
        Err(last)
    }

    fn once(
        &self,
        purpose: Purpose,
        method: &'static str,
        (host, path): (&str, &str),
        (kind, body): &(&'static str, Vec<u8>),
    ) -> Result<Value, ClientError> {
        let mut request = Request::builder()
            .method(method)
            .uri(format!("{host}{path}"));
        if let Some(authorization) = &self.authorization {
            request = request.header("authorization", authorization);
        }
        let most = purpose.left(purpose.attempt);
        let unreachable = |error: ureq::Error| match error {
            ureq::Error::Timeout(Timeout::Connect) => {
                ClientError::Unreachable("no connection within a second".to_owned())
            }
            error => ClientError::Unreachable(error.to_string()),
        };
        let malformed = |_| ClientError::Malformed("a request that is none");
        let response = if body.is_empty() {
            let request = request.body(()).map_err(malformed)?;
            let request = self.agent.configure_request(request);
            self.agent.run(request.timeout_global(Some(most)).build())
        } else {
            let request = request.header("content-type", *kind);
            let request = request.body(body.as_slice()).map_err(malformed)?;
            let request = self.agent.configure_request(request);
            self.agent.run(request.timeout_global(Some(most)).build())
        };
        let mut response = response.map_err(unreachable)?;
        let status = response.status().as_u16();
        let reader = response.body_mut().with_config();
        let bytes = reader.limit(RESPONSE_BYTES_MAX).read_to_vec();
        let bytes = bytes.map_err(unreachable)?;
        let value = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        match status {
            200..=299 => failed_part(&value).map_or(Ok(value), Err),
            _ => Err(error_of(status, &value)),
        }
    }
}

/// The time by which requests are given up.
#[expect(
    clippy::disallowed_methods,
    reason = "a search that takes too long is given up, over all of its requests"
)]
pub fn now() -> Instant {
    Instant::now()
}

/// Returns the error of the first of several searches that failed, if any.
fn failed_part(response: &Value) -> Option<ClientError> {
    let parts = response["responses"].as_array()?;
    let failed = parts.iter().find(|part| !part["error"].is_null())?;
    let status = failed["status"]
        .as_u64()
        .and_then(|own| own.try_into().ok());
    Some(error_of(status.unwrap_or(0), failed))
}

fn error_of(status: u16, response: &Value) -> ClientError {
    let error = &response["error"];
    // The cause at a shard says more than the failure of all.
    let cause = match &error["root_cause"][0] {
        Value::Null => error,
        cause => cause,
    };
    let text = |value: &Value| {
        let text = value.as_str().unwrap_or_default();
        text.chars().take(REASON_CHARACTERS_MAX).collect::<String>()
    };
    ClientError::Refused {
        status,
        kind: text(&cause["type"]),
        reason: text(&cause["reason"]),
    }
}

fn authorization(credentials: &ClusterCredentials) -> String {
    match credentials {
        ClusterCredentials::Basic { user, password } => {
            let encoded = BASE64_STANDARD.encode(format!("{user}:{password}"));
            format!("Basic {encoded}")
        }
        ClusterCredentials::ApiKey(key) => format!("ApiKey {key}"),
    }
}

fn tls(access: &ClusterAccess) -> Result<TlsConfig, ClientError> {
    let mut certificates: Vec<Certificate<'static>> = Vec::new();
    match &access.authorities {
        Some(pem) => {
            for item in parse_pem(pem) {
                if let PemItem::Certificate(own) = item.map_err(|_| ClientError::Authorities)? {
                    certificates.push(own);
                }
            }
            if certificates.is_empty() {
                return Err(ClientError::Authorities);
            }
        }
        None if access.hosts.iter().any(|host| host.starts_with("https:")) => {
            let of_system = rustls_native_certs::load_native_certs().certs;
            let of_system = of_system
                .iter()
                .map(|own| Certificate::from_der(own).to_owned());
            certificates.extend(of_system);
        }
        None => {}
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    Ok(TlsConfig::builder()
        .provider(TlsProvider::Rustls)
        .unversioned_rustls_crypto_provider(provider)
        .root_certs(RootCerts::new_with_certs(&certificates))
        .build())
}
