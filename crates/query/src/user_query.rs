//! The shopper's query: its words, which of them count, and which parts may be codes.

use crate::analysis::{
    Analyser, FIRST_PART_CHARACTERS_MIN, LAST_PART_CHARACTERS_MIN, SameWord, Token, codes,
};
use crate::joined_words::{JoinedWords, joined_words};
use crate::mistyped_words::MistypedWords;
use crate::pasted_code::{possible_codes, without_label};
use crate::synonyms::{Fired, SynonymSet};
use domain::limits::QUERY_WORDS_MAX;
use domain::relevance::SearchSettings;

/// Percentage of the bigrams that must match when all are of one word, rounded up: a bigram across the border of two
/// parts of a compound may be missing.
const BIGRAMS_PERCENT: usize = 75;

/// An analysed query.
#[derive(Clone, Debug, PartialEq)]
pub struct UserQuery {
    /// As typed.
    pub text: String,
    /// The words, at most 32.
    pub words: Vec<QueryWord>,
    /// The space-separated parts as codes, and the whole query where it has several parts.
    pub codes: Vec<QueryCode>,
    /// Whether it has the shape of a code: a digit, and few parts. Only an index knows whether it is one.
    pub code_shaped: bool,
    /// The parts of a query in the shape of a list of codes; else empty.
    pub list: Vec<CodeListItem>,
    /// Whether it has enough words to be a long query.
    pub long: bool,
    /// Percentage of the words that must match.
    pub min_match_percent: u32,
    /// Number of words that must match.
    pub min_match: usize,
    /// Synonym groups that its words trigger, in the order of the words.
    pub synonyms: Vec<Fired>,
    /// Adjacent words that the catalogue may write as one.
    pub joined: Vec<JoinedWords>,
}

/// A word of a query.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryWord {
    /// As typed.
    pub text: String,
    /// The analysed word.
    pub token: Token,
    /// Whether it counts: false for stop words, unless the query has no other words.
    pub counts: bool,
    /// Whether it has a digit and so tolerates no typo outside code fields.
    pub digit: bool,
    /// Whether it may be part of a compound, or a compound itself.
    pub compound: bool,
    /// Its forms that count as the word itself, where they are known.
    pub same_word: Option<SameWord>,
}

/// A part of a query that may be a code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryCode {
    /// In lower case, without separators.
    pub compact: String,
    /// In the typed case, without separators.
    pub cased: String,
    /// Range in [`UserQuery::words`] of the words that it covers.
    pub words: std::ops::Range<usize>,
    /// Whether it is the whole query.
    pub whole: bool,
}

/// An item of a query that may be a list of codes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeListItem {
    /// As typed.
    pub text: String,
    /// In lower case, without separators.
    pub compact: String,
    /// In the typed case, without separators.
    pub cased: String,
}

impl UserQuery {
    /// Analyses the query `text` with `analyser` under `settings`.
    pub fn new(text: &str, analyser: &Analyser, settings: &SearchSettings) -> Self {
        let tokens: Vec<Token> = analyser
            .words(text)
            .into_iter()
            .take(QUERY_WORDS_MAX)
            .collect();
        let only_stops = tokens.iter().all(|t| t.stop);
        let words: Vec<QueryWord> = tokens
            .into_iter()
            .map(|token| {
                let digit = token.folded.chars().any(char::is_numeric);
                QueryWord {
                    text: text[token.start..token.end].to_owned(),
                    counts: only_stops || !token.stop,
                    digit,
                    same_word: analyser.same_word(&token),
                    compound: analyser.compounds().is_some() && !digit && is_long(&token),
                    token,
                }
            })
            .collect();
        let counted = words.iter().filter(|w| w.counts).count();
        let whole = words.iter().filter(|w| w.counts && !w.token.continues);
        let whole = whole.count();
        let long = whole >= settings.long_query_threshold as usize;
        let min_match_percent = if long {
            settings.min_match_long.0
        } else {
            settings.min_match_short.0
        };
        let min_match = if whole == 1 {
            (counted * BIGRAMS_PERCENT).div_ceil(100)
        } else {
            (counted * min_match_percent as usize / 100).max(1)
        };
        let codes = query_codes(text, &words);
        Self {
            text: text.to_owned(),
            joined: joined_words(&words, analyser),
            words,
            codes,
            code_shaped: possible_codes(text).any(code_shaped),
            list: list_parts(text),
            long,
            min_match_percent,
            min_match,
            synonyms: Vec::new(),
        }
    }

    /// Adds the synonyms of `synonyms`, some of whose words `mistyped` may be. They only widen what the words match: only
    /// typed words are counted and compared with codes.
    #[must_use]
    pub fn with_synonyms(
        self,
        synonyms: &SynonymSet,
        analyser: &Analyser,
        mistyped: &MistypedWords,
    ) -> Self {
        Self {
            synonyms: synonyms.fired(&self.words, analyser, mistyped),
            ..self
        }
    }

    /// Whether the query is blank, so that all documents match.
    pub fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
    }
}

/// Whether a word is long enough to be recognised at the end of a compound.
fn is_long(token: &Token) -> bool {
    let long = |text: &str, characters: usize| text.chars().nth(characters - 1).is_some();
    long(&token.folded, LAST_PART_CHARACTERS_MIN) && long(&token.stem, FIRST_PART_CHARACTERS_MIN)
}

/// Most parts of a query that may be a code.
const CODE_PARTS_MAX: usize = 3;
/// Number of items in a list of codes.
const LIST_PARTS: std::ops::RangeInclusive<usize> = 2..=32;

fn code_shaped(text: &str) -> bool {
    let parts = text.split(codes::is_separator).filter(|p| !p.is_empty());
    has_digit(text) && parts.count() <= CODE_PARTS_MAX
}

fn list_parts(text: &str) -> Vec<CodeListItem> {
    let parts = text.split(|c: char| c.is_whitespace() || c == ',');
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    if !LIST_PARTS.contains(&parts.len()) || !parts.iter().all(|part| has_digit(part)) {
        return Vec::new();
    }
    let parts = parts.into_iter().map(|part| {
        let code = without_label(part);
        Some(CodeListItem {
            text: part.to_owned(),
            compact: codes::compact(code)?,
            cased: codes::cased(code)?,
        })
    });
    parts.collect::<Option<_>>().unwrap_or_default()
}

fn has_digit(text: &str) -> bool {
    text.chars().any(char::is_numeric)
}

/// The parts and the whole of `text` as codes, without what people paste around them.
fn query_codes(text: &str, words: &[QueryWord]) -> Vec<QueryCode> {
    let bytes = |part: &str| {
        let start = part.as_ptr() as usize - text.as_ptr() as usize;
        start..start + part.len()
    };
    let whole: Vec<&str> = possible_codes(text).collect();
    let is_whole = |part: &str| whole.iter().any(|whole| bytes(whole) == bytes(part));
    let parts = text.split_whitespace().take(QUERY_WORDS_MAX);
    let parts = parts.flat_map(possible_codes);
    let several = whole
        .iter()
        .filter(|whole| whole.contains(char::is_whitespace));
    let found = parts.chain(several.copied());
    let found = found.map(|part| code_of(part, bytes(part), words, is_whole(part)));
    found.flatten().collect()
}

/// The part as a code. A part without a word, such as punctuation, covers no words.
fn code_of(
    part: &str,
    bytes: std::ops::Range<usize>,
    words: &[QueryWord],
    whole: bool,
) -> Option<QueryCode> {
    let covered = |word: &QueryWord| bytes.contains(&word.token.start);
    let first = words.iter().position(covered);
    let end = words.iter().rposition(covered).map_or(0, |last| last + 1);
    Some(QueryCode {
        compact: codes::compact(part)?,
        cased: codes::cased(part)?,
        words: first.unwrap_or(0)..end,
        whole,
    })
}

#[cfg(test)]
mod tests {
    //! 1. Stop words count only when there are no other words.
    //! 2. The minimum match is rounded down, at least one word, and changes at the threshold of long queries.
    //! 3. Every space-separated part and the whole query may be a code, punctuation included.
    //! 4. A digit and at most three parts have the shape of a code; 2 to 32 parts with a digit each that of a list.
    //! 5. Bigrams count as their words do: they make no query long, and of one word most must match.

    use super::*;
    use domain::Language;

    fn query(text: &str) -> UserQuery {
        let analyser = Analyser::new(&Language::parse("en").expect("a code"));
        UserQuery::new(text, &analyser, &SearchSettings::default())
    }

    #[test]
    fn stop_words_count_only_alone() {
        let counted = |q: &UserQuery| q.words.iter().filter(|w| w.counts).count();
        assert_eq!(counted(&query("case for the phone")), 2);
        assert_eq!(counted(&query("the of")), 2);
        assert!(query("  ").is_empty());
        assert!(!query("!?").is_empty());
    }

    #[test]
    fn the_minimum_match_is_rounded_down() {
        for (text, words) in [
            ("a1", 1),
            ("a1 b1", 1),
            ("a1 b1 c1", 2),
            ("a1 b1 c1 d1", 3),
            ("a1 b1 c1 d1 e1", 1),
            ("a b c d e f g", 1),
        ] {
            assert_eq!(query(text).min_match, words, "{text}");
        }
        assert_eq!(query("w1 w2 w3 w4 w5 w6 w7").min_match, 2);
    }

    #[test]
    fn bigrams_count_as_their_words_do() {
        for (text, pairs, min_match) in [
            ("茶", 1, 1),
            ("手机", 1, 1),
            ("充電器", 2, 2),
            ("무선이어폰", 4, 3),
            ("スマートフォンケース", 9, 7),
            ("充電器 手机", 3, 2),
        ] {
            let query = query(text);
            assert_eq!(
                (query.words.len(), query.min_match, query.long),
                (pairs, min_match, false),
                "{text}"
            );
        }
    }

    #[test]
    fn parts_and_the_whole_may_be_codes() {
        let codes: Vec<(String, std::ops::Range<usize>, bool)> = query("KT-1200 B")
            .codes
            .into_iter()
            .map(|c| (c.compact, c.words, c.whole))
            .collect();
        assert_eq!(
            codes,
            [
                ("kt1200".to_owned(), 0..1, false),
                ("b".to_owned(), 1..2, false),
                ("kt1200b".to_owned(), 0..2, true),
            ]
        );
        assert!(query("KT1200").codes[0].whole);
        assert_eq!(query("tent ★").codes[1].words, 0..0);
    }

    #[test]
    fn codes_and_lists_have_a_shape() {
        for (text, code, list) in [
            ("KT-1200/B", true, 0),
            ("KT 1200 - B", true, 0),
            ("KT-1200-B-9", false, 0),
            ("tent", false, 0),
            ("A1 B2", true, 2),
            ("A1,B2 ,, C3\nD-4", false, 4),
            ("A1, tent", true, 0),
            (" A1, ", true, 0),
        ] {
            let query = query(text);
            assert_eq!(
                (query.code_shaped, query.list.len()),
                (code, list),
                "{text}"
            );
        }
        let many = |parts: usize| query(&"A1 ".repeat(parts)).list.len();
        assert_eq!((many(32), many(33)), (32, 0));
    }
}
