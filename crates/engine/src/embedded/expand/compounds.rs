//! Looks up what decompounding needs: the stems with a given ending, and whether a first part is a word.
//!
//! How words are split is decided by `query::meaning`.

use crate::EngineError;
use crate::embedded::postings::lookups::terms;
use crate::embedded::postings::text_index::TextIndex;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Returns the longer stems that end with `stem`, in lexicographic order.
pub fn longer_stems(texts: &TextIndex, stem: &str) -> Result<Vec<Arc<str>>, EngineError> {
    let mut found = BTreeSet::new();
    for segment in &texts.segments {
        let ending = segment.endings()?.ending_with(stem);
        found.extend(ending.filter(|longer| longer.len() > stem.len()));
    }
    Ok(found.into_iter().map(Arc::from).collect())
}

/// Whether a document contains the first part of a compound, with or without a linking element.
pub fn is_first_part(texts: &TextIndex, head: &str) -> Result<bool, EngineError> {
    for stem in texts.analyser.first_part_stems(head) {
        if may_exist(texts, &stem)?
            && texts.documents_with(&stem, &terms(&texts.segments, &stem)?)? > 0
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a stem may be in the index. Most stems that are not are rejected without reading dictionaries.
fn may_exist(texts: &TextIndex, stem: &str) -> Result<bool, EngineError> {
    for segment in &texts.segments {
        if segment.endings()?.may_contain(stem) {
            return Ok(true);
        }
    }
    Ok(false)
}
