//! The posting lists of a word in the texts of one segment: of its stem, its surface form and its alternatives.

use super::alternatives::WordAlternative;
use super::clauses::{FieldPostings, ScoringPostings, Weight};
use super::segment_plan::{SegmentPlan, SegmentWord};
use crate::EngineError;
use crate::embedded::expand::synonyms::SynonymPostings;
use crate::embedded::postings::posting_sources::PostingSource;
use crate::embedded::postings::term_postings::{TermPostings, Weighing};
use crate::embedded::write::document_terms::{SURFACE_FORM_MARK, UNMARKED_FORM_MARK};
use query::clauses::{Clause, ClauseTerm, TextMatch, TextTerm};
use std::sync::Arc;

/// Alternatives of a word whose lists are essential: each costs a list in every field.
const ESSENTIAL_ALTERNATIVES_MAX: usize = 4;

/// A term of a text clause.
#[derive(Clone, Copy)]
struct WeightedTerm<'a> {
    /// Index of the clause.
    clause: usize,
    term: &'a str,
    /// The mark of a surface form; unused of a stem.
    mark: char,
    weight: f64,
}

/// What a posting list of a term is to the others.
#[derive(Clone, Copy, Debug, Default)]
struct ListKind {
    /// See [`ScoringPostings::is_within`].
    is_within: bool,
    /// See [`ScoringPostings::is_same_word`].
    is_same_word: bool,
}

impl WeightedTerm<'_> {
    /// Returns the term of a surface form in the index.
    fn marked(&self) -> String {
        format!("{}{}", self.mark, self.term)
    }
}

/// Returns the surface form that `clause`, with this index, finds.
fn form(at: usize, clause: &Clause) -> Option<WeightedTerm<'_>> {
    let ClauseTerm::Text(TextTerm { find, weight }) = &clause.term else {
        return None;
    };
    let (term, mark) = match find {
        TextMatch::Form(form) => (form, SURFACE_FORM_MARK),
        TextMatch::AccentedForm(form) => (form, UNMARKED_FORM_MARK),
        TextMatch::Stem(_) | TextMatch::Phrase(_) => return None,
    };
    Some(WeightedTerm {
        clause: at,
        term,
        mark,
        weight: *weight,
    })
}

impl SegmentPlan<'_> {
    /// Returns the fuzzy terms in the segment that replace a word that does not exist, and the synonyms.
    pub fn essential(&self, word: SegmentWord<'_>) -> Vec<usize> {
        let meaning = &word.resolved.meaning;
        let terms = word.resolved.terms_in(self.at);
        let undamped = terms.filter(|(_, term, _)| !term.is_damped);
        let synonyms = meaning.terms.len()..meaning.alternatives();
        undamped
            .map(|(number, _, _)| number)
            .take(ESSENTIAL_ALTERNATIVES_MAX)
            .chain(synonyms)
            .collect()
    }

    /// Returns the other fuzzy terms in the segment.
    pub fn non_essential<'a>(
        &self,
        word: SegmentWord<'a>,
        essential: &[usize],
    ) -> Vec<WordAlternative<'a>> {
        let clauses = word.clauses.clauses.iter().enumerate();
        let own = clauses.filter_map(|(at, clause)| {
            let number = (clause.alternative).filter(|number| !essential.contains(number))?;
            word.resolved.terms.get(number)?[self.at].as_ref()?;
            WordAlternative::new(word.clauses, at)
        });
        own.collect()
    }

    /// Returns the documents that match a clause in any text; none if the segment has none.
    pub fn anywhere(&self, word: SegmentWord<'_>, clause: &Clause) -> Option<PostingSource> {
        let stems = self.segment.stems();
        let of_stem = |info| PostingSource::new(stems, info);
        let Some(number) = clause.alternative else {
            return word.resolved.stems[self.at].as_ref().map(of_stem);
        };
        if let Some(postings) = word.resolved.terms.get(number) {
            return postings[self.at].as_ref().map(of_stem);
        }
        let synonym = word.resolved.meaning.synonyms[number - word.resolved.terms.len()];
        match &self.resolved.synonyms[synonym].segments[self.at] {
            SynonymPostings::Word(info) => info.as_ref().map(of_stem),
            SynonymPostings::Words(_, all) if all.is_empty() => None,
            SynonymPostings::Words(_, all) => Some(PostingSource::Documents(Arc::clone(all))),
        }
    }

    /// Returns the searched text fields with the lists of the word and of its essential alternatives.
    pub fn text_groups(
        &self,
        word: SegmentWord<'_>,
        essential: &[usize],
    ) -> Result<Vec<FieldPostings>, EngineError> {
        let texts = word.clauses.texts.iter();
        let groups = texts.map(|text| FieldPostings {
            field: text.field,
            unit: text.unit,
            lists: Vec::new(),
        });
        let mut groups: Vec<FieldPostings> = groups.collect();
        for (at, clause) in word.clauses.clauses.iter().enumerate() {
            let ClauseTerm::Text(TextTerm { find, weight }) = &clause.term else {
                continue;
            };
            let is_essential =
                (clause.alternative).is_none_or(|number| essential.contains(&number));
            if !is_essential || self.anywhere(word, clause).is_none() {
                continue;
            }
            match find {
                TextMatch::Stem(stem) => {
                    let stem = WeightedTerm {
                        clause: at,
                        term: stem,
                        mark: SURFACE_FORM_MARK,
                        weight: *weight,
                    };
                    let forms = word.clauses.forms_of(at);
                    let forms = (at + 1..).zip(forms).filter_map(|(at, own)| form(at, own));
                    let forms: Vec<WeightedTerm<'_>> = forms.collect();
                    match forms.as_slice() {
                        // Other words of the stem weigh less.
                        forms
                            if !clause.covers
                                && clause.alternative.is_none()
                                && !forms.is_empty() =>
                        {
                            self.add_forms(&mut groups, stem, forms)?;
                        }
                        forms => self.add_term(&mut groups, stem, forms.first().copied())?,
                    }
                }
                // They come with their stem.
                TextMatch::Form(_) | TextMatch::AccentedForm(_) => {}
                TextMatch::Phrase(synonym) => self.add_phrase(&mut groups, *synonym, (at, *weight)),
            }
        }
        Ok(groups)
    }

    /// Adds the lists of a stem, and of one of its surface forms if that has a clause. If the form equals the stem, its own
    /// list only has the documents that contain other forms too. If the form differs and no document contains another one,
    /// the list of the form has all documents of the stem, so the stem is left out.
    fn add_term(
        &self,
        groups: &mut [FieldPostings],
        stem: WeightedTerm<'_>,
        form: Option<WeightedTerm<'_>>,
    ) -> Result<(), EngineError> {
        let stems = self.term_lists(stem.term)?;
        let Some(form) = form else {
            for list in stems.iter() {
                self.add(groups, list, (stem, stem.weight), ListKind::default());
            }
            return Ok(());
        };
        let is_stem = stem.term == form.term;
        let forms = self.term_lists(&form.marked())?;
        for list in stems.iter() {
            let own = forms.iter().find(|form| form.field == list.field);
            let only_form = !is_stem && own.is_some_and(|form| list.is_same(form));
            if !only_form {
                let alone = if is_stem { form.weight } else { stem.weight };
                self.add(groups, list, (stem, alone), ListKind::default());
            }
            if let Some(own) = own {
                let kind = ListKind {
                    is_within: !only_form,
                    ..ListKind::default()
                };
                self.add(groups, own, (form, form.weight), kind);
            }
        }
        Ok(())
    }

    /// Adds the lists of a stem that has other words, and of the `forms` of the word itself. Where the stem is one of these, a
    /// document without other forms contains the word.
    fn add_forms(
        &self,
        groups: &mut [FieldPostings],
        stem: WeightedTerm<'_>,
        forms: &[WeightedTerm<'_>],
    ) -> Result<(), EngineError> {
        let is_stem =
            |form: &&WeightedTerm<'_>| form.mark == SURFACE_FORM_MARK && form.term == stem.term;
        let alone = forms.iter().find(is_stem).map(|form| form.weight);
        let kind = ListKind {
            is_within: false,
            is_same_word: alone.is_some(),
        };
        for list in self.term_lists(stem.term)?.iter() {
            self.add(groups, list, (stem, alone.unwrap_or(stem.weight)), kind);
        }
        let kind = ListKind {
            is_within: true,
            is_same_word: true,
        };
        for form in forms {
            for list in self.term_lists(&form.marked())?.iter() {
                self.add(groups, list, (*form, form.weight), kind);
            }
        }
        Ok(())
    }

    fn term_lists(&self, term: &str) -> Result<Arc<[TermPostings]>, EngineError> {
        let weighing = Weighing {
            averages: &self.texts.averages,
            norms: &self.texts.norms,
        };
        (self.texts.memos[self.at].term_postings).of(self.segment, term, weighing)
    }

    /// Adds a list to the group of its field if the field is searched. `alone` is the weight in documents that contain no
    /// other surface form of the term.
    fn add(
        &self,
        groups: &mut [FieldPostings],
        list: &TermPostings,
        (term, alone): (WeightedTerm<'_>, f64),
        kind: ListKind,
    ) {
        let group = groups.iter_mut().find(|group| group.field == list.field);
        if let (Some(group), Some(reader)) = (group, self.segment.terms(list.field)) {
            let (unit, alone) = (group.unit * term.weight, group.unit * alone);
            group.lists.push(ScoringPostings {
                clause: term.clause,
                field: list.field,
                weight: Weight::ByFrequency {
                    unit,
                    alone,
                    max_score: (unit * list.max_weight).max(alone * list.max_weight_alone),
                },
                is_within: kind.is_within,
                is_same_word: kind.is_same_word,
                source: PostingSource::new(reader, &list.info),
            });
        }
    }

    /// Adds the lists of a synonym of several words, by a clause with this index and weight.
    fn add_phrase(
        &self,
        groups: &mut [FieldPostings],
        synonym: usize,
        (clause, weight): (usize, f64),
    ) {
        let SynonymPostings::Words(lists, _) = &self.resolved.synonyms[synonym].segments[self.at]
        else {
            return;
        };
        for list in &lists.by_field {
            let own = groups.iter_mut().find(|group| group.field == list.field);
            if let Some(group) = own {
                // Several words count once; the shorter a field is, the more they weigh in it.
                let peak = self.texts.norms[list.field.index()].weight(1, list.shortest);
                group.lists.push(ScoringPostings {
                    clause,
                    field: list.field,
                    weight: Weight::uniform(group.unit * weight, peak),
                    is_within: false,
                    is_same_word: false,
                    source: PostingSource::Documents(Arc::clone(&list.documents)),
                });
            }
        }
    }
}
