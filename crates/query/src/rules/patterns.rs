//! The regular expressions of rules as one automaton, whose states are cached within bounds.
//!
//! Each matching thread needs states of its own and borrows them from a cache of the process.

use super::matcher::Matcher;
use super::states::{CACHE, next_number};
use super::trigger_text;
use domain::limits::TRIGGER_REGEX_BYTES_MAX;
use regex_automata::nfa::thompson::BuildError;
use std::sync::Arc;

/// Patterns, each with the index of its rule.
#[derive(Clone, Debug, Default)]
pub(super) struct Patterns(Option<Arc<Automaton>>);

#[derive(Debug)]
struct Automaton {
    matcher: Matcher,
    /// Index of the rule of each pattern.
    rules: Vec<usize>,
    /// Key of its states in the cache.
    number: u64,
}

impl Patterns {
    /// Compiles the first `patterns` that together take at most `bytes_max` bytes. Each was compiled when it was saved; a
    /// pattern that is invalid nevertheless matches nothing.
    pub fn new(patterns: &[(usize, &str)], bytes_max: usize) -> Self {
        let bare = patterns.iter().copied();
        let bare = bare.map(|(rule, pattern)| (rule, trigger_text::without_accents(pattern)));
        let mut wanted: Vec<(usize, String)> = bare.collect();
        let mut are_valid = false;
        while !wanted.is_empty() {
            let texts: Vec<&str> = wanted.iter().map(|(_, text)| text.as_str()).collect();
            match automaton(&texts, bytes_max) {
                Ok(matcher) if matcher.bytes() <= bytes_max => {
                    return Self(Some(Arc::new(Automaton {
                        matcher,
                        rules: wanted.iter().map(|(rule, _)| *rule).collect(),
                        number: next_number(),
                    })));
                }
                Err(error) if !are_valid && error.size_limit().is_none() => {
                    wanted = valid_patterns(patterns, &wanted);
                    are_valid = true;
                }
                _ => wanted.truncate(wanted.len() * 3 / 4),
            }
        }
        Self::default()
    }

    /// The rules with a pattern that matches somewhere in `text`.
    pub fn matches(&self, text: &str) -> Vec<usize> {
        let Some(automaton) = &self.0 else {
            return Vec::new();
        };
        let Automaton {
            matcher,
            rules,
            number,
        } = &**automaton;
        let mut states = (CACHE.take(*number)).unwrap_or_else(|| Box::new(matcher.states()));
        let matching = matcher.matches(&mut states, text);
        CACHE.put(*number, states);
        matching.iter().map(|at| rules[at.as_usize()]).collect()
    }

    /// Number of compiled patterns.
    pub fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |automaton| automaton.rules.len())
    }

    /// Bytes of the automaton without cached states.
    pub fn bytes(&self) -> usize {
        let automaton = self.0.as_ref();
        automaton.map_or(0, |automaton| automaton.matcher.bytes())
    }
}

impl Drop for Automaton {
    fn drop(&mut self) {
        CACHE.remove(self.number);
    }
}

/// The patterns of `bare`, which have no accents. A pattern that is invalid without accents, such as a character range
/// that then runs backwards, is taken as it was saved; one that is invalid in both forms is left out.
fn valid_patterns(patterns: &[(usize, &str)], bare: &[(usize, String)]) -> Vec<(usize, String)> {
    let both = patterns.iter().zip(bare);
    let valid = both.filter_map(|((rule, saved), (_, bare))| {
        let mut forms = [bare.as_str(), saved].into_iter();
        let valid = forms.find(|text| automaton(&[text], usize::MAX).is_ok());
        Some((*rule, valid?.to_owned()))
    });
    valid.collect()
}

fn automaton(patterns: &[&str], bytes_max: usize) -> Result<Matcher, Box<BuildError>> {
    let own = TRIGGER_REGEX_BYTES_MAX * patterns.len().max(1);
    Matcher::new(patterns, own.min(bytes_max))
}

/// Approximate size of one compiled pattern in bytes; 0 for an invalid one.
pub fn pattern_bytes(pattern: &str) -> usize {
    Patterns::new(&[(0, pattern)], usize::MAX).bytes()
}
