//! Finds the documents of a segment whose codes hold a part, by the places of its letters.

use super::super::code_grams::{Gram, GramCase, GramPosition, ways};
use super::super::segment::SegmentView;
use crate::EngineError;
use domain::relevance::field::FieldId;
use tantivy::postings::{Postings, SegmentPostings};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, TERMINATED};

/// Live documents with a code of one field that holds a part.
pub struct SubstringDocuments {
    /// The field.
    pub field: FieldId,
    /// All of them, in order.
    pub all: Vec<DocId>,
    /// Those with a code that starts with the part.
    pub starts: Vec<DocId>,
}

/// The documents of `segment` whose codes hold `part`, by field; none for fields without such documents.
pub fn part_holders(
    segment: &SegmentView,
    part: &str,
) -> Result<Vec<SubstringDocuments>, EngineError> {
    let mut holders: Vec<SubstringDocuments> = FieldId::codes()
        .map(|field| SubstringDocuments {
            field,
            all: Vec::new(),
            starts: Vec::new(),
        })
        .collect();
    for grams in ways(part) {
        if let Some(lists) = open(segment, grams)? {
            add_holders(segment, lists, &mut holders);
        }
    }
    holders.retain(|holders| !holders.all.is_empty());
    for documents in holders
        .iter_mut()
        .flat_map(|of| [&mut of.all, &mut of.starts])
    {
        // Each way found its documents in order.
        documents.sort_unstable();
        documents.dedup();
    }
    Ok(holders)
}

fn add_holders(
    segment: &SegmentView,
    mut lists: Vec<GramPostings>,
    holders: &mut [SubstringDocuments],
) {
    let mut places = PositionBuffers::default();
    let mut document = 0;
    while let Some(common) = next_common(&mut lists, document) {
        document = common + 1;
        if !segment.is_alive(common) {
            continue;
        }
        for place in places.of_part(&mut lists) {
            let Some(holders) = holders.get_mut(place.field) else {
                continue;
            };
            push_once(&mut holders.all, common);
            if place.starts {
                push_once(&mut holders.starts, common);
            }
        }
    }
}

fn push_once(documents: &mut Vec<DocId>, document: DocId) {
    if documents.last() != Some(&document) {
        documents.push(document);
    }
}

/// A term of the part with the number of its first letter.
struct GramPostings {
    letter: u32,
    case: Option<GramCase>,
    postings: SegmentPostings,
}

impl GramPostings {
    /// Whether its letters stand at `place` in the case that is wanted.
    fn fits(&self, place: &GramPosition) -> bool {
        self.case.is_none_or(|case| case == place.case)
    }
}

/// The lists of `grams`, the shortest first; none when a term is unknown.
fn open(segment: &SegmentView, grams: Vec<Gram>) -> Result<Option<Vec<GramPostings>>, EngineError> {
    let reader = segment.code_grams();
    let mut lists = Vec::with_capacity(grams.len());
    for (letter, gram) in (0..).zip(grams) {
        let info = reader.terms().get(gram.term);
        let info = info.map_err(EngineError::during("look up a code"))?;
        let Some(info) = info else { return Ok(None) };
        let postings = reader
            .read_postings_from_terminfo(&info, IndexRecordOption::WithFreqsAndPositions)
            .map_err(EngineError::during("read postings"))?;
        lists.push(GramPostings {
            letter,
            case: gram.case,
            postings,
        });
    }
    lists.sort_by_key(|list| list.postings.size_hint());
    Ok(Some(lists).filter(|lists| !lists.is_empty()))
}

/// The first document from `from` on that is in all lists.
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

/// Room for the places of one document.
#[derive(Default)]
struct PositionBuffers {
    kept: Vec<GramPosition>,
    next: Vec<u32>,
}

impl PositionBuffers {
    /// The places in the current document at which the whole part stands.
    fn of_part(&mut self, lists: &mut [GramPostings]) -> &[GramPosition] {
        let Some((first, others)) = lists.split_first_mut() else {
            return &[];
        };
        first.postings.positions(&mut self.next);
        let places = self.next.iter().map(|position| GramPosition::of(*position));
        self.kept.clear();
        self.kept
            .extend(places.filter(|place| first.fits(place) && place.letter >= first.letter));
        for list in others {
            if self.kept.is_empty() {
                break;
            }
            list.postings.positions(&mut self.next);
            let next = &self.next;
            self.kept.retain(|place| {
                let at = at_letter(next, place.letter - first.letter + list.letter);
                at.is_some_and(|at| list.fits(&GramPosition::of(next[at])))
            });
        }
        if first.letter > 0 {
            self.trace_back(first.letter, lists);
        }
        &self.kept
    }

    /// Puts the place of the part's first letter where that of its rarest term stands.
    fn trace_back(&mut self, letters: u32, lists: &mut [GramPostings]) {
        let Some(start) = lists.iter_mut().find(|list| list.letter == 0) else {
            return;
        };
        start.postings.positions(&mut self.next);
        for place in &mut self.kept {
            let letter = place.letter - letters;
            if let Some(at) = at_letter(&self.next, letter) {
                *place = GramPosition::of(self.next[at]);
            }
        }
    }
}

/// Where the place with that number of a letter is among `positions`; each letter has one place at most.
fn at_letter(positions: &[u32], letter: u32) -> Option<usize> {
    positions
        .binary_search_by_key(&letter, |position| GramPosition::of(*position).letter)
        .ok()
}
