//! The names of products and records, for pages that say in words what changed.

use crate::access::permits::require_on_store;
use crate::configuration::records::{self, Record};
use crate::search::ranking::{TypeQuery, rank};
use crate::snapshots::snapshot::{Configuration, StoreSnapshot};
use crate::{OperationError, Service};
use domain::document::DocType;
use domain::form::LanguageCode;
use domain::limits::{DOCUMENT_ID_CHARACTERS_MAX, NAMES_MAX};
use domain::rule::Rule;
use domain::synonym::Synonym;
use domain::visitor::{DocumentAccess, Visitor};
use domain::{Caller, Language, StoreId, access, filter};
use engine::Request;
use query::rules::{Effects, PinFate, RulePin};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use storage::ConfigurationView;

/// What of a record its name is made of.
const NAMED_BY: [&str; 5] = ["name", "input", "terms", "field", "label"];

/// Request for names.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("additionalProperties" = false))]
pub struct NamesRequest {
    /// Language of the products; the store's default when left out.
    #[serde(default)]
    #[schemars(with = "LanguageCode")]
    pub lang: Option<String>,
    /// Ids of products, at most 50.
    #[serde(default)]
    #[schemars(length(max = NAMES_MAX), inner(length(min = 1, max = DOCUMENT_ID_CHARACTERS_MAX)))]
    pub products: Vec<String>,
    /// Records as resources, such as `rules/<id>`, at most 50.
    #[serde(default)]
    #[schemars(length(max = NAMES_MAX), inner(length(max = DOCUMENT_ID_CHARACTERS_MAX)))]
    pub records: Vec<String>,
}

/// The names of what exists; what does not is left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ResourceNames {
    /// Names of products by id.
    pub products: BTreeMap<String, String>,
    /// What records are named by, by resource: the name of a rule, the terms of a synonym group, field and label of a filter.
    pub records: BTreeMap<String, Value>,
}

/// Returns the names of products and records of a store, whatever shoppers may see.
///
/// Errors: `NotFound` for a store that the caller does not reach; `Invalid` for an unknown language.
pub async fn names(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    request: NamesRequest,
) -> Result<ResourceNames, OperationError> {
    require_on_store(caller, "list_names", store)?;
    let permit = access::read(caller, store)?;
    let mut found = ResourceNames::default();
    let mut reading = records::view(service, &permit).await?;
    for resource in request.records {
        let [kind, id] = match resource.split_once('/') {
            Some((kind, id)) => [kind, id].map(str::to_owned),
            None => continue,
        };
        let named = match kind.as_str() {
            "synonyms" => named_by::<Synonym>(&mut reading, id).await?,
            "rules" => named_by::<Rule>(&mut reading, id).await?,
            "filters" => named_by::<filter::Filter>(&mut reading, id).await?,
            _ => None,
        };
        found.records.extend(named.map(|named| (resource, named)));
    }
    drop(reading);
    if request.products.is_empty() {
        return Ok(found);
    }
    let snapshot = service.snapshots.of(permit.store()).await?;
    let language = snapshot
        .language(request.lang.as_deref())
        .map_err(|wrong| OperationError::Invalid(vec![wrong]))?;
    let work = move || product_names(&snapshot, &language, &request.products);
    found.products = service.search.scheduler.run(permit.store(), work).await?;
    Ok(found)
}

async fn named_by<R: Record>(
    reading: &mut ConfigurationView,
    id: String,
) -> Result<Option<Value>, OperationError> {
    let record = R::get_in(reading, &R::Id::from(id)).await?;
    Ok(record.map(|record| {
        let mut content = json!(record.content());
        if let Some(fields) = content.as_object_mut() {
            fields.retain(|name, _| NAMED_BY.contains(&name.as_str()));
        }
        content
    }))
}

/// Returns the names of these products by id: rules without a condition pin them to the top of everything.
fn product_names(
    snapshot: &StoreSnapshot,
    language: &Language,
    ids: &[String],
) -> Result<BTreeMap<String, String>, OperationError> {
    let bare = snapshot.with_configuration(Configuration::default());
    let mut effects = Effects::default();
    effects.pins.extend(ids.iter().map(|id| RulePin {
        product: id.clone(),
        rule: "".into(),
        fate: PinFate::Wanted,
    }));
    let query = TypeQuery {
        language,
        doc_type: DocType::Products,
        text: "",
        effects: &effects,
    };
    let request = Request {
        limit: ids.len(),
        visitor: Arc::new(Visitor {
            access: DocumentAccess::Unrestricted,
            ..Visitor::default()
        }),
        ..Request::default()
    };
    let hits = rank(&bare, query, &request)?.found.hits.into_iter();
    let named = hits.filter(|hit| ids.contains(&hit.id));
    let named = named.map(|hit| (hit.id, hit.card.name().to_owned()));
    Ok(named.collect())
}
