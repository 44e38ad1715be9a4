//! How often a store opens runs, and how long a silence says that its feed has stopped.

use crate::time::Timestamp;

/// The runs that a store has opened, and its usual interval between them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FeedPace {
    /// Number of runs that were opened.
    pub runs: i64,
    /// When the last one was opened, if any was.
    pub last_run_at: Option<Timestamp>,
    /// Usual milliseconds from one run to the next; 0 before the second.
    pub interval_ms: i64,
}

/// What a silence exceeds before the feed of a store counts as stopped; each bound has to be reached.
#[derive(Clone, Copy, Debug)]
pub struct SilenceBounds {
    /// Runs after which the usual interval is known.
    pub runs: i64,
    /// Usual intervals since the last sign of life.
    pub intervals: i64,
    /// Milliseconds since the last sign of life.
    pub ms: i64,
}

/// A run within this part of the usual interval does not count, and an outage counts as this many intervals.
const INTERVALS_MAX: i64 = 8;

impl FeedPace {
    /// When the feed of a store counts as stopped.
    pub const SILENCE: SilenceBounds = SilenceBounds {
        runs: 5,
        intervals: 2,
        ms: 3_600_000,
    };

    /// Returns the pace after a run that is opened `at` this instant.
    ///
    /// The usual interval is the mean of the former one and the time since the last run. A run soon after another, by
    /// hand perhaps, does not count, and a long outage counts as eight intervals.
    #[must_use]
    pub fn after_run(self, at: Timestamp) -> Self {
        let usual = self.interval_ms;
        let since = self.last_run_at.map(|last| at.0.saturating_sub(last.0));
        let interval_ms = match since.filter(|since| *since >= 0) {
            None => usual,
            Some(since) if usual == 0 => since,
            Some(since) if since.saturating_mul(INTERVALS_MAX) < usual => usual,
            Some(since) => {
                let longest = usual.saturating_mul(INTERVALS_MAX);
                usual.saturating_add(since.min(longest)) / 2
            }
        };
        Self {
            runs: self.runs + 1,
            last_run_at: Some(at),
            interval_ms,
        }
    }
}

#[cfg(test)]
mod tests {
    //! 1. The second run gives the interval, each further one the mean.
    //! 2. A run soon after another and a clock that was set back leave the interval; an outage counts as eight.

    use super::FeedPace;
    use crate::time::Timestamp;

    fn after(times: &[i64]) -> i64 {
        let runs = times.iter().map(|at| Timestamp(*at));
        runs.fold(FeedPace::default(), FeedPace::after_run)
            .interval_ms
    }

    #[test]
    fn the_interval_is_a_mean() {
        assert_eq!(after(&[1_000]), 0);
        assert_eq!(after(&[1_000, 1_800]), 800);
        assert_eq!(after(&[1_000, 1_800, 2_800]), 900);
        let pace = FeedPace::default().after_run(Timestamp(7));
        assert_eq!((pace.runs, pace.last_run_at), (1, Some(Timestamp(7))));
    }

    #[test]
    fn what_is_unusual_counts_little() {
        assert_eq!(after(&[1_000, 1_800, 1_899]), 800);
        assert_eq!(after(&[1_000, 1_800, 1_900]), 450);
        assert_eq!(after(&[1_000, 1_800, 900]), 800);
        assert_eq!(after(&[1_000, 1_800, 1_000_000]), 3_600);
    }
}
