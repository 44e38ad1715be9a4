//! The answer to a question: what is found in which order, and the counts of its facets.

use super::catalogue::{Catalogue, Page};
use super::walk::{Parts, Walk};
use domain::document::Document;
use domain::document::price::{PriceContext, visitor_price};
use domain::search::{Choice, FilterField, Sort};
use engine::Request;
use query::Plan;
use query::analysis::{fold, plain_text};
use query::scoring::{FactorValues, Factors, factors, reaches};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// What the engine must answer.
pub struct Answer {
    pub total: u64,
    pub hits: Vec<Ranked>,
    /// Products by value, for every field of values.
    pub counts: BTreeMap<FilterField, BTreeMap<Value, u64>>,
    pub prices: Option<(f64, f64)>,
}

/// Id and text of a value.
pub type Value = (String, String);

/// A document that is found.
pub struct Ranked {
    pub id: String,
    pub score: f64,
    pub parts: Parts,
    pub factors: Factors,
    sales: f64,
    price: Option<f64>,
    name: String,
}

pub fn answer(catalogue: &Catalogue, walk: &Walk<'_>, plan: &Plan, request: &Request) -> Answer {
    let mut ranked = Vec::new();
    let (mut counts, mut prices) = (BTreeMap::new(), Vec::new());
    let mut found: Vec<(&Document, Ranked)> = Vec::new();
    for page in catalogue.pages.iter().filter(|page| is_shown(page, plan)) {
        if let Some(parts) = walk.parts(page) {
            let ranked = Ranked::new(&page.document, plan, parts);
            found.push((&page.document, ranked));
        }
    }
    let best = found.iter().map(|(_, hit)| hit.score).fold(0.0, f64::max);
    found.retain(|(_, hit)| reaches(hit.score, best, plan.cutoff));
    for (document, hit) in found {
        let refusing: Vec<FilterField> = refusing(document, &request.choices);
        for field in FilterField::ALL {
            if refusing.iter().all(|other| *other == field) {
                for value in values(document, field) {
                    *counts
                        .entry(field)
                        .or_insert_with(BTreeMap::new)
                        .entry(value)
                        .or_insert(0) += 1;
                }
                prices.extend(price(document).filter(|_| field == FilterField::Price));
            }
        }
        if refusing.is_empty() {
            ranked.push(hit);
        }
    }
    ranked.sort_by(|a, b| a.order(b, request.sort));
    let total = ranked.len() as u64;
    let hits = ranked.into_iter().skip(request.offset).take(request.limit);
    let low = prices.iter().copied().reduce(f64::min);
    let high = prices.iter().copied().reduce(f64::max);
    Answer {
        total,
        hits: hits.collect(),
        counts,
        prices: low.zip(high),
    }
}

fn is_shown(page: &Page, plan: &Plan) -> bool {
    let numbers = &page.document.numbers;
    numbers.open_to_visitors() && !(plan.hide_out_of_stock && numbers.hidden_when_out())
}

fn price(document: &Document) -> Option<f64> {
    visitor_price(&document.numbers.prices, &PriceContext::default()).map(|price| price.price)
}

/// The fields whose choice a document does not meet.
fn refusing(document: &Document, choices: &[Choice]) -> Vec<FilterField> {
    let met = |choice: &Choice| match choice {
        Choice::Price(range) => price(document).is_some_and(|price| {
            range.min.is_none_or(|min| min <= price) && range.max.is_none_or(|max| price <= max)
        }),
        Choice::Any(field, wanted) => values(document, *field)
            .iter()
            .any(|(id, label)| wanted.contains(id) || wanted.contains(label)),
    };
    let refused = choices.iter().filter(|choice| !met(choice));
    refused
        .map(|choice| match choice {
            Choice::Price(_) => FilterField::Price,
            Choice::Any(field, _) => *field,
        })
        .collect()
}

/// The values of a document for a facet.
fn values(document: &Document, field: FilterField) -> BTreeSet<Value> {
    let value = |id: &str, label: &str| (id.to_owned(), label.to_owned());
    match field {
        FilterField::Price => BTreeSet::new(),
        FilterField::InStock => {
            let state = document.numbers.available().to_string();
            BTreeSet::from([value(&state, &state)])
        }
        FilterField::Manufacturer => {
            let name = document.texts.manufacturer.trim();
            let id = document
                .body
                .get("manufacturerId")
                .and_then(|id| id.as_str());
            let named = Some(name).filter(|name| !name.is_empty());
            named
                .map(|name| value(id.unwrap_or(name), name))
                .into_iter()
                .collect()
        }
        FilterField::Categories => {
            let categories = document.categories.iter();
            categories.map(|c| value(&c.id, &c.name)).collect()
        }
    }
}

impl Ranked {
    fn new(document: &Document, plan: &Plan, parts: Parts) -> Self {
        let numbers = &document.numbers;
        let visitor = visitor_price(&numbers.prices, &PriceContext::default());
        let factors = factors(
            &plan.factors,
            &FactorValues::new(
                numbers.available(),
                numbers.sales_count,
                numbers.rating,
                visitor
                    .as_ref()
                    .is_some_and(|price| price.original.is_some()),
            ),
        );
        Self {
            id: document.id.clone(),
            score: parts.text * factors.multiplier,
            parts,
            factors,
            sales: numbers.sales_count.unwrap_or(0.0).max(0.0),
            price: visitor.map(|price| price.price),
            name: fold(&plain_text(&document.texts.name))
                .chars()
                .take(96)
                .collect(),
        }
    }

    fn order(&self, other: &Self, sort: Sort) -> Ordering {
        let price = |missing: f64| {
            let of = |hit: &Self| hit.price.unwrap_or(missing);
            of(self).total_cmp(&of(other))
        };
        let first = match sort {
            Sort::Relevance => (other.score as f32).total_cmp(&(self.score as f32)),
            Sort::PriceAsc => price(f64::INFINITY),
            Sort::PriceDesc => price(f64::NEG_INFINITY).reverse(),
            Sort::Name => self.name.cmp(&other.name),
        };
        first
            .then(other.sales.total_cmp(&self.sales))
            .then(self.id.cmp(&other.id))
    }
}
