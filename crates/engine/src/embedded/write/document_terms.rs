//! The terms that an analysed document has in this index: stems and surface forms by position, prefixes, substrings and
//! codes.

use super::frequency;
use super::seen_terms::SeenTerms;
use super::tokens::{PositionedTerms, TermSet, VALUE_GAP};
use crate::indexed_document::{IndexedDocument, IndexedText, WordPosition};
use domain::document::Document;
use domain::document::price::{PriceContext, visitor_price};
use domain::relevance::SearchSettings;
use domain::relevance::field::FieldId;
use query::analysis::CachedWord;
use query::scoring::{
    FactorBoosts, FactorValues, PREFIX_CHARACTERS_MAX, PREFIX_CHARACTERS_MIN,
    SUBSTRING_CHARACTERS_MAX, SUBSTRING_CHARACTERS_MIN, factors,
};

/// First character of the terms of surface forms; stems never start with it. A surface form is indexed as a term only
/// where its stem has a surface form other than itself in the field.
pub const SURFACE_FORM_MARK: char = '\u{1}';
/// First character of the terms of surface forms with accents, without these; in languages that tell the forms of a word from
/// other words of its stem.
pub const UNMARKED_FORM_MARK: char = '\u{3}';
/// Separates a prefix or substring of a word from the length of the word.
pub const PREFIX_MARK: char = '\u{2}';

/// The terms of one field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextTerms {
    /// Stems and surface forms, by position.
    pub terms: PositionedTerms,
    /// Number of words.
    pub length: u32,
    /// Number of values with words.
    values: u32,
}

/// What is written of a document, except its ordinal.
#[derive(Debug, Default)]
pub struct DocumentTerms<'a> {
    /// Terms by field; fields without words are left out.
    pub texts: Vec<(FieldId, TextTerms)>,
    /// Stems of all fields.
    pub stems: TermSet,
    /// Prefixes of the words of the name, each with the length of the word.
    pub prefixes: TermSet,
    /// Substrings of the words of the name, each with the length of the word; only when the index contains them.
    pub substrings: TermSet,
    /// Codes by field, in all their spellings, sorted.
    pub codes: &'a [(FieldId, Vec<String>)],
    /// The serialised card.
    pub card: Vec<u8>,
    /// Multiplier of its score under the default settings when its texts were written, in thousandths.
    pub prominence: u64,
}

impl<'a> DocumentTerms<'a> {
    /// The terms of `indexed`, with or without the substrings of the words of its name.
    pub fn new(indexed: &'a IndexedDocument<'_>, substrings: bool, seen: &mut SeenTerms) -> Self {
        seen.begin_document();
        let mut terms = Self {
            codes: &indexed.codes,
            card: indexed.card().to_bytes(),
            prominence: prominence(indexed.document),
            ..Self::default()
        };
        for text in &indexed.texts {
            let words = indexed.values(text).flatten().map(|place| place.word);
            for word in words.clone() {
                if seen.is_new_stem(word) {
                    terms.stems.push(&word.stem);
                }
            }
            if text.field == FieldId::NAME {
                for word in words {
                    push_prefixes(&word.folded, &mut terms.prefixes);
                    if substrings {
                        push_substrings(&word.folded, &mut terms.substrings);
                    }
                }
            }
            terms
                .texts
                .push((text.field, TextTerms::of(indexed, text, seen)));
        }
        terms
    }
}

impl TextTerms {
    /// The terms of a field.
    fn of(indexed: &IndexedDocument<'_>, text: &IndexedText, seen: &mut SeenTerms) -> Self {
        let values = indexed.values(text);
        seen.begin_field(values.clone().flatten().map(|place| place.word));
        let mut terms = Self::default();
        values.for_each(|places| terms.push(places, seen));
        terms
    }

    /// Adds the words of a value, which are ordered by position.
    fn push<'a>(&mut self, places: impl Iterator<Item = WordPosition<'a>>, seen: &mut SeenTerms) {
        let base = self.length + self.values * VALUE_GAP;
        let mut words = 0;
        for place in places {
            self.terms.go_to(base + place.position);
            self.push_word(place.word, seen);
            words += u32::from(!place.joined);
        }
        self.length += words;
        self.values += u32::from(words > 0);
    }

    /// Adds a word at the current position. The number of times a term is added encodes how it is counted (see
    /// [`frequency`]).
    fn push_word(&mut self, word: &CachedWord, seen: &mut SeenTerms) {
        let alone = seen.is_stem_alone(word);
        let first = seen.is_new_stem_of_field(word);
        (0..frequency::postings(first, alone)).for_each(|_| self.terms.push(&word.stem));
        if !alone {
            let first = seen.is_new_form_of_field(word);
            let postings = 0..frequency::postings(first, true);
            postings.for_each(|_| self.terms.push_marked(SURFACE_FORM_MARK, &word.form));
        }
        if let Some(first) = seen.is_new_unmarked_form_of_field(word) {
            let postings = 0..frequency::postings(first, true);
            postings.for_each(|_| self.terms.push_marked(UNMARKED_FORM_MARK, &word.folded));
        }
    }
}

/// Adds the term of `prefix`, a prefix or substring of a word of `length` characters.
fn push_prefix(terms: &mut TermSet, prefix: &str, length: usize) {
    let length = char::from_u32(0x20 + length as u32).expect("words have at most 64 characters");
    terms.push(prefix);
    terms.extend([PREFIX_MARK, length]);
}

/// Length in characters of the word of a term that [`push_prefix`] added.
pub fn prefix_word_length(term: &str) -> usize {
    term.chars()
        .next_back()
        .map_or(0, |c| (c as usize).saturating_sub(0x20))
}

/// The multiplier of the score of `document` under the default settings, in thousandths.
pub fn prominence(document: &Document) -> u64 {
    let numbers = &document.numbers;
    let price = visitor_price(&numbers.prices, &PriceContext::default());
    let discount = price.is_some_and(|price| price.original.is_some());
    let values = FactorValues::of(numbers, discount);
    let boosts = FactorBoosts::of(&SearchSettings::default());
    (factors(&boosts, &values).multiplier * 1000.0) as u64
}

fn push_prefixes(word: &str, terms: &mut TermSet) {
    let length = word.chars().count();
    for (at, (start, c)) in word.char_indices().enumerate() {
        if (PREFIX_CHARACTERS_MIN..=PREFIX_CHARACTERS_MAX).contains(&(at + 1)) {
            push_prefix(terms, &word[..start + c.len_utf8()], length);
        }
    }
}

fn push_substrings(word: &str, terms: &mut TermSet) {
    let ends: Vec<usize> = word
        .char_indices()
        .map(|(at, c)| at + c.len_utf8())
        .collect();
    for (first, (start, _)) in word.char_indices().enumerate() {
        let last = (first + SUBSTRING_CHARACTERS_MAX).min(ends.len());
        for end in ends[..last]
            .iter()
            .skip(first + SUBSTRING_CHARACTERS_MIN - 1)
        {
            push_prefix(terms, &word[start..*end], ends.len());
        }
    }
}
