//! The best hits seen so far, in an order that never depends on segments: rank, score, sales, id.

use crate::columns::{Columns, NumberRow};
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
    price: f64,
}

/// Collects the best hits.
pub struct Top<'a> {
    limit: usize,
    sort: Sort,
    columns: &'a Columns,
    heap: BinaryHeap<Entry<'a>>,
}

struct Entry<'a> {
    hit: Ranked,
    sort: Sort,
    columns: &'a Columns,
}

impl<'a> Top<'a> {
    pub fn new(limit: usize, sort: Sort, columns: &'a Columns) -> Self {
        Self {
            limit,
            sort,
            columns,
            heap: BinaryHeap::with_capacity(limit.min(1024) + 1),
        }
    }

    /// Whether the order asks for scores at all.
    pub fn by_score(&self) -> bool {
        self.sort == Sort::Relevance
    }

    /// Offers a hit, by its rank and score, with its numbers.
    pub fn offer(
        &mut self,
        (rank, score): (u8, f64),
        row: &NumberRow,
        ordinal: u32,
        address: DocAddress,
    ) {
        // Scores are compared in single precision: what differs less was summed in another order only.
        let score = f64::from(score as f32);
        if self.limit == 0 || self.is_below_all(rank, score) {
            return;
        }
        let hit = Ranked {
            rank,
            score,
            ordinal,
            segment: address.segment_ord,
            document: address.doc_id,
            sales: row.sales,
            price: row.price().unwrap_or(f64::NAN),
        };
        let entry = Entry {
            hit,
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

impl Entry<'_> {
    /// Less means before.
    fn place(&self, other: &Self) -> Ordering {
        let (a, b) = (&self.hit, &other.hit);
        let by_sort = match self.sort {
            Sort::Relevance => a.rank.cmp(&b.rank).then(b.score.total_cmp(&a.score)),
            Sort::PriceAsc => without_last(a.price, b.price, |x, y| x.total_cmp(&y)),
            Sort::PriceDesc => without_last(a.price, b.price, |x, y| y.total_cmp(&x)),
            Sort::Name => self
                .columns
                .name_key(a.ordinal)
                .cmp(self.columns.name_key(b.ordinal)),
        };
        by_sort
            .then_with(|| b.sales.total_cmp(&a.sales))
            .then_with(|| self.columns.id(a.ordinal).cmp(self.columns.id(b.ordinal)))
    }
}

/// Compares two prices; none, written as not a number, stands last in either direction.
fn without_last(a: f64, b: f64, compare: impl Fn(f64, f64) -> Ordering) -> Ordering {
    match (a.is_nan(), b.is_nan()) {
        (false, false) => compare(a, b),
        (a_none, b_none) => a_none.cmp(&b_none),
    }
}

impl PartialEq for Entry<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.place(other) == Ordering::Equal
    }
}

impl Eq for Entry<'_> {}

impl PartialOrd for Entry<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entry<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.place(other)
    }
}
