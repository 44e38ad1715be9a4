//! A heap of the best hits so far, in an order that does not depend on segments: rank, score, sales, id.
//!
//! A bounded binary heap, as the `HitQueue` of Lucene; its worst hit is the threshold of the top-k.

use crate::columns::{Columns, Seen};
use domain::search::Sort;
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use tantivy::{DocAddress, DocId};

/// A hit with its sort keys.
#[derive(Clone, Copy, Debug)]
pub struct Ranked {
    /// What comes before the score in the order by relevance, the lowest first.
    pub rank: u8,
    /// The score.
    pub score: f64,
    /// Ordinal of the document.
    pub ordinal: u32,
    /// Number of the segment.
    pub segment: u32,
    /// Doc id in the segment.
    pub document: DocId,
    sales: f64,
    /// The sort key, the lowest first.
    key: f64,
}

/// Collects the best hits.
pub struct TopK<'a> {
    limit: usize,
    sort: Sort,
    columns: &'a Columns,
    heap: BinaryHeap<HeapEntry<'a>>,
    /// A score that the last hit is expected to reach.
    expected_threshold: Option<f64>,
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
            expected_threshold: None,
        }
    }

    /// Returns the collector with a score that its last hit is expected to reach.
    pub fn with_expected_threshold(self, expected_threshold: Option<f64>) -> Self {
        Self {
            expected_threshold,
            ..self
        }
    }

    /// Whether hits are ordered by score.
    pub fn by_score(&self) -> bool {
        self.sort == Sort::Relevance
    }

    /// Adds a hit if it is among the best.
    pub fn offer(&mut self, (rank, score): (u8, f64), seen: &Seen<'_>, address: DocAddress) {
        // Scores are compared in single precision: smaller differences come from the order of additions.
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

    /// Returns the number of hits that still fit in, whatever they score.
    pub fn room(&self) -> usize {
        self.limit - self.heap.len()
    }

    /// Returns a hit with its sort keys.
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

    /// Returns the score below which no hit can enter the top-k, or is expected to. None while there is room, if the
    /// order is not by score, or if something comes before the score.
    pub fn threshold(&self) -> Option<f64> {
        if self.limit == 0 {
            return Some(f64::INFINITY);
        }
        let known = [self.last_score(), self.expected_threshold]
            .into_iter()
            .flatten();
        known.reduce(f64::max)
    }

    /// Returns the score of the last hit once the heap is full, if only scores order the hits.
    fn last_score(&self) -> Option<f64> {
        let worst = self.heap.peek().filter(|worst| worst.hit.rank == 0)?;
        (self.by_score() && self.heap.len() >= self.limit).then_some(worst.hit.score)
    }

    /// Whether the last hit reaches the expected score, so that no hit was skipped wrongly. Drops the expectation.
    pub fn reached_expected(&mut self) -> bool {
        let expected_threshold = self.expected_threshold.take();
        expected_threshold.is_none_or(|expected_threshold| {
            self.last_score()
                .is_some_and(|last| last >= expected_threshold)
        })
    }

    /// Whether rank and score alone rule a hit out, which spares further comparisons.
    fn is_below_all(&self, rank: u8, score: f64) -> bool {
        let worst = self.heap.peek().map(|worst| &worst.hit);
        self.by_score()
            && self.heap.len() >= self.limit
            && worst.is_some_and(|worst| {
                rank > worst.rank || (rank == worst.rank && score < worst.score)
            })
    }

    /// Returns the hits, the best first.
    pub fn into_sorted(self) -> Vec<Ranked> {
        self.heap
            .into_sorted_vec()
            .into_iter()
            .map(|entry| entry.hit)
            .collect()
    }
}

impl HeapEntry<'_> {
    /// Compares two hits: the lesser one comes first.
    fn compare(&self, other: &Self) -> Ordering {
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

/// Returns the key for `sort`, the lowest first. Infinity, which no document has, is for a document without a value.
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
    // Adding 0 makes the two zeros equal.
    number.map_or(f64::INFINITY, |number| number + 0.0)
}

impl PartialEq for HeapEntry<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.compare(other) == Ordering::Equal
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
        self.compare(other)
    }
}
