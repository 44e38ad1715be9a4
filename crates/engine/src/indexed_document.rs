//! The analysed form of a document: the words of its texts by place, and its codes. It knows no index.
//!
//! Whoever writes an index makes terms of it; prices, stock and values to filter by are those of the document itself.

use crate::card::{Card, CardTexts, CardWord};
use domain::document::{DocType, Document};
use domain::first_characters;
use domain::limits::{
    DOCUMENT_NAME_CHARACTERS_MAX, LABEL_CHARACTERS_MAX, STORED_CODE_CHARACTERS_MAX,
    TEXT_CHARACTERS_MAX,
};
use domain::relevance::field::FieldId;
use query::CachedAnalyser;
use query::analysis::codes::spellings;
use query::analysis::{CachedWord, PositionedWord, plain_text};
use query::plan::is_article_number;

/// An analysed document. It refers to the words of its analyser, which analyses another document afterwards.
#[derive(Debug)]
pub struct IndexedDocument<'a> {
    /// The document: its numbers, access and values need no analysis.
    pub document: &'a Document,
    /// Text fields with words, in the order of fields.
    pub texts: Vec<IndexedText>,
    /// Codes by field, in all their spellings, sorted.
    pub codes: Vec<(FieldId, Vec<String>)>,
    analyser: &'a CachedAnalyser,
}

/// A text field with at least one word.
#[derive(Clone, Debug)]
pub struct IndexedText {
    /// The field.
    pub field: FieldId,
    /// The words of each of its values, ordered by position.
    values: Vec<Vec<PositionedWord<usize>>>,
}

/// A word at its position in a value of a field.
#[derive(Clone, Copy, Debug)]
pub struct WordPosition<'a> {
    /// Index of the word in the value, from 0.
    pub position: u32,
    /// Whether it is a further spelling at the position of a word, which counts for no length.
    pub joined: bool,
    /// The word, with its surface form, its folded form and its stem.
    pub word: &'a CachedWord,
}

impl<'a> IndexedDocument<'a> {
    /// Analyses `document`.
    pub fn new(document: &'a Document, analyser: &'a mut CachedAnalyser) -> Self {
        analyser.begin_document();
        let mut texts = Vec::new();
        for field in FieldId::texts() {
            let max = characters_max(field);
            let values = values_of(document, field).into_iter();
            let values: Vec<_> = values.map(|value| words_of(value, max, analyser)).collect();
            if values.iter().any(|words| !words.is_empty()) {
                texts.push(IndexedText { field, values });
            }
        }
        let mut codes = Vec::new();
        if document.doc_type == DocType::Products {
            let terms = FieldId::codes().map(|field| (field, code_terms(document, field)));
            codes.extend(terms.filter(|(_, terms)| !terms.is_empty()));
        }
        Self {
            document,
            texts,
            codes,
            analyser,
        }
    }

    /// The values of `text`, a field of this document, each with the words of its places, ordered by position.
    pub fn values<'t>(
        &self,
        text: &'t IndexedText,
    ) -> impl Iterator<Item = impl Iterator<Item = WordPosition<'a>> + Clone + use<'a, 't>>
    + Clone
    + use<'a, 't> {
        let analyser = self.analyser;
        let position = move |placed: &PositionedWord<usize>| WordPosition {
            position: placed.position,
            joined: placed.joined,
            word: analyser.word(placed.word),
        };
        let values = text.values.iter();
        values.map(move |words| words.iter().map(position))
    }

    /// The card, with the words of the name.
    pub fn card(&self) -> Card {
        let mut card = card(self.document);
        let mut texts = self.texts.iter();
        if let Some(name) = texts.find(|text| text.field == FieldId::NAME) {
            for WordPosition { word, .. } in self.values(name).flatten() {
                card.push(CardWord {
                    form: &word.form,
                    folded: &word.folded,
                    stem: &word.stem,
                });
            }
        }
        card
    }
}

/// The words of the first `max` characters of the plain text of `text`, ordered by position.
fn words_of(text: &str, max: usize, analyser: &mut CachedAnalyser) -> Vec<PositionedWord<usize>> {
    let plain = plain_text(text);
    let mut words = analyser.document_words(first_characters(&plain, max));
    words.sort_by_key(|word| word.position);
    words
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
            TEXT_CHARACTERS_MAX
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
