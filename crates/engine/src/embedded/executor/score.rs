//! Builds the lists of one segment for a resolved plan, each with what its documents score.

use super::super::scale::Scale;
use super::super::segment::SegmentView;
use super::super::snapshot::TextIndex;
use super::alternatives::WordAlternative;
use super::codes::ResolvedCode;
use super::posting_sources::{
    FieldPostings, MatchingPostings, PostingSource, ScoringPostings, Weight, WordPostings, units,
};
use super::resolve::{Resolved, ResolvedWord};
use crate::EngineError;
use domain::relevance::field::FieldId;
use query::Plan;
use query::analysis::codes::{CASE_MARK, letters};
use query::breakdown::WordMatchKind;
use query::plan::{PlanCode, PlanWord};
use query::scoring::{CODE_WEIGHT, code_part, prefix, typo};
use std::sync::Arc;
use tantivy::postings::TermInfo;

/// One segment of a resolved plan.
pub struct SegmentPlan<'a> {
    /// What the index holds.
    pub texts: &'a TextIndex,
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
    pub fn word_lists<S: Scale>(&self) -> Result<Vec<WordPostings>, EngineError> {
        (0..self.plan.words.len())
            .map(|word| self.lists_of::<S>(word))
            .collect()
    }

    /// The lists of documents whose code the whole question equals, by field.
    pub fn whole_codes(&self) -> Vec<(FieldId, PostingSource)> {
        let codes = self.plan.codes.iter().zip(&self.resolved.codes);
        let whole = codes.filter(|(code, _)| code.whole);
        whole
            .flat_map(|(_, resolved)| &resolved.exact[self.at])
            .filter(|(field, _)| self.plan.searches(*field))
            .filter_map(|(field, info)| {
                self.segment
                    .terms(*field)
                    .map(|reader| (*field, PostingSource::new(reader, info)))
            })
            .collect()
    }

    fn lists_of<S: Scale>(&self, at: usize) -> Result<WordPostings, EngineError> {
        let (word, resolved) = (&self.plan.words[at], &self.resolved.words[at]);
        let Some(idf) = resolved.idf else {
            return Ok(WordPostings::default());
        };
        let leading = self.leading(resolved);
        let near = self.near(word, resolved, &leading);
        let mut groups = self.text_groups(word, resolved, (idf, &leading))?;
        self.add_synonyms(resolved, &mut groups)?;
        self.add_longer(word, resolved, idf, &mut groups);
        for field in FieldId::codes().filter(|field| self.plan.searches(*field)) {
            groups.push(FieldPostings {
                field,
                unit: 0.0,
                lists: self.code_lists(at, field),
            });
        }
        groups.retain(|group| !group.lists.is_empty() || (group.unit > 0.0 && !near.is_empty()));
        let union = self.plan.across_fields && self.plan.searches_all_texts();
        let matching = if union {
            self.matching_by_union(resolved, &groups)
        } else {
            self.matching_by_field::<S>(resolved, &groups, &near)?
        };
        Ok(WordPostings {
            matching,
            groups,
            leading,
            near,
        })
    }

    /// Adds the longer words that start with the word, and those that hold it, to the group of the name, with which
    /// they count as one field.
    fn add_longer(
        &self,
        word: &PlanWord,
        resolved: &ResolvedWord,
        idf: f64,
        groups: &mut Vec<FieldPostings>,
    ) {
        let letters = word.folded.chars().count();
        let matched: Arc<str> = word.folded.as_str().into();
        let list = |field: FieldId, kind, longer: usize, place: PostingSource| ScoringPostings {
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
            let place = PostingSource::new(self.segment.prefixes(), info);
            list(FieldId::AUTOCOMPLETE, WordMatchKind::Prefix, *longer, place)
        });
        let parts = resolved.holding[self.at].iter().map(|(longer, info)| {
            let place = PostingSource::new(self.segment.parts(), info);
            list(FieldId::PARTIAL, WordMatchKind::Partial, *longer, place)
        });
        let lists = beginnings.chain(parts);
        match groups.iter_mut().find(|group| group.field == FieldId::NAME) {
            Some(group) => group.lists.extend(lists),
            None => groups.insert(
                0,
                FieldPostings {
                    field: FieldId::NAME,
                    unit: 0.0,
                    lists: lists.collect(),
                },
            ),
        }
    }

    fn code_lists(&self, at: usize, field: FieldId) -> Vec<ScoringPostings> {
        let Some(reader) = self.segment.terms(field) else {
            return Vec::new();
        };
        let list = |place: PostingSource, code: &PlanCode, kind, weight: f64, shown: &str| {
            let share = self.plan.boosts.get(field) * CODE_WEIGHT / code.words.len() as f64;
            ScoringPostings {
                field,
                weight: Weight::Fixed(share * weight),
                kind,
                distance: u32::from(kind == WordMatchKind::Typo),
                matched: shown.trim_start_matches(CASE_MARK).into(),
                alternative: None,
                is_within: false,
                place,
            }
        };
        let known = |info: &TermInfo| PostingSource::new(reader, info);
        let mut lists = Vec::new();
        for (code, resolved) in self.covering(at) {
            let term = code.term(field);
            let own = resolved.exact[self.at]
                .iter()
                .filter(|(of, _)| *of == field);
            lists.extend(
                own.map(|(_, info)| list(known(info), code, WordMatchKind::Exact, 1.0, term)),
            );
            let damped = resolved.documents > 0 || self.words_exist(code);
            let weight = typo(1, letters(term), damped);
            for (_, near) in resolved.typos.iter().filter(|(of, _)| *of == field) {
                let place = near.places[self.at].as_ref().map(known);
                lists.extend(
                    place.map(|place| list(place, code, WordMatchKind::Typo, weight, &near.term)),
                );
            }
            let weight = code_part(resolved.documents > 0);
            let parts = resolved.parts.get(self.at).into_iter().flatten();
            for part in parts.filter(|part| part.field == field) {
                let place = PostingSource::Documents(Arc::clone(&part.all));
                lists.push(list(
                    place,
                    code,
                    WordMatchKind::Partial,
                    weight,
                    &code.spelled,
                ));
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
        groups: &[FieldPostings],
    ) -> Vec<MatchingPostings> {
        let mut matching = Vec::new();
        let mut add = |info: &TermInfo, covers, alternative| {
            let place = PostingSource::new(self.segment.stems(), info);
            matching.push(MatchingPostings {
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
                let part = near.kind() == WordMatchKind::Split;
                let covers = part || resolved.stand_in == Some(near.distance);
                add(info, covers, Some(alternative));
            }
        }
        matching.extend(self.matching_synonyms(resolved));
        let single = groups
            .iter()
            .flat_map(|group| &group.lists)
            .filter(|list| !is_text(list));
        matching.extend(single.map(|list| match_list(list, 0, resolved)));
        matching
    }

    fn matching_by_field<S: Scale>(
        &self,
        resolved: &ResolvedWord,
        groups: &[FieldPostings],
        near: &[WordAlternative],
    ) -> Result<Vec<MatchingPostings>, EngineError> {
        let units = units(groups);
        let near = near
            .iter()
            .map(|near| near.lists::<S>(self.segment, &units));
        let near = near.collect::<Result<Vec<_>, _>>()?;
        let lists = (groups.iter())
            .flat_map(|group| group.lists.iter().map(move |list| (group.field, list)));
        let near = near.iter().flatten().map(|list| (list.field, list));
        let matching = lists.chain(near);
        Ok(matching
            .map(|(field, list)| match_list(list, field.index(), resolved))
            .collect())
    }
}

fn is_text(list: &ScoringPostings) -> bool {
    matches!(list.weight, Weight::ByFrequency { .. })
}

fn match_list(list: &ScoringPostings, group: usize, resolved: &ResolvedWord) -> MatchingPostings {
    let covers = match list.kind {
        WordMatchKind::Exact | WordMatchKind::Split | WordMatchKind::Synonym => true,
        WordMatchKind::Typo => resolved.stand_in == Some(list.distance),
        WordMatchKind::Prefix | WordMatchKind::Partial => false,
    };
    let admits = list.kind == WordMatchKind::Exact && !is_text(list);
    MatchingPostings {
        group,
        covers,
        admits,
        alternative: list.alternative,
        place: list.place.clone(),
    }
}
