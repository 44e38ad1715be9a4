//! Failed sign-ins and links in windows of 15 minutes, counted by e-mail address, client and known browser.

use crate::OperationError;
use crate::message;
use crate::runtime::content_hash;
use crate::runtime::minute_counters::MinuteCounters;
use domain::{CacheUsage, ClientAddress, Timestamp};
use parking_lot::Mutex;
use std::time::Duration;
use storage::Storage;

const SPAN_MS: i64 = 15 * 60_000;
const SPAN: Duration = Duration::from_secs(15 * 60);
/// Failures of an e-mail address, or of one user in a browser in which that user signed in before.
pub(crate) const FAILURES_PER_EMAIL: u32 = 10;
/// Failures of a client.
const FAILURES_PER_CLIENT: u32 = 30;
/// Unknown links of a client.
const LINKS_PER_CLIENT: u32 = 20;
/// Bytes of the counters of each kind: some hundred thousand.
const BYTES_MAX: usize = 10 * 1024 * 1024;

/// A digest of an address or browser, so that counters take the same memory for all.
type Subject = [u8; 16];

/// Who tries to sign in.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Attempter {
    /// A client that nothing is known about.
    Stranger(Subject, ClientAddress),
    /// A browser in which that user signed in before.
    KnownBrowser(Subject),
}

impl Attempter {
    /// Returns the attempter on `email`, in a browser that is known for it if `browser` is given.
    pub fn new(email: &str, browser: Option<&str>, from: ClientAddress) -> Self {
        match browser {
            Some(browser) => Self::KnownBrowser(subject(&format!("{email}\n{browser}"))),
            None => Self::Stranger(subject(email), from),
        }
    }
}

impl Attempter {
    /// Returns the rows that count the attempts of all servers, in the order in which they are counted, with their limits.
    fn shared(&self) -> Vec<(String, u32)> {
        let row = |kind: &str, of: &str| content_hash::digest(&format!("{kind}\n{of}"));
        let hex = |subject: &Subject| u128::from_be_bytes(*subject).to_string();
        match self {
            Self::KnownBrowser(browser) => {
                vec![(row("browser", &hex(browser)), FAILURES_PER_EMAIL)]
            }
            Self::Stranger(email, from) => vec![
                (row("client", &format!("{from:?}")), FAILURES_PER_CLIENT),
                (row("email", &hex(email)), FAILURES_PER_EMAIL),
            ],
        }
    }
}

fn subject(text: &str) -> Subject {
    let mut subject = [0; 16];
    let digest = content_hash::digest(text).into_bytes();
    subject.copy_from_slice(&digest[..16]);
    subject
}

/// The failures of the current windows.
pub(crate) struct SignInThrottle {
    emails: Mutex<MinuteCounters<Subject>>,
    browsers: Mutex<MinuteCounters<Subject>>,
    clients: Mutex<MinuteCounters<ClientAddress>>,
    links: Mutex<MinuteCounters<ClientAddress>>,
}

impl Default for SignInThrottle {
    fn default() -> Self {
        Self {
            emails: Mutex::new(MinuteCounters::of_span(SPAN_MS, BYTES_MAX)),
            browsers: Mutex::new(MinuteCounters::of_span(SPAN_MS, BYTES_MAX)),
            clients: Mutex::new(MinuteCounters::of_span(SPAN_MS, BYTES_MAX)),
            links: Mutex::new(MinuteCounters::of_span(SPAN_MS, BYTES_MAX)),
        }
    }
}

impl SignInThrottle {
    /// Counts an attempt as a failure until it succeeds; returns how many there were in its window.
    ///
    /// It is counted before the password is hashed, so that attempts at the same moment do not exceed the limit.
    ///
    /// Errors: `TooMany` above a limit.
    pub fn admit(&self, who: &Attempter, now: Timestamp) -> Result<u32, OperationError> {
        match who {
            Attempter::KnownBrowser(browser) => {
                let count = self.browsers.lock().note(browser, now);
                within(count.count, FAILURES_PER_EMAIL, count.seconds_left)
            }
            Attempter::Stranger(email, from) => {
                // A client that is locked out adds nothing to the failures of an address.
                let client = self.clients.lock().note(from, now);
                within(client.count, FAILURES_PER_CLIENT, client.seconds_left)?;
                let count = self.emails.lock().note(email, now);
                within(count.count, FAILURES_PER_EMAIL, count.seconds_left)
            }
        }
    }

    /// Counts an admitted attempt also where other servers count theirs, if there may be any; returns how many there were in
    /// its window on all of them, at least `own`.
    ///
    /// Errors: `TooMany` above a limit.
    pub async fn admit_shared(
        &self,
        storage: &Storage,
        who: &Attempter,
        own: u32,
        now: Timestamp,
    ) -> Result<u32, OperationError> {
        let mut most = own;
        if storage.is_on_server() {
            for (subject, limit) in who.shared() {
                let failures = storage.count_failure(&subject, SPAN, now).await?;
                within(failures.count, limit, failures.left.as_secs().max(1))?;
                most = failures.count;
            }
        }
        Ok(most.max(own))
    }

    /// Takes an admitted attempt back on all servers, because it succeeded. What fails to be taken back ends with its window.
    pub async fn succeeded_shared(&self, storage: &Storage, who: &Attempter) {
        self.succeeded(who);
        if storage.is_on_server() {
            for (subject, _) in who.shared() {
                if let Err(error) = storage.take_failure_back(&subject).await {
                    tracing::warn!(%error, "an attempt that succeeded counts as a failure");
                }
            }
        }
    }

    /// Takes an admitted attempt back, because it succeeded.
    fn succeeded(&self, who: &Attempter) {
        match who {
            Attempter::KnownBrowser(browser) => self.browsers.lock().take_back(browser),
            Attempter::Stranger(email, from) => {
                self.clients.lock().take_back(from);
                self.emails.lock().take_back(email);
            }
        }
    }

    /// Counts a look at a link as bad until it proves to be good.
    ///
    /// Errors: `TooMany` above the limit.
    pub fn admit_link(&self, from: ClientAddress, now: Timestamp) -> Result<(), OperationError> {
        let count = self.links.lock().note(&from, now);
        within(count.count, LINKS_PER_CLIENT, count.seconds_left).map(|_| ())
    }

    /// Takes an admitted look back, because the link is good.
    pub fn good_link(&self, from: ClientAddress) {
        self.links.lock().take_back(&from);
    }

    /// Returns the fill level of each kind of counters, by name.
    pub fn usage(&self) -> [(&'static str, CacheUsage); 4] {
        [
            ("sign_in_emails", self.emails.lock().usage()),
            ("sign_in_browsers", self.browsers.lock().usage()),
            ("sign_in_clients", self.clients.lock().usage()),
            ("link_clients", self.links.lock().usage()),
        ]
    }
}

fn within(count: u32, limit: u32, seconds_left: u64) -> Result<u32, OperationError> {
    if count <= limit {
        return Ok(count);
    }
    Err(OperationError::TooMany {
        reason: message::rate::failed_attempts(),
        retry_after_s: seconds_left,
    })
}
