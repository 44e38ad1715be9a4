//! The analysed form of a document: terms with positions, codes, prefixes of words, and the card.

use crate::card::{Card, CardTexts, CardWord};
use crate::embedded::frequency::Frequency;
use crate::embedded::tokens::{PositionedTerms, TermSet};
use domain::document::price::{PriceContext, visitor_price};
use domain::document::{DocType, Document};
use domain::first_characters;
use domain::limits::{
    DOCUMENT_NAME_CHARACTERS_MAX, LABEL_CHARACTERS_MAX, STORED_CODE_CHARACTERS_MAX,
    TEXT_LETTERS_MAX,
};
use domain::relevance::SearchSettings;
use domain::relevance::field::FieldId;
use query::CachedAnalyser;
use query::analysis::codes::spellings;
use query::analysis::{PositionedWord, plain_text};
use query::plan::{factor_boosts, is_article_number};
use query::scoring::{
    FactorValues, PART_LETTERS_MAX, PART_LETTERS_MIN, PREFIX_LETTERS_MAX, PREFIX_LETTERS_MIN,
    factors,
};

/// First character of the terms of surface forms; stems never start with it. A surface form is indexed as a term only
/// where its stem has a surface form other than itself in the field.
pub const FORM_MARK: char = '\u{1}';
/// Separates a prefix or substring of a word from the length of the word.
pub const PREFIX_MARK: char = '\u{2}';
/// Gap in positions between two values of a field, so that no phrase match crosses values.
pub const VALUE_GAP: u32 = 100;

/// The terms of one field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexedText {
    /// Stems and surface forms, by position.
    pub terms: PositionedTerms,
    /// Number of words.
    pub length: u32,
    /// Number of values with words.
    values: u32,
}

/// An analysed document.
#[derive(Clone, Debug, Default)]
pub struct IndexedDocument {
    /// Texts by field; fields without words are left out.
    pub texts: Vec<(FieldId, IndexedText)>,
    /// Stems of all fields.
    pub stems: TermSet,
    /// Prefixes of the words of the name, each with the length of the word (see [`push_prefix`]).
    pub prefixes: TermSet,
    /// Substrings of the words of the name, each with the length of the word; only when the index contains them.
    pub parts: TermSet,
    /// Codes by field, in all their spellings, sorted.
    pub codes: Vec<(FieldId, Vec<String>)>,
    /// The card.
    pub card: Card,
    /// Multiplier of its score under the default settings when its texts were written, in thousandths.
    pub prominence: u64,
}

/// Adds the term of `prefix`, a prefix or substring of a word of `length` characters.
fn push_prefix(terms: &mut TermSet, prefix: &str, length: usize) {
    let length = char::from_u32(0x20 + length as u32).expect("words have at most 64 characters");
    terms.push(prefix);
    terms.extend([PREFIX_MARK, length]);
}

/// Length in characters of the word of a term that [`push_prefix`] added.
pub fn prefix_word_letters(term: &str) -> usize {
    term.chars()
        .next_back()
        .map_or(0, |c| (c as usize).saturating_sub(0x20))
}

impl IndexedDocument {
    /// Analyses `document`, with or without the substrings of the words of its name.
    pub fn new(document: &Document, substrings: bool, analyser: &mut CachedAnalyser) -> Self {
        analyser.begin_document();
        let mut indexed = Self {
            card: card(document),
            prominence: prominence(document),
            ..Self::default()
        };
        for field in FieldId::texts() {
            let values = values_of(document, field).into_iter();
            let max = characters_max(field);
            let values: Vec<_> = values.map(|value| words_of(value, max, analyser)).collect();
            let text = IndexedText::of(&values, analyser);
            for words in &values {
                if field == FieldId::NAME {
                    indexed.push_name(words, substrings, analyser);
                }
                indexed.push_stems(words, analyser);
            }
            if text.length > 0 {
                indexed.texts.push((field, text));
            }
        }
        if document.doc_type == DocType::Products {
            for field in FieldId::codes() {
                let terms = code_terms(document, field);
                if !terms.is_empty() {
                    indexed.codes.push((field, terms));
                }
            }
        }
        indexed
    }

    fn push_stems(&mut self, words: &[PositionedWord<usize>], analyser: &mut CachedAnalyser) {
        for placed in words {
            if analyser.is_new_stem(placed.word) {
                self.stems.push(&analyser.word(placed.word).stem);
            }
        }
    }

    fn push_name(
        &mut self,
        words: &[PositionedWord<usize>],
        substrings: bool,
        analyser: &CachedAnalyser,
    ) {
        for placed in words {
            let word = analyser.word(placed.word);
            push_prefixes(&word.folded, &mut self.prefixes);
            if substrings {
                push_substrings(&word.folded, &mut self.parts);
            }
            self.card.push(CardWord {
                form: &word.form,
                folded: &word.folded,
                stem: &word.stem,
            });
        }
    }
}

impl IndexedText {
    /// The terms of a field, from the words of each of its values.
    fn of(values: &[Vec<PositionedWord<usize>>], analyser: &mut CachedAnalyser) -> Self {
        analyser.begin_field(values.iter().flatten().map(|placed| placed.word));
        let mut text = Self::default();
        for words in values {
            text.push(words, analyser);
        }
        text
    }

    /// Adds the words of a value, which are ordered by position.
    fn push(&mut self, words: &[PositionedWord<usize>], analyser: &mut CachedAnalyser) {
        let base = self.length + self.values * VALUE_GAP;
        for placed in words {
            self.terms.go_to(base + placed.position);
            self.push_word(placed.word, analyser);
        }
        let words = words.iter().filter(|placed| !placed.joined).count() as u32;
        self.length += words;
        self.values += u32::from(words > 0);
    }

    /// Adds a word at the current position. The number of times a term is added encodes how it is counted (see
    /// [`Frequency`]).
    fn push_word(&mut self, number: usize, analyser: &mut CachedAnalyser) {
        let alone = analyser.is_stem_alone(number);
        let first = analyser.is_new_stem_of_field(number);
        let stem = &analyser.word(number).stem;
        (0..Frequency::postings(first, alone)).for_each(|_| self.terms.push(stem));
        if !alone {
            let first = analyser.is_new_form_of_field(number);
            let form = &analyser.word(number).form;
            let postings = 0..Frequency::postings(first, true);
            postings.for_each(|_| self.terms.push_marked(FORM_MARK, form));
        }
    }
}

/// The words of the first `max` characters of the plain text of `text`, ordered by position.
fn words_of(text: &str, max: usize, analyser: &mut CachedAnalyser) -> Vec<PositionedWord<usize>> {
    let plain = plain_text(text);
    let mut words = analyser.document_words(first_characters(&plain, max));
    words.sort_by_key(|word| word.position);
    words
}

/// The multiplier of the score of `document` under the default settings, in thousandths.
pub(crate) fn prominence(document: &Document) -> u64 {
    let numbers = &document.numbers;
    let price = visitor_price(&numbers.prices, &PriceContext::default());
    let discount = price.is_some_and(|price| price.original.is_some());
    let values = FactorValues::new(
        numbers.available(),
        numbers.sales_count,
        numbers.rating,
        discount,
    );
    let boosts = factor_boosts(&SearchSettings::default());
    (factors(&boosts, &values).multiplier * 1000.0) as u64
}

/// The card of `document`. Documents that were stored before limits were enforced may exceed them.
fn card(document: &Document) -> Card {
    let name = plain_text(&document.texts.name);
    let reference = document.codes.reference.as_deref().unwrap_or_default();
    Card::new(CardTexts {
        name: first_characters(&name, DOCUMENT_NAME_CHARACTERS_MAX),
        url: &document.url,
        image: &document.image,
        reference: first_characters(reference, STORED_CODE_CHARACTERS_MAX),
        manufacturer: first_characters(&document.texts.manufacturer, LABEL_CHARACTERS_MAX),
    })
}

/// Number of characters of a value of `field` that are indexed.
fn characters_max(field: FieldId) -> usize {
    match field.name() {
        "name" => DOCUMENT_NAME_CHARACTERS_MAX,
        "short_description" | "description" | "ai_description_manual" | "ai_description" => {
            TEXT_LETTERS_MAX
        }
        _ => LABEL_CHARACTERS_MAX,
    }
}

/// The values of a text field.
fn values_of(document: &Document, field: FieldId) -> Vec<&str> {
    let texts = &document.texts;
    match field.name() {
        "name" => vec![&texts.name],
        "tags" => texts.tags.iter().map(String::as_str).collect(),
        "categories.name" => texts.category_names.iter().map(String::as_str).collect(),
        "attributes.value" => document
            .attributes
            .iter()
            .map(|a| a.value.as_str())
            .collect(),
        "features.value" => document.features.iter().map(|f| f.value.as_str()).collect(),
        "short_description" => vec![&texts.short_description],
        "description" => vec![&texts.description],
        "manufacturer" => vec![&texts.manufacturer],
        "supplier" => vec![&texts.supplier],
        "ai_description_manual" => vec![&texts.ai_description_manual],
        "ai_description" => vec![&texts.ai_description],
        _ => Vec::new(),
    }
}

fn push_prefixes(word: &str, terms: &mut TermSet) {
    let length = word.chars().count();
    for (at, (start, c)) in word.char_indices().enumerate() {
        if (PREFIX_LETTERS_MIN..=PREFIX_LETTERS_MAX).contains(&(at + 1)) {
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
        let last = (first + PART_LETTERS_MAX).min(ends.len());
        for end in ends[..last].iter().skip(first + PART_LETTERS_MIN - 1) {
            push_prefix(terms, &word[start..*end], ends.len());
        }
    }
}

/// The codes of a field in all their spellings. UPCs of variants count as EANs of variants, an ISBN as the product's EAN.
fn code_terms(document: &Document, field: FieldId) -> Vec<String> {
    let codes = &document.codes;
    let (single, lists): ([&Option<String>; 2], [&[String]; 2]) = match field.name() {
        "reference" => ([&codes.reference, &None], [&[], &[]]),
        "ean13" => ([&codes.ean13, &codes.isbn], [&[], &[]]),
        "upc" => ([&codes.upc, &None], [&[], &[]]),
        "mpn" => ([&codes.mpn, &None], [&[], &[]]),
        "combinationReferences" => ([&None; 2], [&codes.combination_references, &[]]),
        "combinationEans" => (
            [&None; 2],
            [&codes.combination_eans, &codes.combination_upcs],
        ),
        "combinationMpns" => ([&None; 2], [&codes.combination_mpns, &[]]),
        _ => return Vec::new(),
    };
    let all = single
        .into_iter()
        .flatten()
        .chain(lists.into_iter().flatten());
    let mut terms: Vec<String> = all
        .flat_map(|code| spellings(code, is_article_number(field)))
        .collect();
    terms.sort_unstable();
    terms.dedup();
    terms
}
