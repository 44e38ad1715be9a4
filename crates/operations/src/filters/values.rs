//! The values of a field over the whole catalogue, from which filters are configured.

use crate::ranking::{TypeQuery, rank};
use crate::search::{admit, value_label};
use crate::snapshot::{Configuration, StoreSnapshot};
use crate::{OperationError, Service};
use domain::document::DocType;
use domain::filter::ValuesQuery;
use domain::search::{FilterField, FilterKind};
use domain::visitor::Visitor;
use domain::{Caller, Language, StoreId, access};
use engine::{FacetRequest, Request};
use query::rules::Effects;
use schemars::JsonSchema;
use serde::Serialize;

/// One indexed value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ValueCount {
    /// Its id.
    pub id: String,
    /// Its text.
    pub label: String,
    /// Products that have it.
    pub count: u64,
}

/// The values that products have in a field, the commonest first, and the store's latest revision.
///
/// Errors: a field that products do not have, or that has numbers and no values; a language that the store has not.
pub async fn values(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    query: ValuesQuery,
) -> Result<(Vec<ValueCount>, i64), OperationError> {
    let permit = access::read(caller, store)?;
    let snapshot = service.indexing.snapshot(permit.store()).await?;
    let language = snapshot
        .language(query.lang.as_ref().map(Language::as_str))
        .map_err(|wrong| OperationError::Invalid(vec![wrong.under("query")]))?;
    let revision = snapshot.store.config_revision;
    let work = move || {
        let index = snapshot.index(DocType::Products, &language);
        let field = admit(&query.field, index, &Visitor::default())
            .and_then(with_values)
            .map_err(|reason| OperationError::invalid("query.field", reason))?;
        all_of(&snapshot, &language, field)
    };
    // All products are walked over, as by a search for nothing.
    let counted = service.searches.run(permit.store(), work).await?;
    Ok((counted, revision))
}

/// The values of `field` in everything that is open to anybody, whatever the configuration hides. Who configures filters
/// is told the names of categories that shoppers are not.
fn all_of(
    snapshot: &StoreSnapshot,
    language: &Language,
    field: FilterField,
) -> Result<Vec<ValueCount>, OperationError> {
    let bare = snapshot.with_configuration(Configuration::default());
    let question = TypeQuery {
        language,
        doc_type: DocType::Products,
        text: "",
        effects: &Effects::default(),
    };
    let wish = FacetRequest {
        field,
        groups: Vec::new(),
        include_empty: false,
    };
    let request = Request {
        limit: 1,
        ids_only: true,
        facets: true,
        facet_requests: Some([wish].into()),
        ..Request::default()
    };
    let mut facets = rank(&bare, question, &request)?.found.facets;
    let Some(facet) = facets.pop() else {
        return Ok(Vec::new());
    };
    let counts = facet.values.iter().map(|value| ValueCount {
        id: value.id.to_string(),
        label: value_label(&facet.field, value, language),
        count: value.count,
    });
    Ok(counts.collect())
}

fn with_values(field: FilterField) -> Result<FilterField, String> {
    match field.kind() {
        FilterKind::Range => Err(format!("{field} has numbers, which are chosen as a range")),
        FilterKind::Values | FilterKind::Flag => Ok(field),
    }
}
