//! Builds the posting lists of a resolved plan for one segment, each with what its documents score.

use super::alternatives::WordAlternative;
use super::clauses::{FieldPostings, MatchingPostings, ScoringPostings, Weight, units};
use super::scoring_cursor::ScoreSource;
use crate::EngineError;
use crate::embedded::expand::codes::ResolvedCode;
use crate::embedded::expand::resolve::Resolved;
use crate::embedded::expand::words::ResolvedWord;
use crate::embedded::postings::posting_sources::PostingSource;
use crate::embedded::postings::segment::SegmentView;
use crate::embedded::postings::text_index::TextIndex;
use crate::embedded::scale::Scale;
use domain::relevance::field::FieldId;
use query::Plan;
use query::analysis::codes::CASE_MARK;
use query::breakdown::WordMatchKind;
use query::plan::{PlanCode, PlanWord};
use query::scoring::CODE_WEIGHT;
use std::sync::Arc;
use tantivy::postings::TermInfo;

/// The posting lists of one word.
#[derive(Default)]
pub struct WordPostings {
    /// The lists by which it matches.
    pub matching: Vec<MatchingPostings>,
    /// The lists by which it scores, by field.
    pub groups: Vec<FieldPostings>,
    /// Numbers of the alternatives whose lists are in `groups`, because they weigh as much as a word that exists.
    pub essential: Vec<usize>,
    /// The other alternatives, which have no lists in `groups`.
    pub non_essential: Vec<WordAlternative>,
}

/// A resolved plan in one segment.
pub struct SegmentPlan<'a> {
    /// The index.
    pub texts: &'a TextIndex,
    /// The segment.
    pub segment: &'a SegmentView,
    /// Number of the segment.
    pub at: usize,
    /// The plan.
    pub plan: &'a Plan,
    /// What the index knows about the plan.
    pub resolved: &'a Resolved,
}

impl<'a> SegmentPlan<'a> {
    /// Returns what scoring reads in the segment.
    pub fn source(&self) -> ScoreSource<'a> {
        ScoreSource {
            segment: self.segment,
            norms: &self.texts.norms,
            memos: &self.texts.memos[self.at],
        }
    }
}

impl SegmentPlan<'_> {
    /// Returns the posting lists of every word.
    pub fn word_lists<S: Scale>(&self) -> Result<Vec<WordPostings>, EngineError> {
        (0..self.plan.words.len())
            .map(|word| self.lists_of::<S>(word))
            .collect()
    }

    /// Returns the posting lists of the whole query as a code, by field.
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
        let Some(idf) = resolved.meaning.idf else {
            return Ok(WordPostings::default());
        };
        let essential = self.essential(resolved);
        let non_essential = self.non_essential(resolved, &essential);
        let mut groups = self.text_groups(word, resolved, (idf, &essential))?;
        self.add_synonyms(resolved, &mut groups)?;
        self.add_prefixes_and_substrings(word, resolved, idf, &mut groups);
        for field in FieldId::codes().filter(|field| self.plan.searches(*field)) {
            groups.push(FieldPostings {
                field,
                unit: 0.0,
                lists: self.code_lists(at, field),
            });
        }
        groups.retain(|group| {
            !group.lists.is_empty() || (group.unit > 0.0 && !non_essential.is_empty())
        });
        let union = self.plan.across_fields && self.plan.searches_all_texts();
        let matching = if union {
            self.matching_by_union(resolved, &groups)
        } else {
            self.matching_by_field::<S>(resolved, &groups, &non_essential)?
        };
        Ok(WordPostings {
            matching,
            groups,
            essential,
            non_essential,
        })
    }

    /// Adds the longer words that start with or contain the word to the group of the name, with which they count as one
    /// field.
    fn add_prefixes_and_substrings(
        &self,
        word: &PlanWord,
        resolved: &ResolvedWord,
        idf: f64,
        groups: &mut Vec<FieldPostings>,
    ) {
        let characters = word.folded.chars().count();
        let matched: Arc<str> = word.folded.as_str().into();
        let list = |field: FieldId, kind, longer: usize, source: PostingSource| ScoringPostings {
            field,
            weight: Weight::Fixed(
                self.plan.boosts.get(field)
                    * idf
                    * resolved.meaning.longer_weight(characters, longer),
            ),
            kind,
            distance: 0,
            matched: Arc::clone(&matched),
            alternative: None,
            is_within: false,
            source,
        };
        let prefixes = resolved.prefixes[self.at].iter().map(|(longer, info)| {
            let source = PostingSource::new(self.segment.prefixes(), info);
            list(
                FieldId::AUTOCOMPLETE,
                WordMatchKind::Prefix,
                *longer,
                source,
            )
        });
        let substrings = resolved.substrings[self.at].iter().map(|(longer, info)| {
            let source = PostingSource::new(self.segment.substrings(), info);
            list(FieldId::PARTIAL, WordMatchKind::Partial, *longer, source)
        });
        let lists = prefixes.chain(substrings);
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
        let list = |source: PostingSource, code: &PlanCode, kind, weight: f64, shown: &str| {
            let share = self.plan.boosts.get(field) * CODE_WEIGHT / code.words.len() as f64;
            ScoringPostings {
                field,
                weight: Weight::Fixed(share * weight),
                kind,
                distance: u32::from(kind == WordMatchKind::Typo),
                matched: shown.trim_start_matches(CASE_MARK).into(),
                alternative: None,
                is_within: false,
                source,
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
            let fuzzy = resolved.fuzzy_in(self.at);
            let fuzzy = fuzzy.filter(|(fuzzy, _)| fuzzy.field == field);
            lists.extend(fuzzy.map(|(fuzzy, info)| {
                let kind = WordMatchKind::Typo;
                list(known(info), code, kind, fuzzy.weight, &fuzzy.term)
            }));
            let weight = resolved.meaning.substring_weight;
            let substrings = resolved.substrings.get(self.at).into_iter().flatten();
            for substring in substrings.filter(|substring| substring.field == field) {
                let source = PostingSource::Documents(Arc::clone(&substring.all));
                lists.push(list(
                    source,
                    code,
                    WordMatchKind::Partial,
                    weight,
                    &code.spelling,
                ));
            }
        }
        lists
    }

    /// Returns the codes of the plan that cover word number `at`.
    fn covering(&self, at: usize) -> impl Iterator<Item = (&PlanCode, &ResolvedCode)> {
        let codes = self.plan.codes.iter().zip(&self.resolved.codes);
        codes.filter(move |(code, _)| code.words.contains(&at))
    }

    /// Returns lists over all texts at once, which are far fewer than the lists of each field and have the same
    /// documents.
    fn matching_by_union(
        &self,
        resolved: &ResolvedWord,
        groups: &[FieldPostings],
    ) -> Vec<MatchingPostings> {
        let mut matching = Vec::new();
        let mut add = |info: &TermInfo, covers, alternative| {
            let source = PostingSource::new(self.segment.stems(), info);
            matching.push(MatchingPostings {
                group: 0,
                covers,
                admits: false,
                alternative,
                source,
            });
        };
        if let Some(info) = &resolved.stems[self.at] {
            add(info, true, None);
        }
        for (alternative, term, info) in resolved.terms_in(self.at) {
            let covers = resolved.meaning.is_covered(term.kind(), term.distance);
            add(info, covers, Some(alternative));
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
        non_essential: &[WordAlternative],
    ) -> Result<Vec<MatchingPostings>, EngineError> {
        let units = units(groups);
        let non_essential = non_essential
            .iter()
            .map(|non_essential| non_essential.lists::<S>(self.source(), &units));
        let non_essential = non_essential.collect::<Result<Vec<_>, _>>()?;
        let lists = (groups.iter())
            .flat_map(|group| group.lists.iter().map(move |list| (group.field, list)));
        let non_essential = non_essential
            .iter()
            .flatten()
            .map(|list| (list.field, list));
        let matching = lists.chain(non_essential);
        Ok(matching
            .map(|(field, list)| match_list(list, field.index(), resolved))
            .collect())
    }
}

fn is_text(list: &ScoringPostings) -> bool {
    matches!(list.weight, Weight::ByFrequency { .. })
}

fn match_list(list: &ScoringPostings, group: usize, resolved: &ResolvedWord) -> MatchingPostings {
    let covers = resolved.meaning.is_covered(list.kind, list.distance);
    let admits = list.kind == WordMatchKind::Exact && !is_text(list);
    MatchingPostings {
        group,
        covers,
        admits,
        alternative: list.alternative,
        source: list.source.clone(),
    }
}
