//! Suggestions while a name is typed: whether the first one has a word that begins with what was typed, and whether the
//! name is suggested after half of its characters.

use crate::choices::Choices;
use crate::product_names::{ProductNames, folded};
use std::collections::{BTreeSet, HashSet};

/// Suggestions that are looked at, of each type.
pub const SUGGESTIONS: usize = 8;
/// Share of the prefixes for which the first suggestion should have a word that begins with them.
pub const BEGINS_FLOOR: f64 = 0.99;
/// Share of the names that can be suggested that should be.
pub const SHARE_FLOOR: f64 = 0.97;
/// Characters of a prefix.
const PREFIX_CHARACTERS: usize = 3;

/// What is suggested for a prefix of a query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SuggestedNames {
    /// The name that is shown first, of whatever type.
    pub first: Option<String>,
    /// Ids of the products, the best first.
    pub products: Vec<String>,
}

/// What was measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SuggestionMeasures {
    /// Number of prefixes.
    pub prefixes: usize,
    /// Share of the prefixes for which the first suggestion has a word that begins with them, 0 to 1.
    pub begins: f64,
    /// Number of names of which half was typed.
    pub names: usize,
    /// Share of the names that were suggested, 0 to 1.
    pub found: f64,
    /// The share that can be attained: of `n` names with the same half, eight are suggested.
    pub attainable: f64,
}

impl SuggestionMeasures {
    /// Returns the share of what can be attained; none without names.
    pub fn share(&self) -> Option<f64> {
        (self.attainable > 0.0).then(|| self.found / self.attainable)
    }
}

/// Returns the distinct first three characters of all names, where they are of one word.
pub fn prefixes(names: &ProductNames) -> Vec<String> {
    let prefixes = names.names().filter_map(|name| {
        let prefix: String = folded(name).chars().take(PREFIX_CHARACTERS).collect();
        let is_word = prefix.chars().all(char::is_alphanumeric);
        (is_word && prefix.chars().count() == PREFIX_CHARACTERS).then_some(prefix)
    });
    prefixes.collect::<BTreeSet<_>>().into_iter().collect()
}

/// Returns the first half of the characters of at most `count` names, each with its name; the same for the same seed.
pub fn halves(names: &ProductNames, seed: usize, count: usize) -> Vec<(String, String)> {
    let mut left: Vec<&str> = names.names().collect();
    let mut choices = Choices::new(seed);
    let mut halves = Vec::new();
    while halves.len() < count && !left.is_empty() {
        let name = left.swap_remove(choices.below(left.len()));
        let half = name.chars().count() / 2;
        let typed: String = name.chars().take(half).collect();
        if typed.trim().chars().count() >= PREFIX_CHARACTERS {
            halves.push((typed.to_lowercase(), name.to_owned()));
        }
    }
    halves
}

/// Asks for the suggestions of all prefixes and halves. `each` is called for what fails: what was typed and what was
/// expected.
///
/// Errors: the first one of `suggest`.
pub fn measure<E>(
    names: &ProductNames,
    (prefixes, halves): (&[String], &[(String, String)]),
    mut suggest: impl FnMut(&str) -> Result<SuggestedNames, E>,
    mut each: impl FnMut(&str, &str),
) -> Result<SuggestionMeasures, E> {
    let mut begins = 0;
    for prefix in prefixes {
        let first = suggest(prefix)?.first.unwrap_or_default();
        match begins_a_word(&first, prefix) {
            true => begins += 1,
            false => each(prefix, &format!("a word with this prefix, not {first:?}")),
        }
    }
    let all: Vec<String> = names.names().map(folded).collect();
    let (mut found, mut attainable) = (0, 0.0);
    for (typed, name) in halves {
        let suggested = suggest(typed)?.products;
        let suggested: HashSet<&String> = suggested.iter().take(SUGGESTIONS).collect();
        let start = folded(typed);
        let same = all.iter().filter(|name| name.starts_with(&start)).count();
        attainable += (SUGGESTIONS as f64 / same.max(1) as f64).min(1.0);
        match names.ids(name).iter().any(|id| suggested.contains(id)) {
            true => found += 1,
            false if same <= SUGGESTIONS => each(typed, name),
            false => {}
        }
    }
    let share = |part: f64, all: usize| part / all.max(1) as f64;
    Ok(SuggestionMeasures {
        prefixes: prefixes.len(),
        begins: share(f64::from(begins), prefixes.len()),
        names: halves.len(),
        found: share(f64::from(found), halves.len()),
        attainable: share(attainable, halves.len()),
    })
}

/// Returns whether a word of the text begins with the prefix, whatever case, accents and signs.
fn begins_a_word(text: &str, prefix: &str) -> bool {
    let text = folded(text);
    let words = text.split(|c: char| !c.is_alphanumeric());
    let joined = text.split_whitespace().map(|word| {
        let characters = word.chars().filter(|c| c.is_alphanumeric());
        characters.collect::<String>()
    });
    words
        .map(str::to_owned)
        .chain(joined)
        .any(|word| word.starts_with(prefix))
}
