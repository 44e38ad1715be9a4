//! What a synonym is in the index: which documents hold it, by field, and what it adds to a word that it stands for.
//!
//! One word is looked up like any other. Several must stand side by side where the index knows places, and in one field
//! elsewhere.

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

/// A synonym with what the index knows of it.
pub struct ResolvedSynonym {
    /// Documents whose texts hold all of its words.
    pub documents: u64,
    segments: Vec<SynonymPostings>,
}

/// A synonym in one segment.
enum SynonymPostings {
    /// The list of its one word over all texts.
    Word(Option<TermInfo>),
    /// The lists of its several words, and all documents in those of searched fields.
    Words(Arc<PhrasePostings>, Arc<[DocId]>),
}

impl ResolvedSynonym {
    /// What `synonym` is in `texts`.
    pub fn new(texts: &TextIndex, plan: &Plan, synonym: &PlanSynonym) -> Result<Self, EngineError> {
        let segments = &texts.segments;
        if let [word] = synonym.words.as_slice() {
            let places = terms(segments, &word.stem)?;
            return Ok(Self {
                documents: documents_with(texts, &word.stem, &places)?,
                segments: places.into_iter().map(SynonymPostings::Word).collect(),
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

    /// Where the documents of segment number `at` stand whose texts hold all of its words; none when there are none.
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
    /// The synonyms of a word, each with its number among the alternatives of the word.
    fn synonyms_of(
        &self,
        word: &ResolvedWord,
    ) -> impl Iterator<Item = (usize, &PlanSynonym, &SynonymPostings)> {
        let synonyms = (word.typos.len()..).zip(&word.synonyms);
        synonyms.map(|(alternative, place)| {
            let held = &self.resolved.synonyms[*place].segments[self.at];
            (alternative, &self.plan.synonyms[*place], held)
        })
    }

    /// Adds by what a word scores through its synonyms.
    pub fn add_synonyms(
        &self,
        word: &ResolvedWord,
        groups: &mut [FieldPostings],
    ) -> Result<(), EngineError> {
        for (alternative, synonym, held) in self.synonyms_of(word) {
            let met = |weight: f64| TermMatch {
                weight: SYNONYM_WEIGHT * weight,
                kind: WordMatchKind::Synonym,
                distance: 0,
                matched: &synonym.text,
                alternative: Some(alternative),
            };
            match (held, synonym.words.as_slice()) {
                (SynonymPostings::Word(Some(_)), [word]) => {
                    let terms = [word.stem.as_str(), word.form.as_str()];
                    self.add_word(groups, terms, [met(1.0), met(FORM_WEIGHT)])?;
                }
                (SynonymPostings::Words(lists, _), _) => self.add_phrase(groups, lists, met(1.0)),
                _ => {}
            }
        }
        Ok(())
    }

    fn add_phrase(&self, groups: &mut [FieldPostings], lists: &PhrasePostings, met: TermMatch<'_>) {
        for list in &lists.by_field {
            let own = groups.iter_mut().find(|group| group.field == list.field);
            if let Some(group) = own {
                // Several words count once, and the shorter a field is, the more they weigh in it.
                let peak = self.texts.norms[list.field.index()].weight(1, list.shortest);
                let weight = Weight::alike(group.unit * met.weight, peak);
                let place = PostingSource::Documents(Arc::clone(&list.documents));
                group.lists.push(met.list(list.field, weight, place));
            }
        }
    }

    /// By what a word matches through its synonyms in any text, all texts being searched.
    pub fn matching_synonyms(&self, word: &ResolvedWord) -> impl Iterator<Item = MatchingPostings> {
        let synonyms = self.synonyms_of(word);
        synonyms.filter_map(|(alternative, _, held)| {
            let place = match held {
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
                place,
            })
        })
    }
}
