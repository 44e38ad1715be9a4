//! Suggestions while the shopper types: the first hits of the search (`docs/api.md`).

use crate::responses::{EarlierPages, ListHit, PreparedSearch, ProductHit};
use crate::search::{cached_or_computed, searchable};
use crate::{OperationError, Service, visitor};
use domain::search::SuggestRequest;
use domain::{Caller, Invalid, access};
use schemars::JsonSchema;
use serde::Serialize;

/// Suggestions by type.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Suggestions {
    /// Products.
    pub products: Suggested<ProductHit>,
    /// Categories.
    pub categories: Suggested<ListHit>,
    /// Brands.
    pub brands: Suggested<ListHit>,
    /// Queries; none in this version.
    pub queries: Vec<String>,
    /// Revision of the store's configuration that the response was made with, for its header.
    #[serde(skip)]
    pub config_revision: i64,
}

/// The first hits of one type.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Suggested{T}")]
pub struct Suggested<T> {
    /// The best first.
    pub hits: Vec<T>,
}

impl<T> Default for Suggested<T> {
    fn default() -> Self {
        Self { hits: Vec::new() }
    }
}

/// Returns suggestions of the caller's store for the prefix of a query.
///
/// Errors: those of the search.
pub async fn suggest(
    service: &Service,
    caller: &Caller,
    mut request: SuggestRequest,
) -> Result<Suggestions, OperationError> {
    let permit = access::search(caller)?;
    let snapshot = searchable(service, permit.store()).await?;
    let wrong = |invalid: Invalid| OperationError::Invalid(vec![invalid]);
    let token = request.visitor.take();
    let checked = request.check().map_err(OperationError::Invalid)?;
    let language = snapshot.language(checked.lang.as_deref()).map_err(wrong)?;
    let prepared = PreparedSearch {
        language,
        visitor: visitor::searching(service, &snapshot, caller, token.as_deref()).await,
        checked,
        earlier: EarlierPages::new(),
    };
    let response = cached_or_computed(service, &snapshot, prepared).await?;
    Ok(Suggestions {
        products: Suggested {
            hits: response.products.hits.clone(),
        },
        categories: Suggested {
            hits: response.categories.hits.clone(),
        },
        brands: Suggested {
            hits: response.brands.hits.clone(),
        },
        queries: Vec::new(),
        config_revision: snapshot.store.config_revision,
    })
}
