//! The first steps of a store: products, its pages, a search; each is done when it is seen.

use super::analytics;
use crate::{OperationError, Service};
use domain::analytics::SearchSummaryRequest;
use domain::limits::PAGES_SEEN_DAYS;
use domain::{Caller, DocType, StoreId, Timestamp, access};
use serde::Serialize;

/// The first steps of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct StoreSteps {
    /// Whether it has products, and when they were last written.
    pub catalogue: StoreStep,
    /// Whether pages of the shop read its widget's configuration within the last 30 days, and when last.
    pub pages: StoreStep,
    /// Whether shoppers searched, and when last.
    pub search: StoreStep,
}

/// One of the first steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct StoreStep {
    /// Whether it is done.
    pub done: bool,
    /// When that was last seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
}

impl StoreStep {
    fn at(at: Option<Timestamp>) -> Self {
        Self {
            done: at.is_some(),
            at,
        }
    }
}

/// Returns how far the first steps of a store are done.
///
/// Errors: `NotFound` for a store that the caller does not reach.
pub async fn get(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
) -> Result<StoreSteps, OperationError> {
    let permit = access::read(caller, store)?;
    service.store(&permit).await?;
    let indices = service.storage.indices_of(&permit).await?;
    let products = indices
        .iter()
        .filter(|index| index.scope.doc_type == DocType::Products && index.documents > 0);
    let seen = service.activity.of(store);
    let stored = service.storage.pages_seen_at(&permit).await?;
    let oldest = service.clock.now().plus_hours(-24 * PAGES_SEEN_DAYS);
    let page = seen.page.max(stored).filter(|at| *at >= oldest);
    let search = match seen.search {
        Some(at) => StoreStep::at(Some(at)),
        None => logged(service, caller, store).await,
    };
    Ok(StoreSteps {
        catalogue: StoreStep::at(products.map(|index| index.updated_at).max()),
        pages: StoreStep::at(page),
        search,
    })
}

/// Returns whether the search log has searches; without a log none are known.
async fn logged(service: &Service, caller: &Caller, store: &StoreId) -> StoreStep {
    let summary = analytics::summary(service, caller, store, SearchSummaryRequest::default()).await;
    StoreStep {
        done: summary.is_ok_and(|summary| summary.searches > 0),
        at: None,
    }
}
