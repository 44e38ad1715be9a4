//! The only analyser: what becomes a word, in an index and in a question alike.
//!
//! Words by UAX 29, Unicode normalisation, lower case, accents removed; stop words and stems for English and Spanish,
//! the plain chain for every other language.

pub mod codes;
mod fold;
mod plain_text;
mod stem;
mod stop_words;

pub use fold::{fold, lower};
pub use plain_text::plain_text;

use domain::Language;
use domain::limits::WORD_LETTERS_MAX;
use icu_segmenter::{WordSegmenter, WordSegmenterBorrowed, options::WordBreakInvariantOptions};
use stem::Stemming;

/// One word of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Place of the word among the words of its text, from 0.
    pub position: u32,
    /// Where it starts in the text, in bytes.
    pub start: usize,
    /// Where it ends in the text, in bytes.
    pub end: usize,
    /// As typed, in lower case, with its accents.
    pub form: String,
    /// Lower case, without accents, not stemmed.
    pub folded: String,
    /// The analysed form: folded and stemmed.
    pub stem: String,
    /// Whether it is a stop word of the language.
    pub stop: bool,
    /// True for the joined spelling of a hyphenated word, which stands at the place of its first part.
    pub joined: bool,
}

/// The analyser of one language.
pub struct Analyser {
    segmenter: WordSegmenterBorrowed<'static>,
    stemming: Stemming,
    stop_words: &'static [&'static str],
}

impl std::fmt::Debug for Analyser {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Analyser")
            .field("stemming", &self.stemming)
            .finish_non_exhaustive()
    }
}

impl Analyser {
    /// The analyser of `language`; `en-gb` is analysed as `en`.
    pub fn new(language: &Language) -> Self {
        Self {
            segmenter: WordSegmenter::new_auto(WordBreakInvariantOptions::default()),
            stemming: Stemming::of(language.base()),
            stop_words: stop_words::of(language.base()),
        }
    }

    /// The words of a question, or of a text in which hyphenated words are not joined.
    pub fn words(&self, text: &str) -> Vec<Token> {
        let mut tokens: Vec<Token> = Vec::new();
        let mut start = 0;
        for (end, kind) in self.segmenter.segment_str(text).iter_with_word_type() {
            if kind.is_word_like()
                && let Some(token) = self.token(&text[start..end], start, tokens.len() as u32)
            {
                tokens.push(token);
            }
            start = end;
        }
        tokens
    }

    /// The words of a document's text: as [`Self::words`], with hyphenated words also joined.
    pub fn document_words(&self, text: &str) -> Vec<Token> {
        let words = self.words(text);
        let mut tokens = Vec::with_capacity(words.len());
        let mut at = 0;
        while at < words.len() {
            let mut end = at + 1;
            while end < words.len() && &text[words[end - 1].end..words[end].start] == "-" {
                end += 1;
            }
            let chain = &words[at..end];
            tokens.extend_from_slice(chain);
            if chain.len() > 1 {
                tokens.push(self.joined(chain));
            }
            at = end;
        }
        tokens
    }

    /// The analysed form of one word.
    pub fn stem(&self, folded: &str) -> String {
        self.stemming.stem(folded)
    }

    fn token(&self, text: &str, start: usize, position: u32) -> Option<Token> {
        let form = clip(lower(text));
        let folded = clip(fold(&form));
        if folded.is_empty() {
            return None;
        }
        let stop = self.stop_words.binary_search(&folded.as_str()).is_ok();
        let stem = if stop {
            folded.clone()
        } else {
            self.stemming.stem(&folded)
        };
        let end = start + text.len();
        Some(Token {
            position,
            start,
            end,
            form,
            folded,
            stem,
            stop,
            joined: false,
        })
    }

    fn joined(&self, chain: &[Token]) -> Token {
        let concat = |part: fn(&Token) -> &str| clip(chain.iter().map(part).collect::<String>());
        let folded = concat(|t| &t.folded);
        Token {
            position: chain[0].position,
            start: chain[0].start,
            end: chain[chain.len() - 1].end,
            form: concat(|t| &t.form),
            stem: self.stemming.stem(&folded),
            folded,
            stop: false,
            joined: true,
        }
    }
}

fn clip(mut text: String) -> String {
    if let Some((at, _)) = text.char_indices().nth(WORD_LETTERS_MAX) {
        text.truncate(at);
    }
    text
}

#[cfg(test)]
mod tests;
