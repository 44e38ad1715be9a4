//! One product: what is stored of it in each language, whether the feed rejected it, and where it is among the hits of a
//! query, or why it is not.

use crate::feed::rejections::stored_id;
use crate::message;
use crate::search::preview::{Absence, Condition, conditions};
use crate::search::ranking::{TypeQuery, rank};
use crate::search::trial::{Sides, Trial, TrialRequest, TriedQuery};
use crate::snapshots::snapshot::{Configuration, StoreSnapshot};
use crate::{OperationError, Service};
use domain::document::DocType;
use domain::form::LanguageCode;
use domain::limits::{QUERY_CHARACTERS_MAX, SEARCH_DEPTH_MAX};
use domain::visitor::{DocumentAccess, Visitor};
use domain::{Caller, Language, Permit, RunId, StoreId, Timestamp, Translatable, access};
use engine::{Hit, Request};
use query::rules::{Effects, PinFate, RulePin};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::Arc;
use storage::{DatedRejection, StoredProduct};

/// Query parameters of `GET …/products/{productId}`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProductQuery {
    /// Language; the store's default when left out.
    #[serde(default)]
    #[schemars(with = "LanguageCode")]
    pub lang: Option<String>,
    /// A query, among whose hits the product is sought.
    #[serde(default)]
    #[schemars(with = "String", length(min = 1, max = QUERY_CHARACTERS_MAX))]
    pub q: Option<String>,
}

/// A product.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProductView {
    /// Its id.
    pub id: String,
    /// The language of `document`: the requested one, or the first that has the product.
    pub language: Language,
    /// The languages in whose catalogue it is.
    pub languages: Vec<Language>,
    /// Its fields as they are stored, by the names of the feed; left out if it is in no language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document: Option<Map<String, Value>>,
    /// Its price for an anonymous shopper.
    #[serde(flatten)]
    pub price: ProductPrice,
    /// Whether something of it was cut off because it was too long.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clipped: Option<bool>,
    /// When the shop built it, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rev: Option<i64>,
    /// When it was last received; left out if that was before this was stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub received_at: Option<Timestamp>,
    /// The last run that sent or touched it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_id: Option<RunId>,
    /// Why the feed rejected it last, if it did since it was accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rejected: Option<ProductRejection>,
    /// Where it is among the hits of the query, if there is one.
    #[serde(flatten)]
    pub lookup: Option<ProductLookup>,
}

/// The price of a product, in the base currency of the shop.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProductPrice {
    /// Its price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<f64>,
    /// Its price before a discount.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub original_price: Option<f64>,
    /// The currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// Name of the field that holds the price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price_field: Option<String>,
}

/// Why the feed rejected a product.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ProductRejection {
    /// The code of the rejection.
    pub code: String,
    /// The field that caused it, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The reason.
    pub message: String,
    /// Key and values of the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translatable: Option<Translatable>,
    /// When.
    pub at: Timestamp,
}

/// Where a product is among the hits of a query, or why it is not.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProductLookup {
    /// Whether it is among them.
    pub found: bool,
    /// Its position, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<u32>,
    /// Code of the first condition that it does not fulfil.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<&'static str>,
    /// What keeps it out, as the end of a sentence that starts with the product.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The conditions that could be determined.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
}

/// Returns a product, and the store's latest revision.
///
/// Errors: `NotFound` for one that no language has and that is not among the latest rejected ones; `Invalid` for an
/// unknown language.
pub async fn get(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    id: &str,
    query: ProductQuery,
) -> Result<(ProductView, i64), OperationError> {
    let permit = access::read(caller, store)?;
    let snapshot = service.snapshots.latest(permit.store()).await?;
    let language = snapshot
        .language(query.lang.as_deref())
        .map_err(|wrong| OperationError::Invalid(vec![wrong.under("query")]))?;
    let stored = service.storage.stored_product(&permit, id).await?;
    let rejected = rejection(service, &permit, &language, id).await?;
    if stored.is_empty() && rejected.is_none() {
        return Err(OperationError::NotFound {
            what: message::noun::product,
        });
    }
    let of_language = |wanted: &Language| stored.iter().find(|one| one.language == *wanted);
    let languages: Vec<Language> = (snapshot.store.languages.iter())
        .filter(|language| of_language(language).is_some())
        .cloned()
        .collect();
    let chosen = of_language(&language).or_else(|| languages.first().and_then(of_language));
    let document = match chosen {
        Some(chosen) => document(service, &permit, chosen).await?,
        None => None,
    };
    let lookup = match query.q {
        Some(q) => Some(look_up(service, caller, (store, &language), (id, q)).await?),
        None => None,
    };
    let shown_in = chosen.map_or(language, |chosen| chosen.language.clone());
    let revision = snapshot.store.config_revision;
    let asked = (id.to_owned(), shown_in.clone());
    let work = move || price(&snapshot, &asked.1, &asked.0);
    let view = ProductView {
        id: id.to_owned(),
        price: match chosen {
            Some(_) => service.search.scheduler.run(store, work).await?,
            None => ProductPrice::default(),
        },
        language: shown_in,
        languages,
        document,
        clipped: chosen.map(|chosen| chosen.clipped),
        rev: chosen.map(|chosen| chosen.rev),
        received_at: chosen.and_then(|chosen| chosen.received_at),
        run_id: chosen.and_then(|chosen| chosen.run.clone()),
        rejected,
        lookup,
    };
    Ok((view, revision))
}

/// Returns the fields of a stored product.
async fn document(
    service: &Service,
    permit: &Permit<access::Read>,
    product: &StoredProduct,
) -> Result<Option<Map<String, Value>>, OperationError> {
    let text = service.storage.product_text(permit, product).await?;
    let fields = text.map(|text| serde_json::from_str(&text)).transpose();
    fields.map_err(OperationError::internal)
}

/// Returns why a product was rejected last, in this language if it was, else in another.
async fn rejection(
    service: &Service,
    permit: &Permit<access::Read>,
    language: &Language,
    id: &str,
) -> Result<Option<ProductRejection>, OperationError> {
    let id = stored_id(id);
    let all = service.storage.rejections(permit).await?.into_iter();
    let of_id = |one: &DatedRejection| {
        one.scope.doc_type == DocType::Products && one.rejection.document == id
    };
    let mut found: Vec<DatedRejection> = all.filter(of_id).collect();
    found.sort_by_key(|one| one.scope.language != *language);
    Ok(found.into_iter().next().map(|one| ProductRejection {
        code: one.rejection.code,
        field: one.rejection.field,
        message: one.rejection.message,
        translatable: one.rejection.translatable,
        at: one.at,
    }))
}

/// Returns where a product is among the hits of a query for an anonymous shopper now.
async fn look_up(
    service: &Service,
    caller: &Caller,
    (store, language): (&StoreId, &Language),
    (id, q): (&str, String),
) -> Result<ProductLookup, OperationError> {
    let trial = Trial::open(service, caller, store, TrialRequest::default()).await?;
    let (id, language) = (id.to_owned(), language.clone());
    let work = move || {
        let visitor = trial.visitor();
        let sides = Sides::new(trial, [&language])?;
        let asked = (q, BTreeMap::new(), false);
        let query = TriedQuery::new(&sides, asked, language, visitor, SEARCH_DEPTH_MAX);
        let query = query.map_err(of_parameters)?;
        let effects = query.effects(&sides.tried, sides.at)?;
        let order = query.order(&sides.tried, &effects, query.limit)?;
        if let Some(at) = order.ids.iter().position(|other| *other == id) {
            return Ok(ProductLookup {
                found: true,
                position: Some(at as u32 + 1),
                code: None,
                reason: None,
                conditions: Vec::new(),
            });
        }
        let absence = Absence::of(conditions(&query, &sides, &effects, (&order, &id))?);
        Ok(ProductLookup {
            found: false,
            position: None,
            code: Some(absence.code),
            reason: Some(absence.reason),
            conditions: absence.conditions,
        })
    };
    service.search.scheduler.run(store, work).await
}

/// Names what is invalid as query parameters.
fn of_parameters(error: OperationError) -> OperationError {
    match error {
        OperationError::Invalid(wrong) => {
            let wrong = wrong.into_iter().map(|one| one.under("query"));
            OperationError::Invalid(wrong.collect())
        }
        other => other,
    }
}

/// Returns the price of a product for an anonymous shopper, whether or not such a shopper may see it.
fn price(
    snapshot: &StoreSnapshot,
    language: &Language,
    id: &str,
) -> Result<ProductPrice, OperationError> {
    let hit = hit(snapshot, language, id)?;
    let Some(Hit { numbers, .. }) = hit else {
        return Ok(ProductPrice::default());
    };
    Ok(ProductPrice {
        price: numbers.price,
        original_price: numbers.original_price,
        currency: numbers.currency,
        price_field: numbers.price_field.map(|field| field.to_string()),
    })
}

/// Returns a product as a hit: a rule without a condition pins it to the top of everything.
fn hit(
    snapshot: &StoreSnapshot,
    language: &Language,
    id: &str,
) -> Result<Option<Hit>, OperationError> {
    let bare = snapshot.with_configuration(Configuration::default());
    let mut effects = Effects::default();
    effects.pins.push(RulePin {
        product: id.to_owned(),
        rule: "".into(),
        fate: PinFate::Wanted,
    });
    let query = TypeQuery {
        language,
        doc_type: DocType::Products,
        text: "",
        effects: &effects,
    };
    let request = Request {
        limit: 1,
        visitor: Arc::new(Visitor {
            access: DocumentAccess::Unrestricted,
            ..Visitor::default()
        }),
        ..Request::default()
    };
    let hits = rank(&bare, query, &request)?.found.hits;
    Ok(hits.into_iter().find(|hit| hit.id == id))
}
