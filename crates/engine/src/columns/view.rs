//! The columns as one visitor sees them: which documents at all, and each at which price.

use super::dictionary::FieldNumber;
use super::numbers::{self, CHUNK_ROWS, NO_NUMBER, NumberChunk, NumberRow};
use super::shared::Admitted;
use super::{Columns, OwnValues, place};
use domain::document::price::{PriceField, VisitorPrice, price_in};
use domain::visitor::Visitor;
use query::scoring::FactorValues;

/// Where a price stands: one of the two of the row, or the number of its field.
type PriceKey = u32;
const BASE: PriceKey = NO_NUMBER - 1;
const BASE_ORIGINAL: PriceKey = NO_NUMBER - 2;

/// A visitor in one state of the columns. Everything that depends on the visitor is resolved once.
pub struct View<'a> {
    columns: &'a Columns,
    fields: Vec<[PriceField; 2]>,
    /// The same fields where the columns keep them, in the same order.
    keys: Vec<[PriceKey; 2]>,
    currency: Option<String>,
    /// By number of the set of groups.
    admitted: Admitted,
}

/// A document that the visitor may see.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    view: &'a View<'a>,
    chunk: &'a NumberChunk,
    at: usize,
    /// Its ordinal.
    pub ordinal: u32,
}

impl<'a> View<'a> {
    /// What `visitor` sees of `columns`.
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

    /// A document, when the visitor may see it.
    pub fn see(&'a self, ordinal: u32) -> Option<Seen<'a>> {
        let (chunk, at) = place(ordinal);
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

    /// Whether there may be documents that the visitor may not see.
    pub fn is_restricted(&self) -> bool {
        self.admitted.contains(&false)
    }

    /// Documents with the field of that number that the visitor may see.
    pub fn carriers(&self, field: FieldNumber) -> u64 {
        let sets = self.admitted.iter().enumerate().filter(|(_, own)| **own);
        let carriers = sets.map(|(set, _)| u64::from(self.columns.carriers.of(field, set as u32)));
        carriers.sum()
    }

    /// The same for every field, by its number.
    pub fn all_carriers(&self) -> Vec<u32> {
        self.columns.carriers.of_sets(&self.admitted)
    }

    /// All documents that the visitor may not see, by their ordinals; nothing is looked at where there may be none.
    pub fn hidden(&'a self) -> impl Iterator<Item = u32> {
        let restricted = self.is_restricted();
        let rows = self.written().take_while(move |_| restricted);
        let there = rows.filter(|ordinal| self.columns.numbers(*ordinal).is_some());
        there.filter(|ordinal| self.see(*ordinal).is_none())
    }

    /// All documents that the visitor may see.
    pub fn all(&'a self) -> impl Iterator<Item = Seen<'a>> {
        self.written().filter_map(|ordinal| self.see(ordinal))
    }

    /// The ordinals of all chunks that were ever written.
    fn written(&self) -> impl Iterator<Item = u32> + use<'a> {
        let chunks = self.columns.numbers.iter().enumerate();
        let written = chunks.filter(|(_, chunk)| !numbers::is_empty(chunk));
        written.flat_map(|(at, _)| (at * CHUNK_ROWS) as u32..((at + 1) * CHUNK_ROWS) as u32)
    }
}

impl<'a> Seen<'a> {
    /// Its numbers.
    pub fn row(&self) -> &'a NumberRow {
        &self.chunk.rows[self.at]
    }

    /// Its values.
    pub fn values(&self) -> OwnValues<'a> {
        self.view.columns.values(self.ordinal)
    }

    /// Its price for the visitor, with the place of the field among those that may hold it.
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

    /// Its price for the visitor.
    pub fn price(&self) -> Option<f64> {
        self.visitor_price().map(|price| price.price)
    }

    /// Whether it has a discount for the visitor.
    pub fn discounted(&self) -> bool {
        let price = self.visitor_price();
        price.is_some_and(|price| price.original.is_some())
    }

    /// Its price for the visitor, with the field that says so.
    pub fn shown_price(&self) -> Option<VisitorPrice> {
        let found = self.visitor_price()?;
        let place = self
            .view
            .keys
            .iter()
            .position(|keys| keys[0] == found.field)?;
        Some(VisitorPrice {
            price: found.price,
            original: found.original,
            field: self.view.fields[place][0].clone(),
        })
    }

    /// The currency of its price for the visitor.
    pub fn currency(&self) -> Option<String> {
        let of_document = || self.view.columns.shared.currencies.get(self.row().currency);
        let extra = self.view.currency.clone();
        extra.or_else(|| of_document().map(|code| String::clone(&code)))
    }

    /// What its factors are computed from.
    pub fn factor_values(&self) -> FactorValues {
        self.row().factor_values(self.discounted())
    }
}

/// The key of a price in the row, for fields that stand there.
pub(super) fn key_in_row(field: &PriceField) -> Option<PriceKey> {
    use domain::document::price::PriceKind::{InclTax, OriginalInclTax};
    match field.kind {
        InclTax if *field == PriceField::base(InclTax) => Some(BASE),
        OriginalInclTax if *field == PriceField::base(OriginalInclTax) => Some(BASE_ORIGINAL),
        _ => None,
    }
}
