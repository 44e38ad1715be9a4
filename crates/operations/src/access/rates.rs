//! Rate limits of keys: requests and configuration writes per minute (`docs/api.md`).
//!
//! Every interface counts each request here once, before anything else, so that REST, MCP and feed share one budget.

pub use crate::access::limiter::{Allowance, Rates, Spends};

use crate::Service;
use domain::access::Identity;
use domain::{Caller, ClientAddress};

/// Counts a request of `caller` from the address `from`; returns `None` if no limit applies.
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
            .access
            .limiter
            .spend(key, from, spends, service.clock.now()),
        Identity::User(user) => {
            service
                .access
                .limiter
                .spend_of_user(&user.id, spends, service.clock.now())
        }
        Identity::Operator { .. } => None,
    }
}
