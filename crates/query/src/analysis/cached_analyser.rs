//! A cache of analysed words, so that a word is analysed once however often it occurs.

use super::positions::{PositionedWord, WordSource, words};
use super::{Analyser, Word};
use std::collections::HashMap;
use std::sync::Arc;

/// Cached words before the cache is cleared: some thirty megabytes.
const WORDS_MAX: usize = 100_000;

/// Length in bytes up to which a written word is cached: longer ones seldom occur twice.
const CACHED_BYTES_MAX: usize = 256;

/// Documents and fields that are counted before the cache is cleared.
const COUNT_MAX: u32 = u32::MAX / 2;

/// An analyser with a cache.
#[derive(Debug)]
pub struct CachedAnalyser {
    analyser: Arc<Analyser>,
    cache: WordCache,
}

/// A cached word.
#[derive(Debug)]
pub struct CachedWord {
    /// The surface form: as typed, in lower case, with its accents.
    pub form: Box<str>,
    /// Lower case, without accents, not stemmed.
    pub folded: Box<str>,
    /// The stem.
    pub stem: Box<str>,
    /// Number of the stem; words with the same stem share it.
    stem_number: usize,
    /// Number of the surface form, equal to that of the stem where both are the same text.
    form_number: usize,
}

#[derive(Debug, Default)]
struct WordCache {
    /// Numbers of words by their written form; none for text that is not a word.
    written: HashMap<Box<str>, Option<usize>>,
    /// Numbers of words joined from others, by the forms of their parts.
    joined: HashMap<String, usize>,
    /// Numbers of stems and surface forms by their text.
    terms: HashMap<Box<str>, usize>,
    words: Vec<CachedWord>,
    /// Number of the current document.
    document: u32,
    /// Number of the current field, counted over all documents.
    field: u32,
    /// The document in which each stem was last seen.
    in_document: LastSeen,
    /// The field in which each stem, and each surface form, was last seen.
    stems_in_field: LastSeen,
    forms_in_field: LastSeen,
    /// The field in which each stem last had another surface form, or was the surface form of another stem.
    in_other_forms: LastSeen,
}

/// The document or field in which a number was last seen.
#[derive(Debug, Default)]
struct LastSeen(Vec<u32>);

impl LastSeen {
    fn is(&self, number: usize, at: u32) -> bool {
        self.0.get(number) == Some(&at)
    }

    /// Marks `number` as seen in `at`, and returns whether it was not before.
    fn is_new(&mut self, number: usize, at: u32) -> bool {
        if self.0.len() <= number {
            self.0.resize(number + 1, 0);
        }
        std::mem::replace(&mut self.0[number], at) != at
    }
}

impl CachedAnalyser {
    /// Creates an analyser with an empty cache.
    pub fn new(analyser: Arc<Analyser>) -> Self {
        Self {
            analyser,
            cache: WordCache::default(),
        }
    }

    /// The words of a document's text as by [`Analyser::document_words`], each by its number.
    pub fn document_words(&mut self, text: &str) -> Vec<PositionedWord<usize>> {
        words(&self.analyser, text, &mut self.cache)
    }

    /// The word with this number.
    pub fn word(&self, number: usize) -> &CachedWord {
        &self.cache.words[number]
    }

    /// Begins the next document. Numbers of words returned before are no longer valid.
    pub fn begin_document(&mut self) {
        let cache = &mut self.cache;
        let written = cache.written.len() + cache.joined.len();
        let is_full = written.max(cache.words.len()) > WORDS_MAX;
        if is_full || cache.document.max(cache.field) > COUNT_MAX {
            *cache = WordCache::default();
        }
        cache.document += 1;
    }

    /// Whether this is the first call for a word with this stem in the document.
    pub fn is_new_stem(&mut self, number: usize) -> bool {
        let cache = &mut self.cache;
        (cache.in_document).is_new(cache.words[number].stem_number, cache.document)
    }

    /// Begins the next field of the document, which contains `words`.
    pub fn begin_field(&mut self, words: impl Iterator<Item = usize>) {
        let cache = &mut self.cache;
        cache.field += 1;
        for number in words {
            let word = &cache.words[number];
            if word.form != word.stem {
                for number in [word.stem_number, word.form_number] {
                    cache.in_other_forms.is_new(number, cache.field);
                }
            }
        }
    }

    /// Whether every surface form of the word's stem in this field is the stem itself, and no other stem has it as its
    /// surface form: a stop word is its own stem, but the same text joined from two words may have another.
    pub fn is_stem_alone(&self, number: usize) -> bool {
        let stem = self.cache.words[number].stem_number;
        !self.cache.in_other_forms.is(stem, self.cache.field)
    }

    /// Whether this is the first call for a word with this stem in the field.
    pub fn is_new_stem_of_field(&mut self, number: usize) -> bool {
        let cache = &mut self.cache;
        (cache.stems_in_field).is_new(cache.words[number].stem_number, cache.field)
    }

    /// Whether this is the first call for a word with this surface form in the field.
    pub fn is_new_form_of_field(&mut self, number: usize) -> bool {
        let cache = &mut self.cache;
        (cache.forms_in_field).is_new(cache.words[number].form_number, cache.field)
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
        if let Some(cached) = self.written.get(written) {
            return *cached;
        }
        let number = analyser.analysed(written).map(|word| self.push(word));
        if written.len() <= CACHED_BYTES_MAX {
            self.written.insert(written.into(), number);
        }
        number
    }

    fn joined(&mut self, analyser: &Analyser, parts: &[&usize]) -> usize {
        let all = |of: fn(&CachedWord) -> &str| -> String {
            parts.iter().map(|part| of(&self.words[**part])).collect()
        };
        let (forms, folded) = (all(|word| &word.form), all(|word| &word.folded));
        // The joined word depends on these two alone; a word contains no space.
        let key = format!("{forms} {folded}");
        if let Some(cached) = self.joined.get(&key) {
            return *cached;
        }
        let number = self.push(analyser.joined(forms, folded));
        if key.len() <= CACHED_BYTES_MAX {
            self.joined.insert(key, number);
        }
        number
    }
}

#[cfg(test)]
mod tests {
    //! 1. The cache returns for every word what its analyser returns, the first time and later.
    //! 2. A stem is new once in every document; a stem and a surface form are new once in every field.
    //! 3. A stem is alone in a field where all its surface forms there are the stem itself.
    //! 4. Very long words are analysed like others, but not cached by their written form.
    //! 5. A full cache is cleared.

    use super::*;
    use domain::Language;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn cached_words_equal_analysed_words(
            texts in proptest::collection::vec("[aAbsé' -]{0,12}|\\PC{0,12}|l'[ab]{1,3}-[ab]{1,2}", 1..12),
            code in "en|es|fr|tr|ja|de",
        ) {
            let language = Language::parse(&code).expect("a language");
            let analyser = Arc::new(Analyser::new(&language));
            let mut cached = CachedAnalyser::new(Arc::clone(&analyser));
            for text in texts.iter().chain(&texts) {
                let placed = cached.document_words(text);
                let tokens = analyser.document_words(text);
                prop_assert_eq!(placed.len(), tokens.len());
                for (placed, token) in placed.iter().zip(&tokens) {
                    let word = cached.word(placed.word);
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
        let mut cached = CachedAnalyser::new(Arc::new(Analyser::new(&language)));
        for _ in 0..2 {
            cached.begin_document();
            let new: Vec<bool> = cached
                .document_words("sock Socks shoe sock")
                .iter()
                .map(|placed| cached.is_new_stem(placed.word))
                .collect();
            assert_eq!(new, [true, false, true, false]);
        }
    }

    #[test]
    fn a_stem_is_alone_in_a_field_without_other_forms() {
        let language = Language::parse("en").expect("a language");
        let mut cached = CachedAnalyser::new(Arc::new(Analyser::new(&language)));
        cached.begin_document();
        for (text, expected) in [
            // Whether the stem is alone, whether it is new in the field, and whether the surface form is.
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
            let placed = cached.document_words(text);
            cached.begin_field(placed.iter().map(|placed| placed.word));
            let all: Vec<[bool; 3]> = (placed.iter())
                .map(|placed| {
                    [
                        cached.is_stem_alone(placed.word),
                        cached.is_new_stem_of_field(placed.word),
                        cached.is_new_form_of_field(placed.word),
                    ]
                })
                .collect();
            assert_eq!(all, expected, "{text}");
        }
    }

    #[test]
    fn a_stem_is_not_alone_when_it_is_the_form_of_another() {
        let language = Language::parse("de").expect("a language");
        let mut cached = CachedAnalyser::new(Arc::new(Analyser::new(&language)));
        for (text, alone) in [("eine", true), ("eine ein-e", false)] {
            cached.begin_document();
            let placed = cached.document_words(text);
            cached.begin_field(placed.iter().map(|placed| placed.word));
            let word = cached.word(placed[0].word);
            assert_eq!((&*word.form, &*word.stem), ("eine", "eine"));
            assert_eq!(cached.is_stem_alone(placed[0].word), alone, "{text}");
        }
    }

    #[test]
    fn very_long_words_are_not_cached() {
        let language = Language::parse("en").expect("a language");
        let mut cached = CachedAnalyser::new(Arc::new(Analyser::new(&language)));
        cached.begin_document();
        let [word, chain] = ["x".repeat(20_000), "ab-".repeat(5_000)];
        for text in [&word, &word, &chain, &chain] {
            let placed = cached.document_words(text);
            let tokens = cached.analyser.document_words(text);
            assert_eq!(placed.len(), tokens.len());
            for (placed, token) in placed.iter().zip(&tokens) {
                assert_eq!(*cached.word(placed.word).stem, *token.stem);
            }
        }
        let written = cached.cache.written.keys().map(|written| written.len());
        let joined = cached.cache.joined.keys().map(String::len);
        assert!(written.chain(joined).all(|bytes| bytes <= CACHED_BYTES_MAX));
    }

    #[test]
    fn a_full_cache_is_cleared() {
        let language = Language::parse("en").expect("a language");
        let mut cached = CachedAnalyser::new(Arc::new(Analyser::new(&language)));
        for number in 0..=WORDS_MAX {
            cached.document_words(&number.to_string());
        }
        cached.begin_document();
        assert!(cached.cache.words.is_empty());
        let placed = cached.document_words("socks");
        assert_eq!(&*cached.word(placed[0].word).stem, "sock");
    }
}
