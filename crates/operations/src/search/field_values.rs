//! The values of a field in the whole catalogue, for the configuration of filters.

use crate::message;
use crate::search::ranking::{TypeQuery, rank};
use crate::search::{FilterableFields, value_label};
use crate::snapshots::snapshot::{Configuration, StoreSnapshot};
use crate::{OperationError, Service};
use domain::document::DocType;
use domain::filter::ValuesQuery;
use domain::message::MessageValue;
use domain::search::{FilterField, FilterKind};
use domain::visitor::Visitor;
use domain::{Caller, Language, Message, StoreId, access};
use engine::{FacetRequest, Request};
use query::rules::Effects;
use schemars::JsonSchema;
use serde::Serialize;

/// An indexed value with its number of products.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ValueCount {
    /// Id of the value.
    pub id: String,
    /// Text of the value.
    pub label: String,
    /// Products that have it.
    pub count: u64,
}

/// Returns the values of a field, the most frequent first, and the store's latest revision.
///
/// Errors: `Invalid` for a field that products do not have or whose values are numbers, and for an unknown language.
pub async fn values(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    query: ValuesQuery,
) -> Result<(Vec<ValueCount>, i64), OperationError> {
    let permit = access::read(caller, store)?;
    let snapshot = service.snapshots.latest(permit.store()).await?;
    let language = snapshot
        .language(query.lang.as_ref().map(Language::as_str))
        .map_err(|wrong| OperationError::Invalid(vec![wrong.under("query")]))?;
    let revision = snapshot.store.config_revision;
    let work = move || {
        let index = snapshot.index(DocType::Products, &language);
        let field = FilterableFields::of(index, &Visitor::default())?
            .admit(&query.field)
            .and_then(with_values)
            .map_err(|reason| OperationError::invalid("query.field", reason))?;
        count_values(&snapshot, &language, field)
    };
    // Visits all products, like a search with an empty query.
    let counted = service.search.scheduler.run(permit.store(), work).await?;
    Ok((counted, revision))
}

/// Counts the values of `field` in all documents that an anonymous visitor may see, whatever the configuration hides.
/// The names of all categories are included, even of those that shoppers may not see.
fn count_values(
    snapshot: &StoreSnapshot,
    language: &Language,
    field: FilterField,
) -> Result<Vec<ValueCount>, OperationError> {
    let bare = snapshot.with_configuration(Configuration::default());
    let query = TypeQuery {
        language,
        doc_type: DocType::Products,
        text: "",
        effects: &Effects::default(),
    };
    let facet_request = FacetRequest {
        field,
        groups: Vec::new(),
        include_empty: false,
    };
    let request = Request {
        limit: 1,
        ids_only: true,
        facets: true,
        facet_requests: Some([facet_request].into()),
        ..Request::default()
    };
    let mut facets = rank(&bare, query, &request)?.found.facets;
    let Some(facet) = facets.pop() else {
        return Ok(Vec::new());
    };
    let labels = snapshot.labels(language);
    let counts = facet.values.iter().map(|value| ValueCount {
        id: value.id.to_string(),
        label: value_label(&facet.field, value, &labels),
        count: value.count,
    });
    Ok(counts.collect())
}

fn with_values(field: FilterField) -> Result<FilterField, Message> {
    match field.kind() {
        FilterKind::Range => Err(message::filterable::by_range(MessageValue::of(field))),
        FilterKind::Values | FilterKind::Flag => Ok(field),
    }
}
