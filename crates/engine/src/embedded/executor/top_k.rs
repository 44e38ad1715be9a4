//! The best hits seen so far, in an order that never depends on segments: rank, score, sales, id.

use crate::columns::{Columns, Seen};
use domain::search::Sort;
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use tantivy::{DocAddress, DocId};

/// A hit with what decides its place.
#[derive(Clone, Copy, Debug)]
pub struct Ranked {
    /// What comes before the score in the order by relevance, the lowest first.
    pub rank: u8,
    /// Its score.
    pub score: f64,
    /// Ordinal of the document.
    pub ordinal: u32,
    /// Number of its segment.
    pub segment: u32,
    /// Its place in the segment.
    pub document: DocId,
    sales: f64,
    /// What it is sorted by, the least first.
    key: f64,
}

/// Collects the best hits.
pub struct TopK<'a> {
    limit: usize,
    sort: Sort,
    columns: &'a Columns,
    heap: BinaryHeap<HeapEntry<'a>>,
    /// A score that the last hit is expected to reach.
    expected: Option<f64>,
}

struct HeapEntry<'a> {
    hit: Ranked,
    sort: Sort,
    columns: &'a Columns,
}

impl<'a> TopK<'a> {
    pub fn new(limit: usize, sort: Sort, columns: &'a Columns) -> Self {
        Self {
            limit,
            sort,
            columns,
            heap: BinaryHeap::with_capacity(limit.min(1024) + 1),
            expected: None,
        }
    }

    /// The same, when its last hit is expected to reach a score.
    pub fn expecting(self, expected: Option<f64>) -> Self {
        Self { expected, ..self }
    }

    /// Whether the order asks for scores at all.
    pub fn by_score(&self) -> bool {
        self.sort == Sort::Relevance
    }

    /// Offers a hit, by its rank and score, with its numbers.
    pub fn offer(&mut self, (rank, score): (u8, f64), seen: &Seen<'_>, address: DocAddress) {
        // Scores are compared in single precision: what differs less was summed in another order only.
        let score = f64::from(score as f32);
        if self.limit == 0 || self.is_below_all(rank, score) {
            return;
        }
        let entry = HeapEntry {
            hit: self.ranked((rank, score), seen, address),
            sort: self.sort,
            columns: self.columns,
        };
        if self.heap.len() < self.limit {
            self.heap.push(entry);
        } else if let Some(mut worst) = self.heap.peek_mut()
            && entry < *worst
        {
            *worst = entry;
        }
    }

    /// Number of hits that have a place whatever they score.
    pub fn room(&self) -> usize {
        self.limit - self.heap.len()
    }

    /// A hit with what would decide its place.
    pub fn ranked(&self, (rank, score): (u8, f64), seen: &Seen<'_>, address: DocAddress) -> Ranked {
        Ranked {
            rank,
            score: f64::from(score as f32),
            ordinal: seen.ordinal,
            segment: address.segment_ord,
            document: address.doc_id,
            sales: seen.row().sales,
            key: key(self.sort, seen),
        }
    }

    /// The score under which no hit has a place any more, or is expected to have one; none while there is room, where
    /// another order than that of scores decides, or where something comes before the score.
    pub fn worst_score(&self) -> Option<f64> {
        if self.limit == 0 {
            return Some(f64::INFINITY);
        }
        let known = [self.last_score(), self.expected].into_iter().flatten();
        known.reduce(f64::max)
    }

    /// The score of the last hit that has a place, once all places are taken by hits that scores alone order.
    fn last_score(&self) -> Option<f64> {
        let worst = self.heap.peek().filter(|worst| worst.hit.rank == 0)?;
        (self.by_score() && self.heap.len() >= self.limit).then_some(worst.hit.score)
    }

    /// Ends what was expected: whether the last hit reaches it, so that nothing that has a place was left out.
    pub fn met(&mut self) -> bool {
        let expected = self.expected.take();
        expected.is_none_or(|expected| self.last_score().is_some_and(|last| last >= expected))
    }

    /// Whether rank and score alone tell that a hit has no place, which spares all further comparing.
    fn is_below_all(&self, rank: u8, score: f64) -> bool {
        let worst = self.heap.peek().map(|worst| &worst.hit);
        self.by_score()
            && self.heap.len() >= self.limit
            && worst.is_some_and(|worst| {
                rank > worst.rank || (rank == worst.rank && score < worst.score)
            })
    }

    /// The hits, the best first.
    pub fn into_sorted(self) -> Vec<Ranked> {
        self.heap
            .into_sorted_vec()
            .into_iter()
            .map(|entry| entry.hit)
            .collect()
    }
}

impl HeapEntry<'_> {
    /// Less means before.
    fn place(&self, other: &Self) -> Ordering {
        let (a, b) = (&self.hit, &other.hit);
        let by_sort = match self.sort {
            Sort::Relevance => a.rank.cmp(&b.rank).then(b.score.total_cmp(&a.score)),
            Sort::Name => self
                .columns
                .name_key(a.ordinal)
                .cmp(self.columns.name_key(b.ordinal)),
            _ => a.key.total_cmp(&b.key),
        };
        by_sort
            .then_with(|| b.sales.total_cmp(&a.sales))
            .then_with(|| self.columns.id(a.ordinal).cmp(self.columns.id(b.ordinal)))
    }
}

/// What `sort` orders by, the least first; infinity, which no document has, for what has none.
fn key(sort: Sort, seen: &Seen<'_>) -> f64 {
    let row = seen.row();
    let number = match sort {
        Sort::PriceAsc => seen.price(),
        Sort::PriceDesc => seen.price().map(|price| -price),
        Sort::Newest => row.added().map(|added| -added),
        Sort::Sales => Some(-row.sales),
        Sort::Rating => row.rating().map(|rating| -rating),
        Sort::Relevance | Sort::Name => None,
    };
    // Adding 0 makes one of the two zeros.
    number.map_or(f64::INFINITY, |number| number + 0.0)
}

impl PartialEq for HeapEntry<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.place(other) == Ordering::Equal
    }
}

impl Eq for HeapEntry<'_> {}

impl PartialOrd for HeapEntry<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for HeapEntry<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.place(other)
    }
}
