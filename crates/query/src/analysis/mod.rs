//! The analyser: turns text into words, for documents and queries alike.
//!
//! Words are segmented by UAX 29 and by dictionary, normalised, lower-cased and stripped of accents; then stop words,
//! stems and elision follow the table of languages. See `docs/languages.md`.

mod cached_analyser;
pub mod codes;
mod compounds;
mod elision;
mod fold;
mod languages;
mod latin;
mod pieces;
mod plain_text;
mod positions;
mod stem;
mod stop_words;
mod unspaced;

pub use cached_analyser::{CachedAnalyser, CachedWord};
pub use compounds::{Compounds, FIRST_PART_CHARACTERS_MIN, LAST_PART_CHARACTERS_MIN};
use fold::composed;
pub use fold::{fold, lower, unaccented};
pub use plain_text::{ClippedText, clipped_text, plain_text};
pub use positions::PositionedWord;

use domain::Language;
use domain::limits::WORD_CHARACTERS_MAX;
use icu_segmenter::{WordSegmenter, WordSegmenterBorrowed, options::WordBreakInvariantOptions};
use languages::LanguageRow;
use pieces::{Piece, pieces, segments};
use positions::WordSource;
use std::ops::Range;
use stem::Stemming;
use stop_words::StopWords;
use unspaced::Run;

/// A word of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Index of the word in its text, from 0; characters that are matched by bigrams count one by one.
    pub position: u32,
    /// Start in the text, in bytes.
    pub start: usize,
    /// End in the text, in bytes.
    pub end: usize,
    /// The surface form: as typed, in lower case, with its accents.
    pub form: String,
    /// Lower case, without accents, not stemmed.
    pub folded: String,
    /// The stem of the folded form.
    pub stem: String,
    /// Whether it is a stop word of the language.
    pub stop: bool,
    /// True for a further spelling at the position of a word: `tshirt` at `t`, `loreal` at `oreal`, a character at its
    /// bigram.
    pub joined: bool,
    /// Whether it belongs to the word of the token before: true for all bigrams of a word but the first.
    pub continues: bool,
}

/// The analyser of one language.
pub struct Analyser {
    language: &'static str,
    segmenter: WordSegmenterBorrowed<'static>,
    stemming: Stemming,
    stop_words: StopWords,
    elided: Vec<&'static str>,
    compounds: Option<Compounds>,
    dotless: bool,
}

impl std::fmt::Debug for Analyser {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Analyser")
            .field("language", &self.language)
            .finish_non_exhaustive()
    }
}

impl Analyser {
    /// The analyser of `language`; `en-gb` is analysed as `en`.
    pub fn new(language: &Language) -> Self {
        let row = LanguageRow::of(language.base());
        Self {
            language: row.name,
            segmenter: WordSegmenter::new_auto(WordBreakInvariantOptions::default()),
            stemming: Stemming::of(row),
            stop_words: StopWords::of(row),
            elided: row.elided.split_whitespace().collect(),
            compounds: row.links.map(Compounds::with_links),
            dotless: row.dotless,
        }
    }

    /// The words of a query.
    pub fn words(&self, text: &str) -> Vec<Token> {
        let mut tokens = Vec::new();
        let mut position = 0;
        for piece in pieces(self.segmenter, text) {
            match piece {
                Piece::Word(range) => {
                    if let Some(token) = self.word(text, range, position) {
                        tokens.push(token);
                        position += 1;
                    }
                }
                Piece::Run(run) => {
                    for word in &run.words {
                        self.push_query_word(text, &run, word.clone(), position, &mut tokens);
                    }
                    position += run.characters.len() as u32;
                }
            }
        }
        tokens
    }

    /// Splits a text with single spaces into words, punctuation and spaces, in order; an elided article is separate
    /// from its word.
    pub fn units<'a>(&self, text: &'a str) -> Vec<&'a str> {
        let mut units = Vec::new();
        // The segmentation, too, makes one word of adjacent ASCII letters and digits, so it can be skipped.
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b' ';
        if text.bytes().all(plain) {
            for run in text.split_inclusive(' ') {
                let (word, blank) = run.split_at(run.trim_end().len());
                units.extend([word, blank].into_iter().filter(|part| !part.is_empty()));
            }
            return units;
        }
        for (range, is_word) in segments(self.segmenter, text) {
            let unit = &text[range];
            let article = is_word.then(|| elision::elided(unit, &self.elided));
            let (article, word) = unit.split_at(article.flatten().unwrap_or(0));
            units.extend([article, word].into_iter().filter(|part| !part.is_empty()));
        }
        units
    }

    /// The words of a document's text: as [`Self::words`], with further spellings of hyphenated and elided words, and
    /// with all characters and bigrams of scripts that are matched by bigrams.
    pub fn document_words(&self, text: &str) -> Vec<Token> {
        let placed = positions::words(self, text, &mut Uncached);
        placed.into_iter().map(Token::from).collect()
    }

    /// How to decompound words of the language; none for a language without compounds.
    pub fn compounds(&self) -> Option<&Compounds> {
        self.compounds.as_ref()
    }

    /// The stems of the first parts that a compound may have when `head`, which is folded, comes before its last part:
    /// with and without a linking element. None in a language without compounds.
    pub fn first_part_stems<'a>(&'a self, head: &'a str) -> impl Iterator<Item = String> + 'a {
        let parts = self.compounds.iter();
        let parts = parts.flat_map(move |compounds| compounds.first_parts(head));
        parts.map(|part| self.stem(part))
    }

    /// The stem of a folded word.
    pub fn stem(&self, folded: &str) -> String {
        self.stemming.stem(folded)
    }

    fn word(&self, text: &str, range: Range<usize>, position: u32) -> Option<Token> {
        let article = self.article(&text[range.clone()]);
        self.token(text, range.start + article..range.end, position)
    }

    /// Length in bytes of the elided article at the start of `word`.
    fn article(&self, word: &str) -> usize {
        elision::elided(word, &self.elided).unwrap_or(0)
    }

    fn token(&self, text: &str, range: Range<usize>, position: u32) -> Option<Token> {
        let word = self.analysed(&text[range.clone()])?;
        Some(Token::from(PositionedWord {
            position,
            start: range.start,
            end: range.end,
            word,
            joined: false,
        }))
    }

    /// Analyses a word as written; none when nothing is left of it.
    fn analysed(&self, written: &str) -> Option<Word> {
        let form = clip(self.lower(written));
        let folded = clip(fold(&form));
        // A spacing accent such as `ͺ` is a letter to Unicode, but it decomposes into a space and a mark.
        if folded.trim().is_empty() {
            return None;
        }
        let stop = self.stop_words.holds(&folded);
        let stem = if stop {
            folded.clone()
        } else {
            self.stemming.stem(&folded)
        };
        Some(Word {
            form,
            folded,
            stem,
            stop,
        })
    }

    /// Hyphenated words as one, from their joined surface forms and joined folded forms.
    fn joined(&self, forms: String, folded: String) -> Word {
        let folded = clip(folded);
        Word {
            form: clip(forms),
            stem: self.stemming.stem(&folded),
            folded,
            stop: false,
        }
    }

    fn lower(&self, text: &str) -> String {
        if self.dotless && text.contains(['I', 'İ']) {
            return lower(&text.replace('I', "ı").replace('İ', "i"));
        }
        lower(text)
    }

    /// Adds the tokens of a query for one word of a run: a short word or stop word as it is, else the bigrams of the
    /// word.
    fn push_query_word(
        &self,
        text: &str,
        run: &Run,
        word: Range<usize>,
        position: u32,
        tokens: &mut Vec<Token>,
    ) {
        let whole = self.token(text, run.range(word.clone()), position + word.start as u32);
        if word.len() <= 2 || whole.as_ref().is_some_and(|token| token.stop) {
            tokens.extend(whole);
            return;
        }
        for at in word.start..word.end - 1 {
            let bigram = self.token(text, run.range(at..at + 2), position + at as u32);
            tokens.extend(bigram.map(|bigram| Token {
                continues: at > word.start,
                ..bigram
            }));
        }
    }
}

/// An analysed word, without its position.
#[derive(Clone, Debug)]
struct Word {
    form: String,
    folded: String,
    stem: String,
    stop: bool,
}

/// Analyses every word, without a cache.
struct Uncached;

impl WordSource for Uncached {
    type Word = Word;

    fn word(&mut self, analyser: &Analyser, written: &str) -> Option<Word> {
        analyser.analysed(written)
    }

    fn joined(&mut self, analyser: &Analyser, parts: &[&Word]) -> Word {
        let forms = parts.iter().map(|part| part.form.as_str()).collect();
        let folded = parts.iter().map(|part| part.folded.as_str()).collect();
        analyser.joined(forms, folded)
    }
}

impl From<PositionedWord<Word>> for Token {
    fn from(placed: PositionedWord<Word>) -> Self {
        Self {
            position: placed.position,
            start: placed.start,
            end: placed.end,
            form: placed.word.form,
            folded: placed.word.folded,
            stem: placed.word.stem,
            stop: placed.word.stop,
            joined: placed.joined,
            continues: false,
        }
    }
}

fn clip(mut text: String) -> String {
    if text.len() <= WORD_CHARACTERS_MAX {
        return text;
    }
    if let Some((at, _)) = text.char_indices().nth(WORD_CHARACTERS_MAX) {
        text.truncate(at);
    }
    text
}

#[cfg(test)]
mod tests;
