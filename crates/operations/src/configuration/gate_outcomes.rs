//! `GateOutcomes`: what became of the ranking writes that had to pass a gate.

use crate::runtime::running_total::RunningTotal;
use domain::error_codes;

/// How often ranking writes passed a gate or did not, since the service started.
#[derive(Default)]
pub(crate) struct GateOutcomes {
    /// They moved no more than is allowed.
    pub passed: RunningTotal,
    /// They were refused.
    pub exceeded: RunningTotal,
    /// They were saved all the same.
    pub forced: RunningTotal,
    /// They could not be measured, and were refused.
    pub unavailable: RunningTotal,
}

impl GateOutcomes {
    /// Returns the totals by name.
    pub fn totals(&self) -> [(&'static str, u64); 4] {
        [
            ("passed", self.passed.total()),
            ("exceeded", self.exceeded.total()),
            ("forced", self.forced.total()),
            (error_codes::UNAVAILABLE, self.unavailable.total()),
        ]
    }
}
