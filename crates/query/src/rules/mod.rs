//! Query rules of one language, compiled: which of them a question triggers, found without asking one after the other.
//!
//! What they do then, together, says [`Effects`]; when, is told by the caller, for there is no clock here.

mod effects;
mod multipliers;
mod question;

pub use effects::{
    BoostRule, Effects, Outcome, Pin, PinFate, PlanRules, RuleBanner, RuleRedirect, Why,
};
pub use multipliers::{entry_of_value, product, used};

use crate::analysis::Analyser;
use crate::phrases::Phrases;
use domain::Timestamp;
use domain::limits::TRIGGER_REGEX_BYTES_MAX;
use domain::rule::{MatchKind, Rule};
use question::Question;
use regex::{RegexSet, RegexSetBuilder};
use std::collections::HashMap;
use std::sync::Arc;

/// Bytes of what the automaton of all patterns may remember of the questions that it has read. With less than its
/// patterns need for a start it would follow every one of them through every question.
const STATES_BYTES_MAX: usize = 16 * 1024 * 1024;

/// The rules of one language.
#[derive(Clone, Debug)]
pub struct RuleSet {
    /// In the order in which they apply.
    rules: Vec<Arc<Rule>>,
    exact: HashMap<String, Vec<usize>>,
    phrases: Phrases<Phrase>,
    patterns: RegexSet,
    /// The rule of every pattern.
    of_patterns: Vec<usize>,
    /// Instants from which on some rule is in effect or is not any more.
    turns: Vec<Timestamp>,
}

/// A rule that looks for a phrase.
#[derive(Clone, Copy, Debug)]
struct Phrase {
    rule: usize,
    /// Whether the question must start with it.
    first: bool,
}

impl RuleSet {
    /// The set of `rules`, in whatever order they come.
    pub fn new(rules: impl IntoIterator<Item = Rule>, analyser: &Analyser) -> Self {
        let mut rules: Vec<Arc<Rule>> = rules.into_iter().map(Arc::new).collect();
        rules.sort_by(|a, b| {
            let higher = b.content.priority.cmp(&a.content.priority);
            let older = a.created_at.cmp(&b.created_at);
            higher.then(older).then_with(|| a.id.cmp(&b.id))
        });
        let mut exact: HashMap<String, Vec<usize>> = HashMap::new();
        let mut phrases = Phrases::default();
        let mut patterns = Vec::new();
        let mut turns = Vec::new();
        for (at, rule) in rules.iter().enumerate() {
            let content = &rule.content;
            turns.extend(content.start_date);
            turns.extend(
                content
                    .end_date
                    .map(|end| Timestamp(end.0.saturating_add(1))),
            );
            let text = Question::new(&content.trigger.query);
            match content.trigger.kind {
                MatchKind::Exact => exact.entry(text.into_text()).or_default().push(at),
                kind @ (MatchKind::Contains | MatchKind::StartsWith) => {
                    let first = kind == MatchKind::StartsWith;
                    phrases.insert(text.units(analyser), Phrase { rule: at, first });
                }
                MatchKind::Regex => patterns.push((at, content.trigger.query.as_str())),
            }
        }
        turns.sort_unstable();
        turns.dedup();
        let (patterns, of_patterns) = compiled(patterns);
        Self {
            rules,
            exact,
            phrases,
            patterns,
            of_patterns,
            turns,
        }
    }

    /// The rules whose trigger `question` meets, whether or not they are in effect, in the order in which they apply.
    pub fn triggered(&self, question: &str, analyser: &Analyser) -> Vec<&Arc<Rule>> {
        if self.rules.is_empty() {
            return Vec::new();
        }
        let question = Question::new(question);
        let mut found: Vec<usize> = Vec::new();
        found.extend(self.exact.get(question.text()).into_iter().flatten());
        if !self.phrases.is_empty() {
            for at in self.phrases.occurrences(question.units(analyser)) {
                let placed = at.meanings.iter().filter(|p| !p.first || at.start == 0);
                found.extend(placed.map(|phrase| phrase.rule));
            }
        }
        if !self.of_patterns.is_empty() {
            let patterns = self.patterns.matches(question.text());
            found.extend(patterns.iter().map(|pattern| self.of_patterns[pattern]));
        }
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|at| &self.rules[at]).collect()
    }

    /// What the rules do to `question` at `now`.
    pub fn effects(&self, question: &str, analyser: &Analyser, now: Timestamp) -> Effects {
        Effects::of(self.triggered(question, analyser), now)
    }

    /// Number of the stretch of time in which `now` lies. Within one, every rule stays in effect, or out of it.
    pub fn stretch(&self, now: Timestamp) -> usize {
        self.turns.partition_point(|turn| *turn <= now)
    }
}

/// One automaton of all patterns, with the rule of each. They were compiled one by one when they were saved; what is no
/// pattern all the same matches nothing.
fn compiled(patterns: Vec<(usize, &str)>) -> (RegexSet, Vec<usize>) {
    let bare = patterns
        .iter()
        .map(|(at, pattern)| (*at, question::without_accents(pattern)));
    let (rules, texts): (Vec<usize>, Vec<String>) = bare.unzip();
    if let Ok(set) = set_of(&texts) {
        return (set, rules);
    }
    // Without its accents a pattern may be none any more, such as a range of letters that then runs backwards.
    let readable = patterns
        .into_iter()
        .zip(texts)
        .filter_map(|((at, pattern), bare)| {
            let mut known = [bare, pattern.to_owned()].into_iter();
            let good = known.find(|text| set_of(std::slice::from_ref(text)).is_ok());
            Some((at, good?))
        });
    let (rules, texts): (Vec<usize>, Vec<String>) = readable.unzip();
    match set_of(&texts) {
        Ok(set) => (set, rules),
        Err(_) => (RegexSet::empty(), Vec::new()),
    }
}

fn set_of(patterns: &[String]) -> Result<RegexSet, regex::Error> {
    RegexSetBuilder::new(patterns)
        .case_insensitive(true)
        .size_limit(TRIGGER_REGEX_BYTES_MAX * patterns.len().max(1))
        .dfa_size_limit(STATES_BYTES_MAX)
        .build()
}

#[cfg(test)]
mod tests;
