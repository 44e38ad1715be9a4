//! The lists of a word in the texts of one segment: of its stem, its form and what stands for it.

use super::super::term_postings::{TermPostings, Weighing};
use super::alternatives::WordAlternative;
use super::expansion::FuzzyTerm;
use super::posting_sources::{FieldPostings, PostingSource, ScoringPostings, Weight};
use super::resolve::ResolvedWord;
use super::score::SegmentPlan;
use crate::EngineError;
use crate::indexed_document::FORM_MARK;
use domain::relevance::field::FieldId;
use query::breakdown::WordMatchKind;
use query::plan::PlanWord;
use query::scoring::FORM_WEIGHT;
use std::sync::Arc;

/// Alternatives of a word that are looked at like a word that exists: each costs a list in every field.
const LEADING_MAX: usize = 4;

impl SegmentPlan<'_> {
    /// Alternatives in texts that stand for a word that does not exist, as far as the segment has them, and synonyms.
    pub fn leading(&self, resolved: &ResolvedWord) -> Vec<usize> {
        let nearest = resolved.nearest();
        let near = resolved.typos.iter().enumerate();
        let near = near
            .filter(|(_, near)| !resolved.exists() && near.distance == nearest)
            .filter(|(_, near)| near.places[self.at].is_some())
            .map(|(at, _)| at);
        let synonyms = resolved.typos.len()..resolved.alternatives();
        near.take(LEADING_MAX).chain(synonyms).collect()
    }

    /// The alternatives in texts that do not lead, as far as the segment has them.
    pub fn near(
        &self,
        word: &PlanWord,
        resolved: &ResolvedWord,
        leading: &[usize],
    ) -> Vec<WordAlternative> {
        let alternatives = resolved.typos.iter().enumerate();
        let own = alternatives
            .filter(|(number, near)| near.places[self.at].is_some() && !leading.contains(number));
        own.map(|(number, near)| {
            WordAlternative::new(number, near, near_weight(word, resolved, near))
        })
        .collect()
    }

    /// The searched text fields with the lists of the word and of its leading alternatives.
    pub fn text_groups(
        &self,
        word: &PlanWord,
        resolved: &ResolvedWord,
        (idf, leading): (f64, &[usize]),
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
            let met = |matched, weight| TermMatch {
                weight,
                kind: WordMatchKind::Exact,
                distance: 0,
                matched,
                alternative: None,
            };
            let by = [met(&word.stem, 1.0), met(&word.form, FORM_WEIGHT)];
            self.add_word(&mut groups, [&word.stem, &word.form], by)?;
        }
        for number in leading.iter().filter(|at| **at < resolved.typos.len()) {
            let near = &resolved.typos[*number];
            let met = TermMatch {
                weight: near_weight(word, resolved, near),
                kind: near.kind(),
                distance: near.distance,
                matched: &near.term,
                alternative: Some(*number),
            };
            for list in self.term_lists(&near.term)?.iter() {
                self.add(&mut groups, list, [met; 2], false);
            }
        }
        Ok(groups)
    }

    /// Adds the lists of a stem and of a form of it, which are met `by` each. A form that is its stem has a list of its own
    /// for those documents alone that hold other forms too. Where no document holds another form of the stem than one that
    /// is not, the list of that form says everything.
    pub fn add_word(
        &self,
        groups: &mut [FieldPostings],
        [stem, form]: [&str; 2],
        [by_stem, by_form]: [TermMatch<'_>; 2],
    ) -> Result<(), EngineError> {
        let is_stem = stem == form;
        let stems = self.term_lists(stem)?;
        let forms = self.term_lists(&format!("{FORM_MARK}{form}"))?;
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
        (self.segment.term_lists()).of(self.segment, term, weighing)
    }

    /// Adds a list to the group of its field, where that is searched; its documents are met in one way, and those that
    /// hold its term alone in the other.
    fn add(
        &self,
        groups: &mut [FieldPostings],
        list: &TermPostings,
        [met, alone]: [TermMatch<'_>; 2],
        is_within: bool,
    ) {
        let group = groups.iter_mut().find(|group| group.field == list.field);
        if let (Some(group), Some(reader)) = (group, self.segment.terms(list.field)) {
            let (unit, alone) = (group.unit * met.weight, group.unit * alone.weight);
            let weight = Weight::ByFrequency {
                unit,
                alone,
                most: (unit * list.peak).max(alone * list.peak_alone),
            };
            let place = PostingSource::new(reader, &list.info);
            let own = met.list(list.field, weight, place);
            group.lists.push(ScoringPostings { is_within, ..own });
        }
    }
}

/// What an alternative in texts weighs beside the word itself.
fn near_weight(word: &PlanWord, resolved: &ResolvedWord, near: &FuzzyTerm) -> f64 {
    let damped = resolved.exists() || near.distance > resolved.nearest();
    near.weight(word.stem.chars().count(), damped)
}

/// How a word meets a term.
#[derive(Clone, Copy)]
pub struct TermMatch<'a> {
    /// What that weighs beside the word itself.
    pub weight: f64,
    /// How.
    pub kind: WordMatchKind,
    /// Letters between the two.
    pub distance: u32,
    /// What is shown as matched.
    pub matched: &'a str,
    /// Number of the alternative in texts that the term is.
    pub alternative: Option<usize>,
}

impl TermMatch<'_> {
    /// The list of the term that stands in `field` at `place`.
    pub fn list(self, field: FieldId, weight: Weight, place: PostingSource) -> ScoringPostings {
        ScoringPostings {
            field,
            weight,
            kind: self.kind,
            distance: self.distance,
            matched: self.matched.into(),
            alternative: self.alternative,
            is_within: false,
            place,
        }
    }
}
