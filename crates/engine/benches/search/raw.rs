//! The yardstick: tantivy's own BM25 over the names alone.

use std::path::Path;
use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::{Index, Searcher, TantivyDocument, TantivyError, Term};

/// Enough memory for the names of a million products, so that they are in one segment.
const WRITER_BYTES: usize = 1024 * 1024 * 1024;

/// An index of names.
pub struct RawIndex {
    searcher: Searcher,
    name: Field,
}

impl RawIndex {
    /// Opens the index in `folder`, or creates it from `names`, each as its stems separated by spaces.
    pub fn open(folder: &Path, names: impl Iterator<Item = String>) -> Result<Self, TantivyError> {
        let mut schema = Schema::builder();
        let words = TextFieldIndexing::default()
            .set_tokenizer("whitespace")
            .set_index_option(IndexRecordOption::WithFreqs);
        let options = TextOptions::default().set_indexing_options(words);
        let name = schema.add_text_field("name", options);
        let index = if folder.join("meta.json").exists() {
            Index::open_in_dir(folder)?
        } else {
            std::fs::create_dir_all(folder)?;
            let index = Index::create_in_dir(folder, schema.build())?;
            let mut writer = index.writer_with_num_threads(1, WRITER_BYTES)?;
            for text in names {
                let mut document = TantivyDocument::new();
                document.add_text(name, text);
                writer.add_document(document)?;
            }
            writer.commit()?;
            index
        };
        let searcher = index.reader()?.searcher();
        Ok(Self { searcher, name })
    }

    /// The disjunction of the stems `words`.
    pub fn query(&self, words: &[String]) -> BooleanQuery {
        let term = |word: &String| -> Box<dyn Query> {
            let term = Term::from_field_text(self.name, word);
            Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs))
        };
        BooleanQuery::union(words.iter().map(term).collect())
    }

    /// The number of hits among the ten best.
    pub fn search(&self, query: &BooleanQuery) -> Result<usize, TantivyError> {
        let best = TopDocs::with_limit(10).order_by_score();
        Ok(self.searcher.search(query, &best)?.len())
    }
}
