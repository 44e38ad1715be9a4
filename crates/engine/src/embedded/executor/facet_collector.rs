//! What the shopper chose, met by one document after the other; what facets count is noted on the way.

use super::super::scale::Scale;
use super::facet_counts::wished;
use super::facet_values::facets;
use super::facets::CountedDocuments;
use super::filters::{Filters, Verdict};
use crate::columns::{Dictionary, View};
use crate::{Facet, FacetRequest, Request};
use domain::search::FilterChoice;
use std::sync::Arc;

/// The choices of a request with the documents that they leave.
pub struct FacetCollector {
    filters: Filters,
    counted: Option<CountedDocuments>,
    wishes: Option<Arc<[FacetRequest]>>,
    unnamed: Arc<[String]>,
}

impl FacetCollector {
    /// The sieve of `request` before the first document.
    pub fn new(request: &Request, dictionary: &Dictionary) -> Self {
        let filters = Filters::new(&request.choices, dictionary);
        let counted = (request.facets).then(|| CountedDocuments::new(filters.tests().len()));
        Self {
            filters,
            counted,
            wishes: request.wishes.clone(),
            unnamed: Arc::clone(&request.unnamed_categories),
        }
    }

    /// The sieve of `choices` alone, which counts nothing.
    pub fn of_choices(choices: &[FilterChoice], dictionary: &Dictionary) -> Self {
        Self {
            filters: Filters::new(choices, dictionary),
            counted: None,
            wishes: None,
            unnamed: Arc::default(),
        }
    }

    /// Takes in what the same choices met elsewhere.
    pub fn absorb(&mut self, other: Self) {
        if let (Some(counted), Some(others)) = (&mut self.counted, other.counted) {
            counted.absorb(others);
        }
    }

    /// Whether it has to see the documents at all: where nothing was chosen and nothing is counted, all pass.
    pub fn is_needed(&self) -> bool {
        self.counted.is_some() || !self.filters.tests().is_empty()
    }

    /// Whether a document that the question finds, and the visitor may see, meets all choices; notes it where it counts.
    pub fn passes(&mut self, ordinal: u32, view: &View<'_>) -> bool {
        let verdict = if self.filters.tests().is_empty() {
            Verdict::Passes
        } else {
            let seen = view.see(ordinal);
            seen.map_or(Verdict::Fails, |seen| self.filters.verdict(&seen))
        };
        if let Some(counted) = &mut self.counted {
            counted.note(verdict, ordinal);
        }
        verdict == Verdict::Passes
    }

    /// The facets of all documents that were noted; none where none are wanted.
    pub fn into_facets<S: Scale>(mut self, view: &View<'_>) -> Vec<Facet> {
        self.counted.iter_mut().for_each(CountedDocuments::settle);
        match (&self.counted, &self.wishes) {
            (None, _) => Vec::new(),
            (Some(counted), None) => facets::<S>(counted, &self.filters, view, &self.unnamed),
            (Some(counted), Some(wishes)) => {
                wished::<S>(wishes, counted, &self.filters, view, &self.unnamed)
            }
        }
    }
}
