//! The tantivy schema of the index.
//!
//! Segments are sorted by a static score (index sorting of Lucene; Long & Suel, "Optimized query execution in
//! large search engines with global page ordering", 2003).

use super::code_grams::{CodeGrams, GRAM_TOKENIZER, encode_codes};
use super::document_terms::DocumentTerms;
use super::fingerprint;
use super::tokens::{PositionedTermsTokenizer, TOKENIZER, TermSet};
use domain::relevance::field::{FIELD_COUNT, FieldId, FieldKind};
use query::plan::has_positions;
use serde_json::Value;
use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::{TextAnalyzer, TokenizerManager};
use tantivy::{IndexSettings, IndexSortByField, Order, TantivyDocument};

/// Version of the index format; an index of another version is built again.
pub const FORMAT: u32 = 16;

/// The column by which documents are sorted, in descending order: documents that mostly rank high come first, so that
/// the rest can be pruned. It is not updated with the numbers, as results do not depend on it.
const PROMINENCE: &str = "prominence";

/// Initial capacity of a document, enough for most.
const DOCUMENT_BYTES: usize = 8 * 1024;

/// Name of the column of ordinals.
pub const ORDINAL: &str = "ordinal";

/// Name of the field of cards, which are stored in files of their own.
pub const CARD: &str = "card";

/// Name of the column of fingerprints.
pub const FINGERPRINT: &str = "fingerprint";

/// The schema and its fields.
#[derive(Clone)]
pub struct SchemaFields {
    /// The schema.
    pub schema: Schema,
    /// Ordinal of the document.
    pub ordinal: Field,
    /// Sort key of documents.
    pub prominence: Field,
    /// Stems of all texts.
    pub stems: Field,
    /// Prefixes of the words of the name.
    pub prefixes: Field,
    /// Trigrams of codes.
    pub code_grams: Field,
    /// Substrings of the words of the name; empty in an index without them.
    pub substrings: Field,
    /// Fingerprint of the document.
    pub fingerprint: Field,
    /// Card.
    pub card: Field,
    terms: [Option<Field>; FIELD_COUNT],
    lengths: [Option<Field>; FIELD_COUNT],
}

impl SchemaFields {
    /// The schema of every index.
    pub fn new() -> Self {
        let mut builder = Schema::builder();
        let ordinal = builder.add_u64_field(ORDINAL, INDEXED | FAST);
        let prominence = builder.add_u64_field(PROMINENCE, FAST);
        let stems = builder.add_text_field("stems", terms_only(IndexRecordOption::Basic));
        let prefixes = builder.add_text_field("prefixes", terms_only(IndexRecordOption::Basic));
        let grams = by(GRAM_TOKENIZER, IndexRecordOption::WithFreqsAndPositions);
        let code_grams = builder.add_text_field("code_grams", grams);
        let parts = builder.add_text_field("parts", terms_only(IndexRecordOption::Basic));
        let fingerprint = builder.add_u64_field(FINGERPRINT, FAST);
        let card = builder.add_custom_field(CARD, CARD, Value::Null);
        let mut terms = [None; FIELD_COUNT];
        let mut lengths = [None; FIELD_COUNT];
        for field in FieldId::all() {
            let record = match (field.kind(), has_positions(field)) {
                (FieldKind::Code, _) => IndexRecordOption::Basic,
                (FieldKind::Short | FieldKind::Long, true) => {
                    IndexRecordOption::WithFreqsAndPositions
                }
                (FieldKind::Short | FieldKind::Long, false) => IndexRecordOption::WithFreqs,
                (FieldKind::Autocomplete | FieldKind::Partial, _) => continue,
            };
            let name = field.name().replace('.', "_");
            terms[field.index()] = Some(builder.add_text_field(&name, terms_only(record)));
            if field.kind() != FieldKind::Code {
                lengths[field.index()] = Some(builder.add_u64_field(&length_name(field), FAST));
            }
        }
        Self {
            schema: builder.build(),
            ordinal,
            prominence,
            stems,
            prefixes,
            code_grams,
            substrings: parts,
            fingerprint,
            card,
            terms,
            lengths,
        }
    }

    /// The index field with the terms of `field`; none for a field without one.
    pub fn terms(&self, field: FieldId) -> Option<Field> {
        self.terms[field.index()]
    }

    /// The tantivy document with the terms `of` a document.
    pub fn document(&self, ordinal: u32, of: &DocumentTerms<'_>) -> TantivyDocument {
        let mut document = TantivyDocument::with_capacity(DOCUMENT_BYTES);
        document.add_u64(self.ordinal, u64::from(ordinal));
        document.add_u64(self.prominence, of.prominence);

        document.add_u64(self.fingerprint, fingerprint::of(of));
        document.add_text(self.stems, of.stems.as_str());
        document.add_text(self.prefixes, of.prefixes.as_str());
        if !of.substrings.as_str().is_empty() {
            document.add_text(self.substrings, of.substrings.as_str());
        }
        document.add_custom(self.card, &of.card);
        for (field, text) in &of.texts {
            if let (Some(terms), Some(length)) = (self.terms(*field), self.lengths[field.index()]) {
                document.add_text(terms, text.terms.as_str());
                document.add_u64(length, u64::from(text.length));
            }
        }
        if !of.codes.is_empty() {
            document.add_text(self.code_grams, encode_codes(of.codes));
        }
        for (field, codes) in of.codes {
            if let Some(terms) = self.terms(*field) {
                let codes: TermSet = codes.iter().collect();
                document.add_text(terms, codes.as_str());
            }
        }
        document
    }
}

/// The settings of every index.
pub fn settings() -> IndexSettings {
    IndexSettings {
        sort_by_field: Some(IndexSortByField {
            field: PROMINENCE.to_owned(),
            order: Order::Desc,
        }),
        ..IndexSettings::default()
    }
}

/// Name of the length column of `field`.
pub fn length_name(field: FieldId) -> String {
    format!("length_{}", field.name().replace('.', "_"))
}

/// The tokenizers of an index.
pub fn tokenizers() -> TokenizerManager {
    // Based on the default manager, because tantivy looks up a tokenizer for every field, including numeric ones.
    let manager = TokenizerManager::default();
    manager.register(
        TOKENIZER,
        TextAnalyzer::from(PositionedTermsTokenizer::default()),
    );
    manager.register(GRAM_TOKENIZER, TextAnalyzer::from(CodeGrams::default()));
    manager
}

fn terms_only(record: IndexRecordOption) -> TextOptions {
    by(TOKENIZER, record)
}

fn by(tokenizer: &str, record: IndexRecordOption) -> TextOptions {
    TextOptions::default().set_indexing_options(
        TextFieldIndexing::default()
            .set_tokenizer(tokenizer)
            .set_index_option(record)
            .set_fieldnorms(false),
    )
}
