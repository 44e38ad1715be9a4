//! What the first batch says about a plan: how often its words, codes and synonyms occur, and what is near them.

use super::lookups::{
    CountedTerm, DocumentSet, FormsBy, FormsLookup, FuzzyLookup, LookupBatch, LookupResults,
    Lookups, keep_nearest,
};
use crate::analysis::Analyser;
use crate::plan::Plan;
use domain::relevance::field::FieldId;
use std::sync::Arc;

/// What was looked up about a plan.
pub struct PlanFacts {
    /// Documents of the index.
    pub documents: u64,
    /// The words, in the order of the plan.
    pub words: Vec<WordFacts>,
    /// The codes, in the order of the plan.
    pub codes: Vec<CodeFacts>,
    /// Documents with each synonym, in the order of the plan.
    pub synonyms: Vec<u64>,
}

/// What was looked up about a word.
#[derive(Default)]
pub struct WordFacts {
    /// Documents that contain it, as a word or by a code.
    pub documents: u64,
    /// Its fuzzy terms: the nearest first, then the commonest, then in lexicographic order.
    pub fuzzy: Vec<CountedTerm>,
    /// The longer stems that end with its stem.
    pub endings: Vec<Arc<str>>,
    /// Which forms are the word itself, where documents contain these and other words of its stem.
    pub same_word: Option<FormsBy>,
}

/// What was looked up about a code.
#[derive(Default)]
pub struct CodeFacts {
    /// Documents that have it.
    pub documents: u64,
    /// Whether a searched field has it; only asked for lists of codes.
    pub is_listed: bool,
    /// The codes at edit distance 1, by field: the commonest first, then in lexicographic order.
    pub fuzzy: Vec<(FieldId, CountedTerm)>,
    /// Documents that have it as a substring of a code.
    pub substring_documents: u64,
}

impl CodeFacts {
    /// Returns the number of documents of the commonest fuzzy match.
    pub fn fuzzy_documents(&self) -> u64 {
        let documents = self.fuzzy.iter().map(|(_, near)| near.documents);
        documents.max().unwrap_or(0)
    }
}

impl PlanFacts {
    /// Looks up `plan`.
    pub fn look_up<L: Lookups + ?Sized>(
        plan: &Plan,
        analyser: &Analyser,
        lookups: &mut L,
    ) -> Result<Self, L::Error> {
        let batch = first_batch(plan, analyser);
        let results = lookups.look_up(&batch)?;
        let mut facts = Self {
            documents: 0,
            words: plan.words.iter().map(|_| WordFacts::default()).collect(),
            codes: plan.codes.iter().map(|_| CodeFacts::default()).collect(),
            synonyms: vec![0; plan.synonyms.len()],
        };
        facts.add(&batch, results);
        Ok(facts)
    }

    /// Adds the results of the first batch; what an engine leaves out counts as nothing found.
    fn add(&mut self, batch: &LookupBatch, results: LookupResults) {
        for (count, documents) in batch.counts.iter().zip(results.counts) {
            match count {
                DocumentSet::All => self.documents = documents,
                DocumentSet::Word(at) => self.words[*at].documents = documents,
                DocumentSet::Code(at) => self.codes[*at].documents = documents,
                DocumentSet::SearchedCode(at) => self.codes[*at].is_listed = documents > 0,
                DocumentSet::CodeSubstring(at) => self.codes[*at].substring_documents = documents,
                DocumentSet::Synonym(at) => self.synonyms[*at] = documents,
                // These depend on the first batch.
                DocumentSet::Stem(_) | DocumentSet::LongerWords(_) => {}
            }
        }
        for (lookup, mut found) in batch.fuzzy.iter().zip(results.fuzzy) {
            keep_nearest(&mut found, CountedTerm::nearness);
            match *lookup {
                FuzzyLookup::Word(at) => self.words[at].fuzzy = found,
                FuzzyLookup::Code(at, field) => {
                    let found = found.into_iter().map(|term| (field, term));
                    self.codes[at].fuzzy.extend(found);
                }
            }
        }
        for (at, found) in batch.endings.iter().zip(results.endings) {
            self.words[*at].endings = found;
        }
        let mut is_known = vec![false; self.words.len()];
        for (lookup, found) in batch.forms.iter().zip(results.forms) {
            // The writing as typed comes first, and decides where any document has it.
            if found.same && !std::mem::replace(&mut is_known[lookup.word], true) {
                self.words[lookup.word].same_word = found.others.then_some(lookup.by);
            }
        }
    }
}

/// Everything that depends on the plan alone.
fn first_batch(plan: &Plan, analyser: &Analyser) -> LookupBatch {
    let parts = plan.words.len() + plan.codes.len();
    let mut batch = LookupBatch {
        counts: Vec::with_capacity(1 + 2 * parts + plan.synonyms.len()),
        fuzzy: Vec::with_capacity(plan.words.len() + FieldId::codes().count() * plan.codes.len()),
        ..LookupBatch::default()
    };
    batch.counts.push(DocumentSet::All);
    for (at, code) in plan.codes.iter().enumerate() {
        batch.counts.push(DocumentSet::Code(at));
        if plan.listed {
            batch.counts.push(DocumentSet::SearchedCode(at));
        }
        if code.substring {
            batch.counts.push(DocumentSet::CodeSubstring(at));
        }
        if code.typo {
            let searched = FieldId::codes().filter(|field| plan.searches(*field));
            let fuzzy = searched.map(|field| FuzzyLookup::Code(at, field));
            batch.fuzzy.extend(fuzzy);
        }
    }
    let synonyms = 0..plan.synonyms.len();
    batch.counts.extend(synonyms.map(DocumentSet::Synonym));
    let has_compounds = analyser.compounds().is_some();
    for (at, word) in plan.words.iter().enumerate() {
        batch.counts.push(DocumentSet::Word(at));
        if word.typos > 0 {
            batch.fuzzy.push(FuzzyLookup::Word(at));
        }
        if has_compounds && word.compound {
            batch.endings.push(at);
        }
        if word.same_word.is_some() {
            let is_marked = word.form != word.folded;
            let by = [FormsBy::Writing].into_iter().filter(|_| is_marked);
            let lookups = by.chain([FormsBy::Folding]);
            batch
                .forms
                .extend(lookups.map(|by| FormsLookup { word: at, by }));
        }
    }
    batch
}
