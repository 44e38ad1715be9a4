//! What a synonym is in the index: which documents hold it, by field, and what it adds to a word that it stands for.
//!
//! One word is looked up like any other. Several must stand side by side where the index knows places, and in one field
//! elsewhere; the documents in which they do are found once, before anything is scored.

use super::super::schema::has_positions;
use super::super::segment::SegmentView;
use super::super::snapshot::EmbeddedSnapshot;
use super::cursor::Cursor;
use super::lists::{MatchList, Place, ScoreList, Weight, open};
use super::phrase::PhraseField;
use super::resolve::{documents_with, term, terms};
use crate::EngineError;
use crate::indexed_document::FORM_MARK;
use domain::relevance::field::FieldId;
use query::Plan;
use query::breakdown::MatchKind;
use query::plan::{PlanSynonym, SynonymWord};
use query::scoring::{FORM_WEIGHT, SYNONYM_WEIGHT, saturation};
use std::sync::Arc;
use tantivy::postings::TermInfo;
use tantivy::{DocId, InvertedIndexReader};

/// A synonym with what the index knows of it.
pub struct ResolvedSynonym {
    /// Documents whose texts hold all of its words.
    pub documents: u64,
    segments: Vec<Held>,
}

/// A synonym in one segment.
enum Held {
    /// The list of its one word over all texts.
    Word(Option<TermInfo>),
    /// The documents of its several words.
    Words {
        by_field: Vec<(FieldId, Arc<[DocId]>)>,
        all: Arc<[DocId]>,
    },
}

impl ResolvedSynonym {
    /// What `synonym` is in `snapshot`.
    pub fn new(
        snapshot: &EmbeddedSnapshot,
        plan: &Plan,
        synonym: &PlanSynonym,
    ) -> Result<Self, EngineError> {
        let segments = &snapshot.texts.segments;
        if let [word] = synonym.words.as_slice() {
            let places = terms(segments, &word.stem)?;
            return Ok(Self {
                documents: documents_with(snapshot, &word.stem, &places)?,
                segments: places.into_iter().map(Held::Word).collect(),
            });
        }
        let mut resolved = Self {
            documents: 0,
            segments: Vec::with_capacity(segments.len()),
        };
        for segment in segments {
            let holding = documents_of_all(segment.stems(), segment, &synonym.words)?;
            let alive = holding.iter().filter(|d| segment.is_alive(**d));
            resolved.documents += alive.count() as u64;
            (resolved.segments).push(by_field(segment, plan, synonym, &holding)?);
        }
        Ok(resolved)
    }
}

fn by_field(
    segment: &SegmentView,
    plan: &Plan,
    synonym: &PlanSynonym,
    holding: &[DocId],
) -> Result<Held, EngineError> {
    let mut by_field: Vec<(FieldId, Arc<[DocId]>)> = Vec::new();
    let mut all: Vec<DocId> = Vec::new();
    let searched = FieldId::texts().filter(|field| plan.searches(*field));
    for field in searched.filter(|_| !holding.is_empty()) {
        let documents = documents_in(segment, field, &synonym.words, holding)?;
        if !documents.is_empty() {
            all.extend_from_slice(&documents);
            by_field.push((field, documents.into()));
        }
    }
    all.sort_unstable();
    all.dedup();
    Ok(Held::Words {
        by_field,
        all: all.into(),
    })
}

/// Which of the documents `among` hold the words in `field`, side by side where places are known.
fn documents_in(
    segment: &SegmentView,
    field: FieldId,
    words: &[SynonymWord],
    among: &[DocId],
) -> Result<Vec<DocId>, EngineError> {
    if has_positions(field) {
        let places = words.iter().map(|word| (word.stem.as_str(), word.position));
        let Some(mut phrase) = PhraseField::new(segment, field, places)? else {
            return Ok(Vec::new());
        };
        return Ok(among.iter().copied().filter(|d| phrase.holds(*d)).collect());
    }
    let mut cursors = Vec::with_capacity(words.len());
    for word in words {
        match (term(segment, field, &word.stem)?, segment.terms(field)) {
            (Some(info), Some(reader)) => cursors.push(open(reader, &info)?),
            _ => return Ok(Vec::new()),
        }
    }
    Ok(held_by_all(&mut cursors, among.iter().copied()))
}

/// The documents whose texts hold all `words`, anywhere.
fn documents_of_all(
    stems: &Arc<InvertedIndexReader>,
    segment: &SegmentView,
    words: &[SynonymWord],
) -> Result<Vec<DocId>, EngineError> {
    let mut lists: Vec<TermInfo> = Vec::with_capacity(words.len());
    for word in words {
        let info = stems.terms().get(&word.stem);
        match info.map_err(EngineError::during("look up a word"))? {
            Some(info) => lists.push(info),
            None => return Ok(Vec::new()),
        }
    }
    lists.sort_by_key(|info| info.doc_freq);
    let Some((rarest, others)) = lists.split_first() else {
        return Ok(Vec::new());
    };
    let mut documents = Vec::with_capacity(rarest.doc_freq as usize);
    open(stems, rarest)?.visit_before(segment.reader.max_doc(), |d, _| documents.push(d));
    let others = others.iter().map(|info| open(stems, info));
    let mut others = others.collect::<Result<Vec<Cursor>, _>>()?;
    Ok(held_by_all(&mut others, documents.into_iter()))
}

fn held_by_all(cursors: &mut [Cursor], documents: impl Iterator<Item = DocId>) -> Vec<DocId> {
    let held = |document: &DocId| {
        let mut cursors = cursors.iter_mut();
        cursors.all(|cursor| cursor.frequency(*document).is_some())
    };
    documents.filter(held).collect()
}

/// The synonyms of one word in one segment.
pub struct SynonymsOfWord<'a> {
    /// The segment.
    pub segment: &'a SegmentView,
    /// Its number.
    pub at: usize,
    /// Number of the first alternative that is a synonym.
    pub first: usize,
    /// The synonyms.
    pub synonyms: Vec<(&'a PlanSynonym, &'a ResolvedSynonym)>,
}

impl SynonymsOfWord<'_> {
    /// By what the word scores in `field` through them, where a match of the word itself scores `unit`.
    pub fn scoring(&self, field: FieldId, unit: f64) -> Vec<ScoreList> {
        let Some(reader) = self.segment.terms(field) else {
            return Vec::new();
        };
        let mut lists = Vec::new();
        for (alternative, (synonym, resolved)) in (self.first..).zip(&self.synonyms) {
            let list = |weight: f64, place: Place| ScoreList {
                field,
                weight: Weight::ByFrequency {
                    unit: unit * SYNONYM_WEIGHT * weight,
                    peak: saturation(field.kind()).k1 + 1.0,
                },
                kind: MatchKind::Synonym,
                distance: 0,
                matched: synonym.text.as_str().into(),
                alternative: Some(alternative),
                is_within: weight > 1.0,
                place,
            };
            match (&resolved.segments[self.at], synonym.words.as_slice()) {
                (Held::Word(Some(_)), [word]) => {
                    let form = format!("{FORM_MARK}{}", word.form);
                    let of_term = |term: &str| Place::of_term(reader, &term.into());
                    lists.push(list(1.0, of_term(&word.stem)));
                    lists.push(list(FORM_WEIGHT, of_term(&form)));
                }
                (Held::Words { by_field, .. }, _) => {
                    let own = by_field.iter().find(|(of, _)| *of == field);
                    lists.extend(own.map(|(_, d)| list(1.0, Place::Documents(Arc::clone(d)))));
                }
                _ => {}
            }
        }
        lists
    }

    /// By what the word matches through them in any text, all texts being searched.
    pub fn matching(&self) -> impl Iterator<Item = MatchList> {
        let synonyms = (self.first..).zip(&self.synonyms);
        synonyms.filter_map(|(alternative, (_, resolved))| {
            let place = match &resolved.segments[self.at] {
                Held::Word(info) => Place::new(self.segment.stems(), info.as_ref()?),
                Held::Words { all, .. } if all.is_empty() => return None,
                Held::Words { all, .. } => Place::Documents(Arc::clone(all)),
            };
            Some(MatchList {
                group: 0,
                covers: true,
                admits: false,
                alternative: Some(alternative),
                place,
            })
        })
    }
}
