//! FilterQueries of requests and rules as queries. A text that is the id of a value means that value alone; any other the values
//! with this label.

use super::fields::{self, pair};
use super::prices::{VisitorPrices, in_range};
use super::queries::{any, nothing, term};
use super::search::Searcher;
use crate::EngineError;
use domain::label_text::label_text;
use domain::search::{FilterChoice, FilterField, FilterKind};
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashSet};

/// The filters of a search, and which of their texts are ids.
pub struct FilterQueries<'a> {
    prices: &'a VisitorPrices,
    /// Field and text of those that are ids of their own.
    ids: HashSet<String>,
}

impl<'a> FilterQueries<'a> {
    /// Looks up which of `texts` are ids of their fields.
    pub fn look_up<'t>(
        searcher: &Searcher,
        prices: &'a VisitorPrices,
        texts: impl Iterator<Item = (&'t FilterField, &'t str)>,
    ) -> Result<Self, EngineError> {
        let named = named(texts);
        let counts = searcher.count(with_ids(&named))?;
        let ids = named
            .into_iter()
            .zip(counts)
            .filter(|(_, documents)| *documents > 0);
        Ok(Self {
            prices,
            ids: ids.map(|(own, _)| own).collect(),
        })
    }

    /// Documents that meet `choice`.
    pub fn choice(&self, choice: &FilterChoice) -> Value {
        match choice {
            FilterChoice::Range(FilterField::Price, range) => self.prices.within(*range),
            FilterChoice::Range(field, range) => in_range(number(field), *range),
            FilterChoice::Any(field, texts) if field.kind() == FilterKind::Flag => {
                let states = [true, false].into_iter();
                let chosen =
                    states.filter(|state| texts.iter().any(|text| *text == state.to_string()));
                any(chosen
                    .map(|state| flag(field, state, self.prices))
                    .collect())
            }
            FilterChoice::Any(field, texts) => {
                any(texts.iter().map(|text| self.value(field, text)).collect())
            }
        }
    }

    /// Documents with the value of `field` that `text` means.
    pub fn value(&self, field: &FilterField, text: &str) -> Value {
        let name = field.to_string();
        let own = pair(&name, text);
        match self.ids.contains(&own) {
            true => term(fields::VALUE_IDS, &own),
            false => term(fields::LABELS, &pair(&name, &label_text(text))),
        }
    }

    /// Whether `text` means the value of `field` with this id and label.
    pub fn means(&self, field: &FilterField, text: &str, (id, label): (&str, &str)) -> bool {
        match self.ids.contains(&pair(&field.to_string(), text)) {
            true => id == text,
            false => label_text(label) == label_text(text),
        }
    }
}

/// What [`FilterQueries::look_up`] counts.
pub fn counts_of_ids<'t>(texts: impl Iterator<Item = (&'t FilterField, &'t str)>) -> Vec<Value> {
    with_ids(&named(texts))
}

fn with_ids(named: &BTreeSet<String>) -> Vec<Value> {
    named
        .iter()
        .map(|own| term(fields::VALUE_IDS, own))
        .collect()
}

fn named<'t>(texts: impl Iterator<Item = (&'t FilterField, &'t str)>) -> BTreeSet<String> {
    texts
        .map(|(field, text)| pair(&field.to_string(), text))
        .collect()
}

/// Documents whose flag `field` is in this state.
pub fn flag(field: &FilterField, state: bool, prices: &VisitorPrices) -> Value {
    match (field, state) {
        (FilterField::Discount, true) => prices.discounted(),
        (FilterField::Discount, false) => super::queries::not(prices.discounted()),
        (FilterField::InStock, _) => json!({"term": {fields::IN_STOCK: state}}),
        _ => nothing(),
    }
}

/// The field of a number that is the same for all visitors.
pub fn number(field: &FilterField) -> &'static str {
    match field {
        FilterField::Rating => fields::RATING,
        _ => fields::FEATURE_NUM,
    }
}
