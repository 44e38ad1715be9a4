//! Phrases to highlight, all found in one pass over a text.

use crate::analysis::Token;
use std::collections::HashMap;
use std::ops::Range;

/// Phrases of stems with relative positions, as a trie: phrases share their common prefix, so the cost per position of a
/// text depends on the words there and not on the number of phrases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MarkedPhrases {
    /// Whether a phrase ends here.
    ends: bool,
    /// The nodes that follow, by distance from the first word of the phrase and by stem.
    next: HashMap<i64, HashMap<String, MarkedPhrases>>,
}

impl MarkedPhrases {
    /// Adds a phrase of stems, each with its position; only distances from the first word are kept.
    pub fn insert(&mut self, phrase: Vec<(String, u32)>) {
        let Some(first) = phrase.first().map(|(_, position)| i64::from(*position)) else {
            return;
        };
        let mut end = self;
        for (stem, position) in phrase {
            let words = end.next.entry(i64::from(position) - first).or_default();
            end = words.entry(stem).or_default();
        }
        end.ends = true;
    }

    /// Adds to `ranges` the byte ranges of the words of each phrase that occurs in `tokens`.
    pub(crate) fn find(&self, tokens: &[Token], ranges: &mut Vec<Range<usize>>) {
        if self.next.is_empty() {
            return;
        }
        // Further spellings of a word follow it in `tokens`, so the tokens are not sorted by position.
        let mut by_position: Vec<&Token> = tokens.iter().collect();
        by_position.sort_by_key(|token| token.position);
        for here in by_position.chunk_by(|a, b| a.position == b.position) {
            let mut search = PhraseSearch {
                tokens: &by_position,
                start: i64::from(here[0].position),
                matched: Vec::new(),
                ranges,
            };
            search.follow(self);
        }
    }
}

/// A search for the phrases that start at one position.
struct PhraseSearch<'a> {
    /// Ordered by position.
    tokens: &'a [&'a Token],
    start: i64,
    /// Ranges of the words matched so far.
    matched: Vec<Range<usize>>,
    ranges: &'a mut Vec<Range<usize>>,
}

impl PhraseSearch<'_> {
    fn follow(&mut self, phrases: &MarkedPhrases) {
        if phrases.ends {
            self.ranges.extend_from_slice(&self.matched);
        }
        for (distance, words) in &phrases.next {
            let here = tokens_at(self.tokens, self.start + distance);
            for (at, token) in here.iter().enumerate() {
                // Of two spellings with the same stem the first one counts.
                let known = here[..at].iter().any(|other| other.stem == token.stem);
                if let Some(next) = words.get(&token.stem).filter(|_| !known) {
                    self.matched.push(token.start..token.end);
                    self.follow(next);
                    self.matched.pop();
                }
            }
        }
    }
}

/// The tokens at a position, of tokens ordered by position.
fn tokens_at<'a>(tokens: &'a [&'a Token], position: i64) -> &'a [&'a Token] {
    let first = tokens.partition_point(|token| i64::from(token.position) < position);
    let count = tokens[first..].partition_point(|token| i64::from(token.position) == position);
    &tokens[first..first + count]
}

#[cfg(test)]
mod tests {
    //! 1. The trie finds what a search for each phrase at each position finds.
    //! 2. The cost is proportional to the text, whatever the number of phrases.

    use super::*;
    use crate::analysis::Analyser;
    use domain::Language;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use std::time::{Duration, Instant};

    fn analyser(code: &str) -> Analyser {
        Analyser::new(&Language::parse(code).expect("a code"))
    }

    /// The ranges of the words of one phrase, found by a search at each position.
    fn phrase_ranges(tokens: &[Token], phrase: &[(String, u32)]) -> Vec<Range<usize>> {
        let Some((_, first)) = phrase.first() else {
            return Vec::new();
        };
        let words_from = |start: u32| {
            let words = phrase.iter().map(move |(stem, position)| {
                let position = start + position - first;
                let mut here = tokens
                    .iter()
                    .filter(move |token| token.position == position);
                here.find(|token| token.stem == *stem)
            });
            words
                .map(|word| word.map(|token| token.start..token.end))
                .collect::<Option<Vec<_>>>()
        };
        let starts = tokens.iter().map(|token| token.position);
        starts.filter_map(words_from).flatten().collect()
    }

    fn sorted(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
        ranges.sort_by_key(|range| (range.start, range.end));
        ranges.dedup();
        ranges
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_000))]
        #[test]
        fn all_phrases_are_found_as_each_alone(
            text in "([ab]|c-d|l'a|[abc]{2}|充電|電)( |-| )([ab]|c-d|[abc]|充電器){0,3}( ([ab]|ab-c)){0,6}",
            phrases in vec(vec(("[abc]|ab|cd|la|充電|電器|電", 0_u32..3), 0..4), 0..6),
            code in "en|fr|ja",
        ) {
            let tokens = analyser(&code).document_words(&text);
            let (mut all, mut expected) = (MarkedPhrases::default(), Vec::new());
            for phrase in phrases {
                let mut position = 3;
                let phrase: Vec<(String, u32)> = phrase.into_iter().map(|(stem, distance)| {
                    position += distance;
                    (stem, position)
                }).collect();
                expected.extend(phrase_ranges(&tokens, &phrase));
                all.insert(phrase);
            }
            let mut ranges = Vec::new();
            all.find(&tokens, &mut ranges);
            prop_assert_eq!(sorted(ranges), sorted(expected));
        }
    }

    /// The time to find so many phrases in a text of so many words; the shortest of three runs.
    #[expect(clippy::disallowed_methods, reason = "the duration is what is tested")]
    fn takes(phrases: usize, words: usize) -> Duration {
        let mut all = MarkedPhrases::default();
        for phrase in 0..phrases {
            all.insert(vec![("a".to_owned(), 0), (format!("x{phrase}"), 1)]);
        }
        let tokens = analyser("en").document_words(&"a ".repeat(words));
        let once = || {
            let started = Instant::now();
            let mut ranges = Vec::new();
            all.find(&tokens, &mut ranges);
            assert!(ranges.is_empty());
            started.elapsed()
        };
        (0..3).map(|_| once()).min().expect("three times")
    }

    #[test]
    fn the_cost_is_proportional_to_the_text() {
        let [small, large] =
            [(200, 1_000), (6_400, 32_000)].map(|(phrases, words)| takes(phrases, words));
        // 32 times as many words; if the cost grew with the phrases as well, it would be a thousand times as long.
        let bound = small * 200 + Duration::from_millis(20);
        assert!(large < bound, "{small:?} and {large:?}");
    }
}
