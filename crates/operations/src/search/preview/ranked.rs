//! The preview of one query: its order under both configurations, its cards, and what moved.

use super::badges::{Badge, badges};
use crate::OperationError;
use crate::search::compute::corrected;
use crate::search::responses::{BannerView, FacetView, ProductHit, ProductHits, RedirectView};
use crate::search::simulator::{RuleReport, SimulationQuery, reports};
use crate::search::trial::{Sides, TriedQuery};
use engine::Request;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::json;

/// The schema of the order. Generators of clients read no list whose items differ by place.
fn order_schema(generator: &mut SchemaGenerator) -> Schema {
    let mut schema = Vec::<[String; 3]>::json_schema(generator);
    if let Some(kinds) = schema.pointer_mut("/items/items/type") {
        *kinds = json!(["string", "integer", "null"]);
    }
    schema
}

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
    #[schemars(schema_with = "order_schema")]
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

impl TriedQuery {
    /// Returns the preview with this number of cards.
    pub fn preview(&self, sides: &Sides, cards: u32) -> Result<Preview, OperationError> {
        let ([total, saved_total], moves) = self.moves(sides)?;
        let effects = self.effects(&sides.tried, sides.at)?;
        let (ranking, facets) = self.rank(&sides.tried, &effects, |request| Request {
            limit: cards as usize,
            explain: true,
            ..request
        })?;
        let mut query = SimulationQuery::of(&ranking, &self.search.language);
        if ranking.found.total == 0 {
            query.corrected_query = corrected(&sides.tried, &self.search, &ranking, sides.at)?;
        }
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
            query,
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
