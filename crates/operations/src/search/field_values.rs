//! The values of a field in the whole catalogue, for the configuration of filters.

use crate::configuration::records::Listed;
use crate::message;
use crate::search::ranking::{TypeQuery, rank};
use crate::search::{FilterableFields, value_label};
use crate::snapshots::snapshot::{Configuration, StoreSnapshot};
use crate::{OperationError, Service};
use domain::document::DocType;
use domain::filter::ValuesQuery;
use domain::message::MessageValue;
use domain::page::Meta;
use domain::search::{FilterField, FilterKind};
use domain::visitor::Visitor;
use domain::{Caller, Language, Message, StoreId, access};
use engine::{FacetRequest, Request};
use query::analysis::fold;
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

/// Returns the values of a field, the most frequent first: all, or a page of those with a word that starts as sought.
///
/// Errors: `Invalid` for a field that products do not have or whose values are numbers, and for an unknown language.
pub async fn values(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    query: ValuesQuery,
) -> Result<Listed<ValueCount>, OperationError> {
    let permit = access::read(caller, store)?;
    let snapshot = service.snapshots.latest(permit.store()).await?;
    let language = snapshot
        .language(query.lang.as_ref().map(Language::as_str))
        .map_err(|wrong| OperationError::Invalid(vec![wrong.under("query")]))?;
    let config_revision = snapshot.store.config_revision;
    let (page, sought) = (query.page(), query.q.as_deref().map(fold));
    let work = move || {
        let index = snapshot.index(DocType::Products, &language);
        let field = FilterableFields::of(index, &Visitor::default())?
            .admit(&query.field)
            .and_then(with_values)
            .map_err(|reason| OperationError::invalid("query.field", reason))?;
        count_values(&snapshot, &language, field)
    };
    // Visits all products, like a search with an empty query.
    let mut records = service.search.scheduler.run(permit.store(), work).await?;
    if let Some(sought) = sought {
        records.retain(|value| has_word(&fold(&value.label), sought.trim()));
    }
    let meta = page.map(|(page, limit)| Meta::new(page, limit, records.len() as u64));
    if let Some((page, limit)) = page {
        let before = (page as usize - 1).saturating_mul(limit as usize);
        let of_page = records.into_iter().skip(before).take(limit as usize);
        records = of_page.collect();
    }
    Ok(Listed {
        records,
        meta,
        config_revision,
    })
}

/// Returns whether a word of a folded label starts with this text.
fn has_word(label: &str, prefix: &str) -> bool {
    let starts_word = |at: usize| {
        let before = label[..at].chars().next_back();
        before.is_none_or(|before| !before.is_alphanumeric())
    };
    prefix.is_empty() || label.match_indices(prefix).any(|(at, _)| starts_word(at))
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

#[cfg(test)]
mod tests {
    //! 1. A word of the label starts with the text, wherever the word is.

    use super::has_word;

    #[test]
    fn words_start_with_the_text() {
        for label in ["nordic", "far north", "sub-nordic", "nor"] {
            assert!(has_word(label, "nor"), "{label}");
        }
        for label in ["minor", "", "n or"] {
            assert!(!has_word(label, "nor"), "{label}");
        }
        assert!(has_word("the north face", "north fa") && has_word("anything", ""));
    }
}
