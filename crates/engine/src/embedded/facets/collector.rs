//! Applies the filters of a request to one document after the other, and collects the documents for facets.

use super::automatic::facets;
use super::counted::CountedDocuments;
use super::requested::requested_facets;
use crate::columns::{Dictionary, View};
use crate::embedded::scale::Scale;
use crate::embedded::topk::collector::Collector;
use crate::embedded::topk::filters::{Filters, Verdict};
use crate::facet_policy::FacetPolicy;
use crate::{Facet, Request};

/// The filters of a request with the documents that facets count.
pub struct FacetCollector {
    filters: Filters,
    counted: Option<CountedDocuments>,
}

impl Collector for FacetCollector {
    fn new(request: &Request, dictionary: &Dictionary) -> Self {
        let filters = Filters::new(&request.choices, dictionary);
        let counted = (request.facets).then(|| CountedDocuments::new(filters.tests().len()));
        Self { filters, counted }
    }

    fn of_choices(request: &Request, dictionary: &Dictionary) -> Self {
        Self {
            filters: Filters::new(&request.choices, dictionary),
            counted: None,
        }
    }

    fn is_needed(&self) -> bool {
        self.counted.is_some() || !self.filters.tests().is_empty()
    }

    fn passes(&mut self, ordinal: u32, view: &View<'_>) -> bool {
        let verdict = if self.filters.tests().is_empty() {
            Verdict::Passes
        } else {
            let seen = view.see(ordinal);
            seen.map_or(Verdict::Fails, |seen| self.filters.verdict(&seen))
        };
        if let Some(counted) = &mut self.counted {
            counted.add(verdict, ordinal);
        }
        verdict == Verdict::Passes
    }
}

impl FacetCollector {
    /// Returns the facets of all recorded documents for `request`; empty if none are requested.
    pub fn into_facets<S: Scale>(mut self, request: &Request, view: &View<'_>) -> Vec<Facet> {
        self.counted.iter_mut().for_each(CountedDocuments::sort);
        let policy = FacetPolicy::new(request);
        match (&self.counted, &request.facet_requests) {
            (None, _) => Vec::new(),
            (Some(counted), None) => facets::<S>(counted, &self.filters, view, &policy),
            (Some(counted), Some(requested)) => {
                requested_facets::<S>(requested, counted, &self.filters, view, &policy)
            }
        }
    }
}
