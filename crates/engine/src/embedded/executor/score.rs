//! Builds the lists of one segment for a resolved plan, each with what its documents score.

use super::super::segment::SegmentView;
use super::super::snapshot::Texts;
use super::super::term_lists::{TermList, Weighing};
use super::codes::ResolvedCode;
use super::expansion::NearTerm;
use super::lists::{Group, MatchList, Place, ScoreList, Weight, WordLists};
use super::near::Near;
use super::resolve::{Resolved, ResolvedWord};
use super::synonyms::SynonymsOfWord;
use crate::EngineError;
use crate::indexed_document::FORM_MARK;
use domain::relevance::field::FieldId;
use query::Plan;
use query::analysis::codes::{CASE_MARK, letters};
use query::breakdown::MatchKind;
use query::plan::{PlanCode, PlanWord};
use query::scoring::{CODE_WEIGHT, FORM_WEIGHT, code_part, prefix, typo};
use std::sync::Arc;
use tantivy::postings::TermInfo;

/// Alternatives of a word that are looked at like a word that exists: each costs a list in every field.
const LEADING_MAX: usize = 4;

/// One segment of a resolved plan.
pub struct SegmentPlan<'a> {
    /// What the index holds.
    pub texts: &'a Texts,
    /// The segment.
    pub segment: &'a SegmentView,
    /// Its number.
    pub at: usize,
    /// The plan.
    pub plan: &'a Plan,
    /// What it means in the index.
    pub resolved: &'a Resolved,
}

impl SegmentPlan<'_> {
    /// The lists of every word.
    pub fn word_lists(&self) -> Result<Vec<WordLists>, EngineError> {
        (0..self.plan.words.len())
            .map(|word| self.lists_of(word))
            .collect()
    }

    /// The lists of documents whose code the whole question equals, by field.
    pub fn whole_codes(&self) -> Vec<(FieldId, Place)> {
        let codes = self.plan.codes.iter().zip(&self.resolved.codes);
        let whole = codes.filter(|(code, _)| code.whole);
        whole
            .flat_map(|(_, resolved)| &resolved.exact[self.at])
            .filter(|(field, _)| self.plan.searches(*field))
            .filter_map(|(field, info)| {
                self.segment
                    .terms(*field)
                    .map(|reader| (*field, Place::new(reader, info)))
            })
            .collect()
    }

    fn lists_of(&self, at: usize) -> Result<WordLists, EngineError> {
        let (word, resolved) = (&self.plan.words[at], &self.resolved.words[at]);
        let Some(idf) = resolved.idf else {
            return Ok(WordLists::default());
        };
        let leading = self.leading(resolved);
        let near = self.near(word, resolved, &leading);
        let synonyms = self.synonyms_of(resolved);
        let mut groups = self.text_groups(word, resolved, (idf, &leading))?;
        for group in &mut groups {
            let lists = synonyms.scoring(group.field, group.unit);
            group.lists.extend(lists);
        }
        self.add_longer(word, resolved, idf, &mut groups);
        for field in FieldId::codes().filter(|field| self.plan.searches(*field)) {
            groups.push(Group {
                field,
                unit: 0.0,
                lists: self.code_lists(at, field),
            });
        }
        groups.retain(|group| !group.lists.is_empty() || (group.unit > 0.0 && !near.is_empty()));
        let union = self.plan.across_fields && self.plan.searches_all_texts();
        let matching = if union {
            self.matching_by_union(resolved, &synonyms, &groups)
        } else {
            self.matching_by_field(resolved, &groups, &near)
        };
        Ok(WordLists {
            matching,
            groups,
            leading,
            near,
        })
    }

    /// Alternatives in texts that stand for a word that does not exist, as far as the segment has them, and synonyms.
    fn leading(&self, resolved: &ResolvedWord) -> Vec<usize> {
        let nearest = resolved.nearest();
        let near = resolved.typos.iter().enumerate();
        let near = near
            .filter(|(_, near)| !resolved.exists() && near.distance == nearest)
            .filter(|(_, near)| near.places[self.at].is_some())
            .map(|(at, _)| at);
        let synonyms = resolved.typos.len()..resolved.alternatives();
        near.take(LEADING_MAX).chain(synonyms).collect()
    }

    fn synonyms_of(&self, word: &ResolvedWord) -> SynonymsOfWord<'_> {
        let all = word.synonyms.iter();
        SynonymsOfWord {
            segment: self.segment,
            at: self.at,
            first: word.typos.len(),
            synonyms: all
                .map(|place| (&self.plan.synonyms[*place], &self.resolved.synonyms[*place]))
                .collect(),
        }
    }

    /// The alternatives in texts that do not lead, as far as the segment has them.
    fn near(&self, word: &PlanWord, resolved: &ResolvedWord, leading: &[usize]) -> Vec<Near> {
        let alternatives = resolved.typos.iter().enumerate();
        let own = alternatives
            .filter(|(number, near)| near.places[self.at].is_some() && !leading.contains(number));
        own.map(|(number, near)| Near::new(number, near, near_weight(word, resolved, near)))
            .collect()
    }

    /// The searched text fields with the lists of the word and of its leading alternatives.
    fn text_groups(
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
            let form = format!("{FORM_MARK}{}", word.form);
            self.add_term(&mut groups, &word.stem, |list| Own {
                weight: 1.0,
                ..Own::of(list, &word.stem)
            })?;
            self.add_term(&mut groups, &form, |list| Own {
                weight: FORM_WEIGHT,
                is_within: true,
                ..Own::of(list, &word.form)
            })?;
        }
        for number in leading.iter().filter(|at| **at < resolved.typos.len()) {
            let near = &resolved.typos[*number];
            self.add_term(&mut groups, &near.term, |list| Own {
                weight: near_weight(word, resolved, near),
                near: Some((*number, near)),
                ..Own::of(list, &near.term)
            })?;
        }
        Ok(groups)
    }

    fn add_term<'a>(
        &self,
        groups: &mut [Group],
        term: &str,
        own: impl Fn(&TermList) -> Own<'a>,
    ) -> Result<(), EngineError> {
        let weighing = Weighing {
            averages: &self.texts.averages,
            norms: &self.texts.norms,
        };
        let lists = (self.segment.term_lists()).of(self.segment, term, weighing)?;
        for list in lists.iter() {
            let group = groups.iter_mut().find(|group| group.field == list.field);
            if let (Some(group), Some(reader)) = (group, self.segment.terms(list.field)) {
                let place = Place::new(reader, &list.info);
                group.lists.push(own(list).score_list(group.unit, place));
            }
        }
        Ok(())
    }

    /// Adds the longer words that start with the word, and those that hold it, to the group of the name, with which
    /// they count as one field.
    fn add_longer(
        &self,
        word: &PlanWord,
        resolved: &ResolvedWord,
        idf: f64,
        groups: &mut Vec<Group>,
    ) {
        let letters = word.folded.chars().count();
        let matched: Arc<str> = word.folded.as_str().into();
        let list = |field: FieldId, kind, longer: usize, place: Place| ScoreList {
            field,
            weight: Weight::Fixed(
                self.plan.boosts.get(field) * idf * prefix(letters, longer, resolved.exists()),
            ),
            kind,
            distance: 0,
            matched: Arc::clone(&matched),
            alternative: None,
            is_within: false,
            place,
        };
        let beginnings = resolved.longer[self.at].iter().map(|(longer, info)| {
            let place = Place::new(self.segment.prefixes(), info);
            list(FieldId::AUTOCOMPLETE, MatchKind::Prefix, *longer, place)
        });
        let parts = resolved.holding[self.at].iter().map(|(longer, info)| {
            let place = Place::new(self.segment.parts(), info);
            list(FieldId::PARTIAL, MatchKind::Partial, *longer, place)
        });
        let lists = beginnings.chain(parts);
        match groups.iter_mut().find(|group| group.field == FieldId::NAME) {
            Some(group) => group.lists.extend(lists),
            None => groups.insert(
                0,
                Group {
                    field: FieldId::NAME,
                    unit: 0.0,
                    lists: lists.collect(),
                },
            ),
        }
    }

    fn code_lists(&self, at: usize, field: FieldId) -> Vec<ScoreList> {
        let Some(reader) = self.segment.terms(field) else {
            return Vec::new();
        };
        let list = |place: Place, code: &PlanCode, kind, weight: f64, shown: &str| {
            let share = self.plan.boosts.get(field) * CODE_WEIGHT / code.words.len() as f64;
            ScoreList {
                field,
                weight: Weight::Fixed(share * weight),
                kind,
                distance: u32::from(kind == MatchKind::Typo),
                matched: shown.trim_start_matches(CASE_MARK).into(),
                alternative: None,
                is_within: false,
                place,
            }
        };
        let known = |info: &TermInfo| Place::new(reader, info);
        let mut lists = Vec::new();
        for (code, resolved) in self.covering(at) {
            let term = code.term(field);
            let own = resolved.exact[self.at]
                .iter()
                .filter(|(of, _)| *of == field);
            lists.extend(own.map(|(_, info)| list(known(info), code, MatchKind::Exact, 1.0, term)));
            let damped = resolved.documents > 0 || self.words_exist(code);
            let weight = typo(1, letters(term), damped);
            for (_, near) in resolved.typos.iter().filter(|(of, _)| *of == field) {
                let place = near.places[self.at].as_ref().map(known);
                lists.extend(
                    place.map(|place| list(place, code, MatchKind::Typo, weight, &near.term)),
                );
            }
            let weight = code_part(resolved.documents > 0);
            let parts = resolved.parts.get(self.at).into_iter().flatten();
            for part in parts.filter(|part| part.field == field) {
                let place = Place::Documents(Arc::clone(&part.all));
                lists.push(list(place, code, MatchKind::Partial, weight, &code.spelled));
            }
        }
        lists
    }

    /// The parts of the question that cover a word, with what they are in the index.
    fn covering(&self, at: usize) -> impl Iterator<Item = (&PlanCode, &ResolvedCode)> {
        let codes = self.plan.codes.iter().zip(&self.resolved.codes);
        codes.filter(move |(code, _)| code.words.contains(&at))
    }

    fn words_exist(&self, code: &PlanCode) -> bool {
        self.resolved.words[code.words.clone()]
            .iter()
            .all(ResolvedWord::exists)
    }

    /// Lists over all texts at once, in place of those of each field: far fewer, and the same documents.
    fn matching_by_union(
        &self,
        resolved: &ResolvedWord,
        synonyms: &SynonymsOfWord<'_>,
        groups: &[Group],
    ) -> Vec<MatchList> {
        let mut matching = Vec::new();
        let mut add = |info: &TermInfo, covers, alternative| {
            let place = Place::new(self.segment.stems(), info);
            matching.push(MatchList {
                group: 0,
                covers,
                admits: false,
                alternative,
                place,
            });
        };
        if let Some(info) = &resolved.stems[self.at] {
            add(info, true, None);
        }
        for (alternative, near) in resolved.typos.iter().enumerate() {
            if let Some(info) = &near.places[self.at] {
                let part = near.kind() == MatchKind::Split;
                let covers = part || resolved.stand_in == Some(near.distance);
                add(info, covers, Some(alternative));
            }
        }
        matching.extend(synonyms.matching());
        let single = groups
            .iter()
            .flat_map(|group| &group.lists)
            .filter(|list| !is_text(list));
        matching.extend(single.map(|list| match_list(list, 0, resolved)));
        matching
    }

    fn matching_by_field(
        &self,
        resolved: &ResolvedWord,
        groups: &[Group],
        near: &[Near],
    ) -> Vec<MatchList> {
        let mut matching = Vec::new();
        for group in groups {
            let number = group.field.index();
            let own = group.lists.iter();
            matching.extend(own.map(|list| match_list(list, number, resolved)));
            for near in near.iter().filter(|_| group.unit > 0.0) {
                let list = near.list(self.segment, group.field, group.unit);
                matching.extend(list.map(|list| match_list(&list, number, resolved)));
            }
        }
        matching
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

fn is_text(list: &ScoreList) -> bool {
    matches!(list.weight, Weight::ByFrequency { .. })
}

fn match_list(list: &ScoreList, group: usize, resolved: &ResolvedWord) -> MatchList {
    let covers = match list.kind {
        MatchKind::Exact | MatchKind::Split | MatchKind::Synonym => true,
        MatchKind::Typo => resolved.stand_in == Some(list.distance),
        MatchKind::Prefix | MatchKind::Partial => false,
    };
    let admits = list.kind == MatchKind::Exact && !is_text(list);
    MatchList {
        group,
        covers,
        admits,
        alternative: list.alternative,
        place: list.place.clone(),
    }
}
