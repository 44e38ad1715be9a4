//! The names of the ancestors of a product's categories, as far as its document tells them.

use domain::document::{CategoryRef, Document};
use std::collections::HashMap;

/// By place among the `categoryIds` of `document` the name of that ancestor, as far as the paths of its categories tell it.
///
/// The feed sends ids and names of ancestors apart, so their order decides: the ids of a path stand before its own id
/// in the order of the path, or after it in reverse; and a single ancestor needs no order. Where own ids stand side by
/// side, nothing tells whose ancestors follow. The first category that tells a name counts. All names together cost
/// no more than the lists are long, but for the logarithm of the number of categories.
pub(super) fn ancestor_names(document: &Document) -> Vec<Option<&str>> {
    let ids = CategoryPositions::of(document);
    let single = ids.single(&document.categories);
    let paths = CategoryPaths::of(&document.categories, &ids);
    let name = |id: &String| {
        let at = ids.places[id.as_str()];
        let in_order = ids.nearest[at].and_then(|own| paths.at(own, own.abs_diff(at)));
        let told = single.into_iter().chain(in_order);
        let (category, place) = told.min_by_key(|(category, _)| *category)?;
        Some(document.categories[category].path[place].as_str())
    };
    document.category_ids.iter().map(name).collect()
}

/// Where the ids of a document stand.
struct CategoryPositions<'a> {
    /// The first place of each.
    places: HashMap<&'a str, usize>,
    /// By place the nearest own id, in the direction in which it stands; none where there is none, and for own ids.
    nearest: Vec<Option<usize>>,
    /// Whether all but one are own.
    one_ancestor: bool,
    /// Whether own ids stand side by side.
    ambiguous: bool,
}

impl<'a> CategoryPositions<'a> {
    fn of(document: &'a Document) -> Self {
        let ids = &document.category_ids;
        let mut places = HashMap::with_capacity(ids.len());
        for (place, id) in ids.iter().enumerate() {
            places.entry(id.as_str()).or_insert(place);
        }
        let mut own = vec![false; ids.len()];
        for category in &document.categories {
            if let Some(place) = places.get(category.id.as_str()) {
                own[*place] = true;
            }
        }
        // A repeated id is own where its first one is.
        let is_own: Vec<bool> = ids.iter().map(|id| own[places[id.as_str()]]).collect();
        Self {
            nearest: nearest(&is_own),
            one_ancestor: is_own.iter().filter(|own| !**own).count() == 1,
            ambiguous: is_own.windows(2).any(|pair| pair[0] && pair[1]),
            places,
        }
    }

    /// The first category that names the only ancestor there is, with the place in its path.
    fn single(&self, categories: &[CategoryRef]) -> Option<(usize, usize)> {
        let names_it = |category: &CategoryRef| {
            category.path.len() == 2 && self.places.contains_key(category.id.as_str())
        };
        let category = categories.iter().position(names_it)?;
        self.one_ancestor.then_some((category, 0))
    }
}

/// By place the nearest own one: behind it where ids stand from the top, else before it.
fn nearest(is_own: &[bool]) -> Vec<Option<usize>> {
    let from_the_top = is_own.first() == Some(&false);
    let mut nearest = vec![None; is_own.len()];
    let mut last = None;
    let mut look = |at: usize| {
        if is_own[at] {
            last = Some(at);
        } else {
            nearest[at] = last;
        }
    };
    if from_the_top {
        (0..is_own.len()).rev().for_each(&mut look);
    } else {
        (0..is_own.len()).for_each(&mut look);
    }
    nearest
}

/// The paths of categories whose ids stand among those of the document, by place.
struct CategoryPaths(HashMap<usize, Vec<Longer>>);

/// A category with more ancestors than all before it that have the same id.
struct Longer {
    ancestors: usize,
    category: usize,
}

impl CategoryPaths {
    fn of(categories: &[CategoryRef], ids: &CategoryPositions<'_>) -> Self {
        let mut paths: HashMap<usize, Vec<Longer>> = HashMap::new();
        let categories = categories.iter().enumerate();
        for (category, own) in categories.filter(|_| !ids.ambiguous) {
            let Some(place) = ids.places.get(own.id.as_str()) else {
                continue;
            };
            let ancestors = own.path.len().saturating_sub(1);
            // One with a single ancestor is asked for that, wherever it stands.
            if ids.one_ancestor && ancestors == 1 {
                continue;
            }
            let same = paths.entry(*place).or_default();
            if ancestors > same.last().map_or(0, |longest| longest.ancestors) {
                same.push(Longer {
                    ancestors,
                    category,
                });
            }
        }
        Self(paths)
    }

    /// The first category at the place `own` that has an ancestor `steps` above it, with the place of that in its path.
    fn at(&self, own: usize, steps: usize) -> Option<(usize, usize)> {
        let same = self.0.get(&own)?;
        let first = same.partition_point(|path| path.ancestors < steps);
        let path = same.get(first)?;
        Some((path.category, path.ancestors - steps))
    }
}

#[cfg(test)]
mod tests;
