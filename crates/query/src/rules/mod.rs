//! Compiled query rules of one language: finds the rules that a query triggers without testing them one by one.
//!
//! [`Effects`] holds what they do together. The caller passes the current time, as there is no clock here.

mod effects;
mod matcher;
mod multipliers;
mod patterns;
mod states;
mod trigger_text;

pub use effects::{
    BoostRule, Effects, PinFate, PlanRules, RuleBanner, RuleOutcome, RulePin, RuleRedirect, Why,
};
pub(crate) use multipliers::used;
pub use multipliers::{entry_of_value, of_rule, product};
pub use patterns::pattern_bytes;
pub use states::state_usage;

use crate::alternative_phrases::AlternativePhrases;
use crate::analysis::{Analyser, is_whole};
use crate::mistyped_words::MistypedWords;
use crate::phrases::Phrases;
use domain::relevance::SearchSettings;
use domain::rule::{MatchKind, Rule};
use domain::{Timestamp, TriggerAlternative};
use patterns::Patterns;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;
use trigger_text::TriggerText;

/// The rules of one language.
#[derive(Clone, Debug)]
pub struct RuleSet {
    /// In order of precedence.
    rules: Vec<Arc<Rule>>,
    exact: HashMap<String, Vec<usize>>,
    phrases: Phrases<PhraseRule>,
    alternatives: AlternativePhrases<PhraseRule>,
    patterns: Patterns,
    /// Number of patterns that were not compiled for lack of memory.
    left_out: usize,
    /// Instants at which some rule starts or stops being in effect.
    changes: Vec<Timestamp>,
}

/// A rule with a phrase as its trigger.
#[derive(Clone, Copy, Debug)]
struct PhraseRule {
    rule: usize,
    /// Whether the query must start with it.
    first: bool,
    /// Whether the query must end with it.
    last: bool,
}

impl PhraseRule {
    /// Whether the phrase may stand at `range` of a query of `words` words.
    fn may_stand_at(self, range: &Range<usize>, words: usize) -> bool {
        (!self.first || range.start == 0) && (!self.last || range.end == words)
    }
}

/// A rule that a query triggers.
#[derive(Clone, Copy, Debug)]
pub struct TriggeredRule<'a> {
    /// The rule.
    pub rule: &'a Arc<Rule>,
    /// The alternative by which its trigger matches; none if it matches as it is.
    pub alternative: Option<TriggerAlternative>,
}

impl RuleSet {
    /// Compiles `rules`, given in any order.
    pub fn new(rules: impl IntoIterator<Item = Rule>, analyser: &Analyser) -> Self {
        Self::within(usize::MAX, rules, analyser)
    }

    /// Compiles `rules`. Regular expressions are compiled in order of precedence up to `bytes_max` bytes in all; the
    /// others match nothing.
    pub fn within(
        bytes_max: usize,
        rules: impl IntoIterator<Item = Rule>,
        analyser: &Analyser,
    ) -> Self {
        let mut rules: Vec<Arc<Rule>> = rules.into_iter().map(Arc::new).collect();
        rules.sort_by(|a, b| {
            let higher = b.content.priority.cmp(&a.content.priority);
            let older = a.created_at.cmp(&b.created_at);
            higher.then(older).then_with(|| a.id.cmp(&b.id))
        });
        let mut exact: HashMap<String, Vec<usize>> = HashMap::new();
        let mut phrases = Phrases::default();
        let mut alternatives = AlternativePhrases::default();
        let mut patterns = Vec::new();
        let mut changes = Vec::new();
        for (at, rule) in rules.iter().enumerate() {
            let content = &rule.content;
            changes.extend(content.start_date);
            changes.extend(
                content
                    .end_date
                    .map(|end| Timestamp(end.0.saturating_add(1))),
            );
            let text = TriggerText::new(&content.trigger.query, analyser);
            let phrase = PhraseRule {
                rule: at,
                first: content.trigger.kind != MatchKind::Contains,
                last: content.trigger.kind == MatchKind::Exact,
            };
            for words in text.writings_with_alternatives() {
                let keys = words.iter().map(|word| word.key.as_str());
                alternatives.insert(keys, content.trigger.alternatives, phrase);
            }
            match content.trigger.kind {
                MatchKind::Exact => {
                    for line in text.lines() {
                        exact.entry(line).or_default().push(at);
                    }
                }
                MatchKind::Contains | MatchKind::StartsWith => {
                    for words in text.writings() {
                        let keys = words.iter().map(|word| word.key.as_str());
                        phrases.insert(keys, phrase);
                    }
                }
                MatchKind::Regex => patterns.push((at, content.trigger.query.as_str())),
            }
        }
        changes.sort_unstable();
        changes.dedup();
        let compiled = Patterns::new(&patterns, bytes_max);
        let left_out = patterns.len() - compiled.len();
        Self {
            patterns: compiled,
            left_out,
            rules,
            exact,
            phrases,
            alternatives,
            changes,
        }
    }

    /// Size of the compiled regular expressions in bytes.
    pub fn pattern_bytes(&self) -> usize {
        self.patterns.bytes()
    }

    /// Number of regular expressions that match nothing, because memory did not suffice or because they are invalid.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// Adds to `mistyped` the words of `query` that may be misspelled words of triggers.
    pub fn add_mistyped(
        &self,
        query: &str,
        analyser: &Analyser,
        settings: &SearchSettings,
        mistyped: &mut MistypedWords,
    ) {
        mistyped.add(query, self.alternatives.vocabulary(), analyser, settings);
    }

    /// The rules that `query` triggers, some of whose words `mistyped` may be, whether or not they are in effect, in order of
    /// precedence.
    pub fn triggered(
        &self,
        query: &str,
        analyser: &Analyser,
        mistyped: &MistypedWords,
    ) -> Vec<TriggeredRule<'_>> {
        if self.rules.is_empty() {
            return Vec::new();
        }
        let query = TriggerText::new(query, analyser);
        // A trigger that matches as it is comes before one that matches by an alternative.
        let mut found: BTreeMap<usize, Option<TriggerAlternative>> = BTreeMap::new();
        let mut add = |rule: usize, alternative| {
            let best = found.entry(rule).or_insert(alternative);
            *best = alternative.min(*best);
        };
        for line in query.lines() {
            for rule in self.exact.get(&line).into_iter().flatten() {
                add(*rule, None);
            }
        }
        for words in query.writings() {
            let mut add_phrase = |phrase: PhraseRule, range: Range<usize>, alternative| {
                if is_whole(words, &range) && phrase.may_stand_at(&range, words.len()) {
                    add(phrase.rule, alternative);
                }
            };
            if !self.phrases.is_empty() {
                let keys = words.iter().map(|word| word.key.as_str());
                for at in self.phrases.occurrences(keys) {
                    for phrase in at.values {
                        add_phrase(*phrase, at.start..at.start + at.words, None);
                    }
                }
            }
            for at in (self.alternatives).occurrences(words, analyser, mistyped) {
                add_phrase(at.value, at.words, Some(at.alternative));
            }
        }
        for rule in self.patterns.matches(query.text()) {
            add(rule, None);
        }
        let found = found.into_iter().map(|(at, alternative)| TriggeredRule {
            rule: &self.rules[at],
            alternative,
        });
        found.collect()
    }

    /// The effects at `now` of the rules that `query` triggers, some of whose words `mistyped` may be.
    pub fn effects(
        &self,
        query: &str,
        analyser: &Analyser,
        mistyped: &MistypedWords,
        now: Timestamp,
    ) -> Effects {
        Effects::of(self.triggered(query, analyser, mistyped), now)
    }

    /// Index of the period of time that contains `now`. Within a period no rule starts or stops being in effect.
    pub fn period(&self, now: Timestamp) -> usize {
        self.changes.partition_point(|change| *change <= now)
    }
}

#[cfg(test)]
mod tests;
