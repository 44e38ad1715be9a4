//! `ImpactGate`: how much of what its owner watches a ranking write may move, and what was measured of a write
//! (docs/api.md, "The gate").

use crate::limits::GATE_PERCENT_MAX;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How much of what is watched a ranking write may move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ImpactGate {
    /// The largest share of watched queries whose first three may change, in percent.
    #[serde(rename = "maxChangedTop3Percent")]
    #[schemars(range(max = GATE_PERCENT_MAX))]
    pub max_changed_top3_percent: u8,
    /// Whether keys may save what exceeds it, with a note.
    #[serde(default)]
    pub keys_may_force: bool,
}

/// What a write does to the watched queries, and whether that is too much.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GateMeasure {
    /// Whether it moves more than the gate lets through.
    pub exceeded: bool,
    /// The largest share of watched queries whose first three may change, in percent.
    #[serde(rename = "maxChangedTop3Percent")]
    pub max_changed_top3_percent: u8,
    /// Watched queries.
    pub watched: usize,
    /// Those whose first three differ.
    #[serde(rename = "changedTop3")]
    pub changed_top3: usize,
    /// Those that lost all results.
    pub lost_all_results: usize,
}

impl ImpactGate {
    /// Judges a write by its effect on the watched queries. A query that loses all results is too much at any share.
    pub fn judge(
        &self,
        watched: usize,
        changed_top3: usize,
        lost_all_results: usize,
    ) -> GateMeasure {
        let allowed = usize::from(self.max_changed_top3_percent) * watched;
        GateMeasure {
            exceeded: 100 * changed_top3 > allowed || lost_all_results > 0,
            max_changed_top3_percent: self.max_changed_top3_percent,
            watched,
            changed_top3,
            lost_all_results,
        }
    }
}

impl GateMeasure {
    /// Returns the share of watched queries whose first three differ, in percent with at most one decimal, rounded up so
    /// that what is too much never looks like what is allowed.
    pub fn changed_percent(&self) -> f64 {
        match self.watched {
            0 => 0.0,
            watched => (1000 * self.changed_top3).div_ceil(watched) as f64 / 10.0,
        }
    }
}

#[cfg(test)]
mod tests {
    //! 1. Exactly the allowed share passes, one query more does not; one that loses all results never does.
    //! 2. Without watched queries nothing is exceeded.
    //! 3. A share that is too much is shown as more than what is allowed.

    use super::*;

    fn gate(percent: u8) -> ImpactGate {
        ImpactGate {
            max_changed_top3_percent: percent,
            keys_may_force: false,
        }
    }

    #[test]
    fn the_allowed_share_passes() {
        let exceeded = |percent, [watched, changed, lost]: [usize; 3]| {
            gate(percent).judge(watched, changed, lost).exceeded
        };
        assert!(!exceeded(10, [20, 2, 0]) && exceeded(10, [20, 3, 0]));
        assert!(!exceeded(0, [20, 0, 0]) && exceeded(0, [200, 1, 0]));
        assert!(!exceeded(100, [3, 3, 0]) && exceeded(100, [3, 1, 1]));
        assert!(!exceeded(0, [0, 0, 0]));
    }

    #[test]
    fn shares_are_rounded_up() {
        let percent = |allowed, watched, changed| {
            let measure = gate(allowed).judge(watched, changed, 0);
            (measure.changed_percent(), measure.exceeded)
        };
        assert_eq!(percent(10, 20, 3), (15.0, true));
        assert_eq!(percent(33, 3, 1), (33.4, true));
        assert_eq!(percent(0, 200, 1), (0.5, true));
        assert_eq!(percent(0, 0, 0), (0.0, false));
    }
}
