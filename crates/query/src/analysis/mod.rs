//! The analyser: turns text into words, for documents and queries alike.
//!
//! A text is normalised, segmented by UAX 29 and by dictionary, split at signs, lower-cased and stripped of accents; then
//! stop words, stems and elision follow the table of languages. `docs/analysis.md` describes the steps.

mod cached_analyser;
pub mod codes;
mod compounds;
mod elision;
mod fold;
mod label_order;
mod languages;
mod latin;
mod normalise;
mod number;
mod number_endings;
mod number_forms;
mod numbers;
mod pieces;
mod positions;
mod query_words;
mod stem;
mod stop_words;
mod units;
mod unspaced;
mod writings;

pub use cached_analyser::{CachedAnalyser, CachedWord};
pub use compounds::{Compounds, FIRST_PART_CHARACTERS_MIN, LAST_PART_CHARACTERS_MIN};
pub use domain::plain_text::{ClippedText, clipped_text, plain_text};
use fold::composed;
pub use fold::{fold, lower, unaccented};
pub use label_order::LabelOrder;
pub use normalise::normalised;
pub use positions::PositionedWord;
pub use writings::WrittenWord;
pub(crate) use writings::is_whole;

use domain::Language;
use domain::limits::WORD_CHARACTERS_MAX;
use icu_segmenter::{WordSegmenter, WordSegmenterBorrowed, options::WordBreakInvariantOptions};
use languages::LanguageRow;
use normalise::NormalisedText;
use number::NumberEndings;
use number_forms::NumberForms;
use positions::WordSource;
use std::ops::Range;
use stem::Stemming;
use stop_words::StopWords;
use units::{Segment, segments};
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
    /// Of a word of a query: the words side by side that it also stands for, split at its signs and at borders of letters
    /// and digits. Empty where it cannot be split.
    pub parts: Vec<TokenPart>,
}

impl Token {
    /// Whether it is written in a script that is matched by bigrams.
    pub fn is_bigram(&self) -> bool {
        self.folded.contains(unspaced::has_bigrams)
    }

    /// Whether it is a word of a query that signs make another word: `c++`, which is not `c`.
    pub fn is_marked(&self) -> bool {
        self.parts.len() == 1
    }
}

/// A part of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenPart {
    /// As written, in lower case, with its accents.
    pub form: String,
    /// Lower case, without accents, not stemmed.
    pub folded: String,
    /// The stem of the folded form.
    pub stem: String,
}

/// The surface forms that are one word, singular or plural.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SameWord {
    /// As typed with its marks, first; then its other forms with theirs.
    pub written: Vec<String>,
    /// The same without accents: all writings of these are the word.
    pub folded: Vec<String>,
}

/// The analyser of one language.
pub struct Analyser {
    language: &'static str,
    segmenter: WordSegmenterBorrowed<'static>,
    stemming: Stemming,
    stop_words: StopWords,
    number_endings: NumberEndings,
    elided: Vec<&'static str>,
    compounds: Option<Compounds>,
    number: Option<NumberForms>,
    dotless: bool,
    /// The decimal separator.
    decimal: char,
    /// Whether `ae`, `oe` and `ue` are spelled umlauts.
    spells_umlauts: bool,
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
            number_endings: NumberEndings::of(language.base()),
            elided: row.elided.split_whitespace().collect(),
            compounds: row.links.map(Compounds::with_links),
            number: NumberForms::of(language.base()),
            dotless: row.dotless,
            decimal: row.decimal(),
            spells_umlauts: row.spells_umlauts(),
        }
    }

    /// The words of a query: each unit as one word, see [`Token::parts`].
    pub fn words(&self, text: &str) -> Vec<Token> {
        let normalised = NormalisedText::new(text);
        let mut tokens = Vec::new();
        let mut position = 0;
        for segment in segments(self, &normalised.text) {
            match segment {
                Segment::Unit(unit) => {
                    tokens.extend(query_words::token(self, &normalised.text, &unit, position));
                    position += unit.words.len() as u32;
                }
                Segment::Run(run) => {
                    for word in &run.words {
                        let word = word.clone();
                        self.push_query_word(&normalised.text, &run, word, position, &mut tokens);
                    }
                    position += run.characters.len() as u32;
                }
            }
        }
        for token in &mut tokens {
            let range = normalised.original(token.start..token.end);
            (token.start, token.end) = (range.start, range.end);
        }
        tokens
    }

    /// The words of a document's text, each part of a unit one word, with the further spellings under which they are found,
    /// and with all characters and bigrams of scripts that are matched by bigrams.
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

    /// Whether the forms of a word that count as the word itself are known, see [`Self::same_word`].
    pub fn has_number_forms(&self) -> bool {
        self.number.is_some()
    }

    /// The stem of a folded word.
    pub fn stem(&self, folded: &str) -> String {
        self.stemming.stem(folded)
    }

    /// The other numbers that a folded word may have: its plurals, and the singulars that it may be a plural of. Not all of
    /// them are words.
    pub fn other_numbers(&self, folded: &str) -> Vec<String> {
        self.number_endings.others(folded)
    }

    /// The forms of a word that count as the word itself; none in a language without rules for them, and for words that are
    /// not stemmed.
    pub fn same_word(&self, word: &Token) -> Option<SameWord> {
        let rules = self.number.as_ref()?;
        if word.stop || word.folded.bytes().any(|b| b.is_ascii_digit()) || word.is_bigram() {
            return None;
        }
        let mut written = rules.forms(&word.form);
        let mut folded: Vec<String> = written.iter().map(|form| fold(form)).collect();
        if word.form != word.folded {
            folded.extend(rules.forms(&word.folded).iter().map(|form| fold(form)));
        }
        folded.extend(self.other_numbers(&word.folded));
        folded.sort_unstable();
        folded.dedup();
        folded.retain(|form| self.stem(form) == word.stem);
        written.retain(|form| folded.binary_search(&fold(form)).is_ok());
        if written.first() != Some(&word.form) {
            return None;
        }
        Some(SameWord { written, folded })
    }

    /// Whether `before`, which stands before an apostrophe, is an elided article of the word at `range` of `text`.
    fn elides(&self, before: &str, text: &str, range: &Range<usize>) -> bool {
        elision::is_elided(before, &text[range.clone()], &self.elided)
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

    /// The words of a unit as one, from their joined surface forms and joined folded forms.
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

    fn forms<'a>(&'a self, word: &'a Word) -> [&'a str; 2] {
        [&word.form, &word.folded]
    }

    fn joined(&mut self, analyser: &Analyser, [form, folded]: [String; 2]) -> Word {
        analyser.joined(form, folded)
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
            parts: Vec::new(),
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
