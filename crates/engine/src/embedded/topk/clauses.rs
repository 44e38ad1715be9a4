//! The clauses of a word in one segment: posting lists by which it matches, and posting lists by which it scores.
//!
//! What the clauses are is decided by `query::clauses`; here they have the posting lists of a segment and upper bounds.
//!
//! The fields of a word are a disjunction of which the best counts (`DisjunctionMaxQuery` of Lucene, with its tie
//! breaker); words are added up.

use crate::embedded::postings::posting_sources::PostingSource;
use domain::relevance::field::FieldId;
use query::clauses::{Clause, ClauseTerm};

/// What a document in a posting list scores.
#[derive(Clone, Copy, Debug)]
pub enum Weight {
    /// BM25: a unit times the weight of term frequency and field length. The unit is `alone` for documents that contain
    /// no other surface form of the term, and `unit` for all others. The score is at most `max_score`.
    ByFrequency {
        unit: f64,
        alone: f64,
        max_score: f64,
    },
    /// A constant score.
    Fixed(f64),
}

impl Weight {
    /// Returns a weight with the same `unit` for all documents, where frequency and length weigh at most `peak`.
    pub fn uniform(unit: f64, peak: f64) -> Self {
        Self::ByFrequency {
            unit,
            alone: unit,
            max_score: unit * peak,
        }
    }

    /// Returns the most that any document scores.
    pub fn max_score(self) -> f64 {
        match self {
            Self::ByFrequency { max_score, .. } => max_score,
            Self::Fixed(score) => score,
        }
    }
}

/// A posting list by which documents score.
pub struct ScoringPostings {
    /// Index of its clause among those of the word.
    pub clause: usize,
    /// The field of the list.
    pub field: FieldId,
    /// What its documents score.
    pub weight: Weight,
    /// Whether all its documents are in another list of the field too, as those of a surface form are in the list of
    /// its stem.
    pub is_within: bool,
    /// Whether it shows which documents contain a word whose stem has other words: the list of one of its forms, or that of
    /// the stem, where a document without other forms contains the word.
    pub is_same_word: bool,
    /// Where the list is stored.
    pub source: PostingSource,
}

/// Which documents of a list count as containing the word exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Covers {
    /// All.
    All,
    /// Those that contain no other surface form of the term.
    Alone,
    /// None.
    None,
}

/// A posting list by which a word matches.
pub struct MatchingPostings {
    /// Number of the field in which it matches, for counting within one field.
    pub group: usize,
    /// Which documents in it count as containing the word exactly.
    pub covers: Covers,
    /// Whether a document in it matches whatever the minimum should match is: it has the code.
    pub admits: bool,
    /// Whether it is a list of a text, not one of a longer word or of a code.
    pub is_text: bool,
    /// Number of the alternative of the word that the term is; none for any other term.
    pub alternative: Option<usize>,
    /// Where the list is stored.
    pub source: PostingSource,
}

impl MatchingPostings {
    /// Returns a list of `clause`, which matches in field number `group`.
    pub fn new(clause: &Clause, group: usize, source: PostingSource) -> Self {
        Self {
            group,
            covers: match clause.covers {
                true => Covers::All,
                false => Covers::None,
            },
            admits: clause.admits,
            is_text: matches!(clause.term, ClauseTerm::Text(_)),
            alternative: clause.alternative,
            source,
        }
    }
}

impl MatchingPostings {
    /// Returns the `list` of `clause`, which matches in field number `group`.
    pub fn of_list(clause: &Clause, group: usize, list: &ScoringPostings) -> Self {
        let own = Self::new(clause, group, list.source.clone());
        match list.is_same_word && !clause.covers {
            true => Self {
                covers: Covers::Alone,
                ..own
            },
            false => own,
        }
    }
}

/// The posting lists of one field. Prefixes and substrings of names count as the name.
pub struct FieldPostings {
    /// The field.
    pub field: FieldId,
    /// What a match of the word itself scores in the field, times frequency; 0 if its texts are not searched.
    pub unit: f64,
    /// The lists.
    pub lists: Vec<ScoringPostings>,
}

/// Returns the group of `field`, which is added if it is missing: that of the name first, others last.
pub fn group_of(groups: &mut Vec<FieldPostings>, field: FieldId) -> &mut FieldPostings {
    let at = match groups.iter().position(|group| group.field == field) {
        Some(at) => at,
        None => {
            let at = if field == FieldId::NAME {
                0
            } else {
                groups.len()
            };
            let (unit, lists) = (0.0, Vec::new());
            groups.insert(at, FieldPostings { field, unit, lists });
            at
        }
    };
    &mut groups[at]
}
