//! The response of the simulator.

use super::Tried;
use super::moves::SimulatedMoves;
use super::request::Base;
use super::rules::{RuleReport, reports};
use crate::search::impact::Impact;
use crate::search::ranking::{Ranking, WordView};
use crate::search::responses::{BannerView, RedirectView};
use crate::search::trial::Sides;
use domain::relevance::Advice;
use domain::{Language, Relevance, Timestamp, TriggerAlternative};
use engine::Hit;
use query::Breakdown;
use query::correction::CorrectedQuery;
use query::rules::Effects;
use query::synonyms::Fired;
use schemars::JsonSchema;
use serde::Serialize;
use std::time::Duration;

/// Response of the simulator.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Simulation")]
pub struct Simulation<H = SimulationHit> {
    /// How the query was interpreted.
    pub query: SimulationQuery,
    /// The relevance that was used.
    pub config: SimulationConfig,
    /// Rules whose trigger matches the query, in the order in which they apply; none unless rules were requested.
    pub rules: Vec<RuleReport>,
    /// Products found.
    pub total: u64,
    /// Milliseconds that it took.
    pub took_ms: u64,
    /// The best hits.
    pub hits: Vec<H>,
    /// Redirect of a rule.
    pub redirect: Option<RedirectView>,
    /// Banners of rules.
    pub banners: Vec<BannerView>,
    /// Ids that rules hide.
    pub hidden: Vec<String>,
    /// What keeps a part of the configuration from taking effect, such as a field that needs re-indexing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub advice: Vec<Advice>,
}

/// How a query was interpreted.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SimulationQuery {
    /// The query.
    pub q: String,
    /// Its language.
    pub lang: Language,
    /// Its words.
    pub words: Vec<WordView>,
    /// Whether it counts as long.
    pub long: bool,
    /// How many of its words must match.
    pub min_match: MinMatch,
    /// Whether it equals a code in the index.
    pub code: bool,
    /// Synonym groups that fired.
    pub synonyms: Vec<SynonymReport>,
    /// Another query that finds products, where this one finds none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corrected_query: Option<CorrectedQuery>,
}

/// A synonym group that fired.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SynonymReport {
    /// The group.
    pub id: String,
    /// The term of the group that is in the query.
    pub from: String,
    /// The alternative by which it is in the query; left out if it is there as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alternative: Option<TriggerAlternative>,
    /// Terms that are searched, too.
    pub to: Vec<String>,
}

impl SynonymReport {
    fn new(fired: &Fired) -> Self {
        Self {
            id: fired.group.to_string(),
            from: fired.from.text.clone(),
            alternative: fired.alternative,
            to: fired.to.iter().map(|term| term.text.clone()).collect(),
        }
    }
}

/// How many words must match.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MinMatch {
    /// The setting.
    pub percent: u32,
    /// The resulting number of words.
    pub words: usize,
}

/// The relevance that was used.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SimulationConfig {
    /// Whether the request has provisional values.
    pub provisional: bool,
    /// What else is tried; left out of a request that names nothing of it.
    #[serde(flatten)]
    pub named: Option<NamedTrial>,
    /// Boosts and settings in effect.
    #[serde(flatten)]
    pub relevance: Relevance,
}

/// What is tried beside relevance, and what it is compared with.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NamedTrial {
    /// Whether a draft is tried.
    pub draft: bool,
    /// Whether rules apply.
    pub apply_rules: bool,
    /// The instant at which they apply.
    pub at: Timestamp,
    /// `saved`, or the revision that is the base.
    pub compare_with: Base,
}

/// The configuration of a simulation of moves.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TrialConfig {
    /// Whether the request has provisional values.
    pub provisional: bool,
    /// What else is tried.
    #[serde(flatten)]
    pub named: NamedTrial,
    /// Boosts and settings in effect.
    pub relevance: Relevance,
}

impl NamedTrial {
    fn new(sides: &Sides, tried: Tried) -> Self {
        Self {
            draft: tried.draft,
            apply_rules: tried.applies_rules,
            at: sides.at,
            compare_with: tried.base,
        }
    }
}

impl SimulationConfig {
    pub(super) fn new(sides: &Sides, tried: Tried) -> Self {
        Self {
            provisional: tried.provisional,
            named: tried.named.then(|| NamedTrial::new(sides, tried)),
            relevance: sides.tried.configuration.relevance.clone(),
        }
    }
}

impl TrialConfig {
    pub(super) fn new(sides: &Sides, tried: Tried) -> Self {
        Self {
            provisional: tried.provisional,
            named: NamedTrial::new(sides, tried),
            relevance: sides.tried.configuration.relevance.clone(),
        }
    }
}

/// The result of a test.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Tested<H = SimulationHit> {
    /// One query, explained.
    Full(Box<Simulation<H>>),
    /// What moves.
    Moves(Box<SimulatedMoves>),
    /// No query, beside an impact.
    Bare(Box<BareTrial>),
}

/// What is tried, without any query.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BareTrial {
    /// The configuration that was tried.
    pub config: TrialConfig,
    /// What keeps a part of the configuration from taking effect.
    pub advice: Vec<Advice>,
}

/// The result of a test, and the impact beside it if one was asked for.
#[derive(Clone, Debug, Serialize)]
pub struct Simulated<H = SimulationHit> {
    /// What was simulated.
    pub data: Tested<H>,
    /// The impact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub impact: Option<Impact>,
}

impl<H> Tested<H> {
    /// Adds the time that it took and advice on its relevance.
    pub(super) fn complete(
        &mut self,
        took: Duration,
        advice: impl FnOnce(&Relevance) -> Option<Advice>,
    ) {
        let mut untimed = 0;
        let (relevance, took_ms, known) = match self {
            Self::Full(of) => (&of.config.relevance, &mut of.took_ms, &mut of.advice),
            Self::Moves(of) => (&of.config.relevance, &mut of.took_ms, &mut of.advice),
            Self::Bare(of) => (&of.config.relevance, &mut untimed, &mut of.advice),
        };
        known.extend(advice(relevance));
        *took_ms = took.as_millis() as u64;
    }
}

/// One hit, explained.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the fields are described in docs/api.md")]
pub struct SimulationHit {
    pub position: u32,
    /// Position under the saved configuration; null beyond the limit.
    pub saved_position: Option<u32>,
    pub id: String,
    pub name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reference: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub manufacturer: String,
    /// Names of its categories, at most 10.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub image: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<f64>,
    pub in_stock: bool,
    pub score: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub breakdown: Option<Breakdown>,
}

impl<H> Simulation<H> {
    /// Returns the response for `ranking` with these `hits`.
    pub(super) fn new(
        ranking: &Ranking,
        hits: Vec<H>,
        lang: &Language,
        config: SimulationConfig,
        effects: &Effects,
    ) -> Self {
        let rules = reports(effects, &ranking.found.pins);
        let query = SimulationQuery::of(ranking, lang);
        Self {
            query,
            config,
            rules,
            total: ranking.found.total,
            took_ms: 0,
            hits,
            redirect: RedirectView::of(effects),
            banners: BannerView::all(effects),
            hidden: effects.hidden.clone(),
            advice: Vec::new(),
        }
    }
}

impl SimulationQuery {
    /// Returns how the query of `ranking` was interpreted.
    pub(crate) fn of(ranking: &Ranking, lang: &Language) -> Self {
        let fired = ranking.query.synonyms.iter();
        Self {
            q: ranking.query.text.clone(),
            lang: lang.clone(),
            words: ranking.words(false),
            long: ranking.query.long,
            min_match: MinMatch {
                percent: ranking.query.min_match_percent,
                words: ranking.query.min_match,
            },
            code: ranking.found.is_code,
            synonyms: fired.map(SynonymReport::new).collect(),
            corrected_query: None,
        }
    }
}

impl SimulationHit {
    /// Returns the hit at `position`, counted from 1.
    pub(crate) fn new(position: u32, saved_position: Option<u32>, hit: Hit) -> Self {
        Self {
            position,
            saved_position,
            id: hit.id,
            name: hit.card.name().to_owned(),
            reference: hit.card.reference().to_owned(),
            manufacturer: hit.card.manufacturer().to_owned(),
            categories: Vec::new(),
            image: hit.card.image().to_owned(),
            price: hit.numbers.price,
            in_stock: hit.numbers.in_stock,
            score: hit.score,
            breakdown: hit.breakdown,
        }
    }
}
