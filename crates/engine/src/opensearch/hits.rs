//! Hits as the cluster returns them: ids, scores, displayed texts and numbers.

use super::fields;
use super::prices::VisitorPrices;
use super::queries::malformed;
use crate::{Card, EngineError, Hit, HitNumbers};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use query::scoring::FactorValues;
use serde_json::{Value, json};

/// The stored fields that a hit is shown with.
pub fn stored(prices: &VisitorPrices) -> Value {
    let numbers = [
        "currency",
        "in_stock",
        "rating",
        "rating_count",
        "sold",
        "sales_log",
        "rating_log",
        "feature_num",
    ];
    let numbers = numbers.map(|name| format!("{}.{name}", fields::NUMBERS));
    let all = std::iter::once(fields::CARD.to_owned())
        .chain(numbers)
        .chain(prices.stored());
    json!(all.collect::<Vec<_>>())
}

/// Returns the hits of a response.
pub fn of(found: &Value) -> Result<&[Value], EngineError> {
    let hits = found["hits"]["hits"].as_array();
    hits.map(Vec::as_slice).ok_or_else(|| malformed("hits"))
}

/// Returns the id of a hit.
pub fn id(hit: &Value) -> Result<&str, EngineError> {
    let id = hit["fields"][fields::ID][0].as_str();
    id.ok_or_else(|| malformed("a hit without its id"))
}

/// Returns a hit with its id and score only; the score is 0 unless hits are ordered `by_score`.
pub fn bare(hit: &Value, by_score: bool) -> Result<Hit, EngineError> {
    let score = match by_score {
        true => hit["_score"]
            .as_f64()
            .ok_or_else(|| malformed("a hit without its score"))?,
        false => 0.0,
    };
    Ok(Hit {
        id: id(hit)?.to_owned(),
        score,
        card: Card::default(),
        numbers: HitNumbers::default(),
        breakdown: None,
    })
}

/// Returns a hit with what it is shown with.
pub fn whole(hit: &Value, by_score: bool, prices: &VisitorPrices) -> Result<Hit, EngineError> {
    Ok(Hit {
        card: card(hit)?,
        numbers: numbers(hit, prices),
        ..bare(hit, by_score)?
    })
}

/// Returns the displayed texts of a hit.
pub fn card(hit: &Value) -> Result<Card, EngineError> {
    let text = hit["_source"][fields::CARD].as_str();
    let bytes = text.and_then(|text| BASE64_STANDARD.decode(text).ok());
    bytes
        .and_then(|bytes| Card::from_bytes(&bytes))
        .ok_or_else(|| malformed("a card"))
}

fn numbers(hit: &Value, prices: &VisitorPrices) -> HitNumbers {
    let own = &hit["_source"][fields::NUMBERS];
    let price = prices.of(&own["prices"]);
    let currency = || own["currency"].as_str().map(str::to_owned);
    HitNumbers {
        price: price.as_ref().map(|price| price.price),
        original_price: price.as_ref().and_then(|price| price.original),
        price_field: price.map(|price| price.field),
        currency: prices.currency.clone().or_else(currency),
        in_stock: own["in_stock"].as_bool().unwrap_or(false),
        rating: own["rating"].as_f64(),
        rating_count: own["rating_count"].as_f64(),
    }
}

/// Returns what the factors of a hit are computed from.
pub fn factor_values(hit: &Value, prices: &VisitorPrices) -> FactorValues {
    let own = &hit["_source"][fields::NUMBERS];
    let price = prices.of(&own["prices"]);
    FactorValues {
        in_stock: own["in_stock"].as_bool().unwrap_or(false),
        sales_log: own["sales_log"].as_f64().unwrap_or(0.0),
        rating_log: own["rating_log"].as_f64().unwrap_or(0.0),
        discount: price.is_some_and(|price| price.original.is_some()),
    }
}
