//! The query to propose where products are searched and none are found: "did you mean".
//!
//! One ranking at most, and only of what the visitor may see.

use super::ranking::Ranking;
use crate::OperationError;
use crate::snapshots::snapshot::{Configuration, StoreSnapshot};
use domain::Language;
use domain::document::DocType;
use domain::form::QueryText;
use domain::relevance::Percent;
use domain::visitor::Visitor;
use query::UserQuery;
use query::correction::{CorrectedQuery, Correction, kept_words};
use std::collections::{BTreeMap, HashSet};

/// Returns the query to propose in place of that of `ranking`, in which no product was found. `try_text` ranks the products
/// of another text in a state of the store, and explains at least the best hit.
///
/// Errors: if an index cannot be read.
pub(crate) fn corrected_query(
    snapshot: &StoreSnapshot,
    language: &Language,
    visitor: &Visitor,
    ranking: &Ranking,
    try_text: impl FnOnce(&StoreSnapshot, &str) -> Result<Ranking, OperationError>,
) -> Result<Option<CorrectedQuery>, OperationError> {
    let typed = &ranking.query;
    let counted = typed.words.iter().filter(|word| word.counts).count();
    let index = snapshot.index(DocType::Products, language);
    let (Some(analyser), Some(index)) = (snapshot.analyser(language), index) else {
        return Ok(None);
    };
    if counted == 0 || ranking.found.is_list {
        return Ok(None);
    }
    let settings = &snapshot.configuration.relevance.search_settings;
    let correction = Correction::new(typed, analyser);
    let mut corrected = None;
    if !correction.is_empty() {
        let stems = correction.stems();
        let exists = index
            .contains(&stems, visitor)
            .map_err(OperationError::unavailable)?;
        let existing: HashSet<String> = stems
            .into_iter()
            .zip(exists)
            .filter(|(_, exists)| *exists)
            .map(|(stem, _)| stem)
            .collect();
        let words = correction.spelled(&existing, settings);
        let spellings = index
            .spellings(&words, visitor)
            .map_err(OperationError::unavailable)?;
        let spellings: BTreeMap<_, _> = words
            .into_iter()
            .map(|word| word.stem)
            .zip(spellings)
            .collect();
        corrected = correction.corrected(&existing, &spellings);
    }
    let is_long = corrected
        .as_ref()
        .is_some_and(|one| QueryText::parse(one.text.as_str()).is_err());
    // One word that stays as it is finds nothing again.
    if is_long || corrected.is_none() && counted == 1 {
        return Ok(None);
    }
    let text = corrected.as_ref().map_or(&*typed.text, |one| &one.text);
    let any_word = with_any_word(snapshot);
    let tried = try_text(&any_word, text)?;
    let full = UserQuery::new(text, analyser, settings);
    let hits = tried.found.hits.iter();
    let matches = hits
        .filter_map(|hit| hit.breakdown.as_ref())
        .map(|own| &own.text.matches);
    let Some(matches) = matches.into_iter().find(|matches| !matches.is_empty()) else {
        return Ok(None);
    };
    let across_fields = settings.cross_fields_boost > 0.0;
    let kept = kept_words(&full, matches, (across_fields, full.min_match));
    Ok(kept.or(corrected).filter(|one| one.text != typed.text))
}

/// Returns the state in which one word of a query is enough.
fn with_any_word(snapshot: &StoreSnapshot) -> StoreSnapshot {
    let mut configuration = Configuration::clone(&snapshot.configuration);
    let settings = &mut configuration.relevance.search_settings;
    settings.min_match_short = Percent(1);
    settings.min_match_long = Percent(1);
    snapshot.with_configuration(configuration)
}
