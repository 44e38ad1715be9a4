//! In which fields the documents of a window match one word, as far as that tells whether they matter.
//!
//! Fields are levels, the one that can give most first. A document stands at the first level whose lists hold it, and
//! what it can score at most follows from there. Levels are marked one after the other, and only while a document there
//! can still reach the bar. Where some can, all levels are marked, and it is known in which fields each of them matches.

use super::WINDOW;
use super::bits::Bits;
use super::cursor::Cursor;
use super::lists::ScoreList;
use super::sheet::{Most, Sheet};
use super::word::{Source, Weigh};
use crate::EngineError;
use tantivy::DocId;

/// The levels of one word in one segment.
pub struct Levels {
    levels: Vec<Level>,
    /// The most that the word adds to a document at each level, and last to one that stands at none of them.
    most: Vec<f64>,
    /// The most that alternatives give that weigh little.
    weak: Most,
    /// Levels that are marked in the current window.
    marked: usize,
    /// Documents of the window that match the word otherwise than by an alternative that weighs little.
    pub strong: Bits,
    /// All documents of the window that match it.
    pub found: Bits,
}

struct Level {
    /// The most that its field gives.
    most: f64,
    lists: Vec<MarkedList>,
    held: Bits,
}

/// A list that makes its documents stand at a level.
struct MarkedList {
    list: ScoreList,
    /// Apart, for it is large, and many lists are never opened.
    cursor: Option<Box<Cursor>>,
    opened: bool,
    /// First document of the window.
    start: DocId,
    /// Its documents in the window, by their distance from its start, with their frequencies.
    hits: Vec<(u16, u32)>,
}

/// A field as a level: the lists that make a document stand there, and what they and the others of the field give.
pub struct Field {
    /// The lists of the word itself and of what weighs as much.
    pub lists: Vec<ScoreList>,
    /// The most that any list of the field gives.
    pub most: f64,
    /// The most that alternatives give that weigh little.
    pub weak: f64,
}

impl Levels {
    /// The levels of a word whose `fields` are in order, the one that can give most first.
    pub fn new(fields: Vec<Field>) -> Self {
        let most = (0..=fields.len()).map(|level| {
            let own = fields.iter().enumerate().map(|(at, field)| {
                let may_be_strong = at >= level;
                if may_be_strong {
                    field.most
                } else {
                    field.weak
                }
            });
            own.fold(Most::default(), Most::with).word()
        });
        let weak = fields.iter().map(|field| field.weak);
        Self {
            weak: weak.fold(Most::default(), Most::with),
            most: most.collect(),
            levels: fields.into_iter().map(Level::new).collect(),
            marked: 0,
            strong: Bits::none(),
            found: Bits::none(),
        }
    }

    /// Begins a window, in which nothing is known yet.
    pub fn clear(&mut self) {
        self.marked = 0;
        self.strong.clear();
        self.found.clear();
    }

    /// Number of levels.
    pub fn count(&self) -> usize {
        self.levels.len()
    }

    /// The most that the word adds to a document at `level`; to one that stands at none when it is [`Self::count`].
    pub fn most(&self, level: usize) -> f64 {
        self.most[level]
    }

    /// The most that it adds to a document that matches it by an alternative that weighs little, and not otherwise.
    pub fn weak(&self) -> f64 {
        self.most[self.levels.len()]
    }

    /// Documents of the window that begins at `start` in the lists of `level`, once those before it are marked.
    pub fn mark(&mut self, level: usize, start: DocId) -> Result<&Bits, EngineError> {
        let own = &mut self.levels[level];
        if level >= self.marked {
            own.mark(start)?;
            self.marked = level + 1;
        }
        Ok(&own.held)
    }

    /// Marks what is not marked yet of the window that begins at `start`.
    pub fn mark_all(&mut self, start: DocId) -> Result<(), EngineError> {
        for level in self.marked..self.count() {
            self.mark(level, start)?;
        }
        Ok(())
    }

    /// Documents of the window in the lists of `level`, which must be marked.
    pub fn held(&self, level: usize) -> &Bits {
        &self.levels[level].held
    }

    /// Notes what the lists of `level`, which must be marked, give to those of `documents` that are in them.
    pub fn score(&self, level: usize, documents: &Bits, sheet: &mut Sheet, source: Source<'_>) {
        for own in &self.levels[level].lists {
            let weigh = Weigh::new(&own.list, source);
            let start = own.start;
            for (at, tf) in own
                .hits
                .iter()
                .filter(|(at, _)| documents.has(usize::from(*at)))
            {
                sheet.note(usize::from(*at), weigh.value(start + DocId::from(*at), *tf));
            }
        }
    }

    /// The most that the field of `level` gives.
    pub fn field(&self, level: usize) -> f64 {
        self.levels[level].most
    }

    /// Writes into `expected` the most that the word adds to those of `documents` that match it, by the fields in which
    /// they do; those in `near` match an alternative too. All levels must be marked.
    pub fn expect(&self, documents: &Bits, near: &Bits, expected: &mut [Most]) {
        let none = Most::default();
        for at in documents.iter() {
            expected[at] = if near.has(at) { self.weak } else { none };
        }
        for level in &self.levels {
            let held = documents.both(&level.held);
            held.iter()
                .for_each(|at| expected[at] = expected[at].with(level.most));
        }
    }
}

impl Level {
    fn new(field: Field) -> Self {
        let lists = field.lists.into_iter().map(|list| MarkedList {
            list,
            cursor: None,
            opened: false,
            start: 0,
            hits: Vec::new(),
        });
        Self {
            most: field.most,
            lists: lists.collect(),
            held: Bits::none(),
        }
    }

    fn mark(&mut self, start: DocId) -> Result<(), EngineError> {
        self.held.clear();
        for list in &mut self.lists {
            list.mark(start, &mut self.held)?;
        }
        Ok(())
    }
}

impl MarkedList {
    fn mark(&mut self, start: DocId, held: &mut Bits) -> Result<(), EngineError> {
        self.start = start;
        self.hits.clear();
        if !self.opened {
            self.cursor = self.list.place.open()?.map(Box::new);
            self.opened = true;
        }
        let end = start + WINDOW as DocId;
        if let Some(cursor) = &mut self.cursor
            && cursor.document().is_some_and(|document| document < end)
        {
            cursor.skip_to(start);
            cursor.visit_before(end, |document, tf| {
                let at = (document - start) as u16;
                held.set(usize::from(at));
                self.hits.push((at, tf));
            });
        }
        Ok(())
    }
}
