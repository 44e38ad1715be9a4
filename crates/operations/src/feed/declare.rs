//! `POST /feed/currencies`, `price-tiers`, `price-countries`, `access-groups`: declarations of the shop, in effect at
//! once.

use super::{FeedCaller, writable_store};
use crate::message;
use crate::service::run_to_completion;
use crate::{OperationError, Service};
use domain::Permit;
use domain::access::Feed;
use domain::declarations::{Declaration, DeclarationOrigin, Declared};
use serde_json::json;

/// Replaces the former declaration of its kind as a whole. Repeating the same one changes nothing.
///
/// Errors: `Invalid` with all invalid values by path; `PlanLimit` if it exceeds the plan. The former declaration then
/// stays.
pub async fn declare<T: Declaration + Send + Sync + 'static>(
    service: &Service,
    caller: &FeedCaller,
    declaration: T,
) -> Result<Declared, OperationError> {
    let permit = caller.permit(service).await?;
    declare_permitted(service, permit, declaration, DeclarationOrigin::Connector).await
}

/// Declares for who may feed the store.
pub(crate) async fn declare_permitted<T: Declaration + Send + Sync + 'static>(
    service: &Service,
    permit: Permit<Feed>,
    declaration: T,
    origin: DeclarationOrigin,
) -> Result<Declared, OperationError> {
    declaration.check().map_err(OperationError::Invalid)?;
    let service = service.clone();
    run_to_completion(async move {
        let mut feed = service.storage.begin_feed(&permit).await?;
        let store = writable_store(&mut feed).await?;
        let (used, max) = (declaration.used(), T::max(&store.plan));
        if let Some(max) = max.filter(|max| used > *max) {
            let kind = T::KIND.as_str();
            return Err(OperationError::PlanLimit {
                message: message::limit::plan_declared(kind, max, used),
                details: json!({"max": max, "declared": used}),
            });
        }
        let (mut all, revision) = feed.declarations().await?;
        let former = T::slot(&mut all);
        let changed = former.as_ref() != Some(&declaration);
        let revision = revision + i64::from(changed);
        if changed {
            feed.save_declaration(&declaration, origin, revision, service.clock.now())
                .await?;
            feed.commit().await?;
            service
                .snapshots
                .configuration_changed(permit.store())
                .await;
        } else if origin == DeclarationOrigin::Connector && feed.claim_declaration(T::KIND).await? {
            feed.commit().await?;
        }
        Ok(Declared {
            accepted: declaration.accepted(),
            used,
            max,
            revision,
        })
    })
    .await
}
