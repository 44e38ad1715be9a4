//! `Limiter`: requests and configuration writes of each key, counted per minute.

use crate::OperationError;
use crate::message;
use crate::runtime::minute_counters::{Count, MinuteCounters};
use domain::access::KeyIdentity;
use domain::limits::{PREVIEWS_PER_MINUTE, REQUESTS_PER_MINUTE, WRITES_PER_MINUTE};
use domain::{CacheUsage, ClientAddress, KeyId, KeyKind, Message, Timestamp, UserId};
use parking_lot::Mutex;

/// Bytes of the counters of each kind: some fifty thousand counters.
const BYTES_MAX: usize = 10 * 1024 * 1024;

/// Limits of each key per minute; 0 is unlimited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rates {
    /// Requests of any kind.
    pub requests: u32,
    /// Writes of the configuration.
    pub writes: u32,
}

impl Rates {
    /// No limits.
    pub const NONE: Self = Self {
        requests: 0,
        writes: 0,
    };
}

impl Default for Rates {
    fn default() -> Self {
        Self {
            requests: REQUESTS_PER_MINUTE,
            writes: WRITES_PER_MINUTE,
        }
    }
}

/// Cost of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spends {
    /// A request.
    Request,
    /// A preview of a user, which has a limit of its own.
    Preview,
    /// A request that writes the configuration, successful or not.
    Write,
    /// The rest of a trial that costs several requests, of a user as many previews, and whose first one was counted: all
    /// of it or nothing.
    RestOfTrial(u32),
    /// The write of a request that was counted already, with the allowance that this returned.
    WriteOfRequest(Option<Allowance>),
}

/// State of a limit after a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Limit per minute.
    pub limit: u32,
    /// Remaining requests of the minute.
    pub remaining: u32,
    /// Whole seconds until the limit is reset, at least 1.
    pub reset_s: u64,
    within: bool,
    kind: RateKind,
}

/// What a limit counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RateKind {
    Requests,
    Writes,
    Previews,
}

impl RateKind {
    fn exceeded(self, max: u32) -> Message {
        match self {
            Self::Requests => message::rate::requests(max),
            Self::Writes => message::rate::writes(max),
            Self::Previews => message::rate::previews(max),
        }
    }
}

impl Allowance {
    /// Fails if the request exceeds the limit.
    ///
    /// Errors: `TooMany`, with the seconds to wait.
    pub fn granted(&self) -> Result<(), OperationError> {
        if self.within {
            return Ok(());
        }
        Err(OperationError::TooMany {
            reason: self.kind.exceeded(self.limit),
            retry_after_s: self.reset_s,
        })
    }
}

/// Counters of all keys with their limits.
///
/// All shoppers of a store share a key, so they are counted by address, in counters of their own so that many shoppers
/// do not displace keys.
pub(crate) struct Limiter {
    rates: Rates,
    requests: Mutex<MinuteCounters<KeyId>>,
    shoppers: Mutex<MinuteCounters<(KeyId, ClientAddress)>>,
    writes: Mutex<MinuteCounters<KeyId>>,
    previews: Mutex<MinuteCounters<KeyId>>,
}

impl Limiter {
    /// Returns a limiter with empty counters.
    pub fn new(rates: Rates) -> Self {
        Self {
            rates,
            requests: Mutex::new(MinuteCounters::new(BYTES_MAX)),
            shoppers: Mutex::new(MinuteCounters::new(BYTES_MAX)),
            writes: Mutex::new(MinuteCounters::new(BYTES_MAX)),
            previews: Mutex::new(MinuteCounters::new(BYTES_MAX)),
        }
    }

    /// Returns the fill level of each kind of counters, by name.
    pub fn usage(&self) -> [(&'static str, CacheUsage); 4] {
        [
            ("key_requests", self.requests.lock().usage()),
            ("shopper_requests", self.shoppers.lock().usage()),
            ("key_writes", self.writes.lock().usage()),
            ("user_previews", self.previews.lock().usage()),
        ]
    }

    /// Counts a request of `key` from the address `from`; returns `None` if no limit applies.
    pub fn spend(
        &self,
        key: &KeyIdentity,
        from: ClientAddress,
        spends: Spends,
        now: Timestamp,
    ) -> Option<Allowance> {
        let requests = match spends {
            Spends::Request | Spends::Preview | Spends::Write => self.request(key, from, now),
            Spends::WriteOfRequest(counted) => counted,
            Spends::RestOfTrial(rest) => {
                return self.spend_rest(&key.id, rest, now);
            }
        };
        self.with_write(&key.id, requests, spends, now)
    }

    /// Counts the rest of what a trial of a key costs, or nothing of it.
    pub fn spend_rest(&self, key: &KeyId, rest: u32, now: Timestamp) -> Option<Allowance> {
        let max = self.rates.requests;
        (max > 0).then(|| {
            let minute = self.requests.lock().note_some(key, now, (rest, max));
            allowance(max, RateKind::Requests, minute)
        })
    }

    /// Takes back a write of a key that was counted.
    pub fn return_write(&self, key: &KeyId) {
        self.writes.lock().take_back(key);
    }

    /// Counts a request of a user, as if the id of the user were that of a key: a key's id is shorter.
    pub fn spend_of_user(
        &self,
        user: &UserId,
        spends: Spends,
        now: Timestamp,
    ) -> Option<Allowance> {
        let id = KeyId(user.0.clone());
        let previews = match spends {
            Spends::Preview => Some((1, u32::MAX)),
            Spends::RestOfTrial(rest) => Some((rest, PREVIEWS_PER_MINUTE)),
            _ => None,
        };
        if let Some(previews) = previews {
            return (self.rates.requests > 0).then(|| {
                let minute = self.previews.lock().note_some(&id, now, previews);
                allowance(PREVIEWS_PER_MINUTE, RateKind::Previews, minute)
            });
        }
        let requests = (self.rates.requests > 0).then(|| {
            let minute = self.requests.lock().note(&id, now);
            allowance(self.rates.requests, RateKind::Requests, minute)
        });
        self.with_write(&id, requests, spends, now)
    }

    /// Counts the write of a request, if it is one; returns the limit that will be reached first.
    fn with_write(
        &self,
        id: &KeyId,
        requests: Option<Allowance>,
        spends: Spends,
        now: Timestamp,
    ) -> Option<Allowance> {
        let exceeded = requests.is_some_and(|allowance| !allowance.within);
        let writes = matches!(spends, Spends::Write | Spends::WriteOfRequest(_));
        if !writes || exceeded || self.rates.writes == 0 {
            return requests;
        }
        let minute = self.writes.lock().note(id, now);
        let writes = allowance(self.rates.writes, RateKind::Writes, minute);
        match requests {
            Some(requests) if writes.within && requests.remaining < writes.remaining => {
                Some(requests)
            }
            _ => Some(writes),
        }
    }

    fn request(&self, key: &KeyIdentity, from: ClientAddress, now: Timestamp) -> Option<Allowance> {
        if self.rates.requests == 0 {
            return None;
        }
        let minute = match key.kind {
            KeyKind::SearchOnly => {
                let shopper = (key.id.clone(), from);
                self.shoppers.lock().note(&shopper, now)
            }
            KeyKind::Configuration | KeyKind::Connector => self.requests.lock().note(&key.id, now),
        };
        Some(allowance(self.rates.requests, RateKind::Requests, minute))
    }
}

fn allowance(limit: u32, kind: RateKind, minute: Count) -> Allowance {
    Allowance {
        limit,
        remaining: limit.saturating_sub(minute.count),
        reset_s: minute.seconds_left,
        within: minute.count <= limit,
        kind,
    }
}
