//! One clause of a word: what a document must contain, what it scores then, and how the match is shown.

use crate::breakdown::WordMatchKind;
use crate::meaning::WordMeaning;
use crate::scoring::prefix;
use domain::relevance::field::FieldId;
use std::sync::Arc;

/// A way in which a word matches documents.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    /// What a document must contain, and what it scores then.
    pub term: ClauseTerm,
    /// How the word matches.
    pub kind: WordMatchKind,
    /// Edit distance between the word and what matches.
    pub distance: u32,
    /// The text that is shown as matched, unless the document spells it in another form.
    pub matched: Arc<str>,
    /// Number of the alternative of the word that the clause belongs to: the terms of its meaning, then its synonyms. None
    /// for the word itself, for longer words and for codes.
    pub alternative: Option<usize>,
    /// Whether a document that matches counts as containing the word exactly, for coordination and phrase.
    pub covers: bool,
    /// Whether a document that matches is found whatever the minimum should match is.
    pub admits: bool,
}

/// What a document must contain to match a clause, and what it scores then.
#[derive(Clone, Debug, PartialEq)]
pub enum ClauseTerm {
    /// A term in any searched text field.
    Text(TextTerm),
    /// A longer word in the name.
    Longer(LongerTerm),
    /// A code in a field of codes.
    Code(CodeTerm),
}

/// A term in the [searched text fields](super::WordClauses::texts).
///
/// In each of them it scores its weight, times the [unit](super::TextField::unit) of the field, times the
/// [BM25 weight](crate::scoring::frequency) of its occurrences. A phrase occurs once in a field.
#[derive(Clone, Debug, PartialEq)]
pub struct TextTerm {
    /// What the field must contain.
    pub find: TextMatch,
    /// The weight of the match, where the word itself has 1.
    pub weight: f64,
}

/// What a text field must contain.
#[derive(Clone, Debug, PartialEq)]
pub enum TextMatch {
    /// This stem, in any surface form.
    Stem(Arc<str>),
    /// This surface form. Its clause follows that of its stem, which every occurrence of the form matches too.
    Form(Arc<str>),
    /// A surface form with accents that is this one without them. Its clause follows that of its stem too.
    AccentedForm(Arc<str>),
    /// All words of the synonym with this number in the plan; adjacent, in fields that
    /// [have positions](crate::plan::has_positions).
    Phrase(usize),
}

/// A longer word in the name; of several ones, the one that scores most counts.
#[derive(Clone, Debug, PartialEq)]
pub struct LongerTerm {
    /// The word that it starts with or contains, without accents, not stemmed.
    pub word: Arc<str>,
    /// Its field, which says which of the two: the one of prefixes or the one of substrings.
    pub field: FieldId,
    /// What it scores by its length.
    pub weight: LongerWeight,
}

/// A code in one field.
#[derive(Clone, Debug, PartialEq)]
pub struct CodeTerm {
    /// The field.
    pub field: FieldId,
    /// Number of the code in the plan.
    pub code: usize,
    /// How the code of the document matches it.
    pub by: CodeMatch,
    /// What it scores, whatever the length of the field.
    pub score: f64,
}

/// How a code of a document matches a code of the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeMatch {
    /// They are equal.
    Whole,
    /// It is the fuzzy code with this number in the meaning of the code.
    Fuzzy(usize),
    /// It contains the code of the plan.
    Substring,
}

/// What a longer word scores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LongerWeight {
    /// What the word itself would score.
    pub(super) unit: f64,
    /// Number of its characters.
    pub(super) characters: usize,
    /// Whether it exists in the index.
    pub(super) exists: bool,
}

impl LongerWeight {
    /// Returns the score of a longer word of so many characters.
    pub fn score(self, characters: usize) -> f64 {
        self.unit * prefix(self.characters, characters, self.exists)
    }
}

/// Returns the field as which `field` counts, where the best match in a field counts and where the words of one field are
/// counted: prefixes and substrings of words of the name count as the name.
pub fn counts_as(field: FieldId) -> FieldId {
    match field {
        FieldId::AUTOCOMPLETE | FieldId::PARTIAL => FieldId::NAME,
        own => own,
    }
}

/// Whether a document with a match of this `kind`, at this edit distance, counts as containing the word exactly: with a
/// typo only if it is among the nearest and the word itself does not exist.
pub(super) fn covers(word: &WordMeaning, kind: WordMatchKind, distance: u32) -> bool {
    match kind {
        WordMatchKind::Exact
        | WordMatchKind::Split
        | WordMatchKind::Joined
        | WordMatchKind::Synonym => true,
        WordMatchKind::Typo => word.substitute_distance == Some(distance),
        WordMatchKind::Prefix | WordMatchKind::Partial => false,
    }
}
