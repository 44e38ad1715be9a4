//! `UnknownFields`: names of fields that the service does not know, and in how many documents they occur.

use crate::document::is_field;
use crate::first_characters;
use crate::limits::{UNKNOWN_FIELD_CHARACTERS_MAX, UNKNOWN_FIELDS_COUNTED_MAX, UNKNOWN_FIELDS_MAX};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// In how many documents each name occurs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UnknownFields(BTreeMap<String, u64>);

/// Returns those of the `names` of a document's fields that the service does not know, cut, and at most
/// [`UNKNOWN_FIELDS_COUNTED_MAX`] of them.
pub fn unknown_names<'a>(names: impl Iterator<Item = &'a String>) -> Vec<String> {
    let unknown = names.filter(|name| !is_field(name));
    let cut = unknown.map(|name| first_characters(name, UNKNOWN_FIELD_CHARACTERS_MAX).to_owned());
    cut.take(UNKNOWN_FIELDS_COUNTED_MAX).collect()
}

impl UnknownFields {
    /// Counts the unknown fields of a document.
    pub fn add(&mut self, names: &[String]) {
        for name in names {
            match self.0.get_mut(name) {
                Some(count) => *count += 1,
                None => {
                    self.0.insert(name.clone(), 1);
                }
            }
        }
    }

    /// Adds the counts of a block of a run, and returns the names that were not returned before: at most
    /// [`UNKNOWN_FIELDS_MAX`], the most frequent first.
    ///
    /// A name that finds no place in the response is counted from the block on that returns it. Those beyond
    /// [`UNKNOWN_FIELDS_COUNTED_MAX`] are never returned: what many documents have comes early.
    pub fn take_new(&mut self, block: &Self) -> Vec<String> {
        let places = UNKNOWN_FIELDS_COUNTED_MAX.saturating_sub(self.0.len());
        let mut new = block.ordered();
        new.retain(|(name, _)| !self.0.contains_key(*name));
        new.truncate(UNKNOWN_FIELDS_MAX.min(places));
        for (name, count) in &mut self.0 {
            *count += block.0.get(name).copied().unwrap_or(0);
        }
        let counted = new.iter().map(|(name, count)| ((*name).clone(), *count));
        self.0.extend(counted);
        new.into_iter().map(|(name, _)| name.clone()).collect()
    }

    /// Returns at most [`UNKNOWN_FIELDS_MAX`] names, the most frequent first.
    pub fn most_frequent(&self) -> Vec<String> {
        let names = self.ordered().into_iter().map(|(name, _)| name.clone());
        names.take(UNKNOWN_FIELDS_MAX).collect()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns all names, the most frequent first and equally frequent ones by name.
    fn ordered(&self) -> Vec<(&String, u64)> {
        let mut all: Vec<_> = self.0.iter().map(|(name, count)| (name, *count)).collect();
        all.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(documents: &[&[&str]]) -> UnknownFields {
        let mut fields = UnknownFields::default();
        for names in documents {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            fields.add(&unknown_names(names.iter()));
        }
        fields
    }

    #[test]
    fn the_most_frequent_comes_first_and_known_fields_never() {
        let fields = counted(&[&["price", "name"], &["brand", "price", "priceInclTax_USD"]]);
        assert_eq!(fields.most_frequent(), ["price", "brand"]);
        assert!(counted(&[&["id", "images", "ai_description"]]).is_empty());
    }

    #[test]
    fn a_run_returns_each_name_once_and_remembers_a_bounded_number() {
        let names: Vec<String> = (0..300).map(|at| format!("field {at:03}")).collect();
        let mut run = UnknownFields::default();
        let mut returned = Vec::new();
        for block in names.chunks(50) {
            let block: Vec<&str> = block.iter().map(String::as_str).collect();
            let block = counted(&[&block]);
            for _ in 0..4 {
                let new = run.take_new(&block);
                assert!(new.len() <= UNKNOWN_FIELDS_MAX);
                returned.extend(new);
            }
        }
        let found = returned.len();
        returned.sort();
        returned.dedup();
        assert_eq!(
            (found, returned.len()),
            (UNKNOWN_FIELDS_COUNTED_MAX, UNKNOWN_FIELDS_COUNTED_MAX)
        );
        assert_eq!(run.0.len(), UNKNOWN_FIELDS_COUNTED_MAX);
        assert_eq!(run.0["field 000"], 4);
    }

    #[test]
    fn names_are_cut_at_255_characters() {
        let long = ["ñ".repeat(300)];
        assert_eq!(unknown_names(long.iter())[0].chars().count(), 255);
        let many: Vec<String> = (0..1_000).map(|at| at.to_string()).collect();
        assert_eq!(unknown_names(many.iter()).len(), UNKNOWN_FIELDS_COUNTED_MAX);
    }
}
