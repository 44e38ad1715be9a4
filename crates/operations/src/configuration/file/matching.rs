//! Which records of a store the records of a file stand for: by id, else by content, each once.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

/// A record as it is matched: its id, what an update cannot change, and what tells it apart by content.
pub(super) struct Matched<'a, F, K> {
    pub id: Option<&'a str>,
    pub fixed: F,
    pub key: K,
}

/// Returns, for each record of a file, the index of the record of the store that it stands for.
///
/// Several records with equal content are matched in their order.
pub(super) fn matches<F: PartialEq, K: Hash + Eq>(
    file: &[Matched<'_, F, K>],
    present: &[Matched<'_, F, K>],
) -> Vec<Option<usize>> {
    let ids = present.iter().enumerate();
    let by_id: HashMap<&str, usize> = ids.filter_map(|(at, one)| Some((one.id?, at))).collect();
    let mut matched: Vec<Option<usize>> = file
        .iter()
        .map(|one| {
            let found = *by_id.get(one.id?)?;
            (present.get(found)?.fixed == one.fixed).then_some(found)
        })
        .collect();
    let mut taken = vec![false; present.len()];
    for found in matched.iter().flatten() {
        if let Some(taken) = taken.get_mut(*found) {
            *taken = true;
        }
    }
    let mut by_content: HashMap<&K, VecDeque<usize>> = HashMap::new();
    for ((at, one), taken) in present.iter().enumerate().zip(taken) {
        if !taken {
            by_content.entry(&one.key).or_default().push_back(at);
        }
    }
    for (one, matched) in file.iter().zip(&mut matched) {
        if matched.is_none() {
            *matched = by_content.get_mut(&one.key).and_then(VecDeque::pop_front);
        }
    }
    matched
}

#[cfg(test)]
mod tests {
    //! 1. An id comes before content, whatever the order of the file; each record is matched once.
    //! 2. An id whose record could not become that of the file counts for nothing.
    //! 3. Records of equal content are matched in their order.

    use super::*;

    fn of(id: &'static str, fixed: u8, key: &'static str) -> Matched<'static, u8, &'static str> {
        let id = (!id.is_empty()).then_some(id);
        Matched { id, fixed, key }
    }

    #[test]
    fn ids_come_first() {
        let present = [of("a", 1, "x"), of("b", 1, "y")];
        let file = [of("", 1, "x"), of("a", 1, "z"), of("", 1, "y")];
        assert_eq!(matches(&file, &present), [None, Some(0), Some(1)]);
        let file = [of("a", 2, "y"), of("c", 1, "x")];
        assert_eq!(matches(&file, &present), [Some(1), Some(0)]);
    }

    #[test]
    fn equal_content_is_matched_in_order() {
        let present = [of("a", 1, "x"), of("b", 1, "x")];
        let file = [of("p", 1, "x"), of("q", 1, "x"), of("r", 1, "x")];
        assert_eq!(matches(&file, &present), [Some(0), Some(1), None]);
    }
}
