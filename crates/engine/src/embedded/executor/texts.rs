//! The lists of a word in the texts of one segment: of its stem, its form and what stands for it.

use super::super::term_lists::{TermList, Weighing};
use super::expansion::NearTerm;
use super::lists::{Group, Place, ScoreList, Weight};
use super::near::Near;
use super::resolve::ResolvedWord;
use super::score::SegmentPlan;
use crate::EngineError;
use crate::indexed_document::FORM_MARK;
use domain::relevance::field::FieldId;
use query::breakdown::MatchKind;
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
    pub fn near(&self, word: &PlanWord, resolved: &ResolvedWord, leading: &[usize]) -> Vec<Near> {
        let alternatives = resolved.typos.iter().enumerate();
        let own = alternatives
            .filter(|(number, near)| near.places[self.at].is_some() && !leading.contains(number));
        own.map(|(number, near)| Near::new(number, near, near_weight(word, resolved, near)))
            .collect()
    }

    /// The searched text fields with the lists of the word and of its leading alternatives.
    pub fn text_groups(
        &self,
        word: &PlanWord,
        resolved: &ResolvedWord,
        (idf, leading): (f64, &[usize]),
    ) -> Result<Vec<Group>, EngineError> {
        let fields = FieldId::texts().filter(|field| self.plan.searches(*field));
        let of_segment = fields.filter(|field| self.segment.terms(*field).is_some());
        let mut groups: Vec<Group> = of_segment
            .map(|field| Group {
                field,
                unit: self.plan.boosts.get(field) * idf,
                lists: Vec::new(),
            })
            .collect();
        if resolved.stems[self.at].is_some() {
            self.add_word(&mut groups, word)?;
        }
        for number in leading.iter().filter(|at| **at < resolved.typos.len()) {
            let near = &resolved.typos[*number];
            for list in self.term_lists(&near.term)?.iter() {
                let own = Own {
                    weight: near_weight(word, resolved, near),
                    near: Some((*number, near)),
                    ..Own::of(list, &near.term)
                };
                self.add(&mut groups, list, own);
            }
        }
        Ok(groups)
    }

    /// Adds the lists of the stem of a word and of its form. Where no document holds another form of the stem, the list
    /// of the form says everything.
    fn add_word(&self, groups: &mut [Group], word: &PlanWord) -> Result<(), EngineError> {
        let stems = self.term_lists(&word.stem)?;
        let forms = self.term_lists(&format!("{FORM_MARK}{}", word.form))?;
        for stem in stems.iter() {
            let form = forms.iter().find(|form| form.field == stem.field);
            let only_form = form.is_some_and(|form| stem.is_same(form));
            if !only_form {
                self.add(groups, stem, Own::of(stem, &word.stem));
            }
            if let Some(form) = form {
                let own = Own {
                    weight: FORM_WEIGHT,
                    is_within: !only_form,
                    ..Own::of(form, &word.form)
                };
                self.add(groups, form, own);
            }
        }
        Ok(())
    }

    fn term_lists(&self, term: &str) -> Result<Arc<[TermList]>, EngineError> {
        let weighing = Weighing {
            averages: &self.texts.averages,
            norms: &self.texts.norms,
        };
        (self.segment.term_lists()).of(self.segment, term, weighing)
    }

    /// Adds a list to the group of its field, where that is searched.
    fn add(&self, groups: &mut [Group], list: &TermList, own: Own<'_>) {
        let group = groups.iter_mut().find(|group| group.field == list.field);
        if let (Some(group), Some(reader)) = (group, self.segment.terms(list.field)) {
            let place = Place::new(reader, &list.info);
            group.lists.push(own.score_list(group.unit, place));
        }
    }
}

/// What an alternative in texts weighs beside the word itself.
fn near_weight(word: &PlanWord, resolved: &ResolvedWord, near: &NearTerm) -> f64 {
    let damped = resolved.exists() || near.distance > resolved.nearest();
    near.weight(word.stem.chars().count(), damped)
}

/// What is known of a list of a word before its place.
struct Own<'a> {
    field: FieldId,
    peak: f64,
    weight: f64,
    matched: &'a str,
    is_within: bool,
    near: Option<(usize, &'a NearTerm)>,
}

impl<'a> Own<'a> {
    fn of(list: &TermList, matched: &'a str) -> Self {
        Self {
            field: list.field,
            peak: list.peak,
            weight: 1.0,
            matched,
            is_within: false,
            near: None,
        }
    }

    fn score_list(self, unit: f64, place: Place) -> ScoreList {
        let near = self.near.map(|(_, near)| near);
        ScoreList {
            field: self.field,
            weight: Weight::ByFrequency {
                unit: unit * self.weight,
                peak: self.peak,
            },
            kind: near.map_or(MatchKind::Exact, NearTerm::kind),
            distance: near.map_or(0, |near| near.distance),
            matched: self.matched.into(),
            alternative: self.near.map(|(number, _)| number),
            is_within: self.is_within,
            place,
        }
    }
}
