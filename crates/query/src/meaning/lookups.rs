//! What the meaning of a plan depends on in an index: batches of look-ups, and their results.
//!
//! A batch depends on the results of those before it and on nothing else, so an engine over a network sends each in
//! one request.

use crate::plan::{Plan, PlanWord};
use crate::scoring::{
    FUZZY_TERMS_MAX, PREFIX_CHARACTERS_MAX, PREFIX_CHARACTERS_MIN, SUBSTRING_CHARACTERS_MAX,
    SUBSTRING_CHARACTERS_MIN,
};
use domain::relevance::field::FieldId;
use std::cmp::Reverse;
use std::sync::Arc;

/// An index in which the words and codes of one plan are looked up. Deleted documents are in none of its results.
pub trait Lookups {
    /// The error of an index that cannot be read.
    type Error;

    /// Returns one result for every entry of `batch`, in the same order.
    ///
    /// An engine that needs a request for each batch may keep what it received: a stem that it returned is counted in a
    /// later batch.
    ///
    /// Errors: when the index cannot be read.
    fn look_up(&mut self, batch: &LookupBatch) -> Result<LookupResults, Self::Error>;
}

/// What is looked up at once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LookupBatch {
    /// Sets of documents to count.
    pub counts: Vec<DocumentSet>,
    /// Fuzzy terms to find.
    pub fuzzy: Vec<FuzzyLookup>,
    /// Numbers of words in the plan whose stem ends other stems.
    pub endings: Vec<usize>,
    /// First parts of compounds, folded, that may be words of the index.
    pub first_parts: Vec<String>,
    /// Words of the plan whose stem may have other words.
    pub forms: Vec<FormsLookup>,
}

/// A word whose forms are told from other words of its stem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormsLookup {
    /// Number of the word in the plan.
    pub word: usize,
    /// Which of its forms are the word itself.
    pub by: FormsBy,
}

/// Which surface forms are a word itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormsBy {
    /// Those that are [written](crate::analysis::SameWord::written) so.
    Writing,
    /// All writings, with and without accents, of those that are [folded](crate::analysis::SameWord::folded) so.
    Folding,
}

/// What live documents contain of the stem of a word, in any text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FormsFound {
    /// Whether any contains a form of the word itself.
    pub same: bool,
    /// Whether any contains another form.
    pub others: bool,
}

impl LookupBatch {
    /// Whether it asks for nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A set of documents. Words, codes and synonyms are given by their numbers in the plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DocumentSet {
    /// All documents.
    All,
    /// Documents that contain the stem of a word in any text, or that have, in any field, a code that covers the word.
    Word(usize),
    /// Documents that contain a stem in any text.
    Stem(Arc<str>),
    /// Documents whose name contains a longer word that starts with the word, if [`matches_prefixes`], or that contains it,
    /// if [`matches_substrings`].
    LongerWords(usize),
    /// Documents that contain all words of a synonym in their texts.
    Synonym(usize),
    /// Documents that have a code in any field, searched or not.
    Code(usize),
    /// Documents that have a code in a searched field.
    SearchedCode(usize),
    /// Documents that have, in a searched field, a code that contains this one.
    CodeSubstring(usize),
}

/// A word or code of which fuzzy terms are looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FuzzyLookup {
    /// The stems of the index within the edit distance of a word, see [`PlanWord::typos`].
    Word(usize),
    /// The codes of one field at edit distance 1 from a code, see [`crate::plan::PlanCode::tolerant_forms`].
    Code(usize, FieldId),
}

/// The results of a batch, in its order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LookupResults {
    /// Number of documents in each set.
    pub counts: Vec<u64>,
    /// The fuzzy terms that some document contains, in any order, or at least those that [`keep_nearest`] keeps.
    pub fuzzy: Vec<Vec<CountedTerm>>,
    /// The stems that end with the stem of each word and are longer, each once, in any order.
    pub endings: Vec<Vec<Arc<str>>>,
    /// Whether each first part, with or without a linking element, is a word that some document contains, see
    /// [`crate::Analyser::first_part_stems`].
    pub first_parts: Vec<bool>,
    /// What documents contain of the stem of each word.
    pub forms: Vec<FormsFound>,
}

/// A term of the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedTerm {
    /// The term.
    pub term: Arc<str>,
    /// Edit distance between it and what was looked up.
    pub distance: u32,
    /// Number of documents that contain it.
    pub documents: u64,
}

/// The order of fuzzy terms: the nearest first, then the commonest, then in lexicographic order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Nearness<'a> {
    distance: u32,
    documents: Reverse<u64>,
    term: &'a str,
}

impl<'a> Nearness<'a> {
    /// Returns the key of a `term` at this edit distance, which so many `documents` contain.
    pub fn new(distance: u32, documents: u64, term: &'a str) -> Self {
        Self {
            distance,
            documents: Reverse(documents),
            term,
        }
    }
}

impl CountedTerm {
    /// Returns its key in the order of fuzzy terms.
    pub fn nearness(&self) -> Nearness<'_> {
        Nearness::new(self.distance, self.documents, &self.term)
    }
}

/// Keeps the fuzzy terms that count, in their order. `nearness` is the key of an element.
pub fn keep_nearest<T>(found: &mut Vec<T>, nearness: impl for<'a> Fn(&'a T) -> Nearness<'a>) {
    if found.len() > FUZZY_TERMS_MAX {
        found.select_nth_unstable_by(FUZZY_TERMS_MAX, |a, b| nearness(a).cmp(&nearness(b)));
        found.truncate(FUZZY_TERMS_MAX);
    }
    found.sort_unstable_by(|a, b| nearness(a).cmp(&nearness(b)));
}

/// Whether longer words of a name match `word` as their prefix.
pub fn matches_prefixes(plan: &Plan, word: &PlanWord) -> bool {
    let characters = word.folded.chars().count();
    word.counts
        && plan.searches(FieldId::AUTOCOMPLETE)
        && (PREFIX_CHARACTERS_MIN..=PREFIX_CHARACTERS_MAX).contains(&characters)
}

/// Whether longer words of a name match `word` as their substring.
pub fn matches_substrings(plan: &Plan, word: &PlanWord) -> bool {
    let characters = word.folded.chars().count();
    word.counts
        && plan.searches(FieldId::PARTIAL)
        && (SUBSTRING_CHARACTERS_MIN..=SUBSTRING_CHARACTERS_MAX).contains(&characters)
}
