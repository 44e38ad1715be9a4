//! The posting lists of a word that score the same in all their documents: of longer words of the name, and of codes.

use super::clauses::{FieldPostings, ScoringPostings, Weight, group_of};
use super::segment_plan::{SegmentPlan, SegmentWord};
use crate::embedded::postings::posting_sources::PostingSource;
use domain::relevance::field::FieldId;
use query::clauses::{ClauseTerm, CodeMatch, CodeTerm, LongerTerm, counts_as};
use std::sync::Arc;

impl SegmentPlan<'_> {
    /// Adds the lists of longer words, each to the group of the field as which its field counts, and those of codes.
    pub fn add_single(&self, word: SegmentWord<'_>, groups: &mut Vec<FieldPostings>) {
        for (at, clause) in word.clauses.clauses.iter().enumerate() {
            match &clause.term {
                ClauseTerm::Text(_) => {}
                ClauseTerm::Longer(longer) => self.add_longer(word, at, longer, groups),
                ClauseTerm::Code(code) => self.add_code(at, code, groups),
            }
        }
    }

    fn add_longer(
        &self,
        word: SegmentWord<'_>,
        clause: usize,
        longer: &LongerTerm,
        groups: &mut Vec<FieldPostings>,
    ) {
        let (lists, reader) = match longer.field {
            FieldId::AUTOCOMPLETE => (&word.resolved.prefixes[self.at], self.segment.prefixes()),
            _ => (
                &word.resolved.substrings[self.at],
                self.segment.substrings(),
            ),
        };
        if lists.is_empty() {
            return;
        }
        let lists = lists.iter().map(|(characters, info)| ScoringPostings {
            clause,
            field: longer.field,
            weight: Weight::Fixed(longer.weight.score(*characters)),
            is_within: false,
            is_same_word: false,
            source: PostingSource::new(reader, info),
        });
        group_of(groups, counts_as(longer.field))
            .lists
            .extend(lists);
    }

    fn add_code(&self, clause: usize, code: &CodeTerm, groups: &mut Vec<FieldPostings>) {
        let Some(reader) = self.segment.terms(code.field) else {
            return;
        };
        let mut add = |source: PostingSource| {
            group_of(groups, code.field).lists.push(ScoringPostings {
                clause,
                field: code.field,
                weight: Weight::Fixed(code.score),
                is_within: false,
                is_same_word: false,
                source,
            });
        };
        let resolved = &self.resolved.codes[code.code];
        match code.by {
            CodeMatch::Whole => {
                let exact = resolved.exact[self.at].iter();
                let own = exact.filter(|(field, _)| *field == code.field);
                own.for_each(|(_, info)| add(PostingSource::new(reader, info)));
            }
            CodeMatch::Fuzzy(number) => {
                let info = resolved.fuzzy[number][self.at].iter();
                info.for_each(|info| add(PostingSource::new(reader, info)));
            }
            CodeMatch::Substring => {
                let substrings = resolved.substrings.get(self.at).into_iter().flatten();
                let own = substrings.filter(|substring| substring.field == code.field);
                own.for_each(|own| add(PostingSource::Documents(Arc::clone(&own.all))));
            }
        }
    }
}
