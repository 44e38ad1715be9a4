//! Requests of the simulator: which queries, under which configuration, for whom, and in what detail.

use crate::access::rates::IMPACT_COST;
use crate::message;
use crate::search::trial::SimulatedVisitor;
use domain::Invalid;
use domain::draft::Draft;
use domain::form::LanguageCode;
use domain::limits::{
    DATE_CHARACTERS_MAX, MOVES_LIMIT_MAX, QUERY_CHARACTERS_MAX, SIMULATED_QUERIES_MAX,
    SIMULATOR_LIMIT_MAX,
};
use domain::relevance::RelevanceChange;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Request of `POST /stores/{id}/relevance/test`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RelevanceTest {
    /// The query; either this or `queries`.
    #[serde(default)]
    #[schemars(with = "String", length(min = 1, max = QUERY_CHARACTERS_MAX))]
    pub q: Option<String>,
    /// Several queries, of which the moves are returned.
    #[serde(default)]
    #[schemars(with = "Vec<SimulatedQuery>", length(min = 1, max = SIMULATED_QUERIES_MAX))]
    pub queries: Option<Vec<SimulatedQuery>>,
    /// Language of `q`; the store's default when left out.
    #[serde(default)]
    #[schemars(with = "LanguageCode")]
    pub lang: Option<String>,
    /// Number of hits, 1 to 500, 20 when left out; of moves 1 to 50, 10 when left out.
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
    /// A draft to try, as `POST …/changes` saves it.
    #[serde(default)]
    #[schemars(with = "Draft")]
    pub draft: Option<Draft>,
    /// What to compare with: `saved`, the default, or the state right after a revision.
    #[serde(default)]
    #[schemars(with = "Base")]
    pub compare_with: Option<Base>,
    /// Whether active rules apply; true when left out with `at`, for moves and for a draft of rules, else false.
    #[serde(default)]
    #[schemars(with = "bool")]
    pub apply_rules: Option<bool>,
    /// The instant at which rules apply, RFC 3339 with an offset; now when left out.
    #[serde(default)]
    #[schemars(with = "String", length(max = DATE_CHARACTERS_MAX))]
    pub at: Option<String>,
    /// What is returned: `full`, the default of `q`, explains every hit; `moves`, the only one of `queries`, says what moved.
    #[serde(default)]
    #[schemars(with = "SimulationDetail")]
    pub detail: Option<SimulationDetail>,
    /// The shopper to rank for; an anonymous one when left out.
    #[serde(default)]
    #[schemars(with = "SimulatedVisitor")]
    pub visitor: Option<SimulatedVisitor>,
    /// Whether the impact on a sample of queries is measured, too; it needs neither `q` nor `queries`.
    #[serde(default)]
    pub impact: bool,
}

/// One of several queries.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SimulatedQuery {
    /// The query.
    #[schemars(length(min = 1, max = QUERY_CHARACTERS_MAX))]
    pub q: String,
    /// Its language; the store's default when left out.
    #[serde(default)]
    #[schemars(with = "LanguageCode")]
    pub lang: Option<String>,
}

/// What a simulation returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SimulationDetail {
    /// Every hit with its breakdown.
    Full,
    /// What moved.
    Moves,
}

/// The configuration with which a simulation compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Base {
    /// What is saved.
    Saved(SavedBase),
    /// The state right after this revision.
    Revision(#[schemars(range(min = 0))] i64),
}

/// The name of what is saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SavedBase {
    /// What is saved.
    Saved,
}

impl RelevanceTest {
    /// Checks what needs no store.
    ///
    /// Errors: every violation, by its path.
    pub fn check(&self) -> Result<(), Vec<Invalid>> {
        let mut errors = match &self.draft {
            Some(draft) => draft.check().err().unwrap_or_default(),
            None => Vec::new(),
        };
        let mut add = |field: &str, reason| errors.push(Invalid::new(field, reason));
        match (&self.q, &self.queries) {
            (Some(_), Some(_)) => add("queries", message::change::not_with("q")),
            (None, None) if !self.impact => add("q", message::value::required()),
            _ => {}
        }
        if self.queries.is_some() && self.lang.is_some() {
            add("lang", message::change::not_with("queries"));
        }
        if self.queries.is_some() && self.detail == Some(SimulationDetail::Full) {
            add("detail", message::change::one_query_for_detail());
        }
        if let Some(limit) = self.limit.filter(|limit| *limit > MOVES_LIMIT_MAX)
            && self.of_moves()
        {
            let reason = message::number::between(1, MOVES_LIMIT_MAX, limit);
            add("limit", reason);
        }
        let has_relevance = |draft: &Draft| draft.relevance.is_some();
        if self.draft.as_ref().is_some_and(has_relevance) {
            let parts = [
                ("boosts", self.boosts.is_some()),
                ("searchSettings", self.search_settings.is_some()),
            ];
            for (name, _) in parts.into_iter().filter(|(_, given)| *given) {
                add("draft.relevance", message::change::not_with(name));
            }
        }
        if errors.is_empty() {
            Ok(())
        } else {
            Err(errors)
        }
    }

    /// Returns whether it asks for moves.
    pub fn of_moves(&self) -> bool {
        self.queries.is_some() || self.detail == Some(SimulationDetail::Moves)
    }

    /// Returns what it counts as, in requests.
    pub fn cost(&self) -> u32 {
        const QUERIES_OF_A_REQUEST: usize = 5;
        let queries = self.queries.as_ref().map_or(1, Vec::len);
        let impact = if self.impact { IMPACT_COST } else { 0 };
        queries.div_ceil(QUERIES_OF_A_REQUEST) as u32 + impact
    }

    /// Returns whether rules apply.
    pub(super) fn applies_rules(&self) -> bool {
        let has_rules = |draft: &Draft| draft.rules.count() > 0;
        let by_default =
            self.at.is_some() || self.of_moves() || self.draft.as_ref().is_some_and(has_rules);
        self.apply_rules.unwrap_or(by_default)
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
