//! What all states of an index's columns share: numbers for the things that documents name. It only grows.

use super::dictionary::Dictionary;
use super::interner::Interner;
use super::numbers::NO_NUMBER;
use super::view::key_in_row;
use domain::document::price::PriceField;
use domain::visitor::Access;

/// The numbers of values, price fields, sets of groups and currencies.
pub(super) struct Shared {
    pub dictionary: Dictionary,
    pub currencies: Interner<String>,
    prices: Interner<PriceField>,
    groups: Interner<Vec<String>>,
}

impl Default for Shared {
    fn default() -> Self {
        let groups = Interner::default();
        // The set of documents that are open to all is the first, so that a row's default is open.
        groups.number(&Vec::new());
        Self {
            dictionary: Dictionary::default(),
            currencies: Interner::default(),
            prices: Interner::default(),
            groups,
        }
    }
}

impl Shared {
    /// The number under which a price is kept; none for those that stand in the row.
    pub fn price_key(&self, field: &PriceField) -> Option<u32> {
        match key_in_row(field) {
            Some(_) => None,
            None => Some(self.prices.number(field)),
        }
    }

    /// Where prices of `field` stand; the key of no price, when no document ever had one.
    pub fn find_price(&self, field: &PriceField) -> u32 {
        key_in_row(field)
            .or_else(|| self.prices.find(field))
            .unwrap_or(NO_NUMBER)
    }

    /// The number of the set of groups that may see a document; none are all.
    pub fn group_set(&self, groups: Option<&[String]>) -> u32 {
        groups.map_or(0, |groups| self.groups.number(&groups.to_vec()))
    }

    /// Which sets of groups `access` admits, by their number.
    pub fn admitted(&self, access: &Access) -> Vec<bool> {
        self.groups.all(|groups| access.admits(groups))
    }
}
