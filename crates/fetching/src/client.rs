//! `FetchClient`: one file from one address, through its redirects.

use crate::agent::agent;
use crate::bounds::FetchBounds;
use crate::conditions::{Credentials, Validators};
use crate::fault::{FetchCode, FetchFault};
use crate::lookup::{CheckedLookup, HostLookup, SystemLookup};
use crate::receiving::{ReceivedFile, Receiving, text};
use domain::source::{RedirectFault, SourceAddress, SourceRules};
use domain::{Timestamp, message};
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};
use ureq::Body;
use ureq::http::{HeaderMap, Response, StatusCode, header};

/// Longest time for which a server is left alone.
const RETRY_AFTER_MAX: Duration = Duration::from_secs(7 * 24 * 3_600);

/// Fetches files.
#[derive(Clone)]
pub struct FetchClient {
    rules: SourceRules,
    bounds: FetchBounds,
    lookup: Arc<dyn HostLookup>,
    stopwatch: Arc<dyn Fn() -> Instant + Send + Sync>,
}

/// What is fetched.
#[derive(Clone, Debug)]
pub struct FetchRequest {
    /// The address, as it was checked.
    pub address: SourceAddress,
    /// Credentials for scheme, host and port of the address, and for no other.
    pub credentials: Option<Credentials>,
    /// What the last response said; a file of the same version is not sent again.
    pub validators: Validators,
    /// Current time, against which dates in responses are read.
    pub now: Timestamp,
}

/// What a fetch returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// The file; `None` if it is still of the version that the request named.
    pub file: Option<ReceivedFile>,
    /// Status of the last response, 200 or 304.
    pub status: u16,
    /// Redirects that were followed.
    pub redirects: u32,
}

impl FetchClient {
    /// Creates a client with the bounds of the service, which looks names up as the system does.
    pub fn new(rules: SourceRules) -> Self {
        Self::with(rules, FetchBounds::default(), Arc::new(SystemLookup))
    }

    /// Creates a client with other bounds and another look-up.
    pub fn with(rules: SourceRules, bounds: FetchBounds, lookup: Arc<dyn HostLookup>) -> Self {
        #[expect(
            clippy::disallowed_methods,
            reason = "how slow a server is has nothing to do with the time of day; tests inject another one"
        )]
        let stopwatch = Arc::new(Instant::now);
        Self {
            rules,
            bounds,
            lookup,
            stopwatch,
        }
    }

    /// Measures time with `stopwatch`.
    #[must_use]
    pub fn timed_by(self, stopwatch: Arc<dyn Fn() -> Instant + Send + Sync>) -> Self {
        Self { stopwatch, ..self }
    }

    /// Fetches a file into `file`, which may have a part of it after a fault. Blocks its thread.
    ///
    /// Errors: a code, a reason without any content of the response, its status, and when to come back.
    pub fn fetch(
        &self,
        request: &FetchRequest,
        file: &mut dyn Write,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Fetched, FetchFault> {
        let receiving = Receiving {
            bounds: &self.bounds,
            now: &*self.stopwatch,
            is_cancelled,
            until: (self.stopwatch)() + self.bounds.total,
        };
        let mut redirects = 0;
        let followed = self.follow(request, &receiving, &mut redirects);
        let (response, status) = followed.map_err(|fault| FetchFault { redirects, ..fault })?;
        let file = match status {
            StatusCode::NOT_MODIFIED => Ok(None),
            _ => {
                let (parts, body) = response.into_parts();
                let received = receiving.receive(&parts.headers, body.into_reader(), file);
                received.map(Some)
            }
        };
        let file = file.map_err(|fault| FetchFault {
            status: Some(status.as_u16()),
            redirects,
            ..fault
        })?;
        Ok(Fetched {
            file,
            status: status.as_u16(),
            redirects,
        })
    }

    /// Follows redirects to the response that has the file, or says that it has not changed.
    fn follow(
        &self,
        request: &FetchRequest,
        receiving: &Receiving<'_>,
        redirects: &mut u32,
    ) -> Result<(Response<Body>, StatusCode), FetchFault> {
        let mut address = request.address.clone();
        let mut credentials = request.credentials.as_ref();
        loop {
            if (receiving.is_cancelled)() {
                return Err(FetchFault::cancelled());
            }
            let left = receiving.until.saturating_duration_since((receiving.now)());
            let response = self.send(&address, credentials, &request.validators, left)?;
            let status = response.status();
            match status.as_u16() {
                200 => return Ok((response, status)),
                304 if !request.validators.is_empty() => return Ok((response, status)),
                301 | 302 | 303 | 307 | 308 => {
                    if *redirects == self.bounds.redirects {
                        return Err(too_many_redirects(self.bounds.redirects));
                    }
                    let next = self.redirected(&address, response.headers())?;
                    // Whoever leads elsewhere may lead back: what was dropped is not sent again.
                    credentials = credentials.filter(|_| next.is_same_origin(&address));
                    address = next;
                    *redirects += 1;
                }
                _ => return Err(not_a_file(status, response.headers(), request.now)),
            }
        }
    }

    fn send(
        &self,
        address: &SourceAddress,
        credentials: Option<&Credentials>,
        validators: &Validators,
        left: Duration,
    ) -> Result<Response<Body>, FetchFault> {
        let lookup = CheckedLookup {
            address: address.clone(),
            lookup: Arc::clone(&self.lookup),
        };
        let agent = agent(&self.bounds, lookup, left);
        let mut call = agent.get(address.as_str());
        if let Some(credentials) = credentials.filter(|_| address.may_have_credentials()) {
            let (name, value) = credentials.header();
            call = call.header(name, value);
        }
        if let Some(etag) = &validators.etag {
            call = call.header(header::IF_NONE_MATCH, etag);
        }
        if let Some(date) = &validators.last_modified {
            call = call.header(header::IF_MODIFIED_SINCE, date);
        }
        call.call().map_err(FetchFault::of_client)
    }

    fn redirected(
        &self,
        from: &SourceAddress,
        headers: &HeaderMap,
    ) -> Result<SourceAddress, FetchFault> {
        let refused = |reason| FetchFault::new(FetchCode::AddressRefused, reason);
        let location = headers.get(header::LOCATION);
        let location = location.and_then(|value| std::str::from_utf8(value.as_bytes()).ok());
        let location = location.ok_or_else(|| refused(message::source::location()))?;
        self.rules
            .redirected(from, location)
            .map_err(|fault| match fault {
                RedirectFault::Refused(_) => refused(message::source::redirect_to_refused()),
                RedirectFault::Unencrypted => {
                    FetchFault::new(FetchCode::RedirectRefused, message::source::unencrypted())
                }
            })
    }
}

fn too_many_redirects(max: u32) -> FetchFault {
    let message = message::source::too_many_redirects(max);
    FetchFault::new(FetchCode::TooManyRedirects, message)
}

/// Returns the fault of a response that has no file.
fn not_a_file(status: StatusCode, headers: &HeaderMap, now: Timestamp) -> FetchFault {
    let message = message::source::http_status(status.as_u16());
    let waits = matches!(status.as_u16(), 429 | 503);
    let retry_after = text(headers, header::RETRY_AFTER).filter(|_| waits);
    FetchFault {
        status: Some(status.as_u16()),
        retry_after: retry_after.and_then(|text| retry_after_of(&text, now)),
        ..FetchFault::new(FetchCode::HttpStatus, message)
    }
}

/// Returns how long `Retry-After`, seconds or a date, wants a client to wait; at most a week.
fn retry_after_of(text: &str, now: Timestamp) -> Option<Duration> {
    let seconds = match text.parse::<u64>() {
        Ok(seconds) => seconds,
        Err(_) => {
            let at = jiff::fmt::rfc2822::parse(text).ok()?.timestamp();
            u64::try_from(at.as_second() - now.0 / 1_000).ok()?
        }
    };
    Some(Duration::from_secs(seconds).min(RETRY_AFTER_MAX))
}
