//! Finds the documents of a segment whose codes contain a substring, by the positions of its n-grams.
//!
//! Posting lists are intersected by leapfrogging, the shortest list first, as by the `ConjunctionDISI` of Lucene;
//! positions then rule out n-grams that are not adjacent.

use crate::EngineError;
use crate::embedded::postings::segment::SegmentView;
use crate::embedded::write::code_grams::{Gram, GramCase, GramPosition, encodings};
use domain::relevance::field::FieldId;
use tantivy::postings::{Postings, SegmentPostings};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, TERMINATED};

/// Live documents with a code of one field that contains a substring.
pub struct SubstringDocuments {
    /// The field.
    pub field: FieldId,
    /// All documents, in order.
    pub all: Vec<DocId>,
    /// Documents with a code that starts with the substring.
    pub starts: Vec<DocId>,
}

/// Returns the documents of `segment` whose codes contain `part`, by field, without empty fields.
pub fn substring_documents_of(
    segment: &SegmentView,
    part: &str,
) -> Result<Vec<SubstringDocuments>, EngineError> {
    let mut matches: Vec<SubstringDocuments> = FieldId::codes()
        .map(|field| SubstringDocuments {
            field,
            all: Vec::new(),
            starts: Vec::new(),
        })
        .collect();
    for grams in encodings(part) {
        if let Some(lists) = open(segment, grams)? {
            add_documents(segment, lists, &mut matches);
        }
    }
    matches.retain(|matches| !matches.all.is_empty());
    for documents in matches
        .iter_mut()
        .flat_map(|of| [&mut of.all, &mut of.starts])
    {
        // Each way to match found its documents in order.
        documents.sort_unstable();
        documents.dedup();
    }
    Ok(matches)
}

fn add_documents(
    segment: &SegmentView,
    mut lists: Vec<GramPostings>,
    matches: &mut [SubstringDocuments],
) {
    let mut positions = PositionBuffers::default();
    let mut document = 0;
    while let Some(common) = next_common(&mut lists, document) {
        document = common + 1;
        if !segment.is_alive(common) {
            continue;
        }
        for position in positions.of_part(&mut lists) {
            let Some(matches) = matches.get_mut(position.field) else {
                continue;
            };
            push_once(&mut matches.all, common);
            if position.starts {
                push_once(&mut matches.starts, common);
            }
        }
    }
}

fn push_once(documents: &mut Vec<DocId>, document: DocId) {
    if documents.last() != Some(&document) {
        documents.push(document);
    }
}

/// An n-gram of the substring with the index of its first character.
struct GramPostings {
    character: u32,
    case: Option<GramCase>,
    postings: SegmentPostings,
}

impl GramPostings {
    /// Whether the n-gram has the required case at `position`.
    fn fits(&self, position: &GramPosition) -> bool {
        self.case.is_none_or(|case| case == position.case)
    }
}

/// Returns the posting lists of `grams`, the shortest first; none if an n-gram is unknown.
fn open(segment: &SegmentView, grams: Vec<Gram>) -> Result<Option<Vec<GramPostings>>, EngineError> {
    let reader = segment.code_grams();
    let mut lists = Vec::with_capacity(grams.len());
    for (character, gram) in (0..).zip(grams) {
        let info = reader.terms().get(gram.term);
        let info = info.map_err(EngineError::during("look up a code"))?;
        let Some(info) = info else { return Ok(None) };
        let postings = reader
            .read_postings_from_terminfo(&info, IndexRecordOption::WithFreqsAndPositions)
            .map_err(EngineError::during("read postings"))?;
        lists.push(GramPostings {
            character,
            case: gram.case,
            postings,
        });
    }
    lists.sort_by_key(|list| list.postings.size_hint());
    Ok(Some(lists).filter(|lists| !lists.is_empty()))
}

/// Returns the first document at or after `from` that is in all lists.
fn next_common(lists: &mut [GramPostings], from: DocId) -> Option<DocId> {
    let mut target = from;
    loop {
        let mut furthest = target;
        for list in lists.iter_mut() {
            let postings = &mut list.postings;
            if postings.doc() < furthest {
                postings.seek(furthest);
            }
            furthest = furthest.max(postings.doc());
            if furthest == TERMINATED {
                return None;
            }
        }
        if furthest == target && lists.iter().all(|list| list.postings.doc() == target) {
            return Some(target);
        }
        target = furthest;
    }
}

/// Buffers for the positions in one document.
#[derive(Default)]
struct PositionBuffers {
    kept: Vec<GramPosition>,
    next: Vec<u32>,
}

impl PositionBuffers {
    /// Returns the positions in the current document at which the whole substring matches.
    fn of_part(&mut self, lists: &mut [GramPostings]) -> &[GramPosition] {
        let Some((first, others)) = lists.split_first_mut() else {
            return &[];
        };
        first.postings.positions(&mut self.next);
        let positions = self.next.iter().map(|position| GramPosition::of(*position));
        self.kept.clear();
        self.kept.extend(
            positions.filter(|position| first.fits(position) && position.index >= first.character),
        );
        for list in others {
            if self.kept.is_empty() {
                break;
            }
            list.postings.positions(&mut self.next);
            let next = &self.next;
            self.kept.retain(|position| {
                let at =
                    index_of_character(next, position.index - first.character + list.character);
                at.is_some_and(|at| list.fits(&GramPosition::of(next[at])))
            });
        }
        if first.character > 0 {
            self.move_to_first_character(first.character, lists);
        }
        &self.kept
    }

    /// Replaces the positions of the rarest n-gram by those of the first character of the substring.
    fn move_to_first_character(&mut self, offset: u32, lists: &mut [GramPostings]) {
        let Some(start) = lists.iter_mut().find(|list| list.character == 0) else {
            return;
        };
        start.postings.positions(&mut self.next);
        for position in &mut self.kept {
            let character = position.index - offset;
            if let Some(at) = index_of_character(&self.next, character) {
                *position = GramPosition::of(self.next[at]);
            }
        }
    }
}

/// Returns the index of the position of character number `character`; each character has at most one position.
fn index_of_character(positions: &[u32], character: u32) -> Option<usize> {
    positions
        .binary_search_by_key(&character, |position| GramPosition::of(*position).index)
        .ok()
}
