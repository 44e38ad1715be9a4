//! Searches a snapshot, and what it says about itself.

use crate::columns::View;
use crate::embedded::expand::spellings::spellings;
use crate::embedded::expand::visible::Visible;
use crate::embedded::postings::lookups::terms;
use crate::embedded::postings::posting_sources::open;
use crate::embedded::postings::segment::SegmentView;
use crate::embedded::postings::text_index::TextIndex;
use crate::embedded::scale::Scale;
use crate::embedded::topk::snapshot::EmbeddedSnapshot;
use crate::embedded::write::schema::FINGERPRINT;
use crate::{EngineError, Facts, FieldUse, Request, SearchResult, Snapshot};
use domain::relevance::field::{FieldId, FieldKind};
use domain::visitor::Visitor;
use query::Plan;
use query::correction::{SpelledWord, Spelling};
use std::sync::Arc;

impl<S: Scale> Snapshot for EmbeddedSnapshot<S> {
    fn search(&self, plan: &Plan, request: &Request) -> Result<SearchResult, EngineError> {
        super::executor::search(self, plan, request)
    }

    fn settled_words(&self, plan: &Plan, visitor: &Visitor) -> Result<Vec<bool>, EngineError> {
        super::executor::settled(self, plan, visitor)
    }

    fn facts(&self) -> Arc<Facts> {
        Arc::clone(
            self.texts
                .facts
                .get_or_init(|| Arc::new(facts(&self.texts))),
        )
    }

    fn fingerprints(&self) -> Result<Vec<(u32, u64)>, EngineError> {
        let mut all = Vec::new();
        for segment in &self.texts.segments {
            let column = segment
                .reader
                .fast_fields()
                .u64(FINGERPRINT)
                .map_err(EngineError::during("read fingerprints"))?;
            let alive = segment.alive();
            all.extend(alive.map(|at| (segment.ordinal(at), column.first(at).unwrap_or(0))));
        }
        Ok(all)
    }

    fn fields(&self, visitor: &Visitor) -> Result<Arc<FieldUse>, EngineError> {
        Ok(self.accesses.fields(&self.columns, visitor))
    }

    fn contains(&self, stems: &[String], visitor: &Visitor) -> Result<Vec<bool>, EngineError> {
        let view = View::new(&self.columns, visitor);
        let stems = stems.iter().map(|stem| contains(&self.texts, &view, stem));
        stems.collect()
    }

    fn spellings(
        &self,
        words: &[SpelledWord],
        visitor: &Visitor,
    ) -> Result<Vec<Vec<Spelling>>, EngineError> {
        let view = View::new(&self.columns, visitor);
        let words = words.iter();
        words
            .map(|word| spellings(&self.texts, &view, word))
            .collect()
    }

    fn hidden_from(&self, visitor: &Visitor) -> Result<Arc<[String]>, EngineError> {
        Ok(self.accesses.hidden(&self.columns, visitor))
    }
}

/// Whether a document that the visitor may see contains `stem` in any text.
fn contains(texts: &TextIndex, view: &View<'_>, stem: &str) -> Result<bool, EngineError> {
    for (segment, info) in texts.segments.iter().zip(terms(&texts.segments, stem)?) {
        let Some(info) = info else {
            continue;
        };
        if Visible::new(segment, view).shows_any(&mut open(segment.stems(), &info)?) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The facts about an index, which depend on its texts alone.
fn facts(texts: &TextIndex) -> Facts {
    let usage = texts.searcher.space_usage();
    let lengths = FieldId::texts().map(|field| (field, texts.averages.length(field)));
    Facts {
        documents: texts.searcher.num_docs(),
        bytes: usage.map_or(0, |usage| usage.total().get_bytes()),
        has_substrings: texts.partial,
        filled: FieldId::all()
            .filter(|field| has_values(texts, *field))
            .collect(),
        averages: lengths.collect(),
    }
}

fn has_values(texts: &TextIndex, field: FieldId) -> bool {
    let has_values = |segment: &SegmentView| match field.kind() {
        FieldKind::Short | FieldKind::Long => segment.lengths(field).is_some(),
        FieldKind::Code => segment
            .terms(field)
            .is_some_and(|t| t.terms().num_terms() > 0),
        FieldKind::Autocomplete => segment.reader.num_docs() > 0,
        FieldKind::Partial => texts.partial && segment.reader.num_docs() > 0,
    };
    texts.segments.iter().any(has_values)
}
