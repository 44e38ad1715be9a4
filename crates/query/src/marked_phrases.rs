//! Rows of words that are marked where they stand together, all found in one pass over a text.

use crate::analysis::Token;
use std::collections::HashMap;
use std::ops::Range;

/// Rows of analysed forms with their distances, as a tree (a trie): rows that begin alike share their beginning, so that
/// what a place of a text costs depends on the words that stand there, and not on the number of rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MarkedPhrases {
    /// Whether a row ends here.
    ends: bool,
    /// What follows, by its distance from the first word of the row and by its form.
    next: HashMap<i64, HashMap<String, MarkedPhrases>>,
}

impl MarkedPhrases {
    /// Adds a row of forms, each with its position; distances are those from the first one.
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

    /// Adds to `places` those of the words of each row, wherever all words of one stand in `tokens`.
    pub(crate) fn find(&self, tokens: &[Token], places: &mut Vec<Range<usize>>) {
        if self.next.is_empty() {
            return;
        }
        // Further spellings of words come later than what they stand beside.
        let mut by_position: Vec<&Token> = tokens.iter().collect();
        by_position.sort_by_key(|token| token.position);
        for here in by_position.chunk_by(|a, b| a.position == b.position) {
            let mut search = PhraseSearch {
                tokens: &by_position,
                start: i64::from(here[0].position),
                row: Vec::new(),
                places,
            };
            search.follow(self);
        }
    }
}

/// Rows that may start at one place.
struct PhraseSearch<'a> {
    /// In the order of their positions.
    tokens: &'a [&'a Token],
    start: i64,
    /// The places of the words up to here.
    row: Vec<Range<usize>>,
    places: &'a mut Vec<Range<usize>>,
}

impl PhraseSearch<'_> {
    fn follow(&mut self, phrases: &MarkedPhrases) {
        if phrases.ends {
            self.places.extend_from_slice(&self.row);
        }
        for (distance, words) in &phrases.next {
            let here = standing_at(self.tokens, self.start + distance);
            for (at, token) in here.iter().enumerate() {
                // Of two spellings of one form the first one counts.
                let known = here[..at].iter().any(|other| other.stem == token.stem);
                if let Some(next) = words.get(&token.stem).filter(|_| !known) {
                    self.row.push(token.start..token.end);
                    self.follow(next);
                    self.row.pop();
                }
            }
        }
    }
}

/// The tokens at a position, of those that are in the order of their positions.
fn standing_at<'a>(tokens: &'a [&'a Token], position: i64) -> &'a [&'a Token] {
    let first = tokens.partition_point(|token| i64::from(token.position) < position);
    let count = tokens[first..].partition_point(|token| i64::from(token.position) == position);
    &tokens[first..first + count]
}

#[cfg(test)]
mod tests {
    //! 1. What is found is what is found by looking for each row at each place among all words.
    //! 2. The cost is in proportion to the text, and does not grow with the rows.

    use super::*;
    use crate::analysis::Analyser;
    use domain::Language;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use std::time::{Duration, Instant};

    fn analyser(code: &str) -> Analyser {
        Analyser::new(&Language::parse(code).expect("a code"))
    }

    /// The places of the words of one row, as it is defined.
    fn phrase_places(tokens: &[Token], phrase: &[(String, u32)]) -> Vec<Range<usize>> {
        let Some((_, first)) = phrase.first() else {
            return Vec::new();
        };
        let standing = |start: u32| {
            let words = phrase.iter().map(move |(stem, position)| {
                let place = start + position - first;
                let mut own = tokens.iter().filter(move |token| token.position == place);
                own.find(|token| token.stem == *stem)
            });
            words
                .map(|word| word.map(|token| token.start..token.end))
                .collect::<Option<Vec<_>>>()
        };
        let starts = tokens.iter().map(|token| token.position);
        starts.filter_map(standing).flatten().collect()
    }

    fn sorted(mut places: Vec<Range<usize>>) -> Vec<Range<usize>> {
        places.sort_by_key(|place| (place.start, place.end));
        places.dedup();
        places
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_000))]
        #[test]
        fn all_rows_are_found_as_each_alone(
            text in "([ab]|c-d|l'a|[abc]{2}|充電|電)( |-| )([ab]|c-d|[abc]|充電器){0,3}( ([ab]|ab-c)){0,6}",
            rows in vec(vec(("[abc]|ab|cd|la|充電|電器|電", 0_u32..3), 0..4), 0..6),
            code in "en|fr|ja",
        ) {
            let tokens = analyser(&code).document_words(&text);
            let (mut all, mut expected) = (MarkedPhrases::default(), Vec::new());
            for row in rows {
                let mut position = 3;
                let row: Vec<(String, u32)> = row.into_iter().map(|(stem, distance)| {
                    position += distance;
                    (stem, position)
                }).collect();
                expected.extend(phrase_places(&tokens, &row));
                all.insert(row);
            }
            let mut places = Vec::new();
            all.find(&tokens, &mut places);
            prop_assert_eq!(sorted(places), sorted(expected));
        }
    }

    /// How long so many rows take in a text of so many words; the shortest of three times.
    #[expect(
        clippy::disallowed_methods,
        reason = "a wait ends, and how long something takes is tested"
    )]
    fn takes(rows: usize, words: usize) -> Duration {
        let mut all = MarkedPhrases::default();
        for row in 0..rows {
            all.insert(vec![("a".to_owned(), 0), (format!("x{row}"), 1)]);
        }
        let tokens = analyser("en").document_words(&"a ".repeat(words));
        let once = || {
            let started = Instant::now();
            let mut places = Vec::new();
            all.find(&tokens, &mut places);
            assert!(places.is_empty());
            started.elapsed()
        };
        (0..3).map(|_| once()).min().expect("three times")
    }

    #[test]
    fn the_cost_is_in_proportion_to_the_text() {
        let [small, large] =
            [(200, 1_000), (6_400, 32_000)].map(|(rows, words)| takes(rows, words));
        // 32 times as many words; with the rows, or by the square, it would be a thousand times as long.
        let bound = small * 200 + Duration::from_millis(20);
        assert!(large < bound, "{small:?} and {large:?}");
    }
}
