//! Rate limits of keys: requests and configuration writes per minute (`docs/api.md`).
//!
//! Every interface counts each request here once, before anything else, so that REST, MCP and feed share one budget.

pub use crate::access::limiter::{Allowance, Rates, Spends};

use crate::{OperationError, PreviewSlot, Service};
use domain::access::Identity;
use domain::audit::Actor;
use domain::{Caller, ClientAddress, KeyId, UserId};

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

/// What an impact that is asked for costs, in requests.
pub const IMPACT_COST: u32 = 20;

/// Counts the rest of what an impact costs whose request was counted: all of it or nothing.
///
/// Errors: `TooMany` if too few requests, or previews of a user, are left.
pub(crate) fn spend_impact(service: &Service, actor: &Actor) -> Result<(), OperationError> {
    let (limiter, now) = (&service.access.limiter, service.clock.now());
    let spends = Spends::RestOfTrial(IMPACT_COST - 1);
    let allowance = match (&actor.key_id, &actor.user_id) {
        (Some(key), _) => limiter.spend_rest(&KeyId(key.clone()), IMPACT_COST - 1, now),
        (None, Some(user)) => limiter.spend_of_user(&UserId(user.clone()), spends, now),
        (None, None) => None,
    };
    allowance.map_or(Ok(()), |allowance| allowance.granted())
}

/// Takes back that a write was counted which turned out to be the repetition of one.
pub(crate) fn return_write(service: &Service, actor: &Actor) {
    if let Some(key) = &actor.key_id {
        let limiter = &service.access.limiter;
        limiter.return_write(&KeyId(key.clone()));
    }
}

/// Takes one of the places that a caller has for simulations and previews that run at once, until the result is dropped.
/// Sessions of users have places of their own.
///
/// Errors: `TooMany` if it has none left.
pub fn trial_slot(service: &Service, caller: &Caller) -> Result<PreviewSlot, OperationError> {
    let name = match &caller.identity {
        Identity::Key(key) => key.id.0.as_str(),
        Identity::User(user) => user.id.0.as_str(),
        Identity::Operator { name } => name,
    };
    service.access.previews.take(name)
}
