//! Rank-biased overlap: how alike two rankings are, with most weight on their first places (docs/api.md, "Simulator").

/// Persistence: how much less each place weighs than the one before it.
const PERSISTENCE: f64 = 0.9;
/// Places that count.
const DEPTH_MAX: usize = 10;

/// Returns the overlap of two lists of different ids: 1 for the same order, 0 for nothing in common; both empty: 1.
///
/// Of the first places of each the shared ids are counted at every depth down to that of the longer list, at most ten.
pub(crate) fn overlap(one: &[String], other: &[String]) -> f64 {
    let depth = one.len().max(other.len()).min(DEPTH_MAX);
    if depth == 0 {
        return 1.0;
    }
    let (mut sum, mut weights, mut weight) = (0.0, 0.0, 1.0);
    for reached in 1..=depth {
        let [one, other] = [one, other].map(|list| &list[..reached.min(list.len())]);
        let shared = one.iter().filter(|id| other.contains(id)).count();
        sum += weight * shared as f64 / one.len().max(other.len()) as f64;
        weights += weight;
        weight *= PERSISTENCE;
    }
    sum / weights
}

/// Rounds a share to the four decimals that responses have.
pub(crate) fn four_decimals(share: f64) -> f64 {
    (share * 10_000.0).round() / 10_000.0
}

#[cfg(test)]
mod tests {
    //! 1. The overlap of examples is as documented.
    //! 2. Of any two lists it lies between 0 and 1, whichever comes first; it is 1 exactly for the same first ten, and 0
    //!    exactly for nothing in common among them.
    //! 3. An exchange further down changes less.

    use super::*;
    use proptest::prelude::*;

    fn ids(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn examples_have_their_overlap() {
        let cases = [
            ("a b c", "b a c", 0.6310),
            ("a b c", "a b c", 1.0),
            ("", "a", 0.0),
            ("", "", 1.0),
        ];
        for (one, other, expected) in cases {
            let found = four_decimals(overlap(&ids(one), &ids(other)));
            assert!((found - expected).abs() < 1e-9, "{one} {other}: {found}");
        }
    }

    /// Lists of different ids out of a few, so that pairs of them share some.
    fn lists() -> impl Strategy<Value = Vec<String>> {
        let names: Vec<String> = (0..14).map(|n| format!("p{n}")).collect();
        (Just(names).prop_shuffle(), 0_usize..=14).prop_map(|(mut names, length)| {
            names.truncate(length);
            names
        })
    }

    proptest! {
        #[test]
        fn it_is_a_share(one in lists(), other in lists()) {
            let found = overlap(&one, &other);
            prop_assert!((0.0..=1.0 + 1e-12).contains(&found));
            prop_assert!((found - overlap(&other, &one)).abs() < 1e-12);
            let first = |list: &[String]| list.iter().take(DEPTH_MAX).cloned().collect::<Vec<_>>();
            let (a, b) = (first(&one), first(&other));
            prop_assert_eq!(found > 1.0 - 1e-12, a == b);
            let none_shared = a.iter().all(|id| !b.contains(id));
            prop_assert_eq!(found < 1e-12, none_shared && a.len() + b.len() > 0);
        }

        #[test]
        fn first_places_weigh_more(place in 0_usize..8) {
            let list: Vec<String> = (0..10).map(|n| n.to_string()).collect();
            let exchanged = |at: usize| {
                let mut other = list.clone();
                other.swap(at, at + 1);
                overlap(&list, &other)
            };
            prop_assert!(exchanged(place) < exchanged(place + 1));
        }
    }
}
