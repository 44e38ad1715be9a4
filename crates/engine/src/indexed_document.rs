//! A document as an index holds it: terms with their positions, codes, beginnings of words, and its card.

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

/// First letter of terms that stand for a word as typed; stems never start with it. A form is a term of its own where its
/// stem stands in a field in any form but itself.
pub const FORM_MARK: char = '\u{1}';
/// Between a beginning of a word and the length of the word.
pub const PREFIX_MARK: char = '\u{2}';
/// Places left free between two values of one field, so that no phrase crosses them.
pub const VALUE_GAP: u32 = 100;

/// The words of one field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexedText {
    /// Stems and forms, by place.
    pub terms: PositionedTerms,
    /// Number of words.
    pub length: u32,
    /// Values with words.
    values: u32,
}

/// A document, analysed.
#[derive(Clone, Debug, Default)]
pub struct IndexedDocument {
    /// Words by field; fields without words are left out.
    pub texts: Vec<(FieldId, IndexedText)>,
    /// Stems of all fields.
    pub stems: TermSet,
    /// Beginnings of the words of the name, each with the length of the word (see [`push_prefix`]).
    pub prefixes: TermSet,
    /// Parts of the words of the name, each with the length of the word; only where they are wanted.
    pub parts: TermSet,
    /// Codes by field, in all their spellings, in order.
    pub codes: Vec<(FieldId, Vec<String>)>,
    /// What is shown of it.
    pub card: Card,
    /// What multiplied its score under the default settings when its texts were written, in thousandths.
    pub prominence: u64,
}

/// Adds the term for `prefix`, a beginning or a part of a word of `letters` letters.
fn push_prefix(terms: &mut TermSet, prefix: &str, letters: usize) {
    let length = char::from_u32(0x20 + letters as u32).expect("words have at most 64 letters");
    terms.push(prefix);
    terms.extend([PREFIX_MARK, length]);
}

/// The number of letters of the word that a term of [`push_prefix`] stands for.
pub fn prefix_word_letters(term: &str) -> usize {
    term.chars()
        .next_back()
        .map_or(0, |c| (c as usize).saturating_sub(0x20))
}

impl IndexedDocument {
    /// The analysed form of `document`, with the parts of the words of its name or without.
    pub fn new(document: &Document, parts: bool, lexicon: &mut CachedAnalyser) -> Self {
        lexicon.begin_document();
        let mut indexed = Self {
            card: card(document),
            prominence: prominence(document),
            ..Self::default()
        };
        for field in FieldId::texts() {
            let values = values_of(document, field).into_iter();
            let max = characters_max(field);
            let values: Vec<_> = values.map(|value| words_of(value, max, lexicon)).collect();
            let text = IndexedText::of(&values, lexicon);
            for words in &values {
                if field == FieldId::NAME {
                    indexed.push_name(words, parts, lexicon);
                }
                indexed.push_stems(words, lexicon);
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

    fn push_stems(&mut self, words: &[PositionedWord<usize>], lexicon: &mut CachedAnalyser) {
        for placed in words {
            if lexicon.is_new_stem(placed.word) {
                self.stems.push(&lexicon.word(placed.word).stem);
            }
        }
    }

    fn push_name(
        &mut self,
        words: &[PositionedWord<usize>],
        parts: bool,
        lexicon: &CachedAnalyser,
    ) {
        for placed in words {
            let word = lexicon.word(placed.word);
            push_prefixes(&word.folded, &mut self.prefixes);
            if parts {
                push_parts(&word.folded, &mut self.parts);
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
    /// A field of so many values, each the words of one.
    fn of(values: &[Vec<PositionedWord<usize>>], lexicon: &mut CachedAnalyser) -> Self {
        lexicon.begin_field(values.iter().flatten().map(|placed| placed.word));
        let mut text = Self::default();
        for words in values {
            text.push(words, lexicon);
        }
        text
    }

    /// Adds the words of one more value, which are in the order of their places.
    fn push(&mut self, words: &[PositionedWord<usize>], lexicon: &mut CachedAnalyser) {
        let base = self.length + self.values * VALUE_GAP;
        for placed in words {
            self.terms.go_to(base + placed.position);
            self.push_word(placed.word, lexicon);
        }
        let words = words.iter().filter(|placed| !placed.joined).count() as u32;
        self.length += words;
        self.values += u32::from(words > 0);
    }

    /// Adds a word at the present place. How often a term stands there tells how it is counted (see [`Frequency`]).
    fn push_word(&mut self, number: usize, lexicon: &mut CachedAnalyser) {
        let alone = lexicon.is_stem_alone(number);
        let first = lexicon.is_new_stem_of_field(number);
        let stem = &lexicon.word(number).stem;
        (0..Frequency::postings(first, alone)).for_each(|_| self.terms.push(stem));
        if !alone {
            let first = lexicon.is_new_form_of_field(number);
            let form = &lexicon.word(number).form;
            let postings = 0..Frequency::postings(first, true);
            postings.for_each(|_| self.terms.push_marked(FORM_MARK, form));
        }
    }
}

/// The words of the first characters of a text with tags or without, in the order of their places.
fn words_of(text: &str, max: usize, lexicon: &mut CachedAnalyser) -> Vec<PositionedWord<usize>> {
    let plain = plain_text(text);
    let mut words = lexicon.document_words(first_characters(&plain, max));
    words.sort_by_key(|word| word.position);
    words
}

/// What multiplies the score of `document` under the default settings, in thousandths.
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

/// What is shown of `document`. Documents that were stored before there were limits may be longer.
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

/// The characters of a value of `field` that are looked at.
fn characters_max(field: FieldId) -> usize {
    match field.name() {
        "name" => DOCUMENT_NAME_CHARACTERS_MAX,
        "short_description" | "description" | "ai_description_manual" | "ai_description" => {
            TEXT_LETTERS_MAX
        }
        _ => LABEL_CHARACTERS_MAX,
    }
}

/// The values of a field of analysed words.
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
    let letters = word.chars().count();
    for (at, (start, letter)) in word.char_indices().enumerate() {
        if (PREFIX_LETTERS_MIN..=PREFIX_LETTERS_MAX).contains(&(at + 1)) {
            push_prefix(terms, &word[..start + letter.len_utf8()], letters);
        }
    }
}

fn push_parts(word: &str, terms: &mut TermSet) {
    let ends: Vec<usize> = word
        .char_indices()
        .map(|(at, letter)| at + letter.len_utf8())
        .collect();
    for (first, (start, _)) in word.char_indices().enumerate() {
        let last = (first + PART_LETTERS_MAX).min(ends.len());
        for end in ends[..last].iter().skip(first + PART_LETTERS_MIN - 1) {
            push_prefix(terms, &word[start..*end], ends.len());
        }
    }
}

/// The codes of a field in all their spellings. UPCs of variants count as their EANs, an ISBN as the product's EAN.
fn code_terms(document: &Document, field: FieldId) -> Vec<String> {
    let codes = &document.codes;
    let (one, more): ([&Option<String>; 2], [&[String]; 2]) = match field.name() {
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
    let all = one.into_iter().flatten().chain(more.into_iter().flatten());
    let mut terms: Vec<String> = all
        .flat_map(|code| spellings(code, is_article_number(field)))
        .collect();
    terms.sort_unstable();
    terms.dedup();
    terms
}
