//! Synonyms in the index: the documents that contain one, by field, and what it adds to the words that it replaces.
//!
//! A synonym of one word is looked up like any other word. Several words must match as a phrase in fields with
//! positions, and in the same field elsewhere.

use super::super::segment::SegmentView;
use super::super::snapshot::TextIndex;
use super::phrase_postings::PhrasePostings;
use super::posting_sources::{FieldPostings, MatchingPostings, PostingSource, Weight};
use super::resolve::{ResolvedWord, documents_with, terms};
use super::score::SegmentPlan;
use super::texts::TermMatch;
use crate::EngineError;
use query::Plan;
use query::breakdown::WordMatchKind;
use query::plan::PlanSynonym;
use query::scoring::{FORM_WEIGHT, SYNONYM_WEIGHT};
use std::sync::Arc;
use tantivy::DocId;
use tantivy::postings::TermInfo;

/// A synonym with what the index knows about it.
pub struct ResolvedSynonym {
    /// Documents whose texts contain all its words.
    pub documents: u64,
    segments: Vec<SynonymPostings>,
}

/// A synonym in one segment.
enum SynonymPostings {
    /// The posting list of a single word over all texts.
    Word(Option<TermInfo>),
    /// The posting lists of several words, and all documents of the searched fields.
    Words(Arc<PhrasePostings>, Arc<[DocId]>),
}

impl ResolvedSynonym {
    /// Looks up `synonym` in `texts`.
    pub fn new(texts: &TextIndex, plan: &Plan, synonym: &PlanSynonym) -> Result<Self, EngineError> {
        let segments = &texts.segments;
        if let [word] = synonym.words.as_slice() {
            let postings = terms(segments, &word.stem)?;
            return Ok(Self {
                documents: documents_with(texts, &word.stem, &postings)?,
                segments: postings.into_iter().map(SynonymPostings::Word).collect(),
            });
        }
        let mut resolved = Self {
            documents: 0,
            segments: Vec::with_capacity(segments.len()),
        };
        for segment in segments {
            let lists = segment.phrases().of(segment, &synonym.words)?;
            let alive = lists.anywhere.iter().filter(|d| segment.is_alive(**d));
            resolved.documents += alive.count() as u64;
            let all = in_searched_fields(&lists, plan);
            resolved
                .segments
                .push(SynonymPostings::Words(lists, all.into()));
        }
        Ok(resolved)
    }

    /// Returns the documents of segment number `at` whose texts contain all words of the synonym; none if there are
    /// none.
    pub fn anywhere(&self, at: usize, segment: &SegmentView) -> Option<PostingSource> {
        match &self.segments[at] {
            SynonymPostings::Word(info) => {
                Some(PostingSource::new(segment.stems(), info.as_ref()?))
            }
            SynonymPostings::Words(lists, _) => {
                Some(PostingSource::Documents(lists.anywhere.as_slice().into()))
            }
        }
    }
}

fn in_searched_fields(lists: &PhrasePostings, plan: &Plan) -> Vec<DocId> {
    let searched = (lists.by_field.iter()).filter(|list| plan.searches(list.field));
    let mut all: Vec<DocId> = searched
        .flat_map(|list| list.documents.iter().copied())
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

impl SegmentPlan<'_> {
    /// Returns the synonyms of a word, each with its number among the alternatives of the word.
    fn synonyms_of(
        &self,
        word: &ResolvedWord,
    ) -> impl Iterator<Item = (usize, &PlanSynonym, &SynonymPostings)> {
        let synonyms = (word.fuzzy_terms.len()..).zip(&word.synonyms);
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
                    self.add_word(groups, terms, [term_match(1.0), term_match(FORM_WEIGHT)])?;
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
