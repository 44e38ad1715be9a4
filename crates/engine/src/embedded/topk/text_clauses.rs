//! The posting lists of a word in the texts of one segment: of its stem, its surface form and its alternatives.

use super::alternatives::WordAlternative;
use super::clauses::{FieldPostings, ScoringPostings, Weight};
use super::segment_plan::SegmentPlan;
use crate::EngineError;
use crate::embedded::expand::words::ResolvedWord;
use crate::embedded::postings::posting_sources::PostingSource;
use crate::embedded::postings::term_postings::{TermPostings, Weighing};
use crate::embedded::write::document_terms::SURFACE_FORM_MARK;
use domain::relevance::field::FieldId;
use query::breakdown::WordMatchKind;
use query::plan::PlanWord;
use query::scoring::SURFACE_FORM_WEIGHT;
use std::sync::Arc;

/// Alternatives of a word whose lists are essential: each costs a list in every field.
const ESSENTIAL_ALTERNATIVES_MAX: usize = 4;

impl SegmentPlan<'_> {
    /// Returns the fuzzy terms in the segment that replace a word that does not exist, and the synonyms.
    pub fn essential(&self, resolved: &ResolvedWord) -> Vec<usize> {
        let terms = resolved.terms_in(self.at);
        let undamped = terms.filter(|(_, term, _)| !term.is_damped);
        let synonyms = resolved.meaning.terms.len()..resolved.meaning.alternatives();
        undamped
            .map(|(number, _, _)| number)
            .take(ESSENTIAL_ALTERNATIVES_MAX)
            .chain(synonyms)
            .collect()
    }

    /// Returns the other fuzzy terms in the segment.
    pub fn non_essential(
        &self,
        resolved: &ResolvedWord,
        essential: &[usize],
    ) -> Vec<WordAlternative> {
        let terms = resolved.terms_in(self.at);
        let own = terms.filter(|(number, _, _)| !essential.contains(number));
        own.map(|(number, term, _)| WordAlternative::new(number, term))
            .collect()
    }

    /// Returns the searched text fields with the lists of the word and of its essential alternatives.
    pub fn text_groups(
        &self,
        word: &PlanWord,
        resolved: &ResolvedWord,
        (idf, essential): (f64, &[usize]),
    ) -> Result<Vec<FieldPostings>, EngineError> {
        let fields = FieldId::texts().filter(|field| self.plan.searches(*field));
        let of_segment = fields.filter(|field| self.segment.terms(*field).is_some());
        let mut groups: Vec<FieldPostings> = of_segment
            .map(|field| FieldPostings {
                field,
                unit: self.plan.boosts.get(field) * idf,
                lists: Vec::new(),
            })
            .collect();
        if resolved.stems[self.at].is_some() {
            let term_match = |matched, weight| TermMatch {
                weight,
                kind: WordMatchKind::Exact,
                distance: 0,
                matched,
                alternative: None,
            };
            let by = [
                term_match(&word.stem, 1.0),
                term_match(&word.form, SURFACE_FORM_WEIGHT),
            ];
            self.add_word(&mut groups, [&word.stem, &word.form], by)?;
        }
        for number in essential {
            let Some(term) = resolved.meaning.terms.get(*number) else {
                continue;
            };
            let term_match = TermMatch {
                weight: term.weight,
                kind: term.kind(),
                distance: term.distance,
                matched: &term.term,
                alternative: Some(*number),
            };
            for list in self.term_lists(&term.term)?.iter() {
                self.add(&mut groups, list, [term_match; 2], false);
            }
        }
        Ok(groups)
    }

    /// Adds the lists of a stem and of one of its surface forms. If the form equals the stem, its own list only has the
    /// documents that contain other forms too. If the form differs and no document contains another one, the list of
    /// the form has all documents of the stem, so the stem is left out.
    pub fn add_word(
        &self,
        groups: &mut [FieldPostings],
        [stem, form]: [&str; 2],
        [by_stem, by_form]: [TermMatch<'_>; 2],
    ) -> Result<(), EngineError> {
        let is_stem = stem == form;
        let stems = self.term_lists(stem)?;
        let forms = self.term_lists(&format!("{SURFACE_FORM_MARK}{form}"))?;
        for stem in stems.iter() {
            let own = forms.iter().find(|form| form.field == stem.field);
            let only_form = !is_stem && own.is_some_and(|form| stem.is_same(form));
            if !only_form {
                let alone = if is_stem { by_form } else { by_stem };
                self.add(groups, stem, [by_stem, alone], false);
            }
            if let Some(form) = own {
                self.add(groups, form, [by_form; 2], !only_form);
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

    /// Adds a list to the group of its field if the field is searched. `alone` is for documents that contain no other
    /// surface form of the term.
    fn add(
        &self,
        groups: &mut [FieldPostings],
        list: &TermPostings,
        [term_match, alone]: [TermMatch<'_>; 2],
        is_within: bool,
    ) {
        let group = groups.iter_mut().find(|group| group.field == list.field);
        if let (Some(group), Some(reader)) = (group, self.segment.terms(list.field)) {
            let (unit, alone) = (group.unit * term_match.weight, group.unit * alone.weight);
            let weight = Weight::ByFrequency {
                unit,
                alone,
                max_score: (unit * list.max_weight).max(alone * list.max_weight_alone),
            };
            let source = PostingSource::new(reader, &list.info);
            let own = term_match.list(list.field, weight, source);
            group.lists.push(ScoringPostings { is_within, ..own });
        }
    }
}

/// How a word matches a term.
#[derive(Clone, Copy)]
pub struct TermMatch<'a> {
    /// The weight of the match, where the word itself has 1.
    pub weight: f64,
    /// The kind of the match.
    pub kind: WordMatchKind,
    /// Edit distance between the word and the term.
    pub distance: u32,
    /// The text that is shown as matched.
    pub matched: &'a str,
    /// Number of the alternative of the word that the term is.
    pub alternative: Option<usize>,
}

impl TermMatch<'_> {
    /// Returns the posting list of the term in `field`.
    pub fn list(self, field: FieldId, weight: Weight, source: PostingSource) -> ScoringPostings {
        ScoringPostings {
            field,
            weight,
            kind: self.kind,
            distance: self.distance,
            matched: self.matched.into(),
            alternative: self.alternative,
            is_within: false,
            source,
        }
    }
}
