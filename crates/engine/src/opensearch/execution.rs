//! Sends the ranking of a plan that was looked up, and makes the result of the responses.
//!
//! The best score comes first where hits are cut off by it; then hits, states of pins, reports on words and the fields of
//! facets at once; then the values of facets.

use super::explain::breakdown;
use super::facets::FacetCounter;
use super::fields;
use super::filters::FilterQueries;
use super::hits;
use super::phrases::code_terms;
use super::queries::{
    any, best, constant, every, everything, malformed, multiplied, not, object, term, terms,
};
use super::ranking::RankingQuery;
use super::search::{Counts, Searcher};
use super::tiers;
use super::visible::met;
use crate::{EngineError, Hit, PinState, Request, SearchResult, WordReport};
use domain::search::Sort;
use query::Plan;
use query::meaning::code_order::CodeOrder;
use query::scoring::threshold;
use serde_json::{Value, json};

/// By how much pins exceed the cutoff: a power of two, so that a score times it and divided by it is the same again.
const ABOVE_CUTOFF: f64 = (1_u64 << 40) as f64;

/// A plan that is being executed.
pub struct Execution<'a> {
    searcher: &'a Searcher,
    ranking: RankingQuery<'a>,
    request: &'a Request,
    filters: FilterQueries<'a>,
    /// The documents that the visitor may see.
    visible: Value,
    /// The documents that may be hits: visible, not hidden by a rule, not out of stock where these are hidden.
    allowed: Vec<Value>,
    /// The best score below which hits are cut off.
    min_score: Option<f64>,
}

impl<'a> Execution<'a> {
    /// Prepares the execution for `request`, whose visitor sees the documents of `visible`.
    ///
    /// Errors: the index cannot be reached.
    pub fn new(
        searcher: &'a Searcher,
        ranking: RankingQuery<'a>,
        request: &'a Request,
        filters: FilterQueries<'a>,
        visible: Value,
    ) -> Result<Self, EngineError> {
        let mut execution = Self {
            searcher,
            allowed: allowed(ranking.plan, &filters, &visible),
            ranking,
            request,
            filters,
            visible,
            min_score: None,
        };
        execution.min_score = execution.cutoff()?;
        Ok(execution)
    }

    /// Returns hits, total, facets, states of pins and reports on words.
    ///
    /// Errors: the index cannot be reached.
    pub fn run(&self) -> Result<SearchResult, EngineError> {
        let facets = self.request.facets.then(|| self.facet_counter());
        let counts = [self.counts_of_reports(), self.counts_of_pins()];
        let of_facets = facets.as_ref().and_then(FacetCounter::first);
        let hits = self.hits_request();
        // Only a search of its own returns the scores of named queries, which breakdowns need.
        let (own, mut bodies) = match self.ranking.named {
            true => (Some(self.searcher.search(&hits)?), Vec::new()),
            false => (None, vec![hits]),
        };
        bodies.extend(of_facets);
        let mut found = self.searcher.search_and_count(bodies, &counts)?.into_iter();
        let hits = own.or_else(|| found.next());
        let facets = facets.map(|counter| counter.facets(found.next()));
        Ok(SearchResult {
            words: self.reports()?,
            pins: self.pins()?,
            facets: facets.transpose()?.unwrap_or_default(),
            ..self.hits(&hits.unwrap_or_default())?
        })
    }

    /// What reports on words depend on.
    fn counts_of_reports(&self) -> Counts {
        let (plan, meaning) = (self.ranking.plan, self.ranking.meaning);
        let searched =
            |at: usize| any(code_terms(&plan.codes[at], |field| plan.searches(field)).collect());
        let filters = (0..plan.words.len()).map(|at| match plan.listed {
            true => searched(at),
            false => met(plan, meaning, at),
        });
        Counts {
            within: self.visible.clone(),
            filters: filters.collect(),
        }
    }

    /// Returns what the visitor may learn about each word.
    fn reports(&self) -> Result<Vec<WordReport>, EngineError> {
        let meaning = self.ranking.meaning;
        let Counts { within, filters } = self.counts_of_reports();
        let counts = self.searcher.count_within(within, filters)?;
        let words = meaning.words.iter().zip(counts).enumerate();
        let reports = words.map(|(at, (word, documents))| {
            let anywhere = match self.ranking.plan.listed {
                true => meaning.codes[at].is_listed,
                false => word.idf.is_some(),
            };
            WordReport {
                found: anywhere && documents > 0,
                documents: word.documents,
            }
        });
        Ok(reports.collect())
    }

    /// Returns the lowest score of a hit, if any are cut off.
    fn cutoff(&self) -> Result<Option<f64>, EngineError> {
        let plan = self.ranking.plan;
        if plan.cutoff == 0 {
            return Ok(None);
        }
        let mut body = json!({"size": 1, "track_total_hits": false, "_source": false});
        body["query"] = self.ranking.query(&self.allowed, &[]);
        let found = self.searcher.search(&body)?;
        let highest = hits::of(&found)?
            .first()
            .and_then(|hit| hit["_score"].as_f64());
        Ok(highest.map(|highest| threshold(highest, plan.cutoff)))
    }

    /// Returns the query with everything but the choices: those above the cutoff, and pins in any case.
    fn query(&self) -> Value {
        let pins = &self.ranking.plan.rules.pins;
        let all = self.ranking.query(&self.allowed, pins);
        let Some(min_score) = self.min_score else {
            return all;
        };
        if pins.is_empty() {
            return reaching(min_score, all, Vec::new());
        }
        // A minimal score has no exceptions: pins exceed it while it counts.
        let pinned = || terms(fields::ID, pins);
        let weighed = |weight: f64| json!({"filter": pinned(), "weight": weight});
        let reached = reaching(min_score, all, vec![weighed(ABOVE_CUTOFF)]);
        let own = multiplied(reached, vec![weighed(1.0 / ABOVE_CUTOFF)], "multiply");
        // What scores nothing does not exceed it either.
        let of_pins = self.allowed.iter().cloned().chain([pinned()]);
        best(vec![own, constant(every(of_pins.collect()), 0.0)], 0.0)
    }

    fn choices(&self) -> Value {
        let choices = self.request.choices.iter();
        every(choices.map(|choice| self.filters.choice(choice)).collect())
    }

    fn hits_request(&self) -> Value {
        let request = self.request;
        let mut after = vec![self.choices()];
        if !request.exclude.is_empty() {
            after.push(not(terms(fields::ID, &request.exclude)));
        }
        let source = match request.ids_only {
            true => json!(false),
            false => hits::stored(self.ranking.prices),
        };
        let mut body = json!({
            "from": request.offset, "size": request.limit, "track_total_hits": false, "track_scores": self.by_score() || request.explain,
            "_source": source, "docvalue_fields": [fields::ID], "aggs": {"total": {"filter": self.choices()}},
        });
        body["query"] = self.query();
        body["post_filter"] = every(after);
        body["sort"] = self.sort();
        body
    }

    fn hits(&self, found: &Value) -> Result<SearchResult, EngineError> {
        let total = found["aggregations"]["total"]["doc_count"].as_u64();
        let hits = hits::of(found)?.iter().map(|hit| self.hit(hit));
        Ok(SearchResult {
            total: total.ok_or_else(|| malformed("a total"))?,
            hits: hits.collect::<Result<_, _>>()?,
            ..SearchResult::default()
        })
    }

    fn hit(&self, hit: &Value) -> Result<Hit, EngineError> {
        if self.request.ids_only {
            return hits::bare(hit, self.by_score());
        }
        let mut own = hits::whole(hit, self.by_score(), self.ranking.prices)?;
        if self.request.explain {
            // It is the last sort key.
            let keys = hit["sort"].as_array();
            let rank = keys
                .and_then(|keys| keys.last()?.as_f64())
                .map(|rank| rank as usize);
            let rank = rank.filter(|_| matches!(self.ranking.order, CodeOrder::Tiers { .. }));
            let is_pinned = self.ranking.plan.rules.pins.contains(&own.id);
            own.breakdown = Some(breakdown(&self.ranking, hit, &own.card, rank)?.pinned(is_pinned));
        }
        Ok(own)
    }

    fn by_score(&self) -> bool {
        self.request.sort == Sort::Relevance
    }

    fn sort(&self) -> Value {
        let mut keys = Vec::new();
        let pins = &self.ranking.plan.rules.pins;
        if !pins.is_empty() {
            keys.push(tiers::pin(pins));
        }
        let rank = tiers::rank(&self.ranking);
        let last = |field: &str| json!({field: {"order": "desc", "missing": "_last"}});
        match self.request.sort {
            Sort::Relevance => {
                keys.extend(rank.clone().into_iter().chain([json!({"_score": "desc"})]))
            }
            Sort::PriceAsc => keys.push(self.ranking.prices.sort(true)),
            Sort::PriceDesc => keys.push(self.ranking.prices.sort(false)),
            Sort::Name => keys.push(json!({fields::NAME_KEY: "asc"})),
            Sort::Newest => keys.push(last(fields::ADDED)),
            Sort::Sales => {}
            Sort::Rating => keys.push(last(fields::RATING)),
        }
        keys.extend([last(fields::SALES), json!({fields::ID: "asc"})]);
        // Decides nothing after the id, and tells the breakdown the tier.
        keys.extend(rank);
        keys.into()
    }

    /// What the states of pins depend on, three for each.
    fn counts_of_pins(&self) -> Counts {
        let plan = self.ranking.plan;
        let shown = shown(plan, &self.visible);
        let filters = plan.rules.pins.iter().flat_map(|id| {
            let own = term(fields::ID, id);
            let visible = every(shown.iter().cloned().chain([own.clone()]).collect());
            let passing = self
                .allowed
                .iter()
                .cloned()
                .chain([self.choices(), own.clone()]);
            [own, visible, every(passing.collect())]
        });
        Counts {
            within: everything(),
            filters: filters.collect(),
        }
    }

    /// Returns the states of pins.
    fn pins(&self) -> Result<Vec<PinState>, EngineError> {
        let counts = self.searcher.count(self.counts_of_pins().filters)?;
        let states = counts.chunks(3).map(|counts| match counts {
            [0, ..] => PinState::Unknown,
            [_, 0, _] => PinState::Unavailable,
            [_, _, 0] => PinState::Filtered,
            _ => PinState::Shown,
        });
        Ok(states.collect())
    }

    fn facet_counter(&self) -> FacetCounter<'_> {
        FacetCounter {
            searcher: self.searcher,
            request: self.request,
            filters: &self.filters,
            prices: self.ranking.prices,
            visible: self.visible.clone(),
            // Without a hit the cluster computes no scores, of which the cutoff needs each.
            body: object([
                ("size", usize::from(self.min_score.is_some()).into()),
                ("_source", false.into()),
                ("query", self.query()),
            ]),
        }
    }
}

/// Documents whose score times `functions` is at least `min_score`.
fn reaching(min_score: f64, query: Value, functions: Vec<Value>) -> Value {
    let mut all = multiplied(query, functions, "multiply");
    all["function_score"]["min_score"] = min_score.into();
    all
}

/// Documents that the visitor may see and that are not out of stock where these are hidden.
fn shown(plan: &Plan, visible: &Value) -> Vec<Value> {
    let stocked = plan
        .hide_out_of_stock
        .then(|| json!({"term": {fields::HIDDEN_WHEN_OUT: false}}));
    std::iter::once(visible.clone()).chain(stocked).collect()
}

/// Documents that may be hits of `plan`.
fn allowed(plan: &Plan, filters: &FilterQueries<'_>, visible: &Value) -> Vec<Value> {
    let rules = &plan.rules;
    let mut all = shown(plan, visible);
    all.extend(rules.filters.iter().map(|choice| filters.choice(choice)));
    if !rules.hidden.is_empty() {
        all.push(not(terms(fields::ID, &rules.hidden)));
    }
    all
}
