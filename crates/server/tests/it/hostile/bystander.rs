//! A shop that searches and feeds while another one attacks, and how much it is affected.

use super::meter::timed;
use super::target::Target;
use crate::harness::{Reply, product};
use serde_json::{Value, json};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// The upper bound of the 95th percentile of its response times.
const UNDISTURBED: Duration = Duration::from_secs(1);
/// Time between two searches.
const SEARCH_EVERY: Duration = Duration::from_millis(50);
/// Time between two blocks.
const FEED_EVERY: Duration = Duration::from_millis(200);

/// The measurements of one kind of request.
struct Samples {
    kind: &'static str,
    every: Duration,
    times: Vec<Duration>,
    failures: Vec<String>,
}

impl Samples {
    /// Sends requests until `stopped` is closed, at most one per `every`.
    fn collect(
        kind: &'static str,
        every: Duration,
        stopped: &Receiver<()>,
        send: impl Fn(usize) -> Option<Reply>,
    ) -> Self {
        let mut samples = Self {
            kind,
            every,
            times: Vec::new(),
            failures: Vec::new(),
        };
        while stopped.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
            let (reply, took) = timed(|| send(samples.times.len()));
            samples.times.push(took);
            match reply {
                Some(reply) if reply.status < 300 => {}
                Some(reply) => samples
                    .failures
                    .push(format!("{} {}", reply.status, reply.text)),
                None => samples.failures.push("no response".to_owned()),
            }
        }
        samples
    }

    /// Returns the 95th percentile. A slow request delayed those that would have been sent meanwhile, so it counts once
    /// per interval, with the time that they would have waited.
    fn percentile(&self) -> Duration {
        let mut times = Vec::new();
        for took in &self.times {
            let mut left = *took;
            times.push(left);
            while left > self.every {
                left -= self.every;
                times.push(left);
            }
        }
        times.sort_unstable();
        let at = (times.len() * 95).div_ceil(100).saturating_sub(1);
        times.get(at).copied().unwrap_or_default()
    }

    fn is_undisturbed(&self) -> bool {
        self.failures.is_empty() && self.percentile() < UNDISTURBED
    }

    fn assert_undisturbed(&self) {
        let percentile = self.percentile();
        println!(
            "bystander: {} of {}, 95th percentile {percentile:?}",
            self.times.len(),
            self.kind
        );
        let failed = self.failures.first();
        assert_eq!(failed, None, "the bystander's {} fail", self.kind);
        assert!(
            percentile < UNDISTURBED,
            "the bystander's {} take {percentile:?}",
            self.kind
        );
    }
}

/// The measurements of a bystander.
pub struct Bystander {
    searches: Samples,
    blocks: Samples,
}

impl Bystander {
    /// Whether it was not affected, and none of its blocks took longer than `block_max`.
    pub fn is_undisturbed(&self, block_max: Duration) -> bool {
        let is_undisturbed = self.searches.is_undisturbed() && self.blocks.is_undisturbed();
        is_undisturbed && self.slowest_block() <= block_max
    }

    /// The time of its slowest block.
    pub fn slowest_block(&self) -> Duration {
        self.blocks.times.iter().max().copied().unwrap_or_default()
    }
}

impl Target {
    /// Runs `attack` while the bystander searches and feeds, and fails if the bystander is affected.
    pub fn with_bystander<T>(&self, attack: impl FnOnce() -> T) -> T {
        let (outcome, bystander) = self.with_measured_bystander(attack);
        bystander.searches.assert_undisturbed();
        bystander.blocks.assert_undisturbed();
        outcome
    }

    /// Runs `attack` while the bystander searches and feeds, and returns how much the bystander was affected.
    pub fn with_measured_bystander<T>(&self, attack: impl FnOnce() -> T) -> (T, Bystander) {
        let (outcome, searches, blocks) = std::thread::scope(|scope| {
            let (stop_searches, searches_end) = channel();
            let (stop_blocks, blocks_end) = channel();
            let searches = scope.spawn(move || {
                Samples::collect("searches", SEARCH_EVERY, &searches_end, |at| {
                    self.try_search(at)
                })
            });
            let blocks = scope.spawn(move || {
                Samples::collect("blocks", FEED_EVERY, &blocks_end, |at| self.try_block(at))
            });
            let outcome = attack();
            drop((stop_searches, stop_blocks));
            let join = "the bystander's thread does not panic";
            (
                outcome,
                searches.join().expect(join),
                blocks.join().expect(join),
            )
        });
        (outcome, Bystander { searches, blocks })
    }

    fn try_search(&self, at: usize) -> Option<Reply> {
        let body = json!({"q": format!("bota {}", at % 100), "types": ["products"], "limit": 10});
        let call = self.api("POST", "/search", &self.bystander.public);
        call.json(&body).try_send()
    }

    fn try_block(&self, at: usize) -> Option<Reply> {
        let documents: Vec<Value> = (0..5)
            .map(|id| product(&id.to_string(), &format!("Bota {at}")))
            .collect();
        let call = self.bystander.bulk(self.client(), "es", &documents);
        call.try_send()
    }
}
