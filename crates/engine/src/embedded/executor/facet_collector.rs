//! Applies the filters of a request to one document after the other, and collects the documents for facets.

use super::super::scale::Scale;
use super::facet_counts::requested_facets;
use super::facet_values::facets;
use super::facets::CountedDocuments;
use super::filters::{Filters, Verdict};
use crate::columns::{Dictionary, View};
use crate::{Facet, FacetRequest, Request};
use domain::search::FilterChoice;
use std::sync::Arc;

/// The filters of a request with the documents that facets count.
pub struct FacetCollector {
    filters: Filters,
    counted: Option<CountedDocuments>,
    requested: Option<Arc<[FacetRequest]>>,
    unnamed: Arc<[String]>,
}

impl FacetCollector {
    /// Returns the collector of `request`.
    pub fn new(request: &Request, dictionary: &Dictionary) -> Self {
        let filters = Filters::new(&request.choices, dictionary);
        let counted = (request.facets).then(|| CountedDocuments::new(filters.tests().len()));
        Self {
            filters,
            counted,
            requested: request.wishes.clone(),
            unnamed: Arc::clone(&request.unnamed_categories),
        }
    }

    /// Returns a collector that applies `choices` and counts nothing.
    pub fn of_choices(choices: &[FilterChoice], dictionary: &Dictionary) -> Self {
        Self {
            filters: Filters::new(choices, dictionary),
            counted: None,
            requested: None,
            unnamed: Arc::default(),
        }
    }

    /// Adds the documents of another collector of the same request.
    pub fn merge(&mut self, other: Self) {
        if let (Some(counted), Some(others)) = (&mut self.counted, other.counted) {
            counted.merge(others);
        }
    }

    /// Whether documents must be passed to the collector: without filters and facets, all of them pass.
    pub fn is_needed(&self) -> bool {
        self.counted.is_some() || !self.filters.tests().is_empty()
    }

    /// Whether a document, which matches the query and is visible, passes all filters. Records it if a facet counts it.
    pub fn passes(&mut self, ordinal: u32, view: &View<'_>) -> bool {
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

    /// Returns the facets of all recorded documents; empty if none are requested.
    pub fn into_facets<S: Scale>(mut self, view: &View<'_>) -> Vec<Facet> {
        self.counted.iter_mut().for_each(CountedDocuments::sort);
        match (&self.counted, &self.requested) {
            (None, _) => Vec::new(),
            (Some(counted), None) => facets::<S>(counted, &self.filters, view, &self.unnamed),
            (Some(counted), Some(requested)) => {
                requested_facets::<S>(requested, counted, &self.filters, view, &self.unnamed)
            }
        }
    }
}
