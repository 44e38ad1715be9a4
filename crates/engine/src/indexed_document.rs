//! A document as an index holds it: terms with their positions, codes, beginnings of words, and its card.

use crate::found::Card;
use domain::document::price::{PriceContext, visitor_price};
use domain::document::{DocType, Document};
use domain::limits::TEXT_LETTERS_MAX;
use domain::relevance::SearchSettings;
use domain::relevance::field::FieldId;
use query::analysis::codes::spellings;
use query::analysis::plain_text;
use query::plan::{factor_boosts, is_article_number};
use query::scoring::{
    FactorValues, PART_LETTERS_MAX, PART_LETTERS_MIN, PREFIX_LETTERS_MAX, PREFIX_LETTERS_MIN,
    factors,
};
use query::{Analyser, Token};
use std::collections::BTreeSet;

/// First letter of terms that stand for a word as typed; stems never start with it.
pub const FORM_MARK: char = '\u{1}';
/// Between a beginning of a word and the length of the word.
pub const PREFIX_MARK: char = '\u{2}';
/// Places left free between two values of one field, so that no phrase crosses them.
pub const VALUE_GAP: u32 = 100;

/// One term at one place of a field.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PlacedTerm {
    /// The term.
    pub term: String,
    /// Its place.
    pub position: u32,
}

/// The words of one field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct IndexedText {
    /// Stems and forms, by place.
    pub terms: Vec<PlacedTerm>,
    /// Number of words.
    pub length: u32,
}

/// A document, analysed.
#[derive(Clone, Debug, Default, Hash)]
pub struct IndexedDocument {
    /// Words by field; fields without words are left out.
    pub texts: Vec<(FieldId, IndexedText)>,
    /// Stems of all fields.
    pub stems: BTreeSet<String>,
    /// Beginnings of the words of the name, each with the length of the word (see [`prefix_term`]).
    pub prefixes: BTreeSet<String>,
    /// Parts of the words of the name, each with the length of the word; only where they are wanted.
    pub parts: BTreeSet<String>,
    /// Codes by field, in all their spellings.
    pub codes: Vec<(FieldId, BTreeSet<String>)>,
    /// What is shown of it.
    pub card: Card,
    /// What multiplied its score under the default settings when its texts were written, in thousandths.
    pub prominence: u64,
}

/// The term for `prefix`, a beginning or a part of a word of `letters` letters.
pub fn prefix_term(prefix: &str, letters: usize) -> String {
    let length = char::from_u32(0x20 + letters as u32).expect("words have at most 64 letters");
    format!("{prefix}{PREFIX_MARK}{length}")
}

/// The number of letters of the word that a term of [`prefix_term`] stands for.
pub fn prefix_word_letters(term: &str) -> usize {
    term.chars()
        .next_back()
        .map_or(0, |c| (c as usize).saturating_sub(0x20))
}

impl IndexedDocument {
    /// The same with the parts of the words of the name of `document`.
    pub fn with_parts(mut self, document: &Document, analyser: &Analyser) -> Self {
        self.parts = parts(&document.texts.name, analyser);
        self
    }

    /// The analysed form of `document`.
    pub fn new(document: &Document, analyser: &Analyser) -> Self {
        let mut indexed = Self {
            card: card(document),
            prominence: prominence(document),
            ..Self::default()
        };
        for field in FieldId::texts() {
            let text = indexed_text(&values_of(document, field), analyser);
            if text.length > 0 {
                let stems = text.terms.iter().filter(|t| !t.term.starts_with(FORM_MARK));
                indexed.stems.extend(stems.map(|t| t.term.clone()));
                indexed.texts.push((field, text));
            }
        }
        indexed.prefixes = prefixes(&document.texts.name, analyser);
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
}

fn prominence(document: &Document) -> u64 {
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

fn card(document: &Document) -> Card {
    Card {
        name: plain_text(&document.texts.name).into_owned(),
        url: document.url.clone(),
        image: document.image.clone(),
        reference: document.codes.reference.clone().unwrap_or_default(),
        manufacturer: document.texts.manufacturer.clone(),
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

fn indexed_text(values: &[&str], analyser: &Analyser) -> IndexedText {
    let mut text = IndexedText::default();
    let mut base = 0;
    for value in values {
        let plain = plain_text(value);
        let mut tokens = analyser.document_words(clipped(&plain));
        let words = tokens.iter().filter(|t| !t.joined).count() as u32;
        tokens.sort_by_key(|t| t.position);
        for token in &tokens {
            let position = base + token.position;
            text.terms.push(PlacedTerm {
                term: token.stem.clone(),
                position,
            });
            text.terms.push(PlacedTerm {
                term: format!("{FORM_MARK}{}", token.form),
                position,
            });
        }
        if words > 0 {
            text.length += words;
            base += words + VALUE_GAP;
        }
    }
    text
}

fn clipped(text: &str) -> &str {
    text.char_indices()
        .nth(TEXT_LETTERS_MAX)
        .map_or(text, |(at, _)| &text[..at])
}

fn prefixes(name: &str, analyser: &Analyser) -> BTreeSet<String> {
    let plain = plain_text(name);
    let tokens: Vec<Token> = analyser.document_words(clipped(&plain));
    let mut terms = BTreeSet::new();
    for token in &tokens {
        let letters = token.folded.chars().count();
        for (at, (start, letter)) in token.folded.char_indices().enumerate() {
            if (PREFIX_LETTERS_MIN..=PREFIX_LETTERS_MAX).contains(&(at + 1)) {
                let prefix = &token.folded[..start + letter.len_utf8()];
                terms.insert(prefix_term(prefix, letters));
            }
        }
    }
    terms
}

fn parts(name: &str, analyser: &Analyser) -> BTreeSet<String> {
    let plain = plain_text(name);
    let mut terms = BTreeSet::new();
    for token in &analyser.document_words(clipped(&plain)) {
        let word = &token.folded;
        let ends: Vec<usize> = word
            .char_indices()
            .map(|(at, letter)| at + letter.len_utf8())
            .collect();
        for (first, (start, _)) in word.char_indices().enumerate() {
            let last = (first + PART_LETTERS_MAX).min(ends.len());
            for end in ends[..last].iter().skip(first + PART_LETTERS_MIN - 1) {
                terms.insert(prefix_term(&word[start..*end], ends.len()));
            }
        }
    }
    terms
}

/// The codes of a field in all their spellings. UPCs of variants count as their EANs, an ISBN as the product's EAN.
pub fn code_terms(document: &Document, field: FieldId) -> BTreeSet<String> {
    let codes = &document.codes;
    let one = |code: &Option<String>| code.iter().cloned().collect::<Vec<String>>();
    let raw: Vec<String> = match field.name() {
        "reference" => one(&codes.reference),
        "ean13" => [one(&codes.ean13), one(&codes.isbn)].concat(),
        "upc" => one(&codes.upc),
        "mpn" => one(&codes.mpn),
        "combinationReferences" => codes.combination_references.clone(),
        "combinationEans" => [
            codes.combination_eans.clone(),
            codes.combination_upcs.clone(),
        ]
        .concat(),
        "combinationMpns" => codes.combination_mpns.clone(),
        _ => Vec::new(),
    };
    raw.iter()
        .flat_map(|code| spellings(code, is_article_number(field)))
        .collect()
}
