//! Attaches the posting lists of one segment to the clauses of a query.

use super::alternatives::WordAlternative;
use super::clauses::{FieldPostings, MatchingPostings, ScoringPostings, Weight};
use super::scoring_cursor::ScoreSource;
use crate::EngineError;
use crate::embedded::expand::resolve::Resolved;
use crate::embedded::expand::words::ResolvedWord;
use crate::embedded::postings::posting_sources::PostingSource;
use crate::embedded::postings::segment::SegmentView;
use crate::embedded::postings::text_index::TextIndex;
use crate::embedded::scale::Scale;
use domain::relevance::field::FieldId;
use query::Plan;
use query::clauses::{ClauseTerm, TextMatch, WordClauses};

/// The posting lists of one word.
#[derive(Default)]
pub struct WordPostings<'a> {
    /// The lists by which it matches.
    pub matching: Vec<MatchingPostings>,
    /// The lists by which it scores, by field.
    pub groups: Vec<FieldPostings>,
    /// Numbers of the alternatives whose lists are in `groups`, because they weigh as much as a word that exists.
    pub essential: Vec<usize>,
    /// The other alternatives, which have no lists in `groups`.
    pub non_essential: Vec<WordAlternative<'a>>,
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

/// The clauses of a word, with the posting lists that were looked up for them.
#[derive(Clone, Copy)]
pub struct SegmentWord<'a> {
    pub clauses: &'a WordClauses,
    pub resolved: &'a ResolvedWord,
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

    /// Returns the posting lists of every word.
    pub fn word_lists<S: Scale>(&self) -> Result<Vec<WordPostings<'a>>, EngineError> {
        let words = self.resolved.clauses.words.iter().zip(&self.resolved.words);
        let words = words.map(|(clauses, resolved)| SegmentWord { clauses, resolved });
        words.map(|word| self.lists_of::<S>(word)).collect()
    }

    /// Returns the posting lists of the whole query as a code, by field.
    pub fn whole_codes(&self) -> Vec<(FieldId, PostingSource)> {
        let whole = self.resolved.clauses.bonuses.exact_code.codes.iter();
        whole
            .flat_map(|code| &self.resolved.codes[*code].exact[self.at])
            .filter(|(field, _)| self.plan.searches(*field))
            .filter_map(|(field, info)| {
                self.segment
                    .terms(*field)
                    .map(|reader| (*field, PostingSource::new(reader, info)))
            })
            .collect()
    }

    fn lists_of<S: Scale>(&self, word: SegmentWord<'a>) -> Result<WordPostings<'a>, EngineError> {
        if word.clauses.clauses.is_empty() {
            return Ok(WordPostings::default());
        }
        let essential = self.essential(word);
        let non_essential = self.non_essential(word, &essential);
        let mut groups = self.text_groups(word, &essential)?;
        self.add_single(word, &mut groups);
        groups.retain(|group| {
            !group.lists.is_empty() || (group.unit > 0.0 && !non_essential.is_empty())
        });
        let union = self.plan.across_fields && self.plan.searches_all_texts();
        let matching = if union {
            self.matching_by_union(word, &groups)
        } else {
            self.matching_by_field::<S>(word, &groups, &non_essential)?
        };
        Ok(WordPostings {
            matching,
            groups,
            essential,
            non_essential,
        })
    }

    /// Returns lists over all texts at once, which are far fewer than the lists of each field and have the same
    /// documents.
    fn matching_by_union(
        &self,
        word: SegmentWord<'_>,
        groups: &[FieldPostings],
    ) -> Vec<MatchingPostings> {
        let clauses = &word.clauses.clauses;
        let texts = clauses.iter().filter(|clause| match &clause.term {
            // The documents of a form are among those of its stem.
            ClauseTerm::Text(text) => {
                !matches!(text.find, TextMatch::Form(_) | TextMatch::AccentedForm(_))
            }
            ClauseTerm::Longer(_) | ClauseTerm::Code(_) => false,
        });
        let texts = texts.filter_map(|clause| {
            let source = self.anywhere(word, clause)?;
            Some(MatchingPostings::new(clause, 0, source))
        });
        // Of a stem with other words, the lists by field show which documents contain the word itself.
        let by_field =
            |list: &&ScoringPostings| matches!(list.weight, Weight::Fixed(_)) || list.is_same_word;
        let lists = groups.iter().flat_map(|group| &group.lists);
        let lists = lists.filter(by_field);
        let lists = lists.map(|list| MatchingPostings::of_list(&clauses[list.clause], 0, list));
        texts.chain(lists).collect()
    }

    fn matching_by_field<S: Scale>(
        &self,
        word: SegmentWord<'_>,
        groups: &[FieldPostings],
        non_essential: &[WordAlternative<'_>],
    ) -> Result<Vec<MatchingPostings>, EngineError> {
        let non_essential = non_essential
            .iter()
            .map(|non_essential| non_essential.lists::<S>(self.source()));
        let non_essential = non_essential.collect::<Result<Vec<_>, _>>()?;
        let lists = (groups.iter())
            .flat_map(|group| group.lists.iter().map(move |list| (group.field, list)));
        let non_essential = non_essential
            .iter()
            .flatten()
            .map(|list| (list.field, list));
        let matching = lists.chain(non_essential).map(|(field, list)| {
            let clause = &word.clauses.clauses[list.clause];
            MatchingPostings::of_list(clause, field.index(), list)
        });
        Ok(matching.collect())
    }
}
