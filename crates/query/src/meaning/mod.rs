//! What a plan means in an index: which terms its words and codes stand for, what each weighs, how rare each word is.
//!
//! It is decided here, without postings, from numbers of documents and lists of terms that an engine looks up
//! (`lookups.rs`); so every engine decides the same. What a match scores in which field is decided by [`crate::clauses`].

mod code;
pub mod code_order;
mod compounds;
mod facts;
pub mod interpretation;
pub mod lookups;
pub mod marks;
pub mod splits;
pub mod typos;
mod word;

pub use code::{CodeMeaning, FuzzyCode};
pub use word::{AlternativeTerm, WordMeaning};

use crate::analysis::Analyser;
use crate::plan::Plan;
use facts::PlanFacts;
use lookups::{DocumentSet, LookupBatch, Lookups, matches_prefixes, matches_substrings};
use word::WordCandidates;

/// A plan with what an index knows about its words and codes.
#[derive(Clone, Debug, PartialEq)]
pub struct Meaning {
    /// Documents of the index.
    pub documents: u64,
    /// The words, in the order of the plan.
    pub words: Vec<WordMeaning>,
    /// The codes, in the order of the plan.
    pub codes: Vec<CodeMeaning>,
    /// Sum of the rarities of the words that count and match anything.
    pub rarity: f64,
}

impl Meaning {
    /// Looks up `plan` by `lookups` in an index whose texts `analyser` analysed.
    ///
    /// One batch is enough for words that exist, and for words whose stand-ins are synonyms or fuzzy terms. Where the
    /// language has compounds, two more say how stems that end with a word are split, and how common these are; another
    /// finds the last parts of words that do not exist. The last one counts longer words, for words that nothing else
    /// stands for.
    ///
    /// Errors: those of `lookups`.
    pub fn of<L: Lookups + ?Sized>(
        plan: &Plan,
        analyser: &Analyser,
        lookups: &mut L,
    ) -> Result<Self, L::Error> {
        let mut facts = PlanFacts::look_up(plan, analyser, lookups)?;
        let mut candidates = Vec::with_capacity(plan.words.len());
        for (at, mut terms) in (0..).zip(compounds::compounds(plan, analyser, &facts, lookups)?) {
            terms.append(&mut facts.words[at].fuzzy);
            candidates.push(WordCandidates::new(plan, at, &facts, terms));
        }
        let longer = longer_words(plan, &candidates, lookups)?;
        let words = plan.words.iter().zip(candidates).zip(longer);
        let words = words.map(|((word, own), longer)| own.meaning(word, facts.documents, longer));
        let words: Vec<WordMeaning> = words.collect();
        let codes = plan.codes.iter().zip(facts.codes);
        Ok(Self {
            documents: facts.documents,
            codes: codes
                .map(|(code, facts)| CodeMeaning::new(code, facts, &words))
                .collect(),
            rarity: (words.iter().zip(&plan.words))
                .filter(|(_, word)| word.counts)
                .filter_map(|(own, _)| own.idf)
                .sum(),
            words,
        })
    }
}

/// Counts, for every word, the names with a longer word; 0 where it does not matter.
fn longer_words<L: Lookups + ?Sized>(
    plan: &Plan,
    candidates: &[WordCandidates],
    lookups: &mut L,
) -> Result<Vec<u64>, L::Error> {
    let mut documents = vec![0; plan.words.len()];
    let words = plan.words.iter().zip(candidates).enumerate();
    let wanted = words.filter(|(_, (word, own))| {
        own.needs_longer_words() && (matches_prefixes(plan, word) || matches_substrings(plan, word))
    });
    let wanted: Vec<usize> = wanted.map(|(at, _)| at).collect();
    if wanted.is_empty() {
        return Ok(documents);
    }
    let batch = LookupBatch {
        counts: wanted
            .iter()
            .copied()
            .map(DocumentSet::LongerWords)
            .collect(),
        ..LookupBatch::default()
    };
    let results = lookups.look_up(&batch)?;
    for (at, found) in wanted.into_iter().zip(results.counts) {
        documents[at] = found;
    }
    Ok(documents)
}

#[cfg(test)]
pub(crate) mod fake_index;
#[cfg(test)]
mod tests;
