//! Rejects single documents that are still too large after clipping, with the field that is at fault.

use crate::message;
use domain::document::price::PriceField;
use domain::limits::{DOCUMENT_BYTES_MAX, LABEL_CHARACTERS_MAX, PRICE_FIELDS_MAX};
use domain::{Document, Rejection, error_codes, first_characters};
use serde_json::{Map, Value};

/// Returns the rejection of `document`, item `at` of its block, if its `bytes` of JSON or its prices are too many.
pub(super) fn oversize(at: usize, document: &Document, bytes: usize) -> Option<Rejection> {
    let body = &document.body;
    let (field, message) = if let Some(field) = surplus_price(body) {
        (field, message::feed::price_fields(PRICE_FIELDS_MAX))
    } else if bytes > DOCUMENT_BYTES_MAX {
        let (field, own) = largest(body)?;
        let message = message::feed::largest_field(own, bytes, DOCUMENT_BYTES_MAX);
        (field, message)
    } else {
        return None;
    };
    Some(Rejection {
        index: at,
        id: Some(document.id.clone()),
        code: error_codes::INVALID_DOCUMENT,
        field: Some(first_characters(field, LABEL_CHARACTERS_MAX).to_owned()),
        message: message.text,
        translatable: message.translatable,
    })
}

/// Returns the first price field beyond the limit.
fn surplus_price(body: &Map<String, Value>) -> Option<&str> {
    if body.len() <= PRICE_FIELDS_MAX {
        return None;
    }
    let names = body.keys().map(String::as_str);
    let mut prices = names.filter(|name| PriceField::parse(name).is_some());
    prices.nth(PRICE_FIELDS_MAX)
}

/// Returns the largest field with its size in bytes.
fn largest(body: &Map<String, Value>) -> Option<(&str, usize)> {
    let sizes = body.iter().map(|(name, value)| {
        let own = serde_json::to_string(value).map_or(0, |text| text.len());
        (name.as_str(), name.len() + own)
    });
    sizes.max_by_key(|(_, bytes)| *bytes)
}
