//! One query that is tried: ranked under either configuration as a search would rank it.

use super::Sides;
use super::order::{Moves, Order};
use crate::OperationError;
use crate::search::ranking::{Ranking, effects};
use crate::search::responses::{EarlierPages, FacetView, PreparedSearch};
use crate::search::{FilterableFields, rank_type};
use crate::snapshots::snapshot::StoreSnapshot;
use domain::document::DocType;
use domain::search::{CheckedSearch, FilterValue, SearchRequest};
use domain::visitor::Visitor;
use domain::{Language, Timestamp};
use engine::Request;
use query::rules::Effects;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A checked query, as a search would run it.
pub(crate) struct TriedQuery {
    /// The search for products.
    pub search: PreparedSearch,
    /// Number of positions that are compared.
    pub limit: usize,
}

impl TriedQuery {
    /// Checks a query: its text, its filters and whether it has facets.
    ///
    /// Errors: `Invalid` with all invalid values; if the index of products cannot be read.
    pub fn new(
        sides: &Sides,
        (q, filters, facets): (String, BTreeMap<String, FilterValue>, bool),
        language: Language,
        visitor: Arc<Visitor>,
        limit: u32,
    ) -> Result<Self, OperationError> {
        let request = SearchRequest {
            q,
            filters,
            facets,
            types: Some(vec![DocType::Products]),
            ..SearchRequest::default()
        };
        let index = sides.saved.index(DocType::Products, &language);
        // Without filters there is nothing to ask the index for.
        let index = index.filter(|_| !request.filters.is_empty());
        let fields = FilterableFields::of(index, &visitor)?;
        let checked = request
            .check(|name| fields.admit(name))
            .map_err(OperationError::Invalid)?;
        Ok(Self {
            search: PreparedSearch {
                language,
                visitor,
                checked: CheckedSearch { limit, ..checked },
                suggests: false,
                earlier: EarlierPages::new(),
            },
            limit: limit as usize,
        })
    }

    /// Returns whether the two configurations may rank the query differently, see [`Sides::may_differ`].
    ///
    /// Errors: if an index cannot be read.
    pub fn may_differ(
        &self,
        sides: &Sides,
        effects: [&Effects; 2],
    ) -> Result<bool, OperationError> {
        let query = (&self.search.language, &*self.search.checked.q);
        sides.may_differ(query, &self.search.visitor, effects)
    }

    /// Returns the effects of rules.
    ///
    /// Errors: if an index cannot be read.
    pub fn effects(
        &self,
        snapshot: &StoreSnapshot,
        at: Timestamp,
    ) -> Result<Effects, OperationError> {
        let query = (&self.search.language, &*self.search.checked.q);
        effects(snapshot, query, &self.search.visitor, at)
    }

    /// Ranks products with these effects of rules, with the request of a search as changed by `adapt`.
    pub fn rank(
        &self,
        snapshot: &StoreSnapshot,
        effects: &Effects,
        adapt: impl FnOnce(Request) -> Request,
    ) -> Result<(Ranking, Vec<FacetView>), OperationError> {
        rank_type(snapshot, &self.search, (DocType::Products, effects), adapt)
    }

    /// Returns the order of the first `limit` hits.
    pub fn order(
        &self,
        snapshot: &StoreSnapshot,
        effects: &Effects,
        limit: usize,
    ) -> Result<Order, OperationError> {
        let (ranking, _) = self.rank(snapshot, effects, |request| Request {
            limit,
            ids_only: true,
            facets: false,
            ..request
        })?;
        Ok(Order::of(&ranking))
    }

    /// Ranks the first `limit` hits with their cards.
    pub fn cards(
        &self,
        snapshot: &StoreSnapshot,
        effects: &Effects,
    ) -> Result<Ranking, OperationError> {
        let same = |request| request;
        let (ranking, _) = self.rank(snapshot, effects, same)?;
        Ok(ranking)
    }

    /// Returns the totals with what is tried and with what is saved, and what moved.
    pub fn moves(&self, sides: &Sides) -> Result<([u64; 2], Moves), OperationError> {
        let of = |snapshot: &StoreSnapshot| {
            let effects = self.effects(snapshot, sides.at)?;
            self.order(snapshot, &effects, self.limit)
        };
        let (tried, saved) = (of(&sides.tried)?, of(&sides.saved)?);
        Ok(([tried.total, saved.total], Moves::between(tried, saved)))
    }
}
