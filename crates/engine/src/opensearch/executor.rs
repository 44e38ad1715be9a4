//! Executes a plan: interprets it and looks it up, then sends its ranking.

use super::execution::Execution;
use super::filters::{FilterQueries, counts_of_ids};
use super::lookups::ClusterLookups;
use super::prices::VisitorPrices;
use super::queries::{everything, in_texts, visible};
use super::ranking::RankingQuery;
use super::search::{Counts, Searcher};
use super::visible::VisibleIndex;
use crate::{EngineError, Facts, Request, SearchResult};
use domain::search::{FilterChoice, FilterField};
use domain::visitor::Visitor;
use query::meaning::Meaning;
use query::meaning::code_order::CodeOrder;
use query::meaning::interpretation::QueryInterpretation;
use query::meaning::lookups::matches_substrings;
use query::meaning::marks::marks;
use query::meaning::splits::with_splits;
use query::meaning::typos::{settled_words, with_typos};
use query::{Analyser, Clauses, Plan};
use std::borrow::Cow;

/// An index in which plans are executed.
pub struct Executor<'a> {
    /// The index.
    pub searcher: &'a Searcher,
    /// Its analyser.
    pub analyser: &'a Analyser,
    /// What it says about itself.
    pub facts: &'a Facts,
}

impl Executor<'_> {
    /// Returns the result of `plan`.
    pub fn search(&self, plan: &Plan, request: &Request) -> Result<SearchResult, EngineError> {
        let seen = visible(&request.visitor);
        let mut view = VisibleIndex::new(self.searcher, seen.clone());
        self.count_first(plan, request, &view)?;
        let interpretation = QueryInterpretation::of(plan, &mut view, request.explain)?;
        let plan = with_splits(interpretation.plan, self.analyser, |stems| {
            self.documents_of(stems)
        })?;
        let plan = with_typos(plan, &mut view)?;
        let mut lookups = ClusterLookups {
            searcher: self.searcher,
            plan: &plan,
            analyser: self.analyser,
        };
        let meaning = Meaning::of(&plan, self.analyser, &mut lookups)?;
        let clauses = Clauses::of(&plan, &meaning);
        let prices = VisitorPrices::new(&request.visitor);
        let filters = FilterQueries::look_up(self.searcher, &prices, texts(&plan, request))?;
        let ranking = RankingQuery {
            plan: &plan,
            meaning: &meaning,
            clauses: &clauses,
            order: interpretation.order,
            prices: &prices,
            filled: &self.facts.filled,
            named: request.explain && !request.ids_only,
        };
        let words = plan.counted().iter().zip(&meaning.words);
        let words = words.map(|(word, own)| {
            let is_within = self.facts.has_substrings && matches_substrings(&plan, word);
            (own, is_within)
        });
        let highlight = marks(&plan, words);
        let ranked = Execution::new(self.searcher, ranking, request, filters, seen)?.run()?;
        Ok(SearchResult {
            is_code: interpretation.is_code,
            is_list: interpretation.order == CodeOrder::List,
            highlight,
            ..ranked
        })
    }

    /// Counts what does not depend on anything else, in one request.
    fn count_first(
        &self,
        plan: &Plan,
        request: &Request,
        view: &VisibleIndex<'_>,
    ) -> Result<(), EngineError> {
        let stems = plan.counted().iter().map(|word| in_texts(&word.stem));
        let ids = counts_of_ids(texts(plan, request));
        let everywhere = Counts {
            within: everything(),
            filters: stems.chain(ids).collect(),
        };
        let counts = [view.first_counts(plan), everywhere];
        self.searcher.search_and_count(Vec::new(), &counts)?;
        Ok(())
    }

    /// Returns which words of `plan` tolerate no typo in documents of other types.
    pub fn settled(&self, plan: &Plan, visitor: &Visitor) -> Result<Vec<bool>, EngineError> {
        let plan = with_splits(Cow::Borrowed(plan), self.analyser, |stems| {
            self.documents_of(stems)
        })?;
        settled_words(
            &plan,
            &mut VisibleIndex::new(self.searcher, visible(visitor)),
        )
    }

    fn documents_of(&self, stems: &[String]) -> Result<Vec<u64>, EngineError> {
        self.searcher
            .count(stems.iter().map(|stem| in_texts(stem)).collect())
    }
}

/// The texts of filters, of requests and rules, and of requested groups.
fn texts<'a>(
    plan: &'a Plan,
    request: &'a Request,
) -> impl Iterator<Item = (&'a FilterField, &'a str)> {
    let choices = plan.rules.filters.iter().chain(&request.choices);
    let chosen = choices.flat_map(|choice| {
        let texts = match choice {
            FilterChoice::Any(_, texts) => texts.as_slice(),
            FilterChoice::Range(..) => &[],
        };
        texts.iter().map(|text| (choice.field(), text.as_str()))
    });
    let requested = request.facet_requests.iter().flat_map(|all| all.iter());
    let grouped = requested.flat_map(|own| {
        own.groups
            .iter()
            .flatten()
            .map(|text| (&own.field, text.as_str()))
    });
    chosen.chain(grouped)
}
