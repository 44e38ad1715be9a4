//! The columns as seen by one visitor: the visible documents, and their prices.

use super::numbers::{self, CHUNK_ROWS, NO_NUMBER, NumberChunk, NumberRow};
use super::shared::Admitted;
use super::{Columns, EncodedValues, chunk_row};
use domain::document::price::{PriceField, VisitorPrice, price_in};
use domain::visitor::Visitor;
use query::scoring::FactorValues;

/// The key of a price: one of the two in the row, or the number of its field.
type PriceKey = u32;
const BASE: PriceKey = NO_NUMBER - 1;
const BASE_ORIGINAL: PriceKey = NO_NUMBER - 2;

/// One state of the columns as seen by one visitor, with everything that depends on the visitor resolved once.
pub struct View<'a> {
    columns: &'a Columns,
    fields: Vec<[PriceField; 2]>,
    /// The keys of the fields, in the same order.
    keys: Vec<[PriceKey; 2]>,
    currency: Option<String>,
    /// The admitted group sets, by number.
    admitted: Admitted,
}

/// A visible document.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    view: &'a View<'a>,
    chunk: &'a NumberChunk,
    at: usize,
    /// The ordinal.
    pub ordinal: u32,
}

impl<'a> View<'a> {
    /// The view of `visitor` on `columns`.
    pub fn new(columns: &'a Columns, visitor: &Visitor) -> Self {
        let fields = visitor.prices.fields();
        let key = |field: &PriceField| columns.shared.find_price(field);
        Self {
            columns,
            keys: fields
                .iter()
                .map(|pair| [key(&pair[0]), key(&pair[1])])
                .collect(),
            fields,
            currency: visitor.prices.currency.clone(),
            admitted: columns.shared.admitted(&visitor.access),
        }
    }

    /// The columns.
    pub fn columns(&self) -> &'a Columns {
        self.columns
    }

    /// The document with this ordinal, if the visitor may see it.
    pub fn see(&'a self, ordinal: u32) -> Option<Seen<'a>> {
        let (chunk, at) = chunk_row(ordinal);
        let chunk = self.columns.numbers.get(chunk)?;
        let row = &chunk.rows[at];
        let admitted = self.admitted.get(row.groups as usize) == Some(&true);
        (row.present() && admitted).then_some(Seen {
            view: self,
            chunk,
            at,
            ordinal,
        })
    }

    /// Whether there may be documents that are hidden from the visitor.
    pub fn is_restricted(&self) -> bool {
        self.admitted.contains(&false)
    }

    /// Number of visible documents with a value in each field, by its number.
    pub fn all_carriers(&self) -> Vec<u32> {
        self.columns.carriers.of_sets(&self.admitted)
    }

    /// The ordinals of all documents hidden from the visitor; no row is read when there can be none.
    pub fn hidden(&'a self) -> impl Iterator<Item = u32> {
        let restricted = self.is_restricted();
        let rows = self.written().take_while(move |_| restricted);
        let present = rows.filter(|ordinal| self.columns.numbers(*ordinal).is_some());
        present.filter(|ordinal| self.see(*ordinal).is_none())
    }

    /// All visible documents.
    pub fn all(&'a self) -> impl Iterator<Item = Seen<'a>> {
        self.written().filter_map(|ordinal| self.see(ordinal))
    }

    /// The ordinals of all chunks with documents.
    fn written(&self) -> impl Iterator<Item = u32> + use<'a> {
        let chunks = self.columns.numbers.iter().enumerate();
        let written = chunks.filter(|(_, chunk)| !numbers::is_empty(chunk));
        written.flat_map(|(at, _)| (at * CHUNK_ROWS) as u32..((at + 1) * CHUNK_ROWS) as u32)
    }
}

impl<'a> Seen<'a> {
    /// The numbers.
    pub fn row(&self) -> &'a NumberRow {
        &self.chunk.rows[self.at]
    }

    /// The facet values.
    pub fn values(&self) -> EncodedValues<'a> {
        self.view.columns.values(self.ordinal)
    }

    /// The visitor's price, with the key of its field.
    fn visitor_price(&self) -> Option<VisitorPrice<PriceKey>> {
        price_in(self.view.keys.iter().copied(), |key| self.price_at(*key))
    }

    fn price_at(&self, key: PriceKey) -> Option<f64> {
        let row = self.row();
        let in_row = |price: f64| (!price.is_nan()).then_some(price);
        match key {
            BASE => in_row(row.price),
            BASE_ORIGINAL => in_row(row.original),
            NO_NUMBER => None,
            key => self.chunk.prices.get(self.at, key),
        }
    }

    /// The visitor's price.
    pub fn price(&self) -> Option<f64> {
        self.visitor_price().map(|price| price.price)
    }

    /// Whether the visitor gets a discount.
    pub fn discounted(&self) -> bool {
        let price = self.visitor_price();
        price.is_some_and(|price| price.original.is_some())
    }

    /// The visitor's price, with its field.
    pub fn shown_price(&self) -> Option<VisitorPrice> {
        let found = self.visitor_price()?;
        let index = self
            .view
            .keys
            .iter()
            .position(|keys| keys[0] == found.field)?;
        Some(VisitorPrice {
            price: found.price,
            original: found.original,
            field: self.view.fields[index][0].clone(),
        })
    }

    /// The currency of the visitor's price.
    pub fn currency(&self) -> Option<String> {
        let of_document = || self.view.columns.shared.currencies.get(self.row().currency);
        let extra = self.view.currency.clone();
        extra.or_else(|| of_document().map(|code| String::clone(&code)))
    }

    /// The values for its factors.
    pub fn factor_values(&self) -> FactorValues {
        let row = self.row();
        // Looking up prices of other contexts takes longer than all other factors together.
        row.factor_values(row.has_discount() && self.discounted())
    }
}

/// The key of `field` if its price is in the row.
pub(super) fn key_in_row(field: &PriceField) -> Option<PriceKey> {
    use domain::document::price::PriceKind::{InclTax, OriginalInclTax};
    match field.kind {
        InclTax if *field == PriceField::base(InclTax) => Some(BASE),
        OriginalInclTax if *field == PriceField::base(OriginalInclTax) => Some(BASE_ORIGINAL),
        _ => None,
    }
}
