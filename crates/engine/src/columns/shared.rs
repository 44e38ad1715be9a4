//! What the states of an index's columns share: numbers for the things that documents name. It only grows, until it is
//! replaced as a whole.

use super::dictionary::Dictionary;
use super::interner::Interner;
use super::numbers::{NO_NUMBER, NumberRow};
use super::renumbering::{InUse, UseMarks};
use super::view::key_in_row;
use domain::document::price::PriceField;
use domain::visitor::DocumentAccess;
use parking_lot::Mutex;
use std::sync::Arc;

/// Visitors' groups for which it is remembered what they may see: those of the latest searches. Each takes a byte for
/// each set of groups.
const ACCESSES_MAX: usize = 16;

/// The numbers of values, price fields, sets of groups and currencies.
pub(super) struct SharedDictionaries {
    pub dictionary: Dictionary,
    pub currencies: Interner<String>,
    prices: Interner<PriceField>,
    groups: Interner<Vec<String>>,
    admitted: Mutex<Vec<(DocumentAccess, Admitted)>>,
}

/// Which sets of groups some access admits, by their number.
pub(super) type Admitted = Arc<[bool]>;

impl Default for SharedDictionaries {
    fn default() -> Self {
        let groups = Interner::default();
        // The set of documents that are open to all is the first, so that a row's default is open.
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

    /// Which sets of groups `access` admits, of all that there are now. Only sets that came after the last search of
    /// the same access are looked at.
    pub fn admitted(&self, access: &DocumentAccess) -> Admitted {
        let find =
            |known: &[(DocumentAccess, Admitted)]| known.iter().position(|(own, _)| own == access);
        let before = {
            let known = self.admitted.lock();
            find(&known).map_or_else(Admitted::default, |at| Arc::clone(&known[at].1))
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
        let mut known = self.admitted.lock();
        if let Some(at) = find(&known) {
            known.remove(at);
        } else if known.len() >= ACCESSES_MAX {
            known.remove(0);
        }
        known.push((access.clone(), Arc::clone(&admitted)));
        admitted
    }

    /// About how many bytes all of it takes.
    pub fn bytes(&self) -> usize {
        let numbered = self.currencies.bytes() + self.prices.bytes() + self.groups.bytes();
        numbered + self.dictionary.read().bytes()
    }

    /// About how many bytes it takes what `before` names and `after` does not, of a document's row.
    pub fn released_by_row(&self, before: &NumberRow, after: &NumberRow) -> usize {
        let of = |is_same: bool, bytes: usize| if is_same { 0 } else { bytes };
        // What is open to all is always in use.
        let groups = before.groups == after.groups || before.groups == 0;
        let currency = before.currency == after.currency;
        if groups && currency {
            return 0;
        }
        of(groups, self.groups.bytes_of(before.groups))
            + of(currency, self.currencies.bytes_of(before.currency))
    }

    /// About how many bytes the fields of prices take whose keys stand in `before` and not in `after`, both in order.
    pub fn released_by_prices(&self, before: &[u32], after: &[u32]) -> usize {
        let gone = before
            .iter()
            .filter(|key| after.binary_search(key).is_err());
        gone.map(|key| self.prices.bytes_of(*key)).sum()
    }

    /// Marks for all that there is, with nothing in use but what always is.
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

    /// What is in use of it, with the numbers of the same order.
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
