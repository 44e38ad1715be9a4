//! How many documents that the visitor may see have a word, by which `query::meaning` decides whether it tolerates typos.

use super::codes::exact;
use super::fuzzy_terms::prefix_postings;
use super::synonyms::ResolvedSynonym;
use super::visible::Visible;
use crate::EngineError;
use crate::columns::View;
use crate::embedded::postings::cursor::Cursor;
use crate::embedded::postings::lookups::term;
use crate::embedded::postings::posting_sources::{PostingSource, open};
use crate::embedded::postings::text_index::TextIndex;
use domain::relevance::field::FieldId;
use query::Plan;
use query::meaning::lookups::matches_prefixes;
use query::meaning::typos::VisibleWords;
use query::plan::PlanSynonym;
use tantivy::DocId;

/// The words of an index, as a visitor sees its documents.
pub struct IndexWords<'a> {
    /// The index.
    pub texts: &'a TextIndex,
    /// The view of the visitor.
    pub view: &'a View<'a>,
}

/// The visible documents of one segment that were counted, at most as many as are enough.
struct FirstDocuments<'a> {
    visible: Visible<'a>,
    found: Vec<DocId>,
    enough: usize,
}

impl FirstDocuments<'_> {
    fn is_enough(&self) -> bool {
        self.found.len() >= self.enough
    }

    /// Adds the documents of `list`; stops reading when there are enough.
    fn add(&mut self, list: &mut Cursor) {
        while let Some(document) = list.document().filter(|_| !self.is_enough()) {
            if !self.found.contains(&document) && self.visible.shows(document) {
                self.found.push(document);
            }
            list.skip_to(document + 1);
        }
    }
}

impl IndexWords<'_> {
    /// Adds the documents of segment number `at` with `stem` in a searched text.
    fn add_stem(
        &self,
        (plan, at): (&Plan, usize),
        stem: &str,
        counted: &mut FirstDocuments<'_>,
    ) -> Result<(), EngineError> {
        let segment = &self.texts.segments[at];
        if plan.searches_all_texts() {
            let info = segment.stems().terms().get(stem);
            if let Some(info) = info.map_err(EngineError::during("look up a word"))? {
                counted.add(&mut open(segment.stems(), &info)?);
            }
            return Ok(());
        }
        for field in FieldId::texts().filter(|field| plan.searches(*field)) {
            if let (Some(info), Some(reader)) = (term(segment, field, stem)?, segment.terms(field))
            {
                counted.add(&mut open(reader, &info)?);
            }
        }
        Ok(())
    }

    /// Adds the documents of segment number `at` with a code that is word number `word`.
    fn add_codes(
        &self,
        (plan, at): (&Plan, usize),
        word: usize,
        counted: &mut FirstDocuments<'_>,
    ) -> Result<(), EngineError> {
        let segment = &self.texts.segments[at];
        for code in plan
            .codes
            .iter()
            .filter(|code| code.words == (word..word + 1))
        {
            for (field, info) in exact(segment, code)? {
                if let Some(reader) = segment.terms(field).filter(|_| plan.searches(field)) {
                    counted.add(&mut open(reader, &info)?);
                }
            }
        }
        Ok(())
    }

    /// Adds the documents of segment number `at` with a synonym of the plan.
    fn add_synonym(
        &self,
        (plan, at): (&Plan, usize),
        synonym: &PlanSynonym,
        counted: &mut FirstDocuments<'_>,
    ) -> Result<(), EngineError> {
        if let [word] = synonym.words.as_slice() {
            return self.add_stem((plan, at), &word.stem, counted);
        }
        let resolved = ResolvedSynonym::in_segment(self.texts, plan, (at, synonym))?;
        let source = PostingSource::Documents(resolved);
        counted.add(&mut source.open()?);
        Ok(())
    }
}

impl VisibleWords for IndexWords<'_> {
    type Error = EngineError;

    fn count_with_word(
        &mut self,
        plan: &Plan,
        word: usize,
        enough: usize,
    ) -> Result<usize, EngineError> {
        let own = &plan.words[word];
        let mut count = 0;
        for (at, segment) in self.texts.segments.iter().enumerate() {
            let mut counted = FirstDocuments {
                visible: Visible::new(segment, self.view),
                found: Vec::new(),
                enough: enough - count,
            };
            let here = (plan, at);
            self.add_stem(here, &own.stem, &mut counted)?;
            if !counted.is_enough() {
                self.add_codes(here, word, &mut counted)?;
            }
            if !counted.is_enough() && matches_prefixes(plan, own) {
                for (_, info) in prefix_postings(segment.prefixes(), &own.folded)? {
                    counted.add(&mut open(segment.prefixes(), &info)?);
                }
            }
            let synonyms = plan.synonyms.iter();
            for synonym in synonyms.filter(|synonym| synonym.replaces.contains(&word)) {
                if !counted.is_enough() {
                    self.add_synonym(here, synonym, &mut counted)?;
                }
            }
            count += counted.found.len();
            if count >= enough {
                break;
            }
        }
        Ok(count)
    }
}
