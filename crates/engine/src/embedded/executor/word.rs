//! One word in one segment: the documents that match it, window by window, and what it adds to their scores.

use super::super::averages::Norms;
use super::super::segment::SegmentView;
use super::WINDOW;
use super::bits::Bits;
use super::cursor::Cursor;
use super::levels::{Field, Levels};
use super::lists::{Group, MatchList, ScoreList, Weight, WordLists};
use super::near::Near;
use super::sheet::{Bar, Most, Sheet};
use crate::EngineError;
use domain::relevance::field::FieldId;
use tantivy::DocId;

/// How many times more documents than candidates a list must hold before it is sought instead of read.
const SEEK_RATIO: usize = 6;

/// The lists of one word, opened as they are needed.
pub struct WordScan {
    /// Cursors stand apart, for they are large and lists are moved about.
    matching: Vec<(MatchList, Box<Cursor>)>,
    groups: Vec<GroupScan>,
    /// Alternatives that do not lead.
    others: Vec<Near>,
    /// Where its documents of the window stand.
    pub levels: Levels,
    /// Documents of the window that hold it exactly.
    pub covered: Bits,
    /// Documents of the window that match an alternative.
    near: Bits,
    /// The same by alternative, as distances from the start of the window.
    alternatives: Vec<Vec<u16>>,
    is_leading: Vec<bool>,
    /// The same as what is found, by field; only where words are counted within one field.
    by_field: Vec<(usize, Bits)>,
}

struct GroupScan {
    field: FieldId,
    unit: f64,
    /// Lists whose documents are in others of the field too.
    within: Vec<ScoreScan>,
    /// Lists of alternatives that do not lead, once they are wanted.
    near: Vec<ScoreScan>,
    /// The most that any group after this one gives.
    after: f64,
}

struct ScoreScan {
    list: ScoreList,
    /// Apart, for it is large, and most lists are never opened.
    cursor: Option<Box<Cursor>>,
    opened: bool,
}

/// Where scores come from.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    pub segment: &'a SegmentView,
    pub norms: &'a [Norms],
}

impl WordScan {
    /// The lists of a word, which have `alternatives` alternatives by typo.
    pub fn open(lists: WordLists, alternatives: usize) -> Result<Self, EngineError> {
        let mut matching = Vec::with_capacity(lists.matching.len());
        for list in lists.matching {
            if let Some(cursor) = list.place.open()? {
                matching.push((list, Box::new(cursor)));
            }
        }
        let mut is_leading = vec![false; alternatives];
        lists.leading.iter().for_each(|at| is_leading[*at] = true);
        let (groups, levels) = ordered(lists.groups, &lists.near);
        Ok(Self {
            matching,
            groups,
            others: lists.near,
            levels,
            covered: Bits::none(),
            near: Bits::none(),
            alternatives: vec![Vec::new(); alternatives],
            is_leading,
            by_field: Vec::new(),
        })
    }

    /// The most that it adds to any document.
    pub fn most(&self) -> f64 {
        self.levels.most(0)
    }

    /// Documents of the window that match it.
    pub fn found(&self) -> &Bits {
        &self.levels.found
    }

    /// Finds the documents of the window that begins at `start`; `admitted` gets those that a code admits.
    pub fn find(&mut self, start: DocId, by_field: bool, admitted: &mut Bits) {
        self.levels.clear();
        self.covered.clear();
        self.near.clear();
        self.by_field.clear();
        self.alternatives.iter_mut().for_each(Vec::clear);
        let end = start + WINDOW as DocId;
        for (list, cursor) in &mut self.matching {
            if cursor.document().is_none_or(|document| document >= end) {
                continue;
            }
            // Windows may have been left out.
            cursor.skip_to(start);
            let simple = !(list.covers || list.admits || by_field);
            if let Some(at) = list
                .alternative
                .filter(|at| simple && !self.is_leading[*at])
            {
                let (near, held) = (&mut self.near, &mut self.alternatives[at]);
                cursor.visit_documents_before(end, |document| {
                    near.set((document - start) as usize);
                    held.push((document - start) as u16);
                });
                continue;
            }
            let mut held = Bits::none();
            cursor.mark(start, &mut held);
            if list.covers {
                self.covered.add(&held);
            }
            if list.admits {
                admitted.add(&held);
            }
            if by_field {
                add_to(&mut self.by_field, list.group, &held);
            }
            if list.alternative.is_none_or(|at| self.is_leading[at]) {
                self.levels.strong.add(&held);
            }
            if let Some(at) = list.alternative {
                self.near.add(&held);
                self.alternatives[at].extend(held.iter().map(|document| document as u16));
            }
        }
        self.levels.found.add(&self.levels.strong);
        self.levels.found.add(&self.near);
    }

    /// Documents of the window that match it in `field`.
    pub fn in_field(&self, field: usize) -> Option<&Bits> {
        let own = self.by_field.iter().find(|(group, _)| *group == field);
        own.map(|(_, bits)| bits)
    }

    /// Writes into `expected` the most that it adds to those of `documents` that match it.
    pub fn expect(
        &mut self,
        start: DocId,
        documents: &Bits,
        expected: &mut [Most],
    ) -> Result<Bits, EngineError> {
        let own = documents.both(&self.levels.found);
        if !own.is_empty() {
            self.levels.mark_all(start)?;
            self.levels.expect(&own, &self.near, expected);
        }
        Ok(own)
    }

    /// Makes it ready to score documents that come before those that it scored last.
    pub fn rewind(&mut self) {
        for group in &mut self.groups {
            let lists = group.within.iter_mut().chain(&mut group.near);
            lists.for_each(ScoreScan::close);
        }
    }

    /// Scores word number `word` for the documents in `live`, and takes out of them those that cannot matter any more.
    pub fn score(
        &mut self,
        (word, start): (usize, DocId),
        live: &mut Bits,
        sheet: &mut Sheet,
        source: Source<'_>,
        bar: Bar<'_>,
    ) -> Result<(), EngineError> {
        let mut own = live.both(&self.levels.found);
        sheet.begin_word(word, &own);
        for (at, group) in self.groups.iter_mut().enumerate() {
            let held = own.both(self.levels.held(at));
            let near = !own.both(&self.near).is_empty();
            if held.is_empty() && !near {
                continue;
            }
            self.levels.score(at, &held, sheet, source);
            for list in &mut group.within {
                list.score(start, &sheet.touched(), sheet, source)?;
            }
            if near {
                group.open_near(&self.others, &self.alternatives, &own, source.segment);
                for list in &mut group.near {
                    let alternative = list.list.alternative.unwrap_or_default();
                    let documents = own.with_those(&self.alternatives[alternative]);
                    list.score(start, &documents, sheet, source)?;
                }
            }
            sheet.end_field();
            sheet.pass_field(&held, self.levels.field(at));
            for at in held.iter() {
                if !bar.admits(at, sheet.most(at, group.after)) {
                    own.unset(at);
                    live.unset(at);
                    sheet.forget(at);
                }
            }
        }
        sheet.end_word(&own);
        Ok(())
    }
}

impl GroupScan {
    /// Makes the lists of those `others` that one of `documents` holds, as far as they are not made yet.
    fn open_near(
        &mut self,
        others: &[Near],
        held: &[Vec<u16>],
        documents: &Bits,
        segment: &SegmentView,
    ) {
        for near in others.iter().filter(|_| self.unit > 0.0) {
            let mut own = held[near.number].iter().map(|at| usize::from(*at));
            let made = |scan: &ScoreScan| scan.list.alternative == Some(near.number);
            if own.any(|at| documents.has(at)) && !self.near.iter().any(made) {
                let list = near.list(segment, self.field, self.unit);
                self.near.extend(list.map(ScoreScan::new));
            }
        }
    }
}

/// The groups, the one that can give most first, and the levels that they are.
fn ordered(groups: Vec<Group>, near: &[Near]) -> (Vec<GroupScan>, Levels) {
    let mut groups: Vec<([f64; 2], Group)> = groups
        .into_iter()
        .map(|group| (most_of(&group, near), group))
        .collect();
    groups.sort_by(|(a, _), (b, _)| b[0].total_cmp(&a[0]));
    let mut after = 0.0f64;
    let (mut fields, mut scans) = (Vec::new(), Vec::new());
    for ([most, weak], group) in groups.into_iter().rev() {
        let (within, lists) = (group.lists.into_iter()).partition(|list| list.is_within);
        fields.push(Field { lists, most, weak });
        scans.push(GroupScan {
            field: group.field,
            unit: group.unit,
            within: (within as Vec<ScoreList>)
                .into_iter()
                .map(ScoreScan::new)
                .collect(),
            near: Vec::new(),
            after,
        });
        after = after.max(most);
    }
    fields.reverse();
    scans.reverse();
    (scans, Levels::new(fields))
}

/// The most that a group gives: by any of its lists, and by the alternatives `near` that do not lead.
fn most_of(group: &Group, near: &[Near]) -> [f64; 2] {
    let highest = |scores: &mut dyn Iterator<Item = f64>| scores.fold(0.0f64, f64::max);
    let weak = highest(&mut near.iter().map(|near| near.most(group.field, group.unit)));
    let own = highest(&mut group.lists.iter().map(|list| list.weight.most()));
    [own.max(weak), weak]
}

fn add_to(by_field: &mut Vec<(usize, Bits)>, group: usize, held: &Bits) {
    match by_field.iter_mut().find(|(known, _)| *known == group) {
        Some((_, bits)) => bits.add(held),
        None => by_field.push((group, held.clone())),
    }
}

impl ScoreScan {
    fn close(&mut self) {
        self.cursor = None;
        self.opened = false;
    }

    fn new(list: ScoreList) -> Self {
        Self {
            list,
            cursor: None,
            opened: false,
        }
    }

    fn score(
        &mut self,
        start: DocId,
        documents: &Bits,
        sheet: &mut Sheet,
        source: Source<'_>,
    ) -> Result<(), EngineError> {
        let candidates = documents.count();
        if candidates == 0 {
            return Ok(());
        }
        if !self.opened {
            self.cursor = self.list.place.open()?.map(Box::new);
            self.opened = true;
        }
        let Some(cursor) = &mut self.cursor else {
            return Ok(());
        };
        let weigh = Weigh::new(&self.list, source);
        let sparse = cursor.len() as usize * WINDOW
            > SEEK_RATIO * candidates * source.segment.reader.max_doc() as usize;
        if sparse {
            for at in documents.iter() {
                let document = start + at as DocId;
                if let Some(tf) = cursor.frequency(document) {
                    sheet.note(at, weigh.value(document, tf));
                }
            }
        } else {
            cursor.skip_to(start);
            cursor.visit_before(start + WINDOW as DocId, |document, tf| {
                let at = (document - start) as usize;
                if documents.has(at) {
                    sheet.note(at, weigh.value(document, tf));
                }
            });
        }
        Ok(())
    }
}

/// What the documents of one list score.
pub struct Weigh<'a> {
    weight: Weight,
    lengths: Option<&'a [u16]>,
    norm: &'a Norms,
}

impl<'a> Weigh<'a> {
    pub fn new(list: &ScoreList, source: Source<'a>) -> Self {
        let field: FieldId = list.field;
        Self {
            weight: list.weight,
            lengths: source.segment.lengths(field),
            norm: &source.norms[field.index()],
        }
    }

    /// What `document` scores, which holds the term `tf` times.
    pub fn value(&self, document: DocId, tf: u32) -> f64 {
        match self.weight {
            Weight::Fixed(score) => score,
            Weight::ByFrequency { unit, .. } => {
                let length = self.lengths.map_or(0, |lengths| lengths[document as usize]);
                unit * self.norm.weight(tf, length)
            }
        }
    }
}
