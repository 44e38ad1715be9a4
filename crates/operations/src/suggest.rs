//! Suggestions at every keystroke: the first hits of the shopper's search (contract section 9).

use crate::search::{EarlierPages, ListHit, PreparedSearch, ProductHit, found, searchable};
use crate::{OperationError, Service, visitor};
use domain::search::SuggestRequest;
use domain::{Caller, Invalid, access};
use schemars::JsonSchema;
use serde::Serialize;

/// What is suggested.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Suggestions {
    /// Products.
    pub products: Suggested<ProductHit>,
    /// Categories.
    pub categories: Suggested<ListHit>,
    /// Brands.
    pub brands: Suggested<ListHit>,
    /// Questions; none in this version.
    pub queries: Vec<String>,
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

/// Suggests what the caller's store has for the beginning of a question.
///
/// Errors: as the search.
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
    let asked = PreparedSearch {
        language,
        visitor: visitor::searching(service, &snapshot, caller, token.as_deref()).await,
        checked,
        earlier: EarlierPages::new(),
    };
    let found = found(service, &snapshot, asked).await?;
    Ok(Suggestions {
        products: Suggested {
            hits: found.products.hits.clone(),
        },
        categories: Suggested {
            hits: found.categories.hits.clone(),
        },
        brands: Suggested {
            hits: found.brands.hits.clone(),
        },
        queries: Vec::new(),
    })
}
