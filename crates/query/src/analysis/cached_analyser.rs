//! What became of the words that were read lately, so that a word is analysed once however often it is written.

use super::positions::{PositionedWord, WordSource, words};
use super::{Analyser, Word};
use std::collections::HashMap;
use std::sync::Arc;

/// Words that a lexicon holds before it starts anew: some thirty megabytes.
const WORDS_MAX: usize = 100_000;

/// Bytes of what is written up to which it is remembered what became of it: what is longer seldom comes twice.
const REMEMBERED_BYTES_MAX: usize = 256;

/// Documents and fields that it counts before it starts anew.
const TIMES_MAX: u32 = u32::MAX / 2;

/// An analyser that remembers.
#[derive(Debug)]
pub struct CachedAnalyser {
    analyser: Arc<Analyser>,
    known: WordCache,
}

/// A word that was met.
#[derive(Debug)]
pub struct CachedWord {
    /// As typed, in lower case, with its accents.
    pub form: Box<str>,
    /// Lower case, without accents, not stemmed.
    pub folded: Box<str>,
    /// The analysed form.
    pub stem: Box<str>,
    /// Number of the stem; words of one stem share it.
    stem_number: usize,
    /// Number of the form, which is that of the stem where both are the same text; words of one form share it.
    form_number: usize,
}

#[derive(Debug, Default)]
struct WordCache {
    /// Numbers of words, by how they are written; none for what is no word.
    written: HashMap<Box<str>, Option<usize>>,
    /// Numbers of words that are made of others, by what they are made of.
    joined: HashMap<String, usize>,
    /// Numbers of stems and forms, by their text.
    terms: HashMap<Box<str>, usize>,
    words: Vec<CachedWord>,
    /// Number of the present document.
    document: u32,
    /// Number of the present field, among those of all documents.
    field: u32,
    /// By stem, the document in which it was asked for last.
    in_document: LastSeen,
    /// By stem and by form, the field in which it was asked for last.
    stems_in_field: LastSeen,
    forms_in_field: LastSeen,
    /// By stem, the field in which it was met last in another form, or another stem as its form.
    in_other_forms: LastSeen,
}

/// When something was asked for last, by its number.
#[derive(Debug, Default)]
struct LastSeen(Vec<u32>);

impl LastSeen {
    fn is(&self, number: usize, at: u32) -> bool {
        self.0.get(number) == Some(&at)
    }

    /// Whether it was not asked for `at` that time before; it is from now on.
    fn is_new(&mut self, number: usize, at: u32) -> bool {
        if self.0.len() <= number {
            self.0.resize(number + 1, 0);
        }
        std::mem::replace(&mut self.0[number], at) != at
    }
}

impl CachedAnalyser {
    /// One that knows no word.
    pub fn new(analyser: Arc<Analyser>) -> Self {
        Self {
            analyser,
            known: WordCache::default(),
        }
    }

    /// The words of a document's text as [`Analyser::document_words`], each by its number.
    pub fn document_words(&mut self, text: &str) -> Vec<PositionedWord<usize>> {
        words(&self.analyser, text, &mut self.known)
    }

    /// The word of a number.
    pub fn word(&self, number: usize) -> &CachedWord {
        &self.known.words[number]
    }

    /// Says that the words of another document follow. No number of a word is good after that.
    pub fn begin_document(&mut self) {
        let known = &mut self.known;
        let remembered = known.written.len() + known.joined.len();
        let is_full = remembered.max(known.words.len()) > WORDS_MAX;
        if is_full || known.document.max(known.field) > TIMES_MAX {
            *known = WordCache::default();
        }
        known.document += 1;
    }

    /// Whether nobody asked this of a word with the same stem since the document began.
    pub fn is_new_stem(&mut self, number: usize) -> bool {
        let known = &mut self.known;
        (known.in_document).is_new(known.words[number].stem_number, known.document)
    }

    /// Says that another field of the document follows, which holds `words`.
    pub fn begin_field(&mut self, words: impl Iterator<Item = usize>) {
        let known = &mut self.known;
        known.field += 1;
        for number in words {
            let word = &known.words[number];
            if word.form != word.stem {
                for number in [word.stem_number, word.form_number] {
                    known.in_other_forms.is_new(number, known.field);
                }
            }
        }
    }

    /// Whether the field holds the stem of a word as the stem itself and in no other form, and no other stem in its form:
    /// a stop word is its own stem, and not so where it is joined of two.
    pub fn is_stem_alone(&self, number: usize) -> bool {
        let stem = self.known.words[number].stem_number;
        !self.known.in_other_forms.is(stem, self.known.field)
    }

    /// Whether nobody asked this of a word with the same stem since the field began.
    pub fn is_new_stem_of_field(&mut self, number: usize) -> bool {
        let known = &mut self.known;
        (known.stems_in_field).is_new(known.words[number].stem_number, known.field)
    }

    /// Whether nobody asked this of a word with the same form since the field began.
    pub fn is_new_form_of_field(&mut self, number: usize) -> bool {
        let known = &mut self.known;
        (known.forms_in_field).is_new(known.words[number].form_number, known.field)
    }
}

impl WordCache {
    fn push(&mut self, word: Word) -> usize {
        let (form, stem): (Box<str>, Box<str>) = (word.form.into(), word.stem.into());
        let (stem_number, form_number) = (
            number_of(&mut self.terms, &stem),
            number_of(&mut self.terms, &form),
        );
        self.words.push(CachedWord {
            form,
            folded: word.folded.into(),
            stem,
            stem_number,
            form_number,
        });
        self.words.len() - 1
    }
}

fn number_of(numbers: &mut HashMap<Box<str>, usize>, text: &str) -> usize {
    let next = numbers.len();
    *numbers.entry(text.into()).or_insert(next)
}

impl WordSource for WordCache {
    type Word = usize;

    fn word(&mut self, analyser: &Analyser, written: &str) -> Option<usize> {
        if let Some(known) = self.written.get(written) {
            return *known;
        }
        let number = analyser.analysed(written).map(|word| self.push(word));
        if written.len() <= REMEMBERED_BYTES_MAX {
            self.written.insert(written.into(), number);
        }
        number
    }

    fn joined(&mut self, analyser: &Analyser, parts: &[&usize]) -> usize {
        let all = |of: fn(&CachedWord) -> &str| -> String {
            parts.iter().map(|part| of(&self.words[**part])).collect()
        };
        let (forms, folded) = (all(|word| &word.form), all(|word| &word.folded));
        // What it becomes follows from these two alone; no letter of a word is a blank.
        let made_of = format!("{forms} {folded}");
        if let Some(known) = self.joined.get(&made_of) {
            return *known;
        }
        let number = self.push(analyser.joined(forms, folded));
        if made_of.len() <= REMEMBERED_BYTES_MAX {
            self.joined.insert(made_of, number);
        }
        number
    }
}

#[cfg(test)]
mod tests {
    //! 1. A lexicon says of every word what its analyser says, the first time and later, and after it started anew.
    //! 2. A stem is new once in every document, a stem and a form once in every field.
    //! 3. A stem is alone in a field where it stands as itself and in no other form.
    //! 4. Very long words are analysed like others and take no memory for how they are written.

    use super::*;
    use domain::Language;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_remembered_is_what_is_analysed(
            texts in proptest::collection::vec("[aAbsé' -]{0,12}|\\PC{0,12}|l'[ab]{1,3}-[ab]{1,2}", 1..12),
            code in "en|es|fr|tr|ja|de",
        ) {
            let language = Language::parse(&code).expect("a language");
            let analyser = Arc::new(Analyser::new(&language));
            let mut lexicon = CachedAnalyser::new(Arc::clone(&analyser));
            for text in texts.iter().chain(&texts) {
                let placed = lexicon.document_words(text);
                let tokens = analyser.document_words(text);
                prop_assert_eq!(placed.len(), tokens.len());
                for (placed, token) in placed.iter().zip(&tokens) {
                    let word = lexicon.word(placed.word);
                    prop_assert_eq!(&*word.form, &token.form);
                    prop_assert_eq!(&*word.folded, &token.folded);
                    prop_assert_eq!(&*word.stem, &token.stem);
                    prop_assert_eq!(
                        (placed.position, placed.start, placed.end, placed.joined),
                        (token.position, token.start, token.end, token.joined)
                    );
                }
            }
        }
    }

    #[test]
    fn a_stem_is_new_once_in_every_document() {
        let language = Language::parse("en").expect("a language");
        let mut lexicon = CachedAnalyser::new(Arc::new(Analyser::new(&language)));
        for _ in 0..2 {
            lexicon.begin_document();
            let new: Vec<bool> = lexicon
                .document_words("sock Socks shoe sock")
                .iter()
                .map(|placed| lexicon.is_new_stem(placed.word))
                .collect();
            assert_eq!(new, [true, false, true, false]);
        }
    }

    #[test]
    fn a_stem_is_alone_where_it_has_no_other_form() {
        let language = Language::parse("en").expect("a language");
        let mut lexicon = CachedAnalyser::new(Arc::new(Analyser::new(&language)));
        lexicon.begin_document();
        for (text, told) in [
            // Whether the stem is alone, the stem new in the field, and the form.
            (
                "Sock shoes sock",
                [
                    [true, true, true],
                    [false, true, true],
                    [true, false, false],
                ],
            ),
            (
                "sock socks shoe",
                [
                    [false, true, true],
                    [false, false, true],
                    [true, true, true],
                ],
            ),
        ] {
            let placed = lexicon.document_words(text);
            lexicon.begin_field(placed.iter().map(|placed| placed.word));
            let all: Vec<[bool; 3]> = (placed.iter())
                .map(|placed| {
                    [
                        lexicon.is_stem_alone(placed.word),
                        lexicon.is_new_stem_of_field(placed.word),
                        lexicon.is_new_form_of_field(placed.word),
                    ]
                })
                .collect();
            assert_eq!(all, told, "{text}");
        }
    }

    #[test]
    fn a_stem_is_not_alone_where_it_is_the_form_of_another() {
        let language = Language::parse("de").expect("a language");
        let mut lexicon = CachedAnalyser::new(Arc::new(Analyser::new(&language)));
        for (text, alone) in [("eine", true), ("eine ein-e", false)] {
            lexicon.begin_document();
            let placed = lexicon.document_words(text);
            lexicon.begin_field(placed.iter().map(|placed| placed.word));
            let word = lexicon.word(placed[0].word);
            assert_eq!((&*word.form, &*word.stem), ("eine", "eine"));
            assert_eq!(lexicon.is_stem_alone(placed[0].word), alone, "{text}");
        }
    }

    #[test]
    fn very_long_words_are_not_remembered_as_they_are_written() {
        let language = Language::parse("en").expect("a language");
        let mut lexicon = CachedAnalyser::new(Arc::new(Analyser::new(&language)));
        lexicon.begin_document();
        let [word, chain] = ["x".repeat(20_000), "ab-".repeat(5_000)];
        for text in [&word, &word, &chain, &chain] {
            let placed = lexicon.document_words(text);
            let tokens = lexicon.analyser.document_words(text);
            assert_eq!(placed.len(), tokens.len());
            for (placed, token) in placed.iter().zip(&tokens) {
                assert_eq!(*lexicon.word(placed.word).stem, *token.stem);
            }
        }
        let written = lexicon.known.written.keys().map(|written| written.len());
        let joined = lexicon.known.joined.keys().map(String::len);
        assert!(
            written
                .chain(joined)
                .all(|bytes| bytes <= REMEMBERED_BYTES_MAX)
        );
    }

    #[test]
    fn a_lexicon_that_met_too_much_starts_anew() {
        let language = Language::parse("en").expect("a language");
        let mut lexicon = CachedAnalyser::new(Arc::new(Analyser::new(&language)));
        for number in 0..=WORDS_MAX {
            lexicon.document_words(&number.to_string());
        }
        lexicon.begin_document();
        assert!(lexicon.known.words.is_empty());
        let placed = lexicon.document_words("socks");
        assert_eq!(&*lexicon.word(placed[0].word).stem, "sock");
    }
}
