//! One query under both configurations: its order, its cards, and what moved.

use super::badges::{Badge, badges};
use super::sides::Sides;
use crate::OperationError;
use crate::search::ranking::{Ranking, effects};
use crate::search::responses::{
    BannerView, EarlierPages, FacetView, PreparedSearch, ProductHit, ProductHits, RedirectView,
};
use crate::search::simulator::{RuleReport, SimulationQuery, reports};
use crate::search::{FilterableFields, rank_type};
use crate::snapshots::snapshot::StoreSnapshot;
use domain::document::DocType;
use domain::search::{CheckedSearch, FilterValue, SearchRequest};
use domain::visitor::Visitor;
use domain::{Language, Timestamp};
use engine::Request;
use query::rules::Effects;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// A query under a draft, compared with what is saved.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Preview {
    /// How the query was interpreted.
    pub query: SimulationQuery,
    /// Products found.
    pub total: u64,
    /// Products found with what is saved.
    pub saved_total: u64,
    /// Milliseconds that it took.
    pub took_ms: u64,
    /// Rules whose trigger matches the query, in the order in which they apply.
    pub rules: Vec<RuleReport>,
    /// Redirect of a rule.
    pub redirect: Option<RedirectView>,
    /// Banners of rules.
    pub banners: Vec<BannerView>,
    /// Ids that rules hide.
    pub hidden: Vec<String>,
    /// Facets, if they were requested.
    pub facets: Vec<FacetView>,
    /// The first hits with what their cards show.
    pub cards: Vec<PreviewCard>,
    /// Id, position and saved position of every hit; the saved one is null beyond the limit.
    pub order: Vec<(String, u32, Option<u32>)>,
    /// Hits at another position than the saved one.
    pub moved: usize,
    /// Hits without a saved position.
    pub entered: usize,
    /// Ids of saved hits that are no hits any more.
    pub left: Vec<String>,
}

/// A hit with what its card shows.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PreviewCard {
    /// The hit, as a search returns it.
    #[serde(flatten)]
    pub hit: ProductHit,
    /// Its position, from 1.
    pub position: u32,
    /// Its position with what is saved; null beyond the limit.
    pub saved_position: Option<u32>,
    /// Its score.
    pub score: f64,
    /// What is special about it.
    pub badges: Vec<Badge>,
}

/// The order of the hits of a query, and how many it has.
pub(super) struct Order {
    /// Ids of the hits.
    pub ids: Vec<String>,
    /// Number of all hits.
    pub total: u64,
}

/// What differs between two orders.
pub(super) struct Moves {
    /// Id, position and saved position of every hit.
    pub order: Vec<(String, u32, Option<u32>)>,
    /// Hits at another position.
    pub moved: usize,
    /// Hits that were none.
    pub entered: usize,
    /// Hits that are none any more.
    pub left: Vec<String>,
}

impl Moves {
    /// Compares an order with the saved one.
    pub fn between(tried: Order, saved: Order) -> Self {
        let mut places: HashMap<String, u32> = saved.ids.iter().cloned().zip(1..).collect();
        let order: Vec<(String, u32, Option<u32>)> = tried
            .ids
            .into_iter()
            .zip(1..)
            .map(|(id, position)| {
                let saved = places.remove(&id);
                (id, position, saved)
            })
            .collect();
        let moved = order
            .iter()
            .filter(|(_, position, saved)| saved.is_some_and(|saved| saved != *position));
        let entered = order.iter().filter(|(_, _, saved)| saved.is_none());
        let gone = saved.ids.into_iter().filter(|id| places.contains_key(id));
        Self {
            moved: moved.count(),
            entered: entered.count(),
            left: gone.collect(),
            order,
        }
    }
}

/// A checked query, as a search would run it.
pub(super) struct TriedQuery {
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
        Ok(Order {
            ids: ranking.found.hits.into_iter().map(|hit| hit.id).collect(),
            total: ranking.found.total,
        })
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

    /// Returns the preview with this number of cards.
    pub fn preview(&self, sides: &Sides, cards: u32) -> Result<Preview, OperationError> {
        let ([total, saved_total], moves) = self.moves(sides)?;
        let effects = self.effects(&sides.tried, sides.at)?;
        let (ranking, facets) = self.rank(&sides.tried, &effects, |request| Request {
            limit: cards as usize,
            explain: true,
            ..request
        })?;
        let analyser = sides.tried.analyser(&self.search.language);
        let shown = ProductHits::new(&ranking, analyser);
        let cards = shown.hits.into_iter().zip(&ranking.found.hits).zip(1..);
        let cards = cards.map(|((hit, found), position)| {
            let place = moves.order.get(position as usize - 1);
            PreviewCard {
                hit,
                position,
                saved_position: place.and_then(|(_, _, saved)| *saved),
                score: found.score,
                badges: found.breakdown.as_ref().map(badges).unwrap_or_default(),
            }
        });
        Ok(Preview {
            query: SimulationQuery::of(&ranking, &self.search.language),
            total,
            saved_total,
            took_ms: 0,
            rules: reports(&effects, &ranking.found.pins),
            redirect: RedirectView::of(&effects),
            banners: BannerView::all(&effects),
            hidden: effects.hidden.clone(),
            facets,
            cards: cards.collect(),
            order: moves.order,
            moved: moves.moved,
            entered: moves.entered,
            left: moves.left,
        })
    }
}
