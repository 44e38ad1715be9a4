//! `GET /feed/plan`: the limits of the store's plan and their usage.

use super::{FeedCaller, readable_store};
use crate::{OperationError, Service};
use domain::feed::{PlanReport, PlanUsage};
use std::collections::{BTreeMap, BTreeSet};

/// Returns the plan of the caller's store with its usage. Unlimited items are left out.
pub async fn plan(service: &Service, caller: &FeedCaller) -> Result<PlanReport, OperationError> {
    let permit = caller.permit(service).await?;
    let store = readable_store(service, &permit).await?;
    let declarations = service.storage.declarations(&permit).await?;
    let mut documents: BTreeMap<&'static str, u64> = BTreeMap::new();
    let mut languages = BTreeSet::new();
    for index in service.storage.indices_of(&permit).await? {
        // The limit counts each language of its own, so the fullest one tells how far it is.
        let fullest = documents.entry(index.scope.doc_type.as_str()).or_default();
        *fullest = (*fullest).max(u64::try_from(index.documents).unwrap_or(0));
        languages.insert(index.scope.language);
    }
    Ok(PlanReport {
        plan: store.plan,
        usage: PlanUsage {
            documents,
            price_tiers: declarations.tiers_used(),
            currencies: declarations.currencies_used(),
            price_countries: declarations.countries_used(),
            languages: languages.len(),
        },
    })
}
