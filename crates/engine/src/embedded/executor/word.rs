//! One word in one segment: the documents that match it, window by window, and what it adds to their scores.

use super::super::averages::Norms;
use super::super::segment::SegmentView;
use super::WINDOW;
use super::bits::Bits;
use super::cursor::Cursor;
use super::lists::{Group, MatchList, ScoreList, Weight, WordLists};
use super::sheet::{Bar, Most, Sheet};
use crate::EngineError;
use domain::relevance::field::FieldId;
use query::scoring::saturation;
use tantivy::DocId;

/// How many times more documents than candidates a list must hold before it is sought instead of read.
const SEEK_RATIO: usize = 6;
/// Candidates that are scored to the end without looking again whether they matter.
const FEW: usize = 16;
/// Fields after which that is looked at: those that can give most come first, and each look costs as much as a field.
const LOOKS: [usize; 4] = [1, 2, 3, 6];

/// The lists of one word, opened as they are needed.
pub struct WordScan {
    matching: Vec<(MatchList, Cursor)>,
    groups: Vec<GroupScan>,
    /// Documents of the window that match it.
    pub found: Bits,
    /// Documents of the window that hold it exactly.
    pub covered: Bits,
    /// Documents of the window that match it otherwise than by a typo in texts.
    strong: Bits,
    /// Documents of the window by alternative; none for an alternative without any there.
    alternatives: Vec<Option<Bits>>,
    /// The same as `found`, by field; only where words are counted within one field.
    by_field: Vec<(usize, Bits)>,
    /// The most that it adds to a document that is in `strong`, and to any other.
    most: [Most; 2],
}

struct GroupScan {
    lists: Vec<ScoreScan>,
    /// The most that the groups after this one add: to strong documents, and to others.
    after: [Most; 2],
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
                matching.push((list, cursor));
            }
        }
        let (groups, most) = ordered(lists.groups);
        Ok(Self {
            matching,
            groups,
            found: Bits::none(),
            covered: Bits::none(),
            strong: Bits::none(),
            alternatives: vec![None; alternatives],
            by_field: Vec::new(),
            most,
        })
    }

    /// The most that it adds to any document.
    pub fn most(&self) -> f64 {
        self.most[0].word()
    }

    /// Finds the documents of the window that begins at `start`; `admitted` gets those that a code admits.
    pub fn find(&mut self, start: DocId, by_field: bool, admitted: &mut Bits) {
        self.found.clear();
        self.covered.clear();
        self.strong.clear();
        self.by_field.clear();
        self.alternatives.fill(None);
        let end = start + WINDOW as DocId;
        for (list, cursor) in &mut self.matching {
            if cursor.document().is_none_or(|document| document >= end) {
                continue;
            }
            let mut held = Bits::none();
            cursor.mark(start, &mut held);
            self.found.add(&held);
            if list.covers {
                self.covered.add(&held);
            }
            if list.admits {
                admitted.add(&held);
            }
            if by_field {
                add_to(&mut self.by_field, list.group, &held);
            }
            match list.alternative {
                None => self.strong.add(&held),
                Some(at) => match &mut self.alternatives[at] {
                    Some(bits) => bits.add(&held),
                    none => *none = Some(held),
                },
            }
        }
    }

    /// Documents of the window that match it in `field`.
    pub fn in_field(&self, field: usize) -> Option<&Bits> {
        let own = self.by_field.iter().find(|(group, _)| *group == field);
        own.map(|(_, bits)| bits)
    }

    /// Adds to what is not known of `documents` the most that this word can give them.
    pub fn expect(&self, documents: &Bits, sheet: &mut Sheet) {
        self.for_each(documents, |at, most| sheet.rest[at] += most.word());
    }

    fn for_each(&self, documents: &Bits, mut visit: impl FnMut(usize, Most)) {
        let (mut strong, mut weak) = (documents.clone(), documents.clone());
        strong.keep(&self.strong);
        weak.keep(&self.found);
        weak.remove(&self.strong);
        strong.iter().for_each(|at| visit(at, self.most[0]));
        weak.iter().for_each(|at| visit(at, self.most[1]));
    }

    /// Scores the word for the documents in `live`, and takes out of them those that cannot matter any more.
    pub fn score(
        &mut self,
        start: DocId,
        live: &mut Bits,
        sheet: &mut Sheet,
        source: Source<'_>,
        bar: Bar<'_>,
    ) -> Result<(), EngineError> {
        let mut own = live.clone();
        own.keep(&self.found);
        if own.is_empty() {
            return Ok(());
        }
        self.for_each(&own, |at, most| sheet.rest[at] -= most.word());
        for (done, group) in (1..).zip(&mut self.groups) {
            for list in &mut group.lists {
                let documents = match list.list.alternative {
                    None => own.clone(),
                    Some(at) => match &self.alternatives[at] {
                        Some(held) => own.both(held),
                        None => continue,
                    },
                };
                list.score(start, &documents, sheet, source)?;
            }
            sheet.end_field();
            if bar.worst.is_some() && LOOKS.contains(&done) && own.count() > FEW {
                for at in own.clone().iter() {
                    let after = group.after[usize::from(!self.strong.has(at))];
                    if !bar.admits(at, sheet.most(at, after)) {
                        own.unset(at);
                        live.unset(at);
                        sheet.forget(at);
                    }
                }
            }
        }
        sheet.end_word(&own);
        Ok(())
    }
}

/// The groups, the one that can give most first, and the most that all together can give.
fn ordered(groups: Vec<Group>) -> (Vec<GroupScan>, [Most; 2]) {
    let mut groups: Vec<([f64; 2], Group)> = groups
        .into_iter()
        .map(|group| (most_of(&group), group))
        .collect();
    groups.sort_by(|(a, _), (b, _)| b[0].total_cmp(&a[0]));
    let mut after = [Most::default(); 2];
    let mut scans = Vec::with_capacity(groups.len());
    for (most, group) in groups.into_iter().rev() {
        let lists = group.lists.into_iter().map(|list| ScoreScan {
            list,
            cursor: None,
            opened: false,
        });
        scans.push(GroupScan {
            lists: lists.collect(),
            after,
        });
        after = [after[0].with(most[0]), after[1].with(most[1])];
    }
    scans.reverse();
    (scans, after)
}

/// The most that a group gives: by any of its lists, and by alternatives alone.
fn most_of(group: &Group) -> [f64; 2] {
    let mut most = [0.0f64; 2];
    for list in &group.lists {
        let own = match list.weight {
            Weight::Fixed(score) => score,
            Weight::ByFrequency(unit) => unit * (saturation(list.field.kind()).k1 + 1.0),
        };
        most[0] = most[0].max(own);
        if list.alternative.is_some() {
            most[1] = most[1].max(own);
        }
    }
    most
}

fn add_to(by_field: &mut Vec<(usize, Bits)>, group: usize, held: &Bits) {
    match by_field.iter_mut().find(|(known, _)| *known == group) {
        Some((_, bits)) => bits.add(held),
        None => by_field.push((group, held.clone())),
    }
}

impl ScoreScan {
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
            Weight::ByFrequency(unit) => {
                let length = self.lengths.map_or(0, |lengths| lengths[document as usize]);
                unit * self.norm.weight(tf, length)
            }
        }
    }
}
