//! The clauses of one word: the word itself, what may replace it, longer words, and the codes that it belongs to.

use super::clause::{Clause, ClauseTerm, LongerTerm, LongerWeight, TextMatch, TextTerm, covers};
use super::codes;
use crate::analysis::SameWord;
use crate::breakdown::WordMatchKind;
use crate::meaning::lookups::{FormsBy, matches_prefixes, matches_substrings};
use crate::meaning::{Meaning, WordMeaning};
use crate::plan::{Plan, PlanSynonym, PlanWord, SynonymWord};
use crate::scoring::{OTHER_WORD_WEIGHT, STOP_WORD_WEIGHT, SURFACE_FORM_WEIGHT, SYNONYM_WEIGHT};
use domain::relevance::field::FieldId;
use std::sync::Arc;

/// Clauses of a common word that has no alternatives, for which room is reserved: its stem, its form, a prefix and codes.
const COMMON_CLAUSES: usize = 18;

/// The clauses of a word.
///
/// In each field the best clause counts, where prefixes and substrings of the name [count as](super::counts_as) the name;
/// the word scores what [`word`](crate::scoring::word) makes of its fields.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WordClauses {
    /// The rarity of the word, for coordination; 0 for a stop word, and if nothing in the index matches the word, which then
    /// has no clauses.
    pub rarity: f64,
    /// Whether it counts for minimum match.
    pub counts: bool,
    /// The searched text fields, in their order.
    pub texts: Vec<TextField>,
    /// The clauses: of the word itself, of its alternatives, of longer words, and of codes by field.
    pub clauses: Vec<Clause>,
}

/// A text field in which a word is searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextField {
    /// The field.
    pub field: FieldId,
    /// What a match of the word itself scores there, times the weight of its occurrences.
    pub unit: f64,
}

/// What the clauses of the word itself, or of one of its alternatives, have in common.
#[derive(Clone, Copy)]
struct Replacement {
    kind: WordMatchKind,
    distance: u32,
    alternative: Option<usize>,
    covers: bool,
    /// The weight of the stem, or of the phrase.
    weight: f64,
}

impl WordClauses {
    /// Returns the clauses of word number `at`.
    pub(super) fn of(plan: &Plan, meaning: &Meaning, at: usize) -> Self {
        let (word, own) = (&plan.words[at], &meaning.words[at]);
        let weight = match word.counts {
            true => own.idf,
            false => own.idf.map(|_| STOP_WORD_WEIGHT * meaning.rarity),
        };
        let Some(weight) = weight.filter(|weight| *weight > 0.0) else {
            return Self {
                counts: word.counts,
                ..Self::default()
            };
        };
        let texts = FieldId::texts().filter(|field| plan.searches(*field));
        let texts = texts.map(|field| TextField {
            field,
            unit: plan.boosts.get(field) * weight,
        });
        let mut clauses = Vec::with_capacity(own.alternatives() + COMMON_CLAUSES);
        add_terms(word, own, &mut clauses);
        add_synonyms(plan, own, &mut clauses);
        add_longer(plan, word, own, &mut clauses);
        codes::add(plan, meaning, at, &mut clauses);
        Self {
            rarity: if word.counts { weight } else { 0.0 },
            counts: word.counts,
            texts: texts.collect(),
            clauses,
        }
    }

    /// Returns the clauses of the surface forms that belong to the stem of clause number `at`.
    pub fn forms_of(&self, at: usize) -> &[Clause] {
        let following = &self.clauses[at + 1..];
        let is_form = |clause: &Clause| match &clause.term {
            ClauseTerm::Text(text) => {
                matches!(text.find, TextMatch::Form(_) | TextMatch::AccentedForm(_))
            }
            ClauseTerm::Longer(_) | ClauseTerm::Code(_) => false,
        };
        let end = following.iter().position(|clause| !is_form(clause));
        &following[..end.unwrap_or(following.len())]
    }
}

/// Adds the clauses of the word itself and of the terms that may replace it.
fn add_terms(word: &PlanWord, own: &WordMeaning, clauses: &mut Vec<Clause>) {
    let itself = Replacement {
        kind: WordMatchKind::Exact,
        distance: 0,
        alternative: None,
        covers: word.counts,
        weight: 1.0,
    };
    let (stem, form): (Arc<str>, Arc<str>) = (word.stem.as_str().into(), word.form.as_str().into());
    match own.same_word.zip(word.same_word.as_ref()) {
        None => {
            clauses.push(itself.stem(&stem, &stem));
            clauses.push(itself.form(&form, &form));
        }
        Some((by, same)) => add_forms(itself, by, same, [&stem, &form], clauses),
    }
    let terms = own.terms.iter().enumerate().map(|(number, term)| {
        let by_term = Replacement {
            kind: term.kind(),
            distance: term.distance,
            alternative: Some(number),
            covers: covers(own, term.kind(), term.distance),
            weight: term.weight,
        };
        by_term.stem(&term.term, &term.term)
    });
    clauses.extend(terms);
}

/// Adds the clauses of a word whose `stem` has other words too: the `form` as typed, the other forms of the word, and the
/// other words, which do not count as containing it.
fn add_forms(
    itself: Replacement,
    by: FormsBy,
    same: &SameWord,
    [stem, form]: [&Arc<str>; 2],
    clauses: &mut Vec<Clause>,
) {
    let other = Replacement {
        covers: false,
        weight: OTHER_WORD_WEIGHT,
        ..itself
    };
    clauses.push(other.stem(stem, stem));
    clauses.push(itself.form(form, form));
    let forms = match by {
        FormsBy::Writing => &same.written,
        FormsBy::Folding => &same.folded,
    };
    for other_form in forms {
        let text: Arc<str> = other_form.as_str().into();
        if text != *form {
            let find = TextMatch::Form(Arc::clone(&text));
            clauses.push(itself.clause(find, itself.weight, stem));
        }
        if by == FormsBy::Folding {
            clauses.push(itself.clause(TextMatch::AccentedForm(text), itself.weight, stem));
        }
    }
}

/// Adds the clauses of the synonyms of the word.
fn add_synonyms(plan: &Plan, own: &WordMeaning, clauses: &mut Vec<Clause>) {
    for (number, synonym) in (own.terms.len()..).zip(&own.synonyms) {
        let PlanSynonym {
            text, kind, words, ..
        } = &plan.synonyms[*synonym];
        let by_synonym = Replacement {
            kind: *kind,
            distance: 0,
            alternative: Some(number),
            covers: true,
            // Another writing of the word is the word.
            weight: match kind {
                WordMatchKind::Synonym => SYNONYM_WEIGHT,
                _ => 1.0,
            },
        };
        let shown: Arc<str> = text.as_str().into();
        if let [SynonymWord { stem, form, .. }] = words.as_slice() {
            clauses.push(by_synonym.stem(&stem.as_str().into(), &shown));
            clauses.push(by_synonym.form(&form.as_str().into(), &shown));
        } else {
            let phrase = TextMatch::Phrase(*synonym);
            clauses.push(by_synonym.clause(phrase, by_synonym.weight, &shown));
        }
    }
}

/// Adds the clauses of longer words of the name.
fn add_longer(plan: &Plan, word: &PlanWord, own: &WordMeaning, clauses: &mut Vec<Clause>) {
    let (prefixes, substrings) = (matches_prefixes(plan, word), matches_substrings(plan, word));
    if !(prefixes || substrings) {
        return;
    }
    let (characters, rarity) = (word.folded.chars().count(), own.idf.unwrap_or(0.0));
    let folded: Arc<str> = word.folded.as_str().into();
    let longer = |field: FieldId, kind| Clause {
        term: ClauseTerm::Longer(LongerTerm {
            word: Arc::clone(&folded),
            field,
            weight: LongerWeight {
                unit: plan.boosts.get(field) * rarity,
                characters,
                exists: own.exists(),
            },
        }),
        kind,
        distance: 0,
        matched: Arc::clone(&folded),
        alternative: None,
        covers: false,
        admits: false,
    };
    if prefixes {
        clauses.push(longer(FieldId::AUTOCOMPLETE, WordMatchKind::Prefix));
    }
    if substrings {
        clauses.push(longer(FieldId::PARTIAL, WordMatchKind::Partial));
    }
}

impl Replacement {
    fn stem(self, stem: &Arc<str>, matched: &Arc<str>) -> Clause {
        let find = TextMatch::Stem(Arc::clone(stem));
        self.clause(find, self.weight, matched)
    }

    fn form(self, form: &Arc<str>, matched: &Arc<str>) -> Clause {
        let find = TextMatch::Form(Arc::clone(form));
        self.clause(find, self.weight * SURFACE_FORM_WEIGHT, matched)
    }

    fn clause(self, find: TextMatch, weight: f64, matched: &Arc<str>) -> Clause {
        Clause {
            term: ClauseTerm::Text(TextTerm { find, weight }),
            kind: self.kind,
            distance: self.distance,
            matched: Arc::clone(matched),
            alternative: self.alternative,
            covers: self.covers,
            admits: false,
        }
    }
}
