//! The names of the ancestors of a product's categories, as far as they can be derived from its document.

use domain::document::{CategoryRef, Document};
use std::collections::HashMap;

/// The name of the ancestor at each index of `categoryIds`, as far as the paths of the categories of `document` reveal
/// it.
///
/// The feed sends ids and names of ancestors separately, so they are matched by order: the ids of a path come before
/// the category's own id in the order of the path, or after it in reverse; a single ancestor needs no order. Where own
/// ids are adjacent, it is ambiguous whose ancestors follow. The first category that reveals a name counts. The cost is
/// linear in the lengths of the lists, times the logarithm of the number of categories.
pub(super) fn ancestor_names(document: &Document) -> Vec<Option<&str>> {
    let ids = CategoryPositions::of(document);
    let single = ids.single(&document.categories);
    let paths = CategoryPaths::of(&document.categories, &ids);
    let name = |id: &String| {
        let at = ids.indices[id.as_str()];
        let in_order = ids.nearest[at].and_then(|own| paths.at(own, own.abs_diff(at)));
        let found = single.into_iter().chain(in_order);
        let (category, depth) = found.min_by_key(|(category, _)| *category)?;
        Some(document.categories[category].path[depth].as_str())
    };
    document.category_ids.iter().map(name).collect()
}

/// The positions of the category ids of a document.
struct CategoryPositions<'a> {
    /// The first index of each id.
    indices: HashMap<&'a str, usize>,
    /// By index the nearest own id in the direction of the order; none when there is none, and for own ids.
    nearest: Vec<Option<usize>>,
    /// Whether all but one are own ids.
    one_ancestor: bool,
    /// Whether own ids are adjacent.
    ambiguous: bool,
}

impl<'a> CategoryPositions<'a> {
    fn of(document: &'a Document) -> Self {
        let ids = &document.category_ids;
        let mut indices = HashMap::with_capacity(ids.len());
        for (place, id) in ids.iter().enumerate() {
            indices.entry(id.as_str()).or_insert(place);
        }
        let mut own = vec![false; ids.len()];
        for category in &document.categories {
            if let Some(place) = indices.get(category.id.as_str()) {
                own[*place] = true;
            }
        }
        // A repeated id is own if its first occurrence is.
        let is_own: Vec<bool> = ids.iter().map(|id| own[indices[id.as_str()]]).collect();
        Self {
            nearest: nearest(&is_own),
            one_ancestor: is_own.iter().filter(|own| !**own).count() == 1,
            ambiguous: is_own.windows(2).any(|pair| pair[0] && pair[1]),
            indices,
        }
    }

    /// The first category that names the only ancestor, with the index in its path.
    fn single(&self, categories: &[CategoryRef]) -> Option<(usize, usize)> {
        let names_it = |category: &CategoryRef| {
            category.path.len() == 2 && self.indices.contains_key(category.id.as_str())
        };
        let category = categories.iter().position(names_it)?;
        self.one_ancestor.then_some((category, 0))
    }
}

/// By index the nearest own id: after it when ids start from the top, else before it.
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

/// The paths of categories by the index of their id in the document.
struct CategoryPaths(HashMap<usize, Vec<Longer>>);

/// A category with more ancestors than all earlier ones with the same id.
struct Longer {
    ancestors: usize,
    category: usize,
}

impl CategoryPaths {
    fn of(categories: &[CategoryRef], ids: &CategoryPositions<'_>) -> Self {
        let mut paths: HashMap<usize, Vec<Longer>> = HashMap::new();
        let categories = categories.iter().enumerate();
        for (category, own) in categories.filter(|_| !ids.ambiguous) {
            let Some(place) = ids.indices.get(own.id.as_str()) else {
                continue;
            };
            let ancestors = own.path.len().saturating_sub(1);
            // `single` handles those with a single ancestor.
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

    /// The first category at index `own` with an ancestor `steps` levels above it, and the index of that in its path.
    fn at(&self, own: usize, steps: usize) -> Option<(usize, usize)> {
        let same = self.0.get(&own)?;
        let first = same.partition_point(|path| path.ancestors < steps);
        let path = same.get(first)?;
        Some((path.category, path.ancestors - steps))
    }
}

#[cfg(test)]
mod tests;
