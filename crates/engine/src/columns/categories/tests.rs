//! 1. The names of all ids equal those that are searched for one by one.
//! 2. The cost is linear in the number of ids and categories.

use super::*;
use domain::document::DocType;
use proptest::prelude::*;
use serde_json::json;
use std::time::{Duration, Instant};

/// The name of one ancestor by definition, with a scan of all ids and categories.
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

fn document(ids: &[String], categories: Vec<(String, Vec<String>)>) -> Document {
    let mut document = json!({"id": "1", "name": "x"});
    document["categoryIds"] = json!(ids);
    document["categories"] = categories
        .into_iter()
        .map(|(id, path)| json!({"id": id, "name": "n", "path": path}))
        .collect();
    Document::parse(DocType::Products, 0, document).expect("a document")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]
    #[test]
    fn all_names_follow_the_definition(
        ids in proptest::collection::vec("[a-h]", 0..10),
        own in proptest::collection::vec(("[a-j]", 0_usize..6), 0..6),
    ) {
        let paths = own.into_iter().enumerate().map(|(at, (id, length))| {
            (id, (0..length).map(|depth| format!("{at}.{depth}")).collect())
        });
        let document = document(&ids, paths.collect());
        let names = ancestor_names(&document);
        prop_assert_eq!(names.len(), ids.len());
        for (id, name) in ids.iter().zip(names) {
            prop_assert_eq!(name, ancestor_name(id, &document), "{} of {:?}", id, &document);
        }
    }
}

/// The time to name so many ids, whose categories all have the last id; the shortest of three runs.
#[expect(clippy::disallowed_methods, reason = "it measures a duration")]
fn takes(count: usize) -> Duration {
    let ids: Vec<String> = (0..count).map(|id| id.to_string()).collect();
    let own = (0..count / 4).map(|at| (ids[count - 1].clone(), vec![String::new(); at % 400]));
    let document = document(&ids, own.collect());
    let once = || {
        let started = Instant::now();
        assert_eq!(ancestor_names(&document).len(), count);
        started.elapsed()
    };
    (0..3).map(|_| once()).min().expect("three times")
}

#[test]
fn the_cost_is_linear() {
    let [small, large] = [2_000, 64_000].map(takes);
    // 32 times as many; at quadratic cost it would be a thousand times as long.
    let bound = small * 200 + Duration::from_millis(20);
    assert!(large < bound, "{small:?} and {large:?}");
}
