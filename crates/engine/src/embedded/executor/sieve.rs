//! What the shopper chose, met by one document after the other; facets are counted on the way.

use super::facets::Counts;
use super::filters::{Filters, Verdict};
use super::tally::facets;
use crate::columns::{Dictionary, Seen};
use crate::{Facet, Request};

/// The choices of a request with the counts that they leave.
pub struct Sieve {
    filters: Filters,
    counts: Option<Counts>,
}

impl Sieve {
    /// The sieve of `request` before the first document.
    pub fn new(request: &Request, dictionary: &Dictionary) -> Self {
        let filters = Filters::new(&request.choices, dictionary);
        let counts = request.facets.then(|| Counts::new(&filters, dictionary));
        Self { filters, counts }
    }

    /// Whether it has to see the documents at all: where nothing was chosen and nothing is counted, all pass.
    pub fn is_needed(&self) -> bool {
        self.counts.is_some() || !self.filters.tests().is_empty()
    }

    /// Whether a document that the question finds meets all choices; counts it where it may.
    pub fn passes(&mut self, seen: &Seen<'_>) -> bool {
        let verdict = self.filters.verdict(seen);
        if let Some(counts) = &mut self.counts {
            counts.count(verdict, &self.filters, seen);
        }
        verdict == Verdict::Passes
    }

    /// The facets of all documents that were counted; none where none are wanted.
    pub fn into_facets(self, dictionary: &Dictionary) -> Vec<Facet> {
        let counts = self.counts.as_ref();
        counts.map_or_else(Vec::new, |counts| facets(counts, &self.filters, dictionary))
    }
}
