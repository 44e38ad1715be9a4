//! What a product must fulfil to be among the hits of a query, one condition after the other.

use crate::OperationError;
use crate::message;
use crate::search::ranking::{TypeQuery, rank, user_query};
use crate::search::trial::{Order, Sides, TriedQuery};
use crate::snapshots::snapshot::{Configuration, StoreSnapshot};
use domain::document::DocType;
use domain::message::list;
use domain::relevance::Percent;
use domain::rule::Actions;
use domain::visitor::{DocumentAccess, Visitor};
use domain::{Language, Message, RuleId, SearchSettings, Translatable};
use engine::{PinState, Request};
use query::rules::{Effects, PinFate, RulePin};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A condition that a hit fulfils, and whether the product does.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Condition {
    /// Code of what keeps out a product that does not fulfil it, such as `hidden_by_rule`.
    pub code: &'static str,
    /// Whether the product fulfils it.
    pub holds: bool,
    /// What is the case, as the end of a sentence that starts with the product.
    pub text: String,
    /// The rule that hides it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule_id: Option<RuleId>,
    /// Words of the query that it matches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched: Option<usize>,
    /// Words of the query that it has to match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needed: Option<usize>,
    /// Key and values of the text.
    pub translatable: Box<Translatable>,
}

impl Condition {
    fn new(code: &'static str, holds: bool, text: Message) -> Self {
        Self {
            code,
            holds,
            text: text.text,
            rule_id: None,
            matched: None,
            needed: None,
            translatable: text.translatable,
        }
    }
}

/// Why a product is not among the hits of a query.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Absence {
    /// Code of the first condition that it does not fulfil.
    pub code: &'static str,
    /// What keeps it out, as the end of a sentence that starts with the product.
    pub reason: String,
    /// Key and values of the reason.
    pub translatable: Box<Translatable>,
    /// The conditions that could be determined.
    pub conditions: Vec<Condition>,
}

impl Absence {
    /// Returns why a product with these conditions is not found.
    pub fn of(conditions: Vec<Condition>) -> Self {
        match conditions.iter().find(|condition| !condition.holds) {
            Some(first) => Self {
                code: first.code,
                reason: first.text.clone(),
                translatable: first.translatable.clone(),
                conditions,
            },
            None => {
                // A snapshot cannot change while it is ranked, so a product that is not found lacks something.
                let reason = message::missing::no_word();
                Self {
                    code: "no_word",
                    reason: reason.text,
                    translatable: reason.translatable,
                    conditions,
                }
            }
        }
    }
}

/// A product that is sought among the hits of a query.
struct Sought<'a> {
    query: &'a TriedQuery,
    sides: &'a Sides,
    /// The effects of rules, but that they hide the product.
    effects: Effects,
    id: &'a str,
}

/// Returns the conditions that can be determined of a product that is not among the hits `order`, in the order in which
/// they are checked. One of them does not hold.
///
/// Errors: if an index cannot be read.
pub(crate) fn conditions(
    query: &TriedQuery,
    sides: &Sides,
    effects: &Effects,
    (order, id): (&Order, &str),
) -> Result<Vec<Condition>, OperationError> {
    let hidden_by = hiding(effects, id);
    let mut free = effects.clone();
    free.hidden.retain(|hidden| hidden != id);
    let sought = Sought {
        query,
        sides,
        effects: free,
        id,
    };
    let mut all = vec![Condition {
        rule_id: hidden_by.clone(),
        ..match hidden_by {
            Some(_) => Condition::new("hidden_by_rule", false, message::missing::hidden()),
            None => Condition::new("hidden_by_rule", true, message::present::not_hidden()),
        }
    }];
    let state = sought.state(&sides.tried, &query.search.visitor)?;
    if matches!(state, PinState::Unknown) {
        all.extend(sought.elsewhere()?);
        return Ok(all);
    }
    let language = query.search.language.as_str();
    let (product, in_language) = (
        message::present::a_product(),
        message::present::in_language(language),
    );
    all.push(Condition::new("not_indexed", true, product));
    all.push(Condition::new("other_language", true, in_language));
    all.extend(sought.shown(&state)?);
    if matches!(state, PinState::Shown) {
        let found = match hidden_by {
            // What hides it may be all that keeps it out.
            Some(_) => query.order(&sides.tried, &sought.effects, query.limit)?,
            None => order.clone(),
        };
        all.extend(sought.matching(&found)?);
    }
    Ok(all)
}

/// Returns the rule that hides a product, if one does.
fn hiding(effects: &Effects, id: &str) -> Option<RuleId> {
    let mut applied = effects.outcomes.iter().filter(|one| one.is_applied());
    let hides = applied.find(|one| match &one.rule.content.actions {
        Actions::Hide(products) => products.iter().any(|product| product == id),
        _ => false,
    });
    Some(hides?.rule.id.clone())
}

impl Sought<'_> {
    /// Returns what would keep the product from being shown if a rule pinned it, whatever the query.
    fn state(
        &self,
        snapshot: &StoreSnapshot,
        visitor: &Arc<Visitor>,
    ) -> Result<PinState, OperationError> {
        let mut effects = self.effects.clone();
        effects.pins = vec![pin(self.id)];
        let (ranking, _) = self.query.rank(snapshot, &effects, |request| Request {
            limit: 1,
            ids_only: true,
            facets: false,
            visitor: Arc::clone(visitor),
            ..request
        })?;
        let state = ranking.found.pins.into_iter().next();
        Ok(state.unwrap_or(PinState::Unknown))
    }

    /// Returns the conditions of a product that the index of the language does not have.
    fn elsewhere(&self) -> Result<Vec<Condition>, OperationError> {
        let language = &self.query.search.language;
        let mut others = Vec::new();
        for other in &self.sides.saved.store.languages {
            if other != language && has(&self.sides.saved, other, self.id)? {
                others.push(other.as_str());
            }
        }
        let code = "not_indexed";
        if others.is_empty() {
            let reason = message::missing::not_a_product();
            return Ok(vec![Condition::new(code, false, reason)]);
        }
        let reason = message::missing::other_languages(language.as_str(), list(others));
        Ok(vec![
            Condition::new(code, true, message::present::a_product()),
            Condition::new("other_language", false, reason),
        ])
    }

    /// Returns whether the product may be shown to the shopper, is in stock where that counts, and passes the filters.
    fn shown(&self, state: &PinState) -> Result<Vec<Condition>, OperationError> {
        let visitor = &self.query.search.visitor;
        let [mut visible, mut in_stock, mut passes] = [true; 3];
        if !matches!(state, PinState::Shown) {
            let anybody = Arc::new(Visitor {
                access: DocumentAccess::Unrestricted,
                ..Visitor::clone(visitor)
            });
            let sold_out_too = with_settings(&self.sides.tried, |settings| {
                settings.hide_out_of_stock = false;
            });
            let is_kept = |state| !matches!(state, PinState::Unavailable);
            visible = is_kept(self.state(&sold_out_too, visitor)?);
            in_stock = is_kept(self.state(&self.sides.tried, &anybody)?);
            passes = matches!(self.state(&sold_out_too, &anybody)?, PinState::Shown);
        }
        let for_visitor = match visible {
            true => message::present::for_visitor(),
            false => message::missing::not_for_visitor(),
        };
        let stock = match in_stock {
            true => message::present::in_stock(),
            false => message::missing::out_of_stock(),
        };
        let filters = match passes {
            true => message::present::passes_filters(),
            false => message::missing::filtered(),
        };
        Ok(vec![
            Condition::new("not_visible", visible, for_visitor),
            Condition::new("out_of_stock", in_stock, stock),
            Condition::new("filtered", passes, filters),
        ])
    }

    /// Returns the conditions of a product that could be shown: its score and its words. `found` are the hits unless
    /// rules hide it.
    fn matching(&self, found: &Order) -> Result<Vec<Condition>, OperationError> {
        if self.is_in(found) {
            return Ok(Vec::new());
        }
        let (query, tried) = (self.query, &self.sides.tried);
        let settings = &tried.configuration.relevance.search_settings;
        if settings.score_cutoff > 0 {
            let all = with_settings(tried, |settings| settings.score_cutoff = 0);
            if self.is_in(&query.order(&all, &self.effects, query.limit)?) {
                let reason = message::missing::below_cutoff(settings.score_cutoff);
                return Ok(vec![Condition::new("below_cutoff", false, reason)]);
            }
        }
        let any = with_settings(tried, |settings| {
            settings.score_cutoff = 0;
            settings.min_match_short = Percent(1);
            settings.min_match_long = Percent(1);
        });
        let order = query.order(&any, &self.effects, query.limit)?;
        if let Some(place) = order.ids.iter().position(|other| other == self.id) {
            return self.words(&any, place);
        }
        let is_beyond = order.total > order.ids.len() as u64;
        let condition = match is_beyond {
            true => Condition::new(
                "beyond_reach",
                false,
                message::missing::beyond(order.ids.len()),
            ),
            false => Condition::new("no_word", false, message::missing::no_word()),
        };
        Ok(vec![condition])
    }

    /// Returns the conditions of a product that matches at least one word, at its place among the hits of `any`, which
    /// need no more than one.
    fn words(&self, any: &StoreSnapshot, place: usize) -> Result<Vec<Condition>, OperationError> {
        let (query, tried) = (self.query, &self.sides.tried);
        let (ranking, _) = query.rank(any, &self.effects, |request| Request {
            offset: place,
            limit: 1,
            explain: true,
            facets: false,
            ..request
        })?;
        let hit = ranking.found.hits.into_iter().next();
        let matches = hit.and_then(|hit| hit.breakdown).map(|b| b.text.matches);
        let words: BTreeSet<String> = matches
            .unwrap_or_default()
            .iter()
            .map(|found| found.word.to_string())
            .collect();
        let all = ranking.query.words.iter().filter(|word| word.counts);
        let (matched, all) = (words.len(), all.count());
        let asked = (&query.search.language, &*query.search.checked.q);
        let needed = user_query(tried, asked, &query.search.visitor)?.min_match;
        let enough = matched >= needed && needed > 0;
        let text = match enough {
            true => message::present::enough_words(matched, all),
            false => message::missing::words(matched, all),
        };
        let mut conditions = vec![
            Condition {
                matched: Some(matched),
                needed: Some(needed),
                ..Condition::new("too_few_words", enough, text)
            },
            Condition::new("no_word", true, message::present::a_word()),
        ];
        if enough {
            let reason = message::missing::beyond(query.limit);
            conditions.push(Condition::new("beyond_reach", false, reason));
        }
        Ok(conditions)
    }

    fn is_in(&self, order: &Order) -> bool {
        order.ids.iter().any(|other| other == self.id)
    }
}

/// Returns whether the products of a language have this id, whatever a shopper may see.
pub(crate) fn has(
    snapshot: &StoreSnapshot,
    language: &Language,
    id: &str,
) -> Result<bool, OperationError> {
    let mut effects = Effects::default();
    effects.pins.push(pin(id));
    let query = TypeQuery {
        language,
        doc_type: DocType::Products,
        text: "",
        effects: &effects,
    };
    let request = Request {
        limit: 1,
        ids_only: true,
        ..Request::default()
    };
    let found = rank(snapshot, query, &request)?.found;
    let state = found.pins.into_iter().next().unwrap_or(PinState::Unknown);
    Ok(!matches!(state, PinState::Unknown))
}

fn pin(id: &str) -> RulePin {
    RulePin {
        product: id.to_owned(),
        rule: "".into(),
        fate: PinFate::Wanted,
    }
}

fn with_settings(
    snapshot: &StoreSnapshot,
    change: impl FnOnce(&mut SearchSettings),
) -> StoreSnapshot {
    let mut configuration = Configuration::clone(&snapshot.configuration);
    change(&mut configuration.relevance.search_settings);
    snapshot.with_configuration(configuration)
}
