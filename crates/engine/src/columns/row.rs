//! One row of the columns, made from a document: its numbers, and its labels.

use super::dictionary::{Dictionary, NO_VALUE, ValueId};
use domain::document::price::{PriceContext, visitor_price};
use domain::document::{CategoryRef, Document};
use domain::search::FilterField;
use query::analysis::{fold, plain_text};
use query::scoring::FactorValues;

const PRESENT: u8 = 1;
const IN_STOCK: u8 = 1 << 1;
const HIDDEN_WHEN_OUT: u8 = 1 << 2;
const OPEN: u8 = 1 << 3;

/// Letters of a name by which documents are sorted.
const NAME_KEY_LETTERS: usize = 96;

/// The numbers of a document, side by side in memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct NumberRow {
    price: f64,
    original: f64,
    sales_log: f64,
    /// Units sold, by which equal scores are ordered.
    pub sales: f64,
    rating: f64,
    rating_count: f64,
    rating_log: f64,
    /// Number of the brand in the dictionary.
    pub brand: ValueId,
    /// Number of the currency in the dictionary.
    pub currency: ValueId,
    flags: u8,
}

impl NumberRow {
    /// The numbers of `document`, with its price in `context`.
    pub(super) fn new(
        document: &Document,
        context: &PriceContext,
        dictionary: &Dictionary,
    ) -> Self {
        let numbers = &document.numbers;
        let price = visitor_price(&numbers.prices, context);
        let flag = |set: bool, bit: u8| if set { bit } else { 0 };
        let factors = FactorValues::new(false, numbers.sales_count, numbers.rating, false);
        Self {
            price: price.as_ref().map_or(f64::NAN, |p| p.price),
            original: price.and_then(|p| p.original).unwrap_or(f64::NAN),
            sales_log: factors.sales_log,
            sales: numbers.sales_count.unwrap_or(0.0).max(0.0),
            rating: numbers.rating.unwrap_or(f64::NAN),
            rating_count: numbers.rating_count.unwrap_or(f64::NAN),
            rating_log: factors.rating_log,
            brand: brand(document, dictionary),
            currency: numbers.currency.as_ref().map_or(NO_VALUE, |code| {
                dictionary.intern("currency", code, code, true)
            }),
            flags: PRESENT
                | flag(numbers.available(), IN_STOCK)
                | flag(numbers.hidden_when_out(), HIDDEN_WHEN_OUT)
                | flag(numbers.open_to_visitors(), OPEN),
        }
    }

    /// Whether the index holds a document of this ordinal.
    pub fn present(&self) -> bool {
        self.flags & PRESENT != 0
    }

    /// Whether it is in stock.
    pub fn in_stock(&self) -> bool {
        self.flags & IN_STOCK != 0
    }

    /// Whether `hideOutOfStock` leaves it out.
    pub fn hidden_when_out(&self) -> bool {
        self.flags & HIDDEN_WHEN_OUT != 0
    }

    /// Whether visitors may see it.
    pub fn open(&self) -> bool {
        self.flags & OPEN != 0
    }

    /// The visitor's price.
    pub fn price(&self) -> Option<f64> {
        (!self.price.is_nan()).then_some(self.price)
    }

    /// The former price.
    pub fn original(&self) -> Option<f64> {
        (!self.original.is_nan()).then_some(self.original)
    }

    /// The rating.
    pub fn rating(&self) -> Option<f64> {
        (!self.rating.is_nan()).then_some(self.rating)
    }

    /// How many ratings there are.
    pub fn rating_count(&self) -> Option<f64> {
        (!self.rating_count.is_nan()).then_some(self.rating_count)
    }

    /// What its factors are computed from.
    pub fn factor_values(&self) -> FactorValues {
        FactorValues {
            in_stock: self.in_stock(),
            sales_log: self.sales_log,
            rating_log: self.rating_log,
            discount: self.original().is_some(),
        }
    }
}

/// The labels of a document: what changes only with its texts.
#[derive(Clone, Debug, Default)]
pub(super) struct LabelRow {
    /// Its id.
    pub id: String,
    /// What it is sorted by when names decide.
    pub name_key: String,
    /// Its categories and all their ancestors.
    pub categories: Vec<ValueId>,
}

impl LabelRow {
    /// The labels of `document`.
    pub fn new(document: &Document, dictionary: &Dictionary) -> Self {
        Self {
            id: document.id.clone(),
            name_key: fold(&plain_text(&document.texts.name))
                .chars()
                .take(NAME_KEY_LETTERS)
                .collect(),
            categories: categories(document, dictionary),
        }
    }
}

fn brand(document: &Document, dictionary: &Dictionary) -> ValueId {
    let name = document.texts.manufacturer.trim();
    if name.is_empty() {
        return NO_VALUE;
    }
    let id = document
        .body
        .get("manufacturerId")
        .and_then(|id| id.as_str())
        .unwrap_or(name);
    dictionary.intern(FilterField::Manufacturer.as_str(), id, name, true)
}

fn categories(document: &Document, dictionary: &Dictionary) -> Vec<ValueId> {
    let kind = FilterField::Categories.as_str();
    let mut numbers: Vec<ValueId> = document
        .categories
        .iter()
        .filter(|c| !c.id.is_empty())
        .map(|c| dictionary.intern(kind, &c.id, &c.name, true))
        .collect();
    for id in &document.category_ids {
        let derived = ancestor_name(id, document).unwrap_or(id);
        numbers.push(dictionary.intern(kind, id, derived, false));
    }
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// The name of an ancestor, as far as the paths of the document's categories tell it.
///
/// The feed sends ids and names of ancestors apart, so their order decides: the ids of a path stand before its own id
/// in the order of the path, or after it in reverse; and a single ancestor needs no order. Where own ids stand side by
/// side, nothing tells whose ancestors follow.
fn ancestor_name<'a>(id: &str, document: &'a Document) -> Option<&'a str> {
    let ids = &document.category_ids;
    let is_own = |id: &String| {
        document
            .categories
            .iter()
            .any(|category| category.id == *id)
    };
    let at = ids.iter().position(|other| other == id)?;
    let single = ids.iter().filter(|id| !is_own(id)).count() == 1;
    let from_the_top = ids.first().is_some_and(|first| !is_own(first));
    let ambiguous = ids
        .windows(2)
        .any(|pair| is_own(&pair[0]) && is_own(&pair[1]));
    let named = |category: &'a CategoryRef| -> Option<&'a str> {
        let own = ids.iter().position(|other| *other == category.id)?;
        let depth = category.path.len().checked_sub(1)?;
        let steps = match () {
            () if single && depth == 1 => 1,
            () if ambiguous => return None,
            () if from_the_top && at < own && !ids[at..own].iter().any(is_own) => own - at,
            () if !from_the_top && at > own && !ids[own + 1..=at].iter().any(is_own) => at - own,
            () => return None,
        };
        category
            .path
            .get(depth.checked_sub(steps)?)
            .map(String::as_str)
    };
    document.categories.iter().find_map(named)
}
