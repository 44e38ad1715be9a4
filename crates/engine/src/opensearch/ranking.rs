//! The ranking of a query as one query of the cluster: words, bonuses, factors, rules.
//!
//! A document matches as `query::Clauses` says. One that a rule pins matches in any case, with the score that it has.

use super::clauses::ClauseQueries;
use super::fields;
use super::phrases::side_by_side;
use super::prices::VisitorPrices;
use super::queries::{self, any, boolean, constant, every, everything, nothing, object, terms};
use super::rules;
use super::startup::CLAUSES;
use super::tiers;
use domain::relevance::field::FieldId;
use query::clauses::PhraseBonus;
use query::meaning::Meaning;
use query::meaning::code_order::CodeOrder;
use query::plan::Find;
use query::{Clauses, Plan};
use serde_json::{Value, json};

/// Name of the phrase bonus, before its field.
pub const PHRASE_NAME: &str = "phrase";
/// Name of the bonus of a whole code, before its field.
pub const CODE_NAME: &str = "code";
/// Name of what shows that a document covers a word, before its number.
pub const COVERS_NAME: &str = "covers";

/// A plan with everything that its query depends on.
pub struct RankingQuery<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// Its meaning in the index.
    pub meaning: &'a Meaning,
    /// Its clauses.
    pub clauses: &'a Clauses,
    /// What comes before the score.
    pub order: CodeOrder,
    /// The prices of the visitor.
    pub prices: &'a VisitorPrices,
    /// The fields in which any document has a value.
    pub filled: &'a [FieldId],
    /// Whether parts have names, for breakdowns.
    pub named: bool,
}

impl RankingQuery<'_> {
    /// Returns the query with scores, for documents of `filters`. `pins` match in any case.
    pub fn query(&self, filters: &[Value], pins: &[String]) -> Value {
        let text = self.text(filters, pins);
        rules::multiplied(self.factors(text), self.plan, self.prices, self.named)
    }

    /// Returns the text scores of the documents of `filters` that match.
    fn text(&self, filters: &[Value], pins: &[String]) -> Value {
        let pinned = || terms(fields::ID, pins);
        let within = |matching: Value| {
            let all = filters.iter().cloned().chain([matching]);
            constant(every(all.collect()), 1.0)
        };
        match self.plan.find {
            Find::Everything => within(everything()),
            Find::Nothing if pins.is_empty() => nothing(),
            Find::Nothing => within(pinned()),
            Find::Words => self.words(filters, pins),
        }
    }

    fn words(&self, filters: &[Value], pins: &[String]) -> Value {
        // Pins that score nothing are beside it, in documents of the same filters.
        let beside = filters.iter().map(leaves).sum::<usize>() + 1;
        // Halved until the query has few enough clauses: the farthest terms are left out first.
        let mut alternatives_max = usize::MAX;
        loop {
            let queries = self.queries(alternatives_max);
            let query = self.scored(&queries, filters, pins);
            if leaves(&query) + beside <= CLAUSES as usize || alternatives_max == 0 {
                return query;
            }
            let most = self.meaning.words.iter().map(|word| word.terms.len());
            alternatives_max = alternatives_max.min(most.max().unwrap_or(0)) / 2;
        }
    }

    /// Returns the clauses as queries, of alternatives only the first ones.
    pub fn queries(&self, alternatives_max: usize) -> ClauseQueries<'_> {
        ClauseQueries {
            plan: self.plan,
            meaning: self.meaning,
            clauses: self.clauses,
            filled: self.filled,
            named: self.named,
            alternatives_max,
        }
    }

    fn scored(&self, queries: &ClauseQueries<'_>, filters: &[Value], pins: &[String]) -> Value {
        let counted = self.plan.counted().len();
        let words: Vec<Value> = (0..counted).filter_map(|at| queries.word(at)).collect();
        let stop_words = (counted..self.plan.words.len()).filter_map(|at| queries.word(at));
        let mut filter = filters.to_vec();
        let (mut must, mut should) = (Vec::new(), Vec::new());
        let is_ranked_only = matches!(
            self.order,
            CodeOrder::List | CodeOrder::Tiers { only: true }
        );
        if is_ranked_only || !self.plan.across_fields {
            let matching = match is_ranked_only {
                true => tiers::ranked(self),
                false => self.within_one_field(queries),
            };
            filter.push(any(vec![matching, terms(fields::ID, pins)]));
            should.extend(words);
        } else {
            must.push(self.enough(words, queries.admitted(), pins));
        }
        should.extend(stop_words);
        should.extend(self.bonuses(queries));
        let needs_none = must.is_empty() || !should.is_empty();
        let mut all = object([("should", should.into()), ("filter", filter.into())]);
        if !must.is_empty() {
            all["must"] = must.into();
        }
        if needs_none {
            all["minimum_should_match"] = json!(0);
        }
        object([("bool", all)])
    }

    /// Documents that match enough of `words`, or are admitted. What admits a document counts as often as words are needed.
    fn enough(&self, words: Vec<Value>, admitted: Vec<Value>, pins: &[String]) -> Value {
        let needed = self.plan.min_match.max(1);
        let pinned = (!pins.is_empty()).then(|| terms(fields::ID, pins));
        let in_any_case: Vec<Value> = admitted.into_iter().chain(pinned).collect();
        let mut should = words;
        if !in_any_case.is_empty() {
            // A query that scores nothing has the boost 0, which is no decision.
            let one = constant(any(in_any_case), 0.0);
            should.extend(std::iter::repeat_n(one, needed));
        }
        match should.len() < needed {
            true => nothing(),
            false => queries::enough(needed, should),
        }
    }

    /// Documents that match enough words in one field, or are admitted.
    fn within_one_field(&self, queries: &ClauseQueries<'_>) -> Value {
        let needed = self.plan.min_match.max(1);
        let mut by_field: Vec<(FieldId, Vec<Value>)> = Vec::new();
        for at in 0..self.plan.counted().len() {
            for (field, filter) in queries.filters(at) {
                match by_field.iter_mut().find(|(known, _)| *known == field) {
                    Some((_, filters)) => filters.push(filter),
                    None => by_field.push((field, vec![filter])),
                }
            }
        }
        let enough = by_field
            .into_iter()
            .filter(|(_, filters)| filters.len() >= needed);
        let enough = enough.map(|(_, filters)| queries::enough(needed, filters));
        any(enough.chain(queries.admitted()).collect())
    }

    fn bonuses(&self, queries: &ClauseQueries<'_>) -> Vec<Value> {
        let bonuses = &self.clauses.bonuses;
        let counted = self.plan.counted().len();
        let mut all = Vec::new();
        if let Some(coordination) = bonuses.coordination {
            let words = (0..counted).map(|at| (at, self.clauses.words[at].rarity));
            let words = words.filter(|(_, rarity)| *rarity > 0.0);
            let covered = words.map(|(at, rarity)| self.covered(queries, at, rarity));
            // It grows with the square of what is covered.
            let script = json!({
                "source": "params.unit * _score * _score", "params": {"unit": coordination.score(1.0)},
            });
            let covered = boolean([("should", covered.collect::<Vec<_>>().into())]);
            let own = [("query", covered), ("script", script)];
            all.push(object([("script_score", object(own))]));
        }
        if let Some(phrase) = &bonuses.phrase {
            all.push(self.phrase(queries, phrase));
        }
        let codes = &bonuses.exact_code;
        if !codes.codes.is_empty() {
            let whole = self.whole_codes(&codes.codes);
            all.push(constant(any(whole), codes.score));
        }
        all
    }

    fn covered(&self, queries: &ClauseQueries<'_>, at: usize, rarity: f64) -> Value {
        let mut covered = constant(queries.covering(at), rarity);
        if self.named {
            covered["constant_score"]["_name"] = json!(format!("{COVERS_NAME}{at}"));
        }
        covered
    }

    fn phrase(&self, queries: &ClauseQueries<'_>, phrase: &PhraseBonus) -> Value {
        let fields = phrase
            .fields
            .iter()
            .filter(|field| self.filled.contains(field));
        let fields = fields.map(|field| {
            let words = self.plan.counted().iter();
            let mut own = side_by_side(
                *field,
                words.map(|word| (word.stem.as_str(), word.position)),
            );
            if self.named {
                let name = json!(format!("{PHRASE_NAME}{}", field.index()));
                own["match_phrase"][fields::text(*field)]["_name"] = name;
            }
            own
        });
        let beside = any(fields.collect());
        // The phrase has the stem of each word, which need not be the word itself.
        let words =
            (0..self.plan.counted().len()).filter(|at| self.meaning.words[*at].same_word.is_some());
        let covered = words.map(|at| queries.covering(at));
        constant(
            every(std::iter::once(beside).chain(covered).collect()),
            phrase.score,
        )
    }

    /// Documents with any of `codes` by field, each with one name: of several queries with a name, the cluster knows the last.
    fn whole_codes(&self, codes: &[usize]) -> Vec<Value> {
        let searched = FieldId::codes().filter(|field| self.plan.searches(*field));
        let of_field = searched.map(|field| {
            let codes = codes.iter().map(|code| &self.plan.codes[*code]);
            let all: Vec<&str> = codes.map(|code| code.term(field)).collect();
            let mut own = terms(&fields::code(field), &all);
            if self.named {
                own["terms"]["_name"] = json!(format!("{CODE_NAME}{}", field.index()));
            }
            own
        });
        of_field.collect()
    }

    /// Multiplies scores by the factors of the plan.
    fn factors(&self, query: Value) -> Value {
        let factors = &self.plan.factors;
        let flag = |filter: Value, weight: f64| {
            (weight != 0.0).then(|| json!({"filter": filter, "weight": weight}))
        };
        let value = |field: &str, weight: f64| {
            let value =
                json!({"field_value_factor": {"field": field, "missing": 0}, "weight": weight});
            (weight != 0.0).then_some(value)
        };
        let in_stock = json!({"term": {fields::IN_STOCK: true}});
        let all = [
            flag(in_stock, factors.stock),
            flag(self.prices.discounted(), factors.discount),
            value(fields::SALES_LOG, factors.sales),
            value(fields::RATING_LOG, factors.rating),
        ];
        let functions: Vec<Value> = all.into_iter().flatten().collect();
        if functions.is_empty() {
            return query;
        }
        // A product without any factor keeps its score.
        let one = json!({"weight": 1});
        let functions: Vec<Value> = std::iter::once(one).chain(functions).collect();
        queries::multiplied(query, functions, "sum")
    }
}

/// Clauses of a query, as the cluster counts them.
fn leaves(query: &Value) -> usize {
    const LEAVES: [&str; 6] = [
        "term",
        "terms",
        "match_phrase",
        "wildcard",
        "prefix",
        "exists",
    ];
    match query {
        Value::Object(all) => {
            let each = all
                .iter()
                .map(|(key, value)| match LEAVES.contains(&key.as_str()) {
                    true => 1,
                    false => leaves(value),
                });
            each.sum()
        }
        Value::Array(all) => all.iter().map(leaves).sum(),
        _ => 0,
    }
}
