//! The numbers of documents: one row each, in chunks, and the prices of specific contexts.

use super::SharedDictionaries;
use super::packed::PackedPrices;
use super::renumbering::{InUse, Renumbering};
use domain::document::price::{PriceField, PriceKind};
use domain::document::{Document, Numbers};
use domain::first_characters;
use domain::limits::LABEL_CHARACTERS_MAX;
use query::scoring::FactorValues;
use std::sync::{Arc, LazyLock};

/// Rows of a chunk: few enough that scattered price changes copy little, many enough that there are few chunks.
pub(super) const CHUNK_ROWS: usize = 128;

const PRESENT: u8 = 1;
const IN_STOCK: u8 = 1 << 1;
const HIDDEN_WHEN_OUT: u8 = 1 << 2;
const HAS_PRICE: u8 = 1 << 3;
const HAS_DISCOUNT: u8 = 1 << 4;
const HAS_SALES: u8 = 1 << 5;

/// Represents a missing number.
pub(super) const NO_NUMBER: u32 = u32::MAX;

/// The numbers of a document that are the same for every visitor.
#[derive(Clone, Copy, Debug)]
pub struct NumberRow {
    /// Price in the base context, tax included.
    pub(super) price: f64,
    /// Former price in the base context, tax included.
    pub(super) original: f64,
    /// Units sold, the tie-breaker of equal scores.
    pub sales: f64,
    sales_log: f64,
    rating: f64,
    rating_log: f64,
    rating_count: f64,
    feature_num: f64,
    /// Milliseconds since 1970.
    added: f64,
    /// Number of the base currency.
    pub(super) currency: u32,
    /// Number of the group set that may see it.
    pub(super) groups: u32,
    flags: u8,
}

impl Default for NumberRow {
    fn default() -> Self {
        Self {
            price: f64::NAN,
            original: f64::NAN,
            sales: 0.0,
            sales_log: 0.0,
            rating: f64::NAN,
            rating_log: 0.0,
            rating_count: f64::NAN,
            feature_num: f64::NAN,
            added: f64::NAN,
            currency: NO_NUMBER,
            groups: 0,
            flags: 0,
        }
    }
}

fn present(number: f64) -> Option<f64> {
    (!number.is_nan()).then_some(number)
}

impl NumberRow {
    fn new(document: &Document, shared: &SharedDictionaries) -> Self {
        let numbers = &document.numbers;
        let base = |kind| numbers.prices.get(&PriceField::base(kind)).copied();
        let factors = FactorValues::of(numbers, false);
        let number = |number: Option<f64>| number.unwrap_or(f64::NAN);
        let currency = numbers.currency.as_deref();
        let currency = currency.map(|code| first_characters(code, LABEL_CHARACTERS_MAX).to_owned());
        Self {
            price: number(base(PriceKind::InclTax)),
            original: number(base(PriceKind::OriginalInclTax)),
            sales: numbers.sales_count.unwrap_or(0.0).max(0.0),
            sales_log: factors.sales_log,
            rating: number(numbers.rating),
            rating_log: factors.rating_log,
            rating_count: number(numbers.rating_count),
            feature_num: number(numbers.feature_num),
            added: number(numbers.date_add.map(|added| added.0 as f64)),
            currency: currency.map_or(NO_NUMBER, |code| shared.currencies.number(&code)),
            groups: shared.group_set(numbers.access_groups.as_deref()),
            flags: flags(numbers),
        }
    }

    fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Whether the index contains a document with this ordinal.
    pub fn present(&self) -> bool {
        self.has(PRESENT)
    }

    /// Whether it is in stock.
    pub fn in_stock(&self) -> bool {
        self.has(IN_STOCK)
    }

    /// Whether `hideOutOfStock` hides it.
    pub fn hidden_when_out(&self) -> bool {
        self.has(HIDDEN_WHEN_OUT)
    }

    /// Whether it has a price in any context.
    pub(super) fn has_price(&self) -> bool {
        self.has(HAS_PRICE)
    }

    /// Whether it has a former price in any context.
    pub(super) fn has_discount(&self) -> bool {
        self.has(HAS_DISCOUNT)
    }

    /// Units sold, if known.
    pub fn sold(&self) -> Option<f64> {
        self.has(HAS_SALES).then_some(self.sales)
    }

    /// The rating.
    pub fn rating(&self) -> Option<f64> {
        present(self.rating)
    }

    /// Number of ratings.
    pub fn rating_count(&self) -> Option<f64> {
        present(self.rating_count)
    }

    /// Value of the chosen feature.
    pub fn feature_num(&self) -> Option<f64> {
        present(self.feature_num)
    }

    /// When it was added, in milliseconds since 1970.
    pub fn added(&self) -> Option<f64> {
        present(self.added)
    }

    /// The values for its factors, with or without a discount for the visitor.
    pub fn factor_values(&self, discount: bool) -> FactorValues {
        FactorValues {
            in_stock: self.in_stock(),
            sales_log: self.sales_log,
            rating_log: self.rating_log,
            discount,
        }
    }
}

fn flags(numbers: &Numbers) -> u8 {
    let original = |field: &PriceField| {
        matches!(
            field.kind,
            PriceKind::OriginalInclTax | PriceKind::OriginalExclTax
        )
    };
    let flag = |set: bool, bit: u8| if set { bit } else { 0 };
    PRESENT
        | flag(numbers.available(), IN_STOCK)
        | flag(numbers.hidden_when_out(), HIDDEN_WHEN_OUT)
        | flag(numbers.sales_count.is_some(), HAS_SALES)
        | flag(numbers.prices.keys().any(|f| !original(f)), HAS_PRICE)
        | flag(numbers.prices.keys().any(original), HAS_DISCOUNT)
}

/// The numbers of consecutive documents.
#[derive(Clone)]
pub(super) struct NumberChunk {
    pub rows: [NumberRow; CHUNK_ROWS],
    /// Prices by the number of their field, except those in the row.
    pub prices: PackedPrices,
}

impl Default for NumberChunk {
    fn default() -> Self {
        Self {
            rows: [NumberRow::default(); CHUNK_ROWS],
            prices: PackedPrices::default(),
        }
    }
}

/// The chunk without documents, shared because ordinals may be sparse.
static EMPTY: LazyLock<Arc<NumberChunk>> = LazyLock::new(Arc::default);

/// The shared chunk without documents.
pub(super) fn empty() -> Arc<NumberChunk> {
    Arc::clone(&EMPTY)
}

/// Whether `chunk` is the one that [`empty`] returns.
pub(super) fn is_empty(chunk: &Arc<NumberChunk>) -> bool {
    Arc::ptr_eq(chunk, &EMPTY)
}

impl NumberChunk {
    /// Applies `changes`, which are ordered by row.
    pub fn change<'a>(
        &mut self,
        changes: impl Iterator<Item = (usize, Option<&'a Document>)>,
        shared: &SharedDictionaries,
    ) {
        let mut prices = PackedPrices::default();
        for (at, document) in changes {
            prices.push_from(&self.prices, at);
            self.rows[at] = document.map_or_else(NumberRow::default, |document| {
                NumberRow::new(document, shared)
            });
            let own = document.map(|document| &document.numbers.prices);
            prices.push(
                own.into_iter()
                    .flatten()
                    .filter_map(|(field, price)| Some((shared.price_key(field)?, *price))),
            );
        }
        prices.push_from(&self.prices, CHUNK_ROWS);
        self.prices = prices;
    }

    /// Whether it contains no document.
    pub fn has_no_documents(&self) -> bool {
        !self.rows.iter().any(NumberRow::present)
    }

    /// Approximate bytes of entries that a row refers to, but not in the state `next`.
    pub fn released(&self, next: &Self, at: usize, shared: &SharedDictionaries) -> usize {
        let prices = shared.released_by_prices(self.prices.keys(at), next.prices.keys(at));
        prices + shared.released_by_row(&self.rows[at], &next.rows[at])
    }

    /// Marks all entries that its rows refer to.
    pub fn mark(&self, in_use: &mut InUse) {
        for row in &self.rows {
            in_use.groups.mark(row.groups);
            in_use.currencies.mark(row.currency);
        }
        let prices = self.prices.all_keys();
        prices.iter().for_each(|key| in_use.prices.mark(*key));
    }

    /// Returns the chunk with new numbers of entries.
    pub fn renumbered(&self, numbers: &Renumbering) -> Self {
        let renumbered = |row: NumberRow| NumberRow {
            groups: numbers.groups(row.groups),
            currency: numbers.currency(row.currency),
            ..row
        };
        Self {
            rows: self.rows.map(renumbered),
            prices: self.prices.renumbered(|key| numbers.price(key)),
        }
    }
}
