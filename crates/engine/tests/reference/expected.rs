//! The expected result of a query: hits in order, and the counts of facets.

use super::catalogue::Catalogue;
use super::rules::{allow, multiplier, pin_states};
use super::shopper::{Price, may_see, price};
use super::walk::{Parts, Walk};
use domain::document::{Document, GroupValue};
use domain::search::{FilterChoice, FilterField, Sort};
use domain::visitor::Visitor;
use engine::{FacetRequest, PinState, Request};
use query::Plan;
use query::analysis::{fold, plain_text};
use query::scoring::{FactorValues, Factors, factors, reaches};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// The result that the engine must return.
#[derive(Default)]
pub struct Expected {
    pub total: u64,
    pub hits: Vec<Ranked>,
    /// Products by value, for every field of values.
    pub counts: BTreeMap<FilterField, BTreeMap<Value, u64>>,
    /// Minimum and maximum, for every numeric field.
    pub ranges: BTreeMap<FilterField, (f64, f64)>,
    /// The state of every pin.
    pub pins: Vec<PinState>,
    /// Products with a value in a field.
    pub carriers: BTreeMap<FilterField, u64>,
    /// Products with any value of each requested group.
    pub groups: BTreeMap<FilterField, Vec<u64>>,
    /// The values of all visible products, whether or not they match.
    pub carried: BTreeMap<FilterField, BTreeSet<Value>>,
    /// Whether any product is hidden from the visitor. While none is, a group may be named by a value that no product has any
    /// more.
    pub hides: bool,
}

/// Id and label of a value.
pub type Value = (String, String);

/// A matching document.
pub struct Ranked {
    pub id: String,
    pub score: f64,
    pub parts: Parts,
    pub factors: Factors,
    /// The sort key before the score; documents without one come last.
    pub rank: Option<usize>,
    pub price: Option<Price>,
    /// The multiplier of rules.
    pub multiplier: f64,
    /// Index among the pins.
    pub pinned: Option<usize>,
    sales: f64,
    rating: Option<f64>,
    added: Option<f64>,
    name: String,
}

pub fn expected(
    catalogue: &Catalogue<'_>,
    walk: &Walk<'_>,
    plan: &Plan,
    request: &Request,
) -> Expected {
    let visitor = &request.visitor;
    let mut expected = Expected {
        hides: !(catalogue.pages.iter()).all(|page| may_see(&page.document, visitor)),
        ..Expected::default()
    };
    let mut found: Vec<(&Document, Ranked)> = Vec::new();
    let mut best = 0.0f64;
    let may_be_shown = |document: &Document| {
        let hidden = plan.hide_out_of_stock && document.numbers.hidden_when_out();
        !hidden && may_see(document, visitor)
    };
    for page in &catalogue.pages {
        let document = &page.document;
        if may_see(document, visitor) {
            for (field, values) in all_values(document, visitor) {
                expected.carried.entry(field).or_default().extend(values);
            }
        }
        if !may_be_shown(document) || !allow(plan, document, visitor) {
            continue;
        }
        let pinned = plan.rules.pins.iter().position(|id| *id == document.id);
        let parts = walk.parts(page);
        let is_match = parts.is_some();
        if let Some(parts) = parts.or_else(|| pinned.map(|_| walk.parts_in_any_case(page))) {
            let mut ranked = Ranked::new(document, visitor, plan, parts);
            (ranked.rank, ranked.pinned) = (walk.rank(page), pinned);
            if is_match {
                best = best.max(ranked.score);
            }
            found.push((document, ranked));
        }
    }
    found.retain(|(_, hit)| hit.pinned.is_some() || reaches(hit.score, best, plan.cutoff));
    let find = |id: &str| {
        let mut documents = catalogue.pages.iter().map(|page| &page.document);
        let document = documents.find(|document| document.id == id)?;
        Some((document, may_be_shown(document)))
    };
    expected.pins = pin_states(plan, visitor, find, &request.choices);
    for (document, hit) in found {
        let choices = request.choices.iter();
        let rejecting: Vec<&FilterField> = choices
            .filter(|choice| !meets(document, visitor, choice))
            .map(FilterChoice::field)
            .collect();
        expected.count(document, request, &rejecting);
        if rejecting.is_empty() {
            expected.hits.push(hit);
        }
    }
    expected.remove_unnamed(&request.unnamed_categories);
    expected.hits.sort_by(|a, b| a.order(b, request.sort));
    expected.total = expected.hits.len() as u64;
    let page = expected
        .hits
        .into_iter()
        .filter(|hit| !request.exclude.contains(&hit.id))
        .skip(request.offset)
        .take(request.limit);
    Expected {
        hits: page.collect(),
        ..expected
    }
}

impl Expected {
    /// Removes the categories whose names are not revealed.
    fn remove_unnamed(&mut self, ids: &[String]) {
        let categories = &FilterField::Categories;
        if let Some(carried) = self.carried.get_mut(categories) {
            carried.retain(|(id, _)| !ids.contains(id));
        }
        if let Some(counts) = self.counts.get_mut(categories) {
            counts.retain(|(id, _), _| !ids.contains(id));
            if counts.is_empty() {
                self.counts.remove(categories);
            }
        }
    }

    /// Counts a document for every field such that no filter of another field rejects it.
    fn count(&mut self, document: &Document, request: &Request, rejecting: &[&FilterField]) {
        let visitor = &request.visitor;
        let counts = |field: &FilterField| rejecting.iter().all(|other| *other == field);
        for (field, values) in all_values(document, visitor) {
            if !counts(&field) {
                continue;
            }
            *self.carriers.entry(field.clone()).or_insert(0) += 1;
            for wish in request.facet_requests.iter().flat_map(|all| all.iter()) {
                if wish.field == field {
                    let own = self.groups.entry(field.clone()).or_default();
                    own.resize(wish.groups.len(), 0);
                    for (group, count) in own.iter_mut().enumerate() {
                        let has = values
                            .iter()
                            .any(|value| group_of(wish, value) == Some(group));
                        *count += u64::from(has);
                    }
                }
            }
            let own = self.counts.entry(field).or_default();
            for value in values {
                *own.entry(value).or_insert(0) += 1;
            }
        }
        for (field, number) in all_numbers(document, visitor) {
            if counts(&field) {
                let range = self.ranges.entry(field).or_insert((number, number));
                *range = (range.0.min(number), range.1.max(number));
            }
        }
    }
}

/// The group of a value: the first one with its id or label.
pub fn group_of(wish: &FacetRequest, (id, text): &Value) -> Option<usize> {
    let named = |group: &Vec<String>| group.contains(id) || group.contains(text);
    wish.groups.iter().position(named)
}

/// Whether a document matches a filter.
pub fn meets(document: &Document, visitor: &Visitor, choice: &FilterChoice) -> bool {
    match choice {
        FilterChoice::Range(field, range) => {
            let number = all_numbers(document, visitor).remove(field);
            number.is_some_and(|number| {
                range.min.is_none_or(|min| min <= number)
                    && range.max.is_none_or(|max| number <= max)
            })
        }
        FilterChoice::Any(field, wanted) => {
            let values = all_values(document, visitor).remove(field);
            let mut values = values.into_iter().flatten();
            values.any(|(id, label)| wanted.contains(&id) || wanted.contains(&label))
        }
    }
}

/// The numbers of a document by field.
pub fn all_numbers(document: &Document, visitor: &Visitor) -> BTreeMap<FilterField, f64> {
    let numbers = &document.numbers;
    let known = [
        (
            FilterField::Price,
            price(document, visitor).map(|price| price.price),
        ),
        (FilterField::Rating, numbers.rating),
        (FilterField::FeatureNum, numbers.feature_num),
    ];
    let known = known.into_iter();
    known
        .filter_map(|(field, number)| Some((field, number?)))
        .collect()
}

/// The values of a document by field.
pub fn all_values(
    document: &Document,
    visitor: &Visitor,
) -> BTreeMap<FilterField, BTreeSet<Value>> {
    let mut values: BTreeMap<FilterField, BTreeSet<Value>> = BTreeMap::new();
    let mut put = |field: FilterField, id: &str, label: &str| {
        values
            .entry(field)
            .or_default()
            .insert((id.to_owned(), label.to_owned()));
    };
    let discount = price(document, visitor).is_some_and(|price| price.original.is_some());
    for (field, state) in [
        (FilterField::InStock, document.numbers.available()),
        (FilterField::Discount, discount),
    ] {
        put(field, &state.to_string(), &state.to_string());
    }
    let brand = document.texts.manufacturer.trim();
    let brand_id = document
        .body
        .get("manufacturerId")
        .and_then(|id| id.as_str());
    if !brand.is_empty() {
        put(FilterField::Manufacturer, brand_id.unwrap_or(brand), brand);
    }
    let tags = document
        .texts
        .tags
        .iter()
        .map(|tag| (FilterField::Tags, tag));
    for (field, text) in tags.chain([(FilterField::Supplier, &document.texts.supplier)]) {
        if !text.trim().is_empty() {
            put(field, text.trim(), text.trim());
        }
    }
    for category in &document.categories {
        put(FilterField::Categories, &category.id, &category.name);
    }
    for value in &document.attributes {
        put_group(&mut put, FilterField::Attributes, value);
    }
    for value in &document.features {
        put_group(&mut put, FilterField::Features, value);
    }
    values
}

fn put_group(
    put: &mut impl FnMut(FilterField, &str, &str),
    field: fn(String) -> FilterField,
    value: &GroupValue,
) {
    let either = |id: &String, text: &String| match id.is_empty() {
        true => text.trim().to_owned(),
        false => id.clone(),
    };
    let (group, id) = (
        either(&value.group_id, &value.group),
        either(&value.id, &value.value),
    );
    if !group.is_empty() && !id.is_empty() {
        put(field(group), &id, value.value.trim());
    }
}

impl Ranked {
    fn new(document: &Document, visitor: &Visitor, plan: &Plan, parts: Parts) -> Self {
        let numbers = &document.numbers;
        let price = price(document, visitor);
        let discount = price.as_ref().is_some_and(|price| price.original.is_some());
        let factors = factors(&plan.factors, &FactorValues::of(numbers, discount));
        let multiplier = multiplier(plan, document, visitor);
        Self {
            id: document.id.clone(),
            score: parts.text * factors.multiplier * multiplier,
            multiplier,
            pinned: None,
            parts,
            factors,
            price,
            rank: None,
            sales: numbers.sales_count.unwrap_or(0.0).max(0.0),
            rating: numbers.rating,
            added: numbers.date_add.map(|added| added.0 as f64),
            name: fold(&plain_text(&document.texts.name)),
        }
    }

    fn order(&self, other: &Self, sort: Sort) -> Ordering {
        let price = |hit: &Self| hit.price.as_ref().map(|price| price.price);
        let first = match sort {
            Sort::Relevance => {
                let rank = |hit: &Self| hit.rank.unwrap_or(usize::MAX);
                let by_score = (other.score as f32).total_cmp(&(self.score as f32));
                rank(self).cmp(&rank(other)).then(by_score)
            }
            Sort::PriceAsc => ascending(price(self), price(other)),
            Sort::PriceDesc => descending(price(self), price(other)),
            Sort::Name => self.name.cmp(&other.name),
            Sort::Newest => descending(self.added, other.added),
            Sort::Sales => Ordering::Equal,
            Sort::Rating => descending(self.rating, other.rating),
        };
        let pin = |hit: &Self| hit.pinned.unwrap_or(usize::MAX);
        pin(self)
            .cmp(&pin(other))
            .then(first)
            .then(other.sales.total_cmp(&self.sales))
            .then(self.id.cmp(&other.id))
    }
}

/// Ascending, none last.
fn ascending(a: Option<f64>, b: Option<f64>) -> Ordering {
    let of = |number: Option<f64>| number.unwrap_or(f64::INFINITY);
    of(a).total_cmp(&of(b))
}

/// Descending, none last.
fn descending(a: Option<f64>, b: Option<f64>) -> Ordering {
    let of = |number: Option<f64>| number.unwrap_or(f64::NEG_INFINITY);
    of(b).total_cmp(&of(a))
}
