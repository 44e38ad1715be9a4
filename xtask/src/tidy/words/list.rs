//! The words that names do not hold, and what to write in their place.

/// Words that no name holds, each with what to write in its place.
const REPLACED: [(&[&str], &str); 22] = [
    (&["question", "questions"], "query"),
    (&["answer", "answers"], "response, hits or result"),
    (&["refusal", "refusals", "refused"], "error or rejection"),
    (&["letter", "letters"], "characters"),
    (&["beginning", "beginnings"], "prefix"),
    (&["near", "nearby"], "fuzzy, or what is near"),
    (&["reading", "readings"], "query interpretation"),
    (&["bar", "bars", "hurdle", "worst"], "threshold"),
    (&["sheet", "sheets"], "score accumulator"),
    (&["among"], "candidates"),
    (&["sieve", "sieves"], "facet collector"),
    (&["tally", "tallies"], "value counts"),
    (&["figure", "figures"], "range facet or statistics"),
    (&["wish", "wishes", "wished"], "facet counts or request"),
    (
        &["stretch", "stretches", "linger"],
        "work item or idle time",
    ),
    (&["standing", "standings"], "static score"),
    (&["circumstance", "circumstances"], "key of a static score"),
    (&["place", "places", "placed"], "doc address or position"),
    (&["direction", "directions"], "banners and redirects"),
    (&["stated"], "published schema"),
    (&["lean", "fitting"], "projection or truncation"),
    (&["together"], "parallel"),
];

/// Words that say nothing as a whole name; in a longer one they may (`CompoundParts`).
const BARE: [&str; 2] = ["part", "parts"];

/// A block of documents is no window; a rule's time window is one.
const WINDOWS: [&str; 2] = ["window", "windows"];

/// What to write in place of the component `at`; none where it may stay.
pub(super) fn replacement(
    components: &[String],
    at: usize,
    component: &str,
) -> Option<&'static str> {
    if BARE.contains(&component) && components.len() == 1 {
        return Some("substring, n-gram or what it is a part of");
    }
    if WINDOWS.contains(&component) {
        let of_time = at > 0 && components[at - 1] == "time";
        return (!of_time).then_some("block");
    }
    let (_, instead) = REPLACED
        .iter()
        .find(|(words, _)| words.contains(&component))?;
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
