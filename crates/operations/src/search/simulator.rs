//! The simulator: the shopper's search with a provisional configuration, explained (`docs/relevance.md`).

mod encoding;
mod rules;
mod simulation;

pub use encoding::{HitEncoding, Json};
pub use rules::RuleReport;
pub(crate) use rules::reports;
pub use simulation::{
    MinMatch, Simulation, SimulationConfig, SimulationHit, SimulationQuery, SynonymReport,
};

use crate::search::corrected::corrected_query;
use crate::search::ranking::{TypeQuery, effects as effects_of, rank};
use crate::search::visitor::Claims;
use crate::snapshots::snapshot::{Configuration, StoreSnapshot};
use crate::{OperationError, Service};
use domain::document::DocType;
use domain::form::LanguageCode;
use domain::limits::{
    ACCESS_GROUP_ID_CHARACTERS_MAX, ACCESS_GROUPS_MAX, QUERY_CHARACTERS_MAX,
    SIMULATOR_LIMIT_DEFAULT, SIMULATOR_LIMIT_MAX,
};
use domain::relevance::{BoostMerging, RelevanceChange, SubstringIndexing};
use domain::{Caller, Invalid, Language, StoreId, Timestamp, access};
use engine::Request;
use query::rules::Effects;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::sync::Arc;
use tokio::time::Instant;

/// Request of `POST /stores/{id}/relevance/test`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RelevanceTest {
    /// The query.
    #[schemars(length(min = 1, max = QUERY_CHARACTERS_MAX))]
    pub q: String,
    /// Language; the store's default when left out.
    #[serde(default)]
    #[schemars(with = "LanguageCode")]
    pub lang: Option<String>,
    /// Number of hits, 1 to 500; 20 when left out.
    #[serde(default)]
    #[schemars(with = "u32", range(min = 1, max = SIMULATOR_LIMIT_MAX))]
    pub limit: Option<u32>,
    /// Provisional boosts; they replace the whole map, as a save would. The saved ones when left out.
    #[serde(default)]
    #[schemars(schema_with = "boosts_schema")]
    pub boosts: Option<Map<String, Value>>,
    /// Provisional settings; merged key by key over the saved ones.
    #[serde(default)]
    #[schemars(schema_with = "settings_schema")]
    pub search_settings: Option<Map<String, Value>>,
    /// Whether active rules apply.
    #[serde(default)]
    pub apply_rules: bool,
    /// The shopper to rank for; an anonymous one when left out.
    #[serde(default)]
    #[schemars(with = "SimulatedVisitor")]
    pub visitor: Option<SimulatedVisitor>,
}

/// A shopper to rank for. Values that the store has not declared are ignored, as in a search.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "Visitor")]
pub struct SimulatedVisitor {
    /// Ids of customer groups; the visitor group when left out.
    #[serde(default)]
    #[schemars(with = "Vec<String>", length(max = ACCESS_GROUPS_MAX), inner(length(max = ACCESS_GROUP_ID_CHARACTERS_MAX)))]
    pub groups: Option<Vec<String>>,
    /// Group whose prices apply.
    #[serde(default)]
    #[schemars(with = "String")]
    pub tier: Option<String>,
    /// Country code.
    #[serde(default)]
    #[schemars(with = "String")]
    pub country: Option<String>,
    /// Currency code.
    #[serde(default)]
    #[schemars(with = "String")]
    pub currency: Option<String>,
}

impl From<SimulatedVisitor> for Claims {
    fn from(visitor: SimulatedVisitor) -> Self {
        Self {
            groups: visitor.groups,
            tier: visitor.tier,
            country: visitor.country,
            currency: visitor.currency,
        }
    }
}

fn boosts_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
    change_schema(generator, "boosts")
}

fn settings_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
    change_schema(generator, "searchSettings")
}

/// Returns the schema of one part of a relevance change: a test takes what a save would take.
fn change_schema(generator: &mut schemars::SchemaGenerator, part: &str) -> schemars::Schema {
    let schema = RelevanceChange::json_schema(generator);
    let property = schema
        .as_value()
        .pointer(&format!("/properties/{part}"))
        .cloned();
    property
        .and_then(|value| schemars::Schema::try_from(value).ok())
        .unwrap_or_default()
}

/// Ranks the results of a query with provisional relevance and explains every score. Saves nothing.
///
/// `mode` is how a save through the same interface would merge the boosts, `H` the encoding of the hits.\n/// Errors:
/// `Invalid` with all invalid values, as for a save.
pub async fn test<H: HitEncoding>(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    test: RelevanceTest,
    mode: BoostMerging,
) -> Result<Simulation<H>, OperationError> {
    let started = Instant::now();
    access::read(caller, store)?;
    let snapshot = service.snapshots.of(store).await?;
    let checked = Checked::new(test, mode, &snapshot).map_err(OperationError::Invalid)?;
    let parts = checked
        .configuration
        .searches_substrings()
        .then(|| service.indexing.substring_indexing(store));
    let now = service.clock.now();
    let work = move || simulate(&snapshot, checked, now);
    let mut simulation = service.search.scheduler.run(store, work).await?;
    simulation
        .advice
        .extend(parts.and_then(SubstringIndexing::advice));
    simulation.took_ms = started.elapsed().as_millis() as u64;
    Ok(simulation)
}

/// A checked test. The schema of the request has bounded its lengths and ranges.
struct Checked {
    query: String,
    language: Language,
    limit: u32,
    provisional: bool,
    apply_rules: bool,
    configuration: Configuration,
    visitor: Claims,
}

impl Checked {
    fn new(
        test: RelevanceTest,
        mode: BoostMerging,
        snapshot: &StoreSnapshot,
    ) -> Result<Self, Vec<Invalid>> {
        let mut wrong = Vec::new();
        let language = snapshot
            .language(test.lang.as_deref())
            .map_err(|invalid| wrong.push(invalid));
        let visitor = test.visitor.map(Claims::from).unwrap_or_default();
        let provisional = test.boosts.is_some() || test.search_settings.is_some();
        let change = RelevanceChange {
            boosts: test.boosts,
            search_settings: test.search_settings,
        };
        let overrides = snapshot
            .configuration
            .overrides
            .apply(&change, mode)
            .map_err(|invalid| wrong.extend(invalid));
        match (language, overrides) {
            (Ok(language), Ok(overrides)) if wrong.is_empty() => {
                let configuration = Configuration::new(overrides);
                Ok(Self {
                    query: test.q,
                    language,
                    limit: test.limit.unwrap_or(SIMULATOR_LIMIT_DEFAULT),
                    provisional,
                    apply_rules: test.apply_rules,
                    configuration,
                    visitor,
                })
            }
            _ => Err(wrong),
        }
    }
}

fn simulate<H: HitEncoding>(
    snapshot: &Arc<StoreSnapshot>,
    test: Checked,
    now: Timestamp,
) -> Result<Simulation<H>, OperationError> {
    let visitor = test.visitor.resolve(&snapshot.declarations);
    let provisional = snapshot.with_configuration(test.configuration);
    let effects_in = |snapshot: &StoreSnapshot| match test.apply_rules {
        true => effects_of(snapshot, (&test.language, &test.query), &visitor, now),
        false => Ok(Effects::default()),
    };
    let effects = effects_in(&provisional)?;
    // Without provisional relevance every hit has its saved position.
    let saved_effects = test.provisional.then(|| effects_in(snapshot)).transpose()?;
    let request = Request {
        limit: test.limit as usize,
        visitor: Arc::new(visitor),
        ..Request::default()
    };
    let query = TypeQuery {
        language: &test.language,
        doc_type: DocType::Products,
        text: &test.query,
        effects: &effects,
    };
    let saved = saved_effects.as_ref().map(|effects| {
        let query = TypeQuery { effects, ..query };
        positions(snapshot, query, &request)
    });
    let saved = saved.transpose()?;
    let explained = Request {
        explain: true,
        ..request
    };
    let mut ranking = rank(&provisional, query, &explained)?;
    let found = std::mem::take(&mut ranking.found.hits);
    let hits = (1..).zip(found).map(|(position, hit)| {
        let saved_position = match &saved {
            Some(saved) => saved.get(&hit.id).copied(),
            None => Some(position),
        };
        H::of(SimulationHit::new(position, saved_position, hit))
    });
    let hits = hits.collect::<Result<_, _>>()?;
    let relevance = provisional.configuration.relevance.clone();
    let config = SimulationConfig {
        provisional: test.provisional,
        relevance,
    };
    let mut simulation = Simulation::new(&ranking, hits, &test.language, config, &effects);
    if ranking.found.total == 0 {
        let (language, visitor) = (&test.language, &*explained.visitor);
        let corrected =
            corrected_query(&provisional, language, visitor, &ranking, |state, text| {
                let effects = match test.apply_rules {
                    true => effects_of(state, (language, text), visitor, now)?,
                    false => Effects::default(),
                };
                let query = TypeQuery {
                    text,
                    effects: &effects,
                    ..query
                };
                rank(state, query, &explained)
            });
        simulation.query.corrected_query = corrected?;
    }
    Ok(simulation)
}

/// Returns the positions of the hits under the saved relevance.
fn positions(
    snapshot: &StoreSnapshot,
    query: TypeQuery<'_>,
    request: &Request,
) -> Result<HashMap<String, u32>, OperationError> {
    let bare = Request {
        ids_only: true,
        ..request.clone()
    };
    let saved = rank(snapshot, query, &bare)?;
    let places = (1..).zip(saved.found.hits);
    Ok(places.map(|(position, hit)| (hit.id, position)).collect())
}
