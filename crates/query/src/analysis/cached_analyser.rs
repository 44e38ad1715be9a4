//! A cache of analysed words, so that a word is analysed once however often it occurs.

use super::positions::{PositionedWord, WordSource, words};
use super::{Analyser, Word};
use std::collections::HashMap;
use std::sync::Arc;

/// Cached words before the cache is cleared: some thirty megabytes.
const WORDS_MAX: usize = 100_000;

/// Length in bytes up to which a written word is cached: longer ones seldom occur twice.
const CACHED_BYTES_MAX: usize = 256;

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
    stem_number: usize,
    form_number: usize,
    unmarked_number: Option<usize>,
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

    /// Begins the next document. Numbers of words, stems and surface forms returned before are no longer valid.
    pub fn begin_document(&mut self) {
        let cache = &mut self.cache;
        let written = cache.written.len() + cache.joined.len();
        if written.max(cache.words.len()) > WORDS_MAX {
            *cache = WordCache::default();
        }
    }
}

impl CachedWord {
    /// Number of the stem; words with the same stem share it.
    pub fn stem_number(&self) -> usize {
        self.stem_number
    }

    /// Number of the surface form, equal to that of a stem that is the same text.
    pub fn form_number(&self) -> usize {
        self.form_number
    }

    /// Number of the folded form as a surface form, where it differs from the surface form, in a language that tells the forms
    /// of a word from other words of its stem.
    pub fn unmarked_number(&self) -> Option<usize> {
        self.unmarked_number
    }
}

impl WordCache {
    fn push(&mut self, analyser: &Analyser, word: Word) -> usize {
        let (form, stem): (Box<str>, Box<str>) = (word.form.into(), word.stem.into());
        let (stem_number, form_number) = (
            number_of(&mut self.terms, &stem),
            number_of(&mut self.terms, &form),
        );
        let is_marked = analyser.has_number_forms() && *word.folded != *form;
        let unmarked_number = is_marked.then(|| number_of(&mut self.terms, &word.folded));
        self.words.push(CachedWord {
            form,
            folded: word.folded.into(),
            stem,
            stem_number,
            form_number,
            unmarked_number,
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
        let number = analyser
            .analysed(written)
            .map(|word| self.push(analyser, word));
        if written.len() <= CACHED_BYTES_MAX {
            self.written.insert(written.into(), number);
        }
        number
    }

    fn forms<'a>(&'a self, word: &'a usize) -> [&'a str; 2] {
        let word = &self.words[*word];
        [&word.form, &word.folded]
    }

    fn joined(&mut self, analyser: &Analyser, [forms, folded]: [String; 2]) -> usize {
        // The joined word depends on these two alone; a word contains no space.
        let key = format!("{forms} {folded}");
        if let Some(cached) = self.joined.get(&key) {
            return *cached;
        }
        let number = self.push(analyser, analyser.joined(forms, folded));
        if key.len() <= CACHED_BYTES_MAX {
            self.joined.insert(key, number);
        }
        number
    }
}

#[cfg(test)]
mod tests {
    //! 1. The cache returns for every word what its analyser returns, the first time and later.
    //! 2. Words with the same stem share its number; so do a surface form and a stem that are the same text.
    //! 3. Very long words are analysed like others, but not cached by their written form.
    //! 4. A full cache is cleared.

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
    fn equal_stems_and_forms_have_equal_numbers() {
        let language = Language::parse("en").expect("a language");
        let mut cached = CachedAnalyser::new(Arc::new(Analyser::new(&language)));
        cached.begin_document();
        let placed = cached.document_words("sock Socks shoe sock");
        let words: Vec<_> = placed.iter().map(|p| cached.word(p.word)).collect();
        let numbers = |at: usize| (words[at].stem_number(), words[at].form_number());
        assert_eq!(numbers(0).0, numbers(0).1, "the form is the stem");
        assert_eq!(numbers(1).0, numbers(0).0);
        assert_ne!(numbers(1).1, numbers(0).1);
        assert_ne!(numbers(2).0, numbers(0).0);
        assert_eq!(numbers(3), numbers(0));
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
