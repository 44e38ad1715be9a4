//! Decompounding: longer stems of the index that end with a word, and the last part of a word that is not in the index.
//!
//! The language says how a first part may be linked; whether the parts are words, the index says.
//!
//! Splits are validated by the words of the corpus, after Koehn & Knight, "Empirical methods for compound
//! splitting", 2003.

use super::facts::{PlanFacts, WordFacts};
use super::lookups::{CountedTerm, DocumentSet, LookupBatch, Lookups};
use crate::analysis::{Analyser, FIRST_PART_CHARACTERS_MIN, LAST_PART_CHARACTERS_MIN};
use crate::plan::{Plan, PlanWord};
use crate::scoring::{COMPOUND_TERMS_MAX, LAST_PART_DOCUMENTS_MIN, SMALL_INDEX};
use std::cmp::Reverse;
use std::sync::Arc;

/// A stem that a word may stand for if `first_part` is a word.
struct Split {
    /// Number of the word in the plan.
    word: usize,
    first_part: String,
    stem: Arc<str>,
}

/// Returns, for every word of `plan`, the compounds that end with it, or its last part: the commonest first. Their
/// distance is 0.
pub fn compounds<L: Lookups + ?Sized>(
    plan: &Plan,
    analyser: &Analyser,
    facts: &PlanFacts,
    lookups: &mut L,
) -> Result<Vec<Vec<CountedTerm>>, L::Error> {
    let mut found = vec![Vec::new(); plan.words.len()];
    if analyser.compounds().is_none() {
        return Ok(found);
    }
    add_longer(plan, facts, lookups, &mut found)?;
    add_last_parts(plan, analyser, facts, lookups, &mut found)?;
    for terms in &mut found {
        terms.sort_unstable_by(|a, b| {
            (Reverse(a.documents), &a.term).cmp(&(Reverse(b.documents), &b.term))
        });
        terms.truncate(COMPOUND_TERMS_MAX);
    }
    Ok(found)
}

/// Adds the stems that end with that of a word and start with another word.
fn add_longer<L: Lookups + ?Sized>(
    plan: &Plan,
    facts: &PlanFacts,
    lookups: &mut L,
    found: &mut [Vec<CountedTerm>],
) -> Result<(), L::Error> {
    let words = plan.words.iter().zip(&facts.words).enumerate();
    let splits = words.flat_map(|(at, (word, facts))| longer(at, word, facts));
    let (splits, first_parts): (Vec<(usize, Arc<str>)>, Vec<String>) = splits
        .map(|split| ((split.word, split.stem), split.first_part))
        .unzip();
    if splits.is_empty() {
        return Ok(());
    }
    let batch = LookupBatch {
        first_parts,
        ..LookupBatch::default()
    };
    let results = lookups.look_up(&batch)?;
    let known = splits.into_iter().zip(results.first_parts);
    let known = known.filter(|(_, known)| *known).map(|(split, _)| split);
    let (words, counts): (Vec<usize>, Vec<DocumentSet>) = known
        .map(|(word, stem)| (word, DocumentSet::Stem(stem)))
        .unzip();
    if words.is_empty() {
        return Ok(());
    }
    let batch = LookupBatch {
        counts,
        ..LookupBatch::default()
    };
    let results = lookups.look_up(&batch)?;
    for ((word, count), documents) in words.into_iter().zip(batch.counts).zip(results.counts) {
        if let DocumentSet::Stem(term) = count {
            add(&mut found[word], term, documents);
        }
    }
    Ok(())
}

/// Returns how the stems that end with that of word number `at` may be split.
fn longer<'a>(
    at: usize,
    word: &'a PlanWord,
    facts: &'a WordFacts,
) -> impl Iterator<Item = Split> + 'a {
    facts.endings.iter().filter_map(move |stem| {
        let first_part = stem.strip_suffix(word.stem.as_str())?;
        Some(Split {
            word: at,
            first_part: first_part.to_owned(),
            stem: Arc::clone(stem),
        })
    })
}

/// Adds the longest last part that is common enough and follows a word, to words without anything longer that do not
/// exist.
fn add_last_parts<L: Lookups + ?Sized>(
    plan: &Plan,
    analyser: &Analyser,
    facts: &PlanFacts,
    lookups: &mut L,
    found: &mut [Vec<CountedTerm>],
) -> Result<(), L::Error> {
    let words = plan.words.iter().zip(&facts.words).enumerate();
    let wanted = words.filter(|(at, (word, facts))| {
        word.compound && facts.documents == 0 && found[*at].is_empty()
    });
    let splits: Vec<Split> = wanted
        .flat_map(|(at, (word, _))| last_parts(at, word, analyser))
        .collect();
    if splits.is_empty() {
        return Ok(());
    }
    let stems = splits
        .iter()
        .map(|split| DocumentSet::Stem(Arc::clone(&split.stem)));
    let batch = LookupBatch {
        counts: stems.collect(),
        first_parts: splits
            .iter()
            .map(|split| split.first_part.clone())
            .collect(),
        ..LookupBatch::default()
    };
    let results = lookups.look_up(&batch)?;
    let least = if facts.documents < SMALL_INDEX {
        1
    } else {
        LAST_PART_DOCUMENTS_MIN
    };
    let results = results.counts.into_iter().zip(results.first_parts);
    for (split, (documents, known)) in splits.into_iter().zip(results) {
        if known && documents >= least && found[split.word].is_empty() {
            add(&mut found[split.word], split.stem, documents);
        }
    }
    Ok(())
}

/// Returns the splits of word number `at`, the longest last part first.
fn last_parts<'a>(
    at: usize,
    word: &'a PlanWord,
    analyser: &'a Analyser,
) -> impl Iterator<Item = Split> + 'a {
    let folded = word.folded.as_str();
    let cuts = folded.char_indices().skip(FIRST_PART_CHARACTERS_MIN);
    let parts = cuts.map(move |(cut, _)| folded.split_at(cut));
    let parts =
        parts.take_while(|(_, last)| last.chars().nth(LAST_PART_CHARACTERS_MIN - 1).is_some());
    parts.map(move |(first, last)| Split {
        word: at,
        first_part: first.to_owned(),
        stem: analyser.stem(last).into(),
    })
}

fn add(found: &mut Vec<CountedTerm>, term: Arc<str>, documents: u64) {
    if documents > 0 {
        found.push(CountedTerm {
            term,
            distance: 0,
            documents,
        });
    }
}
