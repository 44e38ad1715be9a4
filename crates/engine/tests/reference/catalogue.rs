//! A catalogue of analysed documents, each with its words and codes by field.

use domain::document::{DocType, Document};
use domain::limits::TEXT_CHARACTERS_MAX;
use domain::relevance::field::FieldId;
use query::analysis::codes::spellings;
use query::analysis::plain_text;
use query::plan::is_article_number;
use query::{Analyser, Token};
use std::collections::{BTreeMap, BTreeSet};

/// The searched documents.
pub struct Catalogue<'a> {
    pub analyser: &'a Analyser,
    pub pages: Vec<Page>,
    /// The frozen average lengths of the engine.
    pub averages: BTreeMap<FieldId, f64>,
    /// Whether substrings of words match.
    pub parts: bool,
}

/// An analysed document.
pub struct Page {
    pub document: Document,
    /// The words of every value of every field.
    texts: BTreeMap<FieldId, Vec<Vec<Token>>>,
    codes: BTreeMap<FieldId, BTreeSet<String>>,
}

impl<'a> Catalogue<'a> {
    pub fn new<'d>(
        documents: impl Iterator<Item = &'d Document>,
        averages: Vec<(FieldId, f64)>,
        analyser: &'a Analyser,
    ) -> Self {
        Self {
            analyser,
            pages: documents
                .map(|document| Page::new(document, analyser))
                .collect(),
            averages: averages.into_iter().collect(),
            parts: false,
        }
    }

    /// Sets whether substrings of words match.
    pub fn with_parts(self, parts: bool) -> Self {
        Self { parts, ..self }
    }

    /// Number of documents for which `holds` is true.
    pub fn count(&self, holds: impl Fn(&Page) -> bool) -> u64 {
        self.pages.iter().filter(|page| holds(page)).count() as u64
    }

    /// All stems of all texts.
    pub fn stems(&self) -> BTreeSet<&str> {
        let tokens = self.pages.iter().flat_map(|page| page.texts.values());
        tokens
            .flatten()
            .flatten()
            .map(|t| t.stem.as_str())
            .collect()
    }

    /// All codes of one field.
    pub fn codes(&self, field: FieldId) -> BTreeSet<&str> {
        let codes = self.pages.iter().filter_map(|page| page.codes.get(&field));
        codes.flatten().map(String::as_str).collect()
    }

    /// The mean length of `field` over the documents with a value.
    pub fn average(&self, field: FieldId) -> f64 {
        let lengths: Vec<usize> = self.pages.iter().map(|p| p.length(field)).collect();
        let filled = lengths.iter().filter(|length| **length > 0).count();
        if filled == 0 {
            return 0.0;
        }
        lengths.iter().sum::<usize>() as f64 / filled as f64
    }
}

impl Page {
    fn new(document: &Document, analyser: &Analyser) -> Self {
        let texts = FieldId::texts().map(|field| {
            let values = texts_of(document, field);
            let words = values.iter().map(|value| words(value, analyser));
            (field, words.collect())
        });
        let codes = FieldId::codes().map(|field| (field, codes_of(document, field)));
        Self {
            document: document.clone(),
            texts: texts.collect(),
            codes: codes.collect(),
        }
    }

    /// The values of a field, each as its words.
    pub fn values(&self, field: FieldId) -> &[Vec<Token>] {
        &self.texts[&field]
    }

    /// The words of a field, joined spellings included.
    pub fn words(&self, field: FieldId) -> impl Iterator<Item = &Token> {
        self.texts[&field].iter().flatten()
    }

    /// The number of words of a field.
    pub fn length(&self, field: FieldId) -> usize {
        self.words(field).filter(|token| !token.joined).count()
    }

    /// Occurrences of `stem` in a field.
    pub fn stem_count(&self, field: FieldId, stem: &str) -> usize {
        self.words(field).filter(|token| token.stem == stem).count()
    }

    /// Occurrences of the surface form `form` in a field.
    pub fn form_count(&self, field: FieldId, form: &str) -> usize {
        self.words(field).filter(|token| token.form == form).count()
    }

    /// Occurrences in a field of words that are `folded` without their accents, and have some.
    pub fn accented_count(&self, field: FieldId, folded: &str) -> usize {
        let words = self.words(field).filter(|token| token.form != token.folded);
        words.filter(|token| token.folded == folded).count()
    }

    /// Whether any text contains `stem`.
    pub fn holds(&self, stem: &str) -> bool {
        FieldId::texts().any(|field| self.stem_count(field, stem) > 0)
    }

    /// Whether a code field contains `code`.
    pub fn has_code(&self, field: FieldId, code: &str) -> bool {
        self.codes[&field].contains(code)
    }

    /// All spellings of the codes of a field.
    pub fn codes(&self, field: FieldId) -> impl Iterator<Item = &str> {
        self.codes[&field].iter().map(String::as_str)
    }
}

fn words(value: &str, analyser: &Analyser) -> Vec<Token> {
    let clipped: String = plain_text(value)
        .chars()
        .take(TEXT_CHARACTERS_MAX)
        .collect();
    analyser.document_words(&clipped)
}

fn texts_of(document: &Document, field: FieldId) -> Vec<String> {
    let texts = &document.texts;
    let values = |of: &[domain::document::GroupValue]| of.iter().map(|v| v.value.clone()).collect();
    match field.name() {
        "name" => vec![texts.name.clone()],
        "tags" => texts.tags.clone(),
        "categories.name" => texts.category_names.clone(),
        "attributes.value" => values(&document.attributes),
        "features.value" => values(&document.features),
        "short_description" => vec![texts.short_description.clone()],
        "description" => vec![texts.description.clone()],
        "manufacturer" => vec![texts.manufacturer.clone()],
        "supplier" => vec![texts.supplier.clone()],
        "ai_description" => vec![texts.ai_description.clone()],
        "ai_description_manual" => vec![texts.ai_description_manual.clone()],
        other => panic!("{other} is no field of words"),
    }
}

/// Only products have codes; an ISBN is an EAN, and a UPC of a variant counts as the variant's EAN.
fn codes_of(document: &Document, field: FieldId) -> BTreeSet<String> {
    let codes = &document.codes;
    let mut typed: Vec<&String> = Vec::new();
    match field.name() {
        "reference" => typed.extend(&codes.reference),
        "ean13" => typed.extend(codes.ean13.iter().chain(&codes.isbn)),
        "upc" => typed.extend(&codes.upc),
        "mpn" => typed.extend(&codes.mpn),
        "combinationReferences" => typed.extend(&codes.combination_references),
        "combinationEans" => {
            typed.extend(codes.combination_eans.iter().chain(&codes.combination_upcs));
        }
        "combinationMpns" => typed.extend(&codes.combination_mpns),
        other => panic!("{other} is no field of codes"),
    }
    if document.doc_type != DocType::Products {
        return BTreeSet::new();
    }
    let all = typed.into_iter();
    all.flat_map(|code| spellings(code, is_article_number(field)))
        .collect()
}
