//! Disjunctive faceting: each facet ignores the filter of its own field and honours all others.
//!
//! Documents are collected during the search and counted at the end, field by field, so that only what is shown is
//! counted, with few cache misses. Idle cores share the counting of many documents.
//!
//! The counts are those of `DrillSideways` of Lucene.

use super::parallel::{run_parallel, threads};
use super::ranges::RangeCollector;
use super::value_counts::ValueCounts;
use crate::columns::{DictionaryEntries, EncodedValues, FieldNumber, ValueId, View};
use crate::embedded::scale::Scale;
use crate::embedded::topk::filters::{Filters, Verdict};
use domain::search::FilterField;

/// Chunks of documents per thread, so that all threads end at about the same time.
const CHUNKS_PER_THREAD: usize = 8;

/// The documents to count, by ordinal.
pub struct CountedDocuments {
    /// Documents that pass all filters.
    passing: Vec<u32>,
    /// Documents that fail one filter only, by its index: they count for the field of that filter.
    failing: Vec<Vec<u32>>,
}

impl CountedDocuments {
    /// Returns an empty collection for so many filters.
    pub fn new(choices: usize) -> Self {
        Self {
            passing: Vec::new(),
            failing: vec![Vec::new(); choices],
        }
    }

    /// Adds a document that matches the query, with the verdict of the filters.
    pub fn add(&mut self, verdict: Verdict, ordinal: u32) {
        match verdict {
            Verdict::Passes => self.passing.push(ordinal),
            Verdict::FailsOnly(at) => self.failing[at].push(ordinal),
            Verdict::Fails => {}
        }
    }

    /// Sorts the documents by the location of their values.
    pub fn sort(&mut self) {
        in_order(&mut self.passing);
        self.failing.iter_mut().for_each(in_order);
    }

    /// Collects the flags or the ranges of `fields`.
    pub fn range_facets<'f, S: Scale>(
        &self,
        fields: impl Iterator<Item = &'f FilterField>,
        filters: &Filters,
        view: &View<'_>,
    ) -> Vec<RangeCollector> {
        let fields: Vec<&FilterField> = fields.collect();
        let fresh = || {
            let of = fields.iter();
            let of = of.filter_map(|field| Some((*field, RangeCollector::new(field)?)));
            of.collect::<Vec<_>>()
        };
        let add = |all: &mut Vec<(&FilterField, RangeCollector)>, documents: &[u32]| {
            for seen in documents.iter().filter_map(|at| view.see(*at)) {
                for (field, ranges) in &mut *all {
                    ranges.add(field, &seen);
                }
            }
        };
        let mut all = self.in_parallel::<S, _>(fresh, add, |all, more| {
            for ((_, ranges), (_, more)) in all.iter_mut().zip(more) {
                ranges.merge(more);
            }
        });
        for (field, ranges) in &mut all {
            for seen in (self.failing(field, filters).iter()).filter_map(|at| view.see(*at)) {
                ranges.add(field, &seen);
            }
        }
        all.into_iter().map(|(_, ranges)| ranges).collect()
    }

    /// Applies `add` to the documents that pass all filters, starting with `fresh`. Where threads share the work,
    /// `merge` combines their results.
    fn in_parallel<S: Scale, T: Send>(
        &self,
        fresh: impl Fn() -> T + Sync,
        add: impl Fn(&mut T, &[u32]) + Sync,
        merge: impl Fn(&mut T, T),
    ) -> T {
        let threads = if self.passing.len() < S::PARALLEL_DOCUMENTS_MIN {
            1
        } else {
            threads()
        };
        let chunk = self
            .passing
            .len()
            .div_ceil(threads * CHUNKS_PER_THREAD)
            .max(1);
        let chunks: Vec<&[u32]> = self.passing.chunks(chunk).collect();
        let counted = run_parallel(threads, &chunks, |own| {
            let mut counts = fresh();
            own.for_each(|documents| add(&mut counts, documents));
            counts
        });
        let counted = counted.into_iter().reduce(|mut all, more| {
            merge(&mut all, more);
            all
        });
        counted.expect("the calling thread takes part")
    }

    /// Returns the documents that fail the filter of `field` only.
    fn failing(&self, field: &FilterField, filters: &Filters) -> &[u32] {
        let own = filters.tests().iter().position(|test| test.field == *field);
        own.map_or(&[], |at| &self.failing[at])
    }

    /// Counts the documents with any value in each field, by field number.
    pub fn carriers<S: Scale>(
        &self,
        filters: &Filters,
        entries: &DictionaryEntries<'_>,
        view: &View<'_>,
    ) -> Vec<u32> {
        let fields = entries.fields().len();
        let add = |carriers: &mut Vec<u32>, documents: &[u32]| {
            for values in values_of(documents, view) {
                for field in values.fields() {
                    carriers[field as usize] += 1;
                }
            }
        };
        let mut carriers = self.in_parallel::<S, _>(
            || vec![0; fields],
            add,
            |all, more| {
                all.iter_mut()
                    .zip(more)
                    .for_each(|(own, more)| *own += more)
            },
        );
        for (test, failing) in filters.tests().iter().zip(&self.failing) {
            if let Some(field) = entries.number(&test.field) {
                let own = values_of(failing, view).map(|values| values.of_field(field));
                carriers[field as usize] += own.filter(|own| !own.is_empty()).count() as u32;
            }
        }
        carriers
    }

    /// Counts the documents by value, for each of `fields`.
    pub fn value_counts<S: Scale>(
        &self,
        fields: &[FieldNumber],
        filters: &Filters,
        entries: &DictionaryEntries<'_>,
        view: &View<'_>,
    ) -> Vec<ValueCounts> {
        let found = self.passing.len();
        let values: Vec<usize> = (fields.iter())
            .map(|field| entries.values_of(*field))
            .collect();
        let fresh = || {
            let values = values.iter();
            let fresh = values.map(|values| ValueCounts::new(*values, found));
            fresh.collect::<Vec<_>>()
        };
        let mut index_of: Vec<Option<u16>> = vec![None; entries.fields().len()];
        for (index, field) in (0..).zip(fields) {
            index_of[*field as usize] = Some(index);
        }
        let add = |counts: &mut Vec<ValueCounts>, documents: &[u32]| {
            for values in values_of(documents, view) {
                for (field, own) in values {
                    if let Some(index) = index_of[field as usize] {
                        counts[usize::from(index)].add(own);
                    }
                }
            }
        };
        let mut counts = self.in_parallel::<S, _>(fresh, add, |all, more| {
            for (own, more) in all.iter_mut().zip(more) {
                own.merge(more);
            }
        });
        for (test, failing) in filters.tests().iter().zip(&self.failing) {
            let field = entries.number(&test.field);
            let index = field.and_then(|field| index_of[field as usize]);
            if let (Some(field), Some(index)) = (field, index) {
                let own = values_of(failing, view).map(|values| values.of_field(field));
                own.for_each(|own| counts[usize::from(index)].add(own));
            }
        }
        counts
    }

    /// Returns the values in `field` of each document that counts for it.
    pub fn values_by_document<'a>(
        &'a self,
        field: &FilterField,
        number: FieldNumber,
        filters: &Filters,
        view: &'a View<'_>,
    ) -> impl Iterator<Item = &'a [ValueId]> {
        let failing = values_of(self.failing(field, filters), view);
        let all = self.values(view).chain(failing);
        all.map(move |values| values.of_field(number))
    }

    fn values<'a>(&'a self, view: &'a View<'_>) -> impl Iterator<Item = EncodedValues<'a>> {
        values_of(&self.passing, view)
    }
}

/// Bits of a set per document from which on going through the set costs more than sorting.
const SPARSE: usize = 64;

/// Sorts `documents`, which has no duplicates.
fn in_order(documents: &mut Vec<u32>) {
    let len = documents.iter().max().map_or(0, |last| *last as usize + 1);
    if documents.len() * SPARSE < len {
        documents.sort_unstable();
        return;
    }
    let mut held = vec![0u64; len.div_ceil(64)];
    for document in documents.drain(..) {
        held[document as usize / 64] |= 1 << (document % 64);
    }
    for (mut bits, first) in held.into_iter().zip((0..).step_by(64)) {
        while bits != 0 {
            documents.push(first + bits.trailing_zeros());
            bits &= bits - 1;
        }
    }
}

/// Returns the values of `documents`, which are looked up in batches so that cache misses overlap.
fn values_of<'a>(
    documents: &'a [u32],
    view: &'a View<'_>,
) -> impl Iterator<Item = EncodedValues<'a>> {
    let some = documents.chunks(64);
    some.flat_map(|documents| {
        let mut values = [EncodedValues::default(); 64];
        for (own, document) in values.iter_mut().zip(documents) {
            *own = view.columns().values(*document);
        }
        values.into_iter().take(documents.len())
    })
}
