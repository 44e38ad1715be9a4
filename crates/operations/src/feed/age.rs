//! Which of two versions of a document is the newer one, even after a clock was wrong.

use domain::Timestamp;

/// How far the shop's clock may be ahead of ours before we assume that ours is wrong.
const AHEAD_MS: i64 = 3_600_000;

/// When a document was built or a deletion requested, according to the shop, and when it arrived here.
#[derive(Clone, Copy, Debug)]
pub(super) struct Age {
    /// The shop's time; without it the order of arrival counts.
    pub rev: Option<i64>,
    /// Current time.
    pub now: Timestamp,
}

impl Age {
    /// Returns whether the stored version, whose `rev` is `stored`, is newer.
    ///
    /// A `stored` in the future was written before our clock was set back. If the shop's clock agrees with ours now, it
    /// is ignored; otherwise the document could not be replaced until our clock reaches it again.
    pub fn is_stale(self, stored: i64) -> bool {
        let now = self.now.0;
        let set_back = |rev: i64| now < stored && rev <= now.saturating_add(AHEAD_MS);
        self.rev.is_some_and(|rev| rev < stored && !set_back(rev))
    }

    /// Returns the `rev` to store in place of `stored`. A `rev` in the future is lowered to now, or the document could
    /// never be replaced; and now is never before `stored`.
    pub fn rev(self, stored: Option<i64>) -> i64 {
        let latest = stored.map_or(self.now.0, |stored| stored.max(self.now.0));
        self.rev.map_or(latest, |rev| rev.min(latest))
    }
}

#[cfg(test)]
mod tests {
    //! 1. While clocks go forward, a document that was built earlier is stale, and a time in the future counts as now.
    //! 2. After our clock was set back by a day, what arrives is newer than what came before; a document that was built
    //!    before the stored one is still stale.
    //! 3. After a clock that was a day ahead was corrected, everything is accepted again.

    use super::*;

    const DAY: i64 = domain::Day::MS;
    const NOW: i64 = 20_000 * DAY;

    fn age(rev: Option<i64>, now: i64) -> Age {
        let now = Timestamp(now);
        Age { rev, now }
    }

    #[test]
    fn clocks_that_go_forward() {
        for (rev, stored, stale, kept) in [
            (None, NOW - 5, false, NOW),
            (Some(NOW - 5), NOW - 5, false, NOW - 5),
            (Some(NOW - 6), NOW - 5, true, NOW - 6),
            (Some(NOW - 1), NOW, true, NOW - 1),
            (Some(NOW + DAY), NOW - 5, false, NOW),
        ] {
            let age = age(rev, NOW);
            assert_eq!(age.is_stale(stored), stale, "{rev:?} after {stored}");
            assert_eq!(age.rev(Some(stored)), kept, "{rev:?} after {stored}");
        }
        assert_eq!(age(Some(NOW + 1), NOW).rev(None), NOW);
    }

    #[test]
    fn our_clock_was_set_back() {
        let back = NOW - DAY;
        for (rev, stale, kept) in [
            (None, false, NOW),
            (Some(NOW + 1), false, NOW),
            (Some(NOW), false, NOW),
            (Some(NOW - 1), true, NOW - 1),
        ] {
            let age = age(rev, back);
            assert_eq!(age.is_stale(NOW), stale, "{rev:?}");
            assert_eq!(age.rev(Some(NOW)), kept, "{rev:?}");
        }
    }

    #[test]
    fn our_clock_was_ahead_and_was_corrected() {
        for rev in [NOW - DAY, NOW - 1, NOW, NOW + 60_000] {
            let age = age(Some(rev), NOW);
            assert!(!age.is_stale(NOW + DAY), "{rev}");
            assert_eq!(age.rev(Some(NOW + DAY)), rev);
        }
    }
}
