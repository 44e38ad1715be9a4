//! Which copies of an index are searched: whichever the cluster chooses, but for a minute after those did not respond, the
//! others (decision 100).

use parking_lot::Mutex;
use std::time::{Duration, Instant};

/// How long the other copies are preferred: longer than a cluster needs to be without a node that does not respond.
const LASTS: Duration = Duration::from_secs(60);

/// The copies that are searched first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preference {
    /// Those that the cluster chooses.
    Any,
    /// The primary shards.
    Primaries,
    /// Their replicas.
    Replicas,
}

impl Preference {
    /// The name in a request, if it has to be said.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::Any => None,
            Self::Primaries => Some("_primary_first"),
            Self::Replicas => Some("_replica_first"),
        }
    }

    fn other(self) -> Self {
        match self {
            Self::Any | Self::Replicas => Self::Primaries,
            Self::Primaries => Self::Replicas,
        }
    }
}

/// The copies of one generation.
#[derive(Default)]
pub struct Copies(Mutex<Option<(Preference, Instant)>>);

impl Copies {
    /// Returns the copies that a search at `now` is for.
    pub fn preferred(&self, now: Instant) -> Preference {
        match *self.0.lock() {
            Some((preference, until)) if now < until => preference,
            _ => Preference::Any,
        }
    }

    /// Notes at `now` that the copies `tried` did not respond. Of many searches that waited for the same ones, the first
    /// changes what is preferred.
    pub fn avoid(&self, tried: Preference, now: Instant) {
        if self.preferred(now) == tried {
            *self.0.lock() = Some((tried.other(), now + LASTS));
        }
    }
}

#[cfg(test)]
mod tests {
    //! 1. The others are preferred, for a minute, after some did not respond; those that waited for the same agree.

    use super::{Copies, LASTS, Preference};
    use std::time::{Duration, Instant};

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a moment to count from")]
    fn the_others_are_preferred_for_a_minute() {
        let (copies, now) = (Copies::default(), Instant::now());
        assert_eq!(copies.preferred(now), Preference::Any);
        let later = now + Duration::from_secs(1);
        for (tried, others) in [
            (Preference::Any, Preference::Primaries),
            (Preference::Primaries, Preference::Replicas),
            (Preference::Replicas, Preference::Primaries),
        ] {
            for _ in 0..3 {
                copies.avoid(tried, later);
                assert_eq!(copies.preferred(later), others);
            }
        }
        assert_eq!(copies.preferred(later + LASTS), Preference::Any);
    }
}
