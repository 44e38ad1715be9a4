//! How often a key may ask: requests and configuration writes of a minute (contract section 12).
//!
//! Every face counts here, once for each request and before anything else is decided about it, so that all doors share
//! one budget.

use crate::bounded_cache::CacheUsage;
use crate::minute_counters::{Count, MinuteCounters};
use crate::{OperationError, Service};
use domain::access::{Identity, KeyIdentity};
use domain::limits::{REQUESTS_PER_MINUTE, WRITES_PER_MINUTE};
use domain::{Caller, ClientAddress, KeyId, KeyKind, Timestamp};
use parking_lot::Mutex;
use std::sync::Arc;

/// Bytes of keys, and of addresses of shoppers, whose minutes are remembered at once: some fifty thousand of them.
const BYTES_MAX: usize = 10 * 1024 * 1024;

/// How often each key may ask within a minute; 0 is as often as it likes.
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

/// What a request does, as far as it is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spends {
    /// A request.
    Request,
    /// A request that would change the configuration, whatever becomes of it.
    Write,
    /// The write that a request turns out to be, which was counted already and left its limit so.
    WriteOfRequest(Option<Allowance>),
}

/// How a limit stands after a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// What the limit allows in a minute.
    pub limit: u32,
    /// How much of it is left.
    pub remaining: u32,
    /// Whole seconds until all of it is there again, at least 1.
    pub reset_s: u64,
    within: bool,
    what: &'static str,
}

impl Allowance {
    /// The same, unless the request was one too many.
    ///
    /// Errors: too many, with the seconds to wait.
    pub fn granted(&self) -> Result<(), OperationError> {
        if self.within {
            return Ok(());
        }
        Err(OperationError::TooMany {
            message: format!("more than {} {} in a minute", self.limit, self.what),
            retry_after_s: self.reset_s,
        })
    }
}

/// The minutes of all keys.
#[derive(Clone)]
pub(crate) struct Limiter {
    rates: Rates,
    minutes: Arc<Minutes>,
}

/// All shoppers of a store share a key, so each is counted by address; apart, so that many of them push out no key.
struct Minutes {
    requests: Mutex<MinuteCounters<KeyId>>,
    shoppers: Mutex<MinuteCounters<(KeyId, ClientAddress)>>,
    writes: Mutex<MinuteCounters<KeyId>>,
}

impl Limiter {
    /// Nothing counted yet.
    pub fn new(rates: Rates) -> Self {
        let minutes = Minutes {
            requests: Mutex::new(MinuteCounters::new(BYTES_MAX)),
            shoppers: Mutex::new(MinuteCounters::new(BYTES_MAX)),
            writes: Mutex::new(MinuteCounters::new(BYTES_MAX)),
        };
        Self {
            rates,
            minutes: Arc::new(minutes),
        }
    }

    /// How much is remembered, by what it is remembered of.
    pub fn usage(&self) -> [(&'static str, CacheUsage); 3] {
        let Minutes {
            requests,
            shoppers,
            writes,
        } = &*self.minutes;
        [
            ("key_requests", requests.lock().usage()),
            ("shopper_requests", shoppers.lock().usage()),
            ("key_writes", writes.lock().usage()),
        ]
    }

    fn spend(
        &self,
        key: &KeyIdentity,
        from: ClientAddress,
        spends: Spends,
        now: Timestamp,
    ) -> Option<Allowance> {
        let requests = match spends {
            Spends::Request | Spends::Write => self.request(key, from, now),
            Spends::WriteOfRequest(counted) => counted,
        };
        let refused = requests.is_some_and(|allowance| !allowance.within);
        if spends == Spends::Request || refused || self.rates.writes == 0 {
            return requests;
        }
        let minute = self.minutes.writes.lock().note(&key.id, now);
        let writes = allowance(self.rates.writes, "configuration writes", minute);
        // Told is what will refuse first.
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
                let asker = (key.id.clone(), from);
                self.minutes.shoppers.lock().note(&asker, now)
            }
            KeyKind::Configuration | KeyKind::Connector => {
                self.minutes.requests.lock().note(&key.id, now)
            }
        };
        Some(allowance(self.rates.requests, "requests", minute))
    }
}

fn allowance(limit: u32, what: &'static str, minute: Count) -> Allowance {
    Allowance {
        limit,
        remaining: limit.saturating_sub(minute.count),
        reset_s: minute.seconds_left,
        within: minute.count <= limit,
        what,
    }
}

/// Counts a request of `caller`, who is at `from`; none where no limit applies.
///
/// The operator is not counted.
pub fn spend(
    service: &Service,
    caller: &Caller,
    from: ClientAddress,
    spends: Spends,
) -> Option<Allowance> {
    match &caller.identity {
        Identity::Key(key) => service
            .limiter
            .spend(key, from, spends, service.clock.now()),
        Identity::Operator { .. } => None,
    }
}
