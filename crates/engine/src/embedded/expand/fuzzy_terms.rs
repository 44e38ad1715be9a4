//! Looks up alternatives of a word in the term dictionaries: fuzzy terms, and longer words that start with or
//! contain it.
//!
//! Fuzzy terms of codes are found by Levenshtein automata: Schulz & Mihov, "Fast string correction with
//! Levenshtein automata", 2002. Longer words are a range of the sorted dictionary of prefixes.

use crate::EngineError;
use crate::embedded::postings::lookups::SegmentTermInfos;
use crate::embedded::postings::text_index::TextIndex;
use crate::embedded::postings::vocabulary::ComparedWord;
use crate::embedded::write::document_terms::{PREFIX_MARK, prefix_word_length};
use levenshtein_automata::{DFA, Distance, LevenshteinAutomatonBuilder, SINK_STATE};
use query::analysis::codes::CASE_MARK;
use query::meaning::lookups::{CountedTerm, Nearness, keep_nearest};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use tantivy::InvertedIndexReader;
use tantivy::postings::TermInfo;
use tantivy_fst::Automaton;

/// A term that may replace a word or a code, with its posting list in each segment.
#[derive(Clone, Debug)]
pub struct FuzzyTerm {
    /// The term.
    pub counted: CountedTerm,
    /// Its posting lists.
    pub postings: SegmentTermInfos,
}

/// A stem within the edit distance of a word.
struct FuzzyStem<'a> {
    stem: &'a str,
    distance: u32,
    documents: u64,
    postings: SegmentTermInfos,
}

/// Returns the stems of `texts` within the edit distance of a word that count, in the order of [`keep_nearest`].
pub fn fuzzy_stems(texts: &TextIndex, word: &ComparedWord) -> Result<Vec<FuzzyTerm>, EngineError> {
    let segments = &texts.segments;
    let mut found: BTreeMap<&str, FuzzyStem<'_>> = BTreeMap::new();
    for (at, segment) in segments.iter().enumerate() {
        let vocabulary = segment.vocabulary()?;
        for (number, stem, distance) in vocabulary.fuzzy_terms(word) {
            let fuzzy = found.entry(stem).or_insert_with(|| FuzzyStem {
                stem,
                distance,
                documents: 0,
                postings: vec![None; segments.len()],
            });
            fuzzy.postings[at] = Some(vocabulary.postings(number));
        }
    }
    let mut counted = Vec::with_capacity(found.len());
    for mut fuzzy in found.into_values() {
        fuzzy.documents = texts.documents_with(fuzzy.stem, &fuzzy.postings)?;
        if fuzzy.documents > 0 {
            counted.push(fuzzy);
        }
    }
    keep_nearest(&mut counted, |fuzzy| {
        Nearness::new(fuzzy.distance, fuzzy.documents, fuzzy.stem)
    });
    let terms = counted.into_iter().map(|fuzzy| FuzzyTerm {
        counted: CountedTerm {
            term: fuzzy.stem.into(),
            distance: fuzzy.distance,
            documents: fuzzy.documents,
        },
        postings: fuzzy.postings,
    });
    Ok(terms.collect())
}

/// Returns the terms of code fields at an edit distance of 1 to `distance` from `word` that share its first `prefix`
/// characters, in lexicographic order. They are not counted yet.
///
/// A swap of two neighbours counts as one edit.
pub fn fuzzy_codes<'a>(
    word: &str,
    distance: u32,
    prefix: usize,
    dictionaries: impl Iterator<Item = Option<&'a Arc<InvertedIndexReader>>>,
) -> Result<Vec<FuzzyTerm>, EngineError> {
    let dictionaries: Vec<_> = dictionaries.collect();
    // The mark of a case-sensitive code is not one of its characters, and marked codes are apart from unmarked ones.
    let marked = word.starts_with(CASE_MARK);
    let start: String = word.chars().take(prefix + usize::from(marked)).collect();
    let end = after_prefix(start.as_bytes());
    let mut found: BTreeMap<Vec<u8>, FuzzyTerm> = BTreeMap::new();
    // Only built if terms share the prefix: few words share one with a code.
    let mut automaton: Option<WordAutomaton> = None;
    for (segment, dictionary) in dictionaries.iter().enumerate() {
        let Some(dictionary) = dictionary else {
            continue;
        };
        if !has_prefix(dictionary, &start)? {
            continue;
        }
        let automaton = automaton
            .get_or_insert_with(|| WordAutomaton(Arc::new(builder(distance).build_dfa(word))));
        let mut search = dictionary
            .terms()
            .search(automaton.clone())
            .ge(start.as_bytes());
        if let Some(end) = &end {
            search = search.lt(end);
        }
        let mut stream = search
            .into_stream()
            .map_err(EngineError::during("look for typos"))?;
        while let Some((term, info)) = stream.next() {
            let Distance::Exact(away @ 1..) = automaton.0.eval(term) else {
                continue;
            };
            if !marked && term.starts_with(&[CASE_MARK as u8]) {
                continue;
            }
            let fuzzy = found.entry(term.to_vec()).or_insert_with(|| FuzzyTerm {
                counted: CountedTerm {
                    term: String::from_utf8_lossy(term).into(),
                    distance: u32::from(away),
                    documents: 0,
                },
                postings: vec![None; dictionaries.len()],
            });
            fuzzy.postings[segment] = Some(info.clone());
        }
    }
    Ok(found.into_values().collect())
}

/// Whether any term of a dictionary starts with `start`.
fn has_prefix(dictionary: &InvertedIndexReader, start: &str) -> Result<bool, EngineError> {
    let from_there = dictionary.terms().range().ge(start.as_bytes());
    let mut stream = from_there
        .into_stream()
        .map_err(EngineError::during("look for typos"))?;
    Ok(stream.advance() && stream.key().starts_with(start.as_bytes()))
}

/// Returns the posting lists of names with a longer word that starts with `word`, or contains it, with the length of
/// the longer word in characters. `dictionary` is that of the prefixes or that of the substrings.
pub fn prefix_postings(
    dictionary: &InvertedIndexReader,
    word: &str,
) -> Result<Vec<(usize, TermInfo)>, EngineError> {
    let start = format!("{word}{PREFIX_MARK}");
    let mut search = dictionary.terms().range().ge(start.as_bytes());
    if let Some(end) = after_prefix(start.as_bytes()) {
        search = search.lt(end);
    }
    let mut stream = search
        .into_stream()
        .map_err(EngineError::during("look for longer words"))?;
    let mut found = Vec::new();
    while let Some((term, info)) = stream.next() {
        found.push((
            prefix_word_length(&String::from_utf8_lossy(term)),
            info.clone(),
        ));
    }
    Ok(found)
}

/// Returns the first key after all keys that start with `prefix`; none if there is no such key.
fn after_prefix(prefix: &[u8]) -> Option<Vec<u8>> {
    let last = prefix.iter().rposition(|byte| *byte != u8::MAX)?;
    let mut end = prefix[..=last].to_vec();
    end[last] += 1;
    Some(end)
}

/// Builders are costly to create and work for every word.
fn builder(distance: u32) -> &'static LevenshteinAutomatonBuilder {
    static ONE: OnceLock<LevenshteinAutomatonBuilder> = OnceLock::new();
    static TWO: OnceLock<LevenshteinAutomatonBuilder> = OnceLock::new();
    match distance {
        0 | 1 => ONE.get_or_init(|| LevenshteinAutomatonBuilder::new(1, true)),
        _ => TWO.get_or_init(|| LevenshteinAutomatonBuilder::new(2, true)),
    }
}

#[derive(Clone)]
struct WordAutomaton(Arc<DFA>);

impl Automaton for WordAutomaton {
    type State = u32;

    fn start(&self) -> u32 {
        self.0.initial_state()
    }

    fn is_match(&self, state: &u32) -> bool {
        matches!(self.0.distance(*state), Distance::Exact(_))
    }

    fn can_match(&self, state: &u32) -> bool {
        *state != SINK_STATE
    }

    fn accept(&self, state: &u32, byte: u8) -> u32 {
        self.0.transition(*state, byte)
    }
}
