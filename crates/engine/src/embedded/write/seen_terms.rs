//! Which stems and surface forms of a document, and of a field of it, were written already.

use query::analysis::CachedWord;

/// Documents and fields that are counted before everything is forgotten.
const COUNT_MAX: u32 = u32::MAX / 2;

/// The terms of the current document and field that were seen so far.
///
/// Terms are known by the numbers of their analyser, which may number others anew whenever a document begins.
#[derive(Debug, Default)]
pub struct SeenTerms {
    /// Number of the current document.
    document: u32,
    /// Number of the current field, counted over all documents.
    field: u32,
    /// The document in which each stem was last seen.
    in_document: LastSeen,
    /// The field in which each stem, and each surface form, was last seen.
    stems_in_field: LastSeen,
    forms_in_field: LastSeen,
    unmarked_forms_in_field: LastSeen,
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

impl SeenTerms {
    /// Begins the next document.
    pub fn begin_document(&mut self) {
        if self.document.max(self.field) > COUNT_MAX {
            *self = Self::default();
        }
        self.document += 1;
    }

    /// Whether this is the first call for a word with this stem in the document.
    pub fn is_new_stem(&mut self, word: &CachedWord) -> bool {
        self.in_document.is_new(word.stem_number(), self.document)
    }

    /// Begins the next field of the document, which contains `words`.
    pub fn begin_field<'a>(&mut self, words: impl Iterator<Item = &'a CachedWord>) {
        self.field += 1;
        for word in words {
            if word.form != word.stem {
                for number in [word.stem_number(), word.form_number()] {
                    self.in_other_forms.is_new(number, self.field);
                }
            }
        }
    }

    /// Whether every surface form of the word's stem in this field is the stem itself, and no other stem has it as its
    /// surface form: a stop word is its own stem, but the same text joined from two words may have another.
    pub fn is_stem_alone(&self, word: &CachedWord) -> bool {
        !self.in_other_forms.is(word.stem_number(), self.field)
    }

    /// Whether this is the first call for a word with this stem in the field.
    pub fn is_new_stem_of_field(&mut self, word: &CachedWord) -> bool {
        self.stems_in_field.is_new(word.stem_number(), self.field)
    }

    /// Whether this is the first call for a word with this surface form in the field.
    pub fn is_new_form_of_field(&mut self, word: &CachedWord) -> bool {
        self.forms_in_field.is_new(word.form_number(), self.field)
    }

    /// Whether this is the first call for a word with accents and this form without them in the field; none for words without
    /// accents.
    pub fn is_new_unmarked_form_of_field(&mut self, word: &CachedWord) -> Option<bool> {
        let number = word.unmarked_number()?;
        Some(self.unmarked_forms_in_field.is_new(number, self.field))
    }
}

#[cfg(test)]
mod tests {
    //! 1. A stem is new once in every document; a stem and a surface form are new once in every field.
    //! 2. A stem is alone in a field where all its surface forms there are the stem itself.
    //! 3. Nothing is carried over when the counts start again.

    use super::*;
    use domain::Language;
    use query::{Analyser, CachedAnalyser};
    use std::sync::Arc;

    fn analyser(language: &str) -> CachedAnalyser {
        let language = Language::parse(language).expect("a language");
        CachedAnalyser::new(Arc::new(Analyser::new(&language)))
    }

    fn words<'a>(analyser: &'a mut CachedAnalyser, text: &str) -> Vec<&'a CachedWord> {
        analyser.begin_document();
        let placed = analyser.document_words(text);
        let analyser = &*analyser;
        let words = placed.iter().map(|placed| analyser.word(placed.word));
        words.collect()
    }

    #[test]
    fn a_stem_is_new_once_in_every_document() {
        let (mut analyser, mut seen) = (analyser("en"), SeenTerms::default());
        for count in [0, 1, COUNT_MAX + 1, 0] {
            seen.document = seen.document.max(count);
            seen.begin_document();
            let words = words(&mut analyser, "sock Socks shoe sock");
            let new: Vec<bool> = words.iter().map(|word| seen.is_new_stem(word)).collect();
            assert_eq!(new, [true, false, true, false]);
        }
        assert_eq!(seen.document, 2, "the counts started again");
    }

    #[test]
    fn a_stem_is_alone_in_a_field_without_other_forms() {
        let (mut analyser, mut seen) = (analyser("en"), SeenTerms::default());
        seen.begin_document();
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
            let words = words(&mut analyser, text);
            seen.begin_field(words.iter().copied());
            let all: Vec<[bool; 3]> = (words.iter())
                .map(|word| {
                    [
                        seen.is_stem_alone(word),
                        seen.is_new_stem_of_field(word),
                        seen.is_new_form_of_field(word),
                    ]
                })
                .collect();
            assert_eq!(all, expected, "{text}");
        }
    }

    #[test]
    fn a_stem_is_not_alone_when_it_is_the_form_of_another() {
        let (mut analyser, mut seen) = (analyser("de"), SeenTerms::default());
        for (text, alone) in [("eine", true), ("eine ein-e", false)] {
            seen.begin_document();
            let words = words(&mut analyser, text);
            seen.begin_field(words.iter().copied());
            assert_eq!((&*words[0].form, &*words[0].stem), ("eine", "eine"));
            assert_eq!(seen.is_stem_alone(words[0]), alone, "{text}");
        }
    }
}
