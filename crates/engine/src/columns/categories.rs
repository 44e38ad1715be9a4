//! The names of the ancestors of a product's categories, as far as its document tells them.

use domain::document::{CategoryRef, Document};

/// The name of an ancestor, as far as the paths of the document's categories tell it.
///
/// The feed sends ids and names of ancestors apart, so their order decides: the ids of a path stand before its own id
/// in the order of the path, or after it in reverse; and a single ancestor needs no order. Where own ids stand side by
/// side, nothing tells whose ancestors follow.
pub(super) fn ancestor_name<'a>(id: &str, document: &'a Document) -> Option<&'a str> {
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
