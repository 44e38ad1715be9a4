//! The simulator: the shopper's search with a provisional configuration, explained or compared (`docs/relevance.md`).

mod categories;
mod encoding;
mod moves;
mod request;
mod rules;
mod simulation;

pub use crate::search::trial::SimulatedVisitor;
pub use encoding::{HitEncoding, Json};
pub use moves::{LeftHit, MeasuredMoves, MoveTotals, MovedHit, QueryMoves, SimulatedMoves};
pub use request::{Base, RelevanceTest, SavedBase, SimulatedQuery, SimulationDetail};
pub use rules::RuleReport;
pub(crate) use rules::reports;
pub use simulation::{
    BareTrial, MinMatch, Simulated, Simulation, SimulationConfig, SimulationHit, SimulationQuery,
    SynonymReport, Tested, TrialConfig,
};

use crate::message;
use crate::search::corrected::corrected_query;
use crate::search::impact::{self, ComparedState, NamedState};
use crate::search::ranking::{TypeQuery, effects as effects_of, rank};
use crate::search::trial::{Sides, Trial, TrialRequest, TriedQuery};
use crate::snapshots::snapshot::StoreSnapshot;
use crate::{OperationError, Service};
use categories::StoredCategories;
use domain::document::DocType;
use domain::limits::{MOVES_LIMIT_DEFAULT, SIMULATOR_LIMIT_DEFAULT};
use domain::relevance::{BoostMerging, RelevanceChange, SubstringIndexing};
use domain::visitor::Visitor;
use domain::{Caller, Invalid, Language, StoreId, access};
use engine::Request;
use query::rules::Effects;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// How long several queries are ranked.
const MOVES_TIME: Duration = Duration::from_secs(10);

/// Ranks the results of a query with provisional relevance or a draft and explains every score, or says what moves in
/// several queries. Saves nothing.
///
/// `mode` is how a save through the same interface would merge the boosts, `H` the encoding of the hits.
/// Errors: `Invalid` with all invalid values, `NotFoundIn`, `Conflict` and `PlanLimit` as for a save; `NotFound` and
/// `Conflict` for a base that is not there or was not kept.
pub async fn test<H: HitEncoding>(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    test: RelevanceTest,
    mode: BoostMerging,
) -> Result<Simulated<H>, OperationError> {
    let started = Instant::now();
    test.check().map_err(OperationError::Invalid)?;
    let (trial, config) = open(service, caller, store, &test, mode).await?;
    let for_impact = test.impact.then(|| trial.clone());
    let (queries, lang) = (test.queries, test.lang);
    let is_of_moves = config.of_moves;
    let mut tested = match (test.q, is_of_moves) {
        (None, _) if queries.is_none() => {
            let work = move || Sides::new(trial, []);
            let sides = service.search.scheduler.run(store, work).await?;
            Tested::Bare(Box::new(BareTrial {
                config: TrialConfig::new(&sides, config),
                advice: Vec::new(),
            }))
        }
        (Some(q), false) => {
            let query = (q, trial.language(lang.as_deref())?);
            let limit = test.limit.unwrap_or(SIMULATOR_LIMIT_DEFAULT);
            let permit = access::read(caller, store)?;
            let categories = StoredCategories::new(service, permit, query.1.clone());
            let work = move || explained(trial, query, limit, config, &categories);
            let simulation = service.search.scheduler.run(store, work).await?;
            Tested::Full(Box::new(simulation))
        }
        (q, _) => {
            let queries = match (q, queries) {
                (Some(q), _) => vec![(q, trial.language(lang.as_deref())?)],
                (None, queries) => checked(&trial, queries.unwrap_or_default())?,
            };
            let limit = test.limit.unwrap_or(MOVES_LIMIT_DEFAULT);
            let moves = moves(service, store, trial, (queries, limit), config);
            Tested::Moves(Box::new(moves.await?))
        }
    };
    tested.complete(started.elapsed(), |relevance| {
        let parts = relevance.searches_substrings();
        let state = parts.then(|| service.indexing.substring_indexing(store));
        state.and_then(SubstringIndexing::advice)
    });
    let impact = match for_impact {
        None => None,
        Some(trial) => {
            let permit = access::read(caller, store)?;
            let from = match config.base {
                Base::Saved(_) => ComparedState::Named(NamedState::Saved),
                Base::Revision(number) => ComparedState::Revision(number),
            };
            let to = match config.provisional {
                true => ComparedState::Named(NamedState::Draft),
                false => ComparedState::Named(NamedState::Saved),
            };
            Some(impact::of_trial(service, &permit, trial, [from, to]).await?)
        }
    };
    Ok(Simulated {
        data: tested,
        impact,
    })
}

/// What is tried, as the response names it, beside what follows from the state of the store.
#[derive(Clone, Copy)]
struct Tried {
    provisional: bool,
    draft: bool,
    applies_rules: bool,
    of_moves: bool,
    /// Whether the request uses anything beyond provisional relevance.
    named: bool,
    base: Base,
}

/// Opens the trial of a request.
async fn open(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    test: &RelevanceTest,
    mode: BoostMerging,
) -> Result<(Trial, Tried), OperationError> {
    let permit = access::read(caller, store)?;
    let request = TrialRequest {
        draft: test.draft.clone(),
        restore: None,
        at: test.at.clone(),
        visitor: test.visitor.clone(),
    };
    let change = RelevanceChange {
        boosts: test.boosts.clone(),
        search_settings: test.search_settings.clone(),
    };
    let base = test.compare_with.unwrap_or(Base::Saved(SavedBase::Saved));
    let tried = Tried {
        provisional: change.changes_anything() || test.draft.is_some(),
        draft: test.draft.is_some(),
        applies_rules: test.applies_rules(),
        of_moves: test.of_moves(),
        named: test.draft.is_some() || test.at.is_some() || test.compare_with.is_some(),
        base,
    };
    let trial = Trial::open(service, caller, store, request).await?;
    trial.check(test.lang.as_deref(), &change, mode)?;
    let trial = trial.with_relevance(change, mode);
    let trial = match base {
        Base::Saved(_) => trial,
        Base::Revision(number) => trial.compared_with(service, &permit, number).await?,
    };
    Ok((trial, tried))
}

/// Checks the languages of several queries, and that none is there twice.
fn checked(
    trial: &Trial,
    queries: Vec<SimulatedQuery>,
) -> Result<Vec<(String, Language)>, OperationError> {
    let (mut errors, mut seen, mut all) = (Vec::new(), BTreeSet::new(), Vec::new());
    for (at, SimulatedQuery { q, lang }) in queries.into_iter().enumerate() {
        match trial.language(lang.as_deref()) {
            Ok(language) if seen.insert((q.clone(), language.clone())) => all.push((q, language)),
            Ok(_) => {
                let reason = message::draft::occurs_twice();
                errors.push(Invalid::new(format!("queries[{at}]"), reason));
            }
            Err(OperationError::Invalid(wrong)) => {
                let path = format!("queries[{at}]");
                errors.extend(wrong.into_iter().map(|wrong| wrong.under(&path)));
            }
            Err(other) => return Err(other),
        }
    }
    match errors.is_empty() {
        true => Ok(all),
        false => Err(OperationError::Invalid(errors)),
    }
}

/// Ranks several queries under both configurations, each in a turn of its own, as long as there is time.
async fn moves(
    service: &Service,
    store: &StoreId,
    trial: Trial,
    (queries, limit): (Vec<(String, Language)>, u32),
    tried: Tried,
) -> Result<SimulatedMoves, OperationError> {
    let deadline = Instant::now() + MOVES_TIME;
    let (scheduler, visitor) = (&service.search.scheduler, trial.visitor());
    let languages: BTreeSet<Language> = queries.iter().map(|(_, lang)| lang.clone()).collect();
    let build = move || Sides::new(trial, &languages).map(Arc::new);
    let sides = scheduler.run(store, build).await?;
    let mut measured = Vec::with_capacity(queries.len());
    for (q, lang) in queries {
        let (sides, visitor) = (Arc::clone(&sides), Arc::clone(&visitor));
        let query = (q.clone(), lang.clone());
        let work = move || {
            let (q, lang) = query;
            let query = TriedQuery::new(&sides, (q, BTreeMap::new(), false), lang, visitor, limit)?;
            moves::measure(&query, &sides, tried.applies_rules)
        };
        let found = match Instant::now() < deadline {
            true => timeout_at(deadline, scheduler.run(store, work)).await.ok(),
            false => None,
        };
        let found = found.transpose()?;
        measured.push(QueryMoves {
            q,
            lang,
            timed_out: found.is_none(),
            measured: found,
        });
    }
    Ok(SimulatedMoves {
        totals: MoveTotals::of(&measured),
        queries: measured,
        config: TrialConfig::new(&sides, tried),
        advice: Vec::new(),
        took_ms: 0,
    })
}

/// Ranks a query and explains its hits.
fn explained<H: HitEncoding>(
    trial: Trial,
    (text, language): (String, Language),
    limit: u32,
    tried: Tried,
    categories: &StoredCategories,
) -> Result<Simulation<H>, OperationError> {
    let visitor = trial.visitor();
    let sides = Sides::new(trial, [&language])?;
    let effects_in = |snapshot: &StoreSnapshot| match tried.applies_rules {
        true => effects_of(snapshot, (&language, &text), &visitor, sides.at),
        false => Ok(Effects::default()),
    };
    let effects = effects_in(&sides.tried)?;
    let request = Request {
        limit: limit as usize,
        visitor: Arc::clone(&visitor),
        ..Request::default()
    };
    let query = TypeQuery {
        language: &language,
        doc_type: DocType::Products,
        text: &text,
        effects: &effects,
    };
    // Where nothing of what is tried concerns the query, every hit has its saved position.
    let saved = match Arc::ptr_eq(&sides.tried, &sides.saved) {
        true => None,
        false => positions(&sides, query, &request, &effects_in(&sides.saved)?)?,
    };
    let explained = Request {
        explain: true,
        ..request
    };
    let mut ranking = rank(&sides.tried, query, &explained)?;
    let found = std::mem::take(&mut ranking.found.hits);
    let mut categories = categories.of(&found);
    let hits = (1..).zip(found).map(|(position, hit)| {
        let saved_position = match &saved {
            Some(saved) => saved.get(&hit.id).copied(),
            None => Some(position),
        };
        let categories = categories.remove(&hit.id).unwrap_or_default();
        H::of(SimulationHit {
            categories,
            ..SimulationHit::new(position, saved_position, hit)
        })
    });
    let hits = hits.collect::<Result<_, _>>()?;
    let config = SimulationConfig::new(&sides, tried);
    let mut simulation = Simulation::new(&ranking, hits, &language, config, &effects);
    if ranking.found.total == 0 {
        let (language, visitor): (_, &Visitor) = (&language, &visitor);
        let state = &sides.tried;
        let corrected = corrected_query(state, language, visitor, &ranking, |state, text| {
            let effects = match tried.applies_rules {
                true => effects_of(state, (language, text), visitor, sides.at)?,
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

/// Returns the positions of the hits on the base; nothing if those of the query are the same there.
fn positions(
    sides: &Sides,
    query: TypeQuery<'_>,
    request: &Request,
    effects: &Effects,
) -> Result<Option<HashMap<String, u32>>, OperationError> {
    let text = (query.language, query.text);
    if !sides.may_differ(text, &request.visitor, [query.effects, effects])? {
        return Ok(None);
    }
    let bare = Request {
        ids_only: true,
        ..request.clone()
    };
    let query = TypeQuery { effects, ..query };
    let saved = rank(&sides.saved, query, &bare)?;
    let places = (1..).zip(saved.found.hits);
    Ok(Some(
        places.map(|(position, hit)| (hit.id, position)).collect(),
    ))
}
