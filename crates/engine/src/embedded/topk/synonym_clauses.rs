//! The clauses of a word's synonyms: by which of their posting lists it matches, and what they add to its score.

use super::clauses::{FieldPostings, MatchingPostings, Weight};
use super::segment_plan::SegmentPlan;
use super::text_clauses::TermMatch;
use crate::EngineError;
use crate::embedded::expand::synonyms::SynonymPostings;
use crate::embedded::expand::words::ResolvedWord;
use crate::embedded::postings::phrase_postings::PhrasePostings;
use crate::embedded::postings::posting_sources::PostingSource;
use query::breakdown::WordMatchKind;
use query::plan::PlanSynonym;
use query::scoring::{SURFACE_FORM_WEIGHT, SYNONYM_WEIGHT};
use std::sync::Arc;

impl SegmentPlan<'_> {
    /// Returns the synonyms of a word, each with its number among the alternatives of the word.
    fn synonyms_of(
        &self,
        word: &ResolvedWord,
    ) -> impl Iterator<Item = (usize, &PlanSynonym, &SynonymPostings)> {
        let synonyms = (word.meaning.terms.len()..).zip(&word.meaning.synonyms);
        synonyms.map(|(alternative, index)| {
            let held = &self.resolved.synonyms[*index].segments[self.at];
            (alternative, &self.plan.synonyms[*index], held)
        })
    }

    /// Adds the lists by which a word scores through its synonyms.
    pub fn add_synonyms(
        &self,
        word: &ResolvedWord,
        groups: &mut [FieldPostings],
    ) -> Result<(), EngineError> {
        for (alternative, synonym, held) in self.synonyms_of(word) {
            let term_match = |weight: f64| TermMatch {
                weight: SYNONYM_WEIGHT * weight,
                kind: WordMatchKind::Synonym,
                distance: 0,
                matched: &synonym.text,
                alternative: Some(alternative),
            };
            match (held, synonym.words.as_slice()) {
                (SynonymPostings::Word(Some(_)), [word]) => {
                    let terms = [word.stem.as_str(), word.form.as_str()];
                    self.add_word(
                        groups,
                        terms,
                        [term_match(1.0), term_match(SURFACE_FORM_WEIGHT)],
                    )?;
                }
                (SynonymPostings::Words(lists, _), _) => {
                    self.add_phrase(groups, lists, term_match(1.0))
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn add_phrase(
        &self,
        groups: &mut [FieldPostings],
        lists: &PhrasePostings,
        term_match: TermMatch<'_>,
    ) {
        for list in &lists.by_field {
            let own = groups.iter_mut().find(|group| group.field == list.field);
            if let Some(group) = own {
                // Several words count once; the shorter a field is, the more they weigh in it.
                let peak = self.texts.norms[list.field.index()].weight(1, list.shortest);
                let weight = Weight::uniform(group.unit * term_match.weight, peak);
                let source = PostingSource::Documents(Arc::clone(&list.documents));
                group
                    .lists
                    .push(term_match.list(list.field, weight, source));
            }
        }
    }

    /// Returns the lists by which a word matches through its synonyms if all texts are searched.
    pub fn matching_synonyms(&self, word: &ResolvedWord) -> impl Iterator<Item = MatchingPostings> {
        let synonyms = self.synonyms_of(word);
        synonyms.filter_map(|(alternative, _, held)| {
            let source = match held {
                SynonymPostings::Word(info) => {
                    PostingSource::new(self.segment.stems(), info.as_ref()?)
                }
                SynonymPostings::Words(_, all) if all.is_empty() => return None,
                SynonymPostings::Words(_, all) => PostingSource::Documents(Arc::clone(all)),
            };
            Some(MatchingPostings {
                group: 0,
                covers: true,
                admits: false,
                alternative: Some(alternative),
                source,
            })
        })
    }
}
