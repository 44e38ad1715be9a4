//! Decompounding by a scan of all stems of a catalogue.

use super::catalogue::Catalogue;
use query::plan::PlanWord;
use query::scoring::{LAST_PART_DOCUMENTS_MIN, SMALL_INDEX, SPLITS_MAX};

/// Shortest last part and shortest first part of a compound, in characters.
const PART_MIN: (usize, usize) = (4, 3);

/// Stems that share a part with `word`, with their documents: compounds that end with it, or its own last part.
pub fn compound_terms(
    catalogue: &Catalogue<'_>,
    word: &PlanWord,
    exists: bool,
) -> Vec<(String, u64)> {
    if !word.compound {
        return Vec::new();
    }
    let longer = |stem: &&str| {
        let head = stem.strip_suffix(word.stem.as_str());
        head.is_some_and(|head| !head.is_empty() && is_known(catalogue, head))
    };
    let stems = catalogue.stems().into_iter().filter(longer);
    let counted = stems.map(|stem| (stem.to_owned(), documents(catalogue, stem)));
    let mut found: Vec<(String, u64)> = counted.collect();
    if found.is_empty() && !exists {
        found.extend(last_part(catalogue, &word.folded));
    }
    found.sort_by(|a, b| (b.1, &a.0).cmp(&(a.1, &b.0)));
    found.truncate(SPLITS_MAX);
    found
}

fn last_part(catalogue: &Catalogue<'_>, word: &str) -> Option<(String, u64)> {
    let characters: Vec<char> = word.chars().collect();
    let small = (catalogue.pages.len() as u64) < SMALL_INDEX;
    let least = if small { 1 } else { LAST_PART_DOCUMENTS_MIN };
    let parts = (PART_MIN.1..characters.len()).map(|cut| characters.split_at(cut));
    let parts = parts.filter(|(_, tail)| tail.len() >= PART_MIN.0);
    parts
        .map(|(head, tail)| (head.iter().collect(), tail.iter().collect()))
        .find_map(|(head, tail): (String, String)| {
            let stem = catalogue.analyser.stem(&tail);
            let documents = documents(catalogue, &stem);
            let common = documents >= least && is_known(catalogue, &head);
            common.then_some((stem, documents))
        })
}

fn is_known(catalogue: &Catalogue<'_>, head: &str) -> bool {
    let compounds = catalogue.analyser.compounds();
    let mut parts = compounds.into_iter().flat_map(|c| c.first_parts(head));
    parts.any(|part| documents(catalogue, &catalogue.analyser.stem(part)) > 0)
}

fn documents(catalogue: &Catalogue<'_>, stem: &str) -> u64 {
    catalogue.count(|page| page.holds(stem))
}
