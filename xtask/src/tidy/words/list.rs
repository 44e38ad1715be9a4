//! The words that names do not hold, and what to write in their place.

/// Words with what to write in their place.
type Replaced = (&'static [&'static str], &'static str);

/// Words that no name holds.
const EVERYWHERE: [Replaced; 13] = [
    (&["question", "questions"], "query"),
    (
        &["answer", "answers", "answered"],
        "response, hits or result",
    ),
    (
        &["refusal", "refusals", "refuse", "refused"],
        "error or rejection",
    ),
    (&["letter", "letters"], "characters"),
    (&["beginning", "beginnings"], "prefix"),
    (&["reading", "readings"], "query interpretation"),
    (&["among"], "candidates"),
    (&["sieve", "sieves"], "facet collector"),
    (&["tally", "tallies"], "value counts"),
    (&["figure", "figures"], "range facet or statistics"),
    (&["wish", "wishes", "wished"], "facet counts or request"),
    (
        &["stretch", "stretches", "linger"],
        "work item or idle time",
    ),
    (&["stated"], "published schema"),
];

/// Words that no type, function or file of the crates holds. On a page or in a shop they are the field's: a bar, a style sheet, the
/// place of a product, the direction of a text.
const OF_CRATES: [Replaced; 9] = [
    (&["near", "nearby"], "fuzzy, or what is near"),
    (&["bar", "bars", "hurdle", "worst"], "threshold"),
    (&["sheet", "sheets"], "score accumulator"),
    (&["standing", "standings"], "static score"),
    (&["circumstance", "circumstances"], "key of a static score"),
    (&["place", "places", "placed"], "doc address or position"),
    (&["direction", "directions"], "banners and redirects"),
    (&["lean", "fitting"], "projection or truncation"),
    (&["together"], "parallel"),
];

/// Words that no name holds but those of fields and variables of the crates, because they say where a value comes from and not what it is.
const OF_VALUES: [Replaced; 4] = [
    (&["asked"], "query, state or what is requested"),
    (&["known"], "what it is"),
    (&["own"], "what or whose it is"),
    (&["told"], "reported or what it is"),
];

/// Words that say nothing as a whole name; in a longer one they may (`CompoundParts`).
const BARE: [&str; 2] = ["part", "parts"];

/// A block of documents is no window; a rule's time window is one.
const WINDOWS: [&str; 2] = ["window", "windows"];

/// What to write in place of a component of the name of a type, function or file of a crate; none if all may stay.
pub(super) fn of_crate(name: &str) -> Option<&'static str> {
    replacement(name, |components, at| {
        let component = components[at].as_str();
        if BARE.contains(&component) && components.len() == 1 {
            return Some("substring, n-gram or what it is a part of");
        }
        if WINDOWS.contains(&component) {
            let of_time = at > 0 && components[at - 1] == "time";
            return (!of_time).then_some("block");
        }
        listed(component, &[&EVERYWHERE, &OF_CRATES, &OF_VALUES])
    })
}

/// What to write in place of a component of a name of another language; none if all may stay.
pub(super) fn of_script(name: &str) -> Option<&'static str> {
    replacement(name, |components, at| {
        listed(&components[at], &[&EVERYWHERE, &OF_VALUES])
    })
}

fn replacement(
    name: &str,
    instead: impl Fn(&[String], usize) -> Option<&'static str>,
) -> Option<&'static str> {
    let components = components(name);
    (0..components.len()).find_map(|at| instead(&components, at))
}

fn listed(component: &str, lists: &[&[Replaced]]) -> Option<&'static str> {
    let mut rows = lists.iter().flat_map(|list| list.iter());
    let (_, instead) = rows.find(|(words, _)| words.contains(&component))?;
    Some(instead)
}

/// The words of a CamelCase or snake_case name, in lower case.
pub(super) fn components(name: &str) -> Vec<String> {
    let mut components = vec![String::new()];
    let mut before = '_';
    for c in name.chars() {
        if c.is_uppercase() && !before.is_uppercase() {
            components.push(String::new());
        }
        if c == '_' {
            components.push(String::new());
        } else if let Some(last) = components.last_mut() {
            last.extend(c.to_lowercase());
        }
        before = c;
    }
    components.retain(|component| !component.is_empty());
    components
}

#[cfg(test)]
mod tests {
    //! Proves: a name is taken apart into whole components.

    use super::components;

    #[test]
    fn a_name_is_taken_apart_into_components() {
        assert_eq!(components("NearTerms"), ["near", "terms"]);
        assert_eq!(components("phrase_lists"), ["phrase", "lists"]);
        assert_eq!(components("TopK"), ["top", "k"]);
        assert_eq!(components("HTTPAnswer"), ["httpanswer"]);
    }
}
