//! Decompounding: longer words of the index that end with a word, and the last part of a word that is not in the index.
//!
//! The language says how a first part may be linked; whether the parts are words, the index says.
//!
//! Splits are validated by the words of the corpus, after Koehn & Knight, "Empirical methods for compound
//! splitting", 2003.

use super::fuzzy_terms::FuzzyTerm;
use crate::EngineError;
use crate::embedded::postings::lookups::terms;
use crate::embedded::postings::text_index::TextIndex;
use query::Analyser;
use query::analysis::{Compounds, FIRST_PART_CHARACTERS_MIN, LAST_PART_CHARACTERS_MIN};
use query::plan::PlanWord;
use query::scoring::{COMPOUND_TERMS_MAX, LAST_PART_DOCUMENTS_MIN, SMALL_INDEX};
use std::collections::BTreeSet;

/// Looks up parts of compounds.
struct CompoundParts<'a> {
    texts: &'a TextIndex,
    compounds: &'a Compounds,
}

/// Returns the compounds that end with `word`, or the last part of `word`, with their documents: the commonest first.
pub fn decompounded(
    texts: &TextIndex,
    word: &PlanWord,
    exists: bool,
) -> Result<Vec<(FuzzyTerm, u64)>, EngineError> {
    let Some(compounds) = texts.analyser.compounds() else {
        return Ok(Vec::new());
    };
    if !word.compound {
        return Ok(Vec::new());
    }
    let parts = CompoundParts { texts, compounds };
    let mut found = parts.longer(word)?;
    if found.is_empty() && !exists {
        found.extend(parts.last_part(word)?);
    }
    found.sort_by(|(a, a_documents), (b, b_documents)| {
        (b_documents, &a.term).cmp(&(a_documents, &b.term))
    });
    found.truncate(COMPOUND_TERMS_MAX);
    Ok(found)
}

impl CompoundParts<'_> {
    fn analyser(&self) -> &Analyser {
        &self.texts.analyser
    }

    /// Returns the stems that end with that of `word` and start with another word.
    fn longer(&self, word: &PlanWord) -> Result<Vec<(FuzzyTerm, u64)>, EngineError> {
        let mut candidates = BTreeSet::new();
        for segment in &self.texts.segments {
            let ending = segment.endings()?.ending_with(&word.stem);
            candidates.extend(ending.filter(|stem| stem.len() > word.stem.len()));
        }
        let mut found = Vec::new();
        for stem in candidates {
            let head = &stem[..stem.len() - word.stem.len()];
            if self.is_known(head)? {
                found.extend(self.existing_stem(stem)?);
            }
        }
        Ok(found)
    }

    /// Returns the longest last part of `word` that is common enough and follows a word.
    fn last_part(&self, word: &PlanWord) -> Result<Option<(FuzzyTerm, u64)>, EngineError> {
        let folded = word.folded.as_str();
        let cuts = folded.char_indices().map(|(at, _)| at);
        let least = if self.texts.searcher.num_docs() < SMALL_INDEX {
            1
        } else {
            LAST_PART_DOCUMENTS_MIN
        };
        for at in cuts.skip(FIRST_PART_CHARACTERS_MIN) {
            let (head, tail) = folded.split_at(at);
            if tail.chars().nth(LAST_PART_CHARACTERS_MIN - 1).is_none() {
                break;
            }
            let part = self.existing_stem(&self.analyser().stem(tail))?;
            let common = part.filter(|(_, documents)| *documents >= least);
            if common.is_some() && self.is_known(head)? {
                return Ok(common);
            }
        }
        Ok(None)
    }

    /// Whether a first part, with or without a linking element, is a word of the index.
    fn is_known(&self, head: &str) -> Result<bool, EngineError> {
        for part in self.compounds.first_parts(head) {
            let stem = self.analyser().stem(part);
            if self.may_exist(&stem)? && self.existing_stem(&stem)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a stem may be in the index. Most stems that are not are rejected without reading dictionaries.
    fn may_exist(&self, stem: &str) -> Result<bool, EngineError> {
        for segment in &self.texts.segments {
            if segment.endings()?.may_contain(stem) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns a stem with its documents; none if no document contains it.
    fn existing_stem(&self, stem: &str) -> Result<Option<(FuzzyTerm, u64)>, EngineError> {
        let postings = terms(&self.texts.segments, stem)?;
        let documents = self.texts.documents_with(stem, &postings)?;
        let term = FuzzyTerm {
            term: stem.into(),
            distance: 0,
            postings,
        };
        Ok((documents > 0).then_some((term, documents)))
    }
}
