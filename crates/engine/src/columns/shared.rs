//! The dictionaries that all states of an index's columns share. They only grow, until compaction replaces them.

use super::dictionary::Dictionary;
use super::interner::Interner;
use super::numbers::{NO_NUMBER, NumberRow};
use super::renumbering::{InUse, UseMarks};
use super::view::key_in_row;
use domain::document::price::PriceField;
use domain::visitor::DocumentAccess;
use parking_lot::Mutex;
use std::sync::Arc;

/// Cached accesses, those of the latest searches. Each takes one byte per group set.
const ACCESSES_MAX: usize = 16;

/// The interned values, price fields, group sets and currencies.
pub(super) struct SharedDictionaries {
    pub dictionary: Dictionary,
    pub currencies: Interner<String>,
    prices: Interner<PriceField>,
    groups: Interner<Vec<String>>,
    admitted: Mutex<Vec<(DocumentAccess, Admitted)>>,
}

/// Whether an access admits each group set, by its number.
pub(super) type Admitted = Arc<[bool]>;

impl Default for SharedDictionaries {
    fn default() -> Self {
        let groups = Interner::default();
        // The group set of documents that everybody may see is the first, the default of a row.
        groups.number(&Vec::new());
        Self {
            dictionary: Dictionary::default(),
            currencies: Interner::default(),
            prices: Interner::default(),
            groups,
            admitted: Mutex::default(),
        }
    }
}

impl SharedDictionaries {
    /// The key under which a price is stored; none for prices in the row.
    pub fn price_key(&self, field: &PriceField) -> Option<u32> {
        match key_in_row(field) {
            Some(_) => None,
            None => Some(self.prices.number(field)),
        }
    }

    /// The key of prices of `field`; that of a missing price when no document ever had one.
    pub fn find_price(&self, field: &PriceField) -> u32 {
        key_in_row(field)
            .or_else(|| self.prices.find(field))
            .unwrap_or(NO_NUMBER)
    }

    /// The number of the group set that may see a document; none means everybody.
    pub fn group_set(&self, groups: Option<&[String]>) -> u32 {
        groups.map_or(0, |groups| self.groups.number(&groups.to_vec()))
    }

    /// Which of the current group sets `access` admits. Only sets that are new since the last call with the same access
    /// are checked.
    pub fn admitted(&self, access: &DocumentAccess) -> Admitted {
        let find = |cached: &[(DocumentAccess, Admitted)]| {
            cached.iter().position(|(own, _)| own == access)
        };
        let before = {
            let cached = self.admitted.lock();
            find(&cached).map_or_else(Admitted::default, |at| Arc::clone(&cached[at].1))
        };
        if before.len() == self.groups.len() {
            return before;
        }
        let mut all = before.to_vec();
        all.extend(
            self.groups
                .each_from(all.len(), |groups| access.admits(groups)),
        );
        let admitted: Admitted = all.into();
        let mut cached = self.admitted.lock();
        if let Some(at) = find(&cached) {
            cached.remove(at);
        } else if cached.len() >= ACCESSES_MAX {
            cached.remove(0);
        }
        cached.push((access.clone(), Arc::clone(&admitted)));
        admitted
    }

    /// Approximate bytes in use.
    pub fn bytes(&self) -> usize {
        let numbered = self.currencies.bytes() + self.prices.bytes() + self.groups.bytes();
        numbered + self.dictionary.read().bytes()
    }

    /// Approximate bytes of the entries that the row `before` refers to and `after` does not.
    pub fn released_by_row(&self, before: &NumberRow, after: &NumberRow) -> usize {
        let of = |is_same: bool, bytes: usize| if is_same { 0 } else { bytes };
        // The set of everybody is always in use.
        let groups = before.groups == after.groups || before.groups == 0;
        let currency = before.currency == after.currency;
        if groups && currency {
            return 0;
        }
        of(groups, self.groups.bytes_of(before.groups))
            + of(currency, self.currencies.bytes_of(before.currency))
    }

    /// Approximate bytes of the price fields with keys in `before` and not in `after`, both sorted.
    pub fn released_by_prices(&self, before: &[u32], after: &[u32]) -> usize {
        let released = before
            .iter()
            .filter(|key| after.binary_search(key).is_err());
        released.map(|key| self.prices.bytes_of(*key)).sum()
    }

    /// Marks for all entries, of which only those are in use that always are.
    pub fn unmarked(&self) -> InUse {
        let (fields, values) = self.dictionary.read().unmarked();
        let mut groups = UseMarks::none(self.groups.len());
        groups.mark(0);
        InUse {
            fields,
            values,
            prices: UseMarks::none(self.prices.len()),
            groups,
            currencies: UseMarks::none(self.currencies.len()),
        }
    }

    /// Returns dictionaries of the entries in use, in the same order.
    pub fn only(&self, in_use: &InUse) -> Self {
        Self {
            dictionary: self.dictionary.only(&in_use.fields, &in_use.values),
            currencies: self.currencies.only(&in_use.currencies),
            prices: self.prices.only(&in_use.prices),
            groups: self.groups.only(&in_use.groups),
            admitted: Mutex::default(),
        }
    }
}
