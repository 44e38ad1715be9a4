//! The search engine: what an index contains, how a batch becomes searchable, and how a plan is executed.
//!
//! One engine is embedded (`embedded`, over tantivy), one is on other machines (`opensearch`). The traits below specify an engine; the conformance suite in
//! `tests/` checks any of them.

mod card;
mod columns;
mod embedded;
pub mod error;
mod facet_policy;
mod facts;
mod field_use;
pub mod indexed_document;
mod local_index;
mod opensearch;
pub mod search_result;
mod shown_words;

pub use card::Card;
pub use embedded::EmbeddedEngine;
pub use error::EngineError;
pub use facet_policy::NamedValues;
pub use facts::Facts;
pub use field_use::{FieldUse, FilterFieldUse};
pub use local_index::{AVERAGES_MOVED, LocalIndex};
pub use opensearch::{
    AccessError, ClusterAccess, ClusterCredentials, FORMAT as SEARCH_FORMAT, OpenSearchEngine,
    PATIENCE as SEARCH_PATIENCE, SHARDS as SEARCH_SHARDS,
};
pub use search_result::{
    Facet, FacetGroup, FacetValue, Hit, HitNumbers, PinState, SearchResult, WordReport,
};

use domain::document::{DocType, Document};
use domain::search::{FilterChoice, FilterField, Sort};
use domain::visitor::Visitor;
use domain::{CacheUsage, IndexId, Language};
use query::Plan;
use query::correction::{SpelledWord, Spelling};
use std::path::Path;
use std::sync::Arc;

/// Identifies an index, and specifies its content.
#[derive(Clone, Debug)]
pub struct IndexSpec {
    /// Id of the index in storage.
    pub id: IndexId,
    /// Distinguishes it from an index with the same id of another storage.
    pub identity: String,
    /// Type of the documents.
    pub doc_type: DocType,
    /// Language of the analysis.
    pub language: Language,
    /// Whether a new index contains the substrings of the words of names; an existing index is not changed.
    pub partial: bool,
}

/// Documents that changed in storage, ordered by sequence number.
#[derive(Debug, Default)]
pub struct Batch {
    /// The changes; at most one per document.
    pub changes: Vec<DocumentChange>,
    /// Sequence number of storage up to which the index is complete after this batch.
    pub watermark: i64,
}

/// The change of one document.
#[derive(Debug)]
pub struct DocumentChange {
    /// Number of the document, which never changes.
    pub ordinal: u32,
    /// The new document; none when it was deleted.
    pub document: Option<Document>,
    /// Whether anything other than its numbers changed since the index's watermark; always, where an index is not
    /// [local](Index::local).
    pub texts_changed: bool,
}

/// What became of a batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use = "a document that is rejected is missed by nobody else"]
pub struct BatchOutcome {
    /// Documents that the index will never take as they are. None of them is in it from then on, not even in a former
    /// state, which others might see who no longer may; all other changes of the batch are in the index.
    pub rejected: Vec<Rejected>,
}

/// A document that an index rejects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// Number of the document.
    pub ordinal: u32,
    /// Its id.
    pub id: String,
    /// Why, for the operator.
    pub reason: String,
}

/// A set of indexes.
pub trait Engine: Send + Sync {
    /// Opens an index, or creates an empty one when no usable index exists.
    ///
    /// Errors: when the index is damaged and cannot be created again, or cannot be read now, for lack of file handles,
    /// memory maps, memory or permissions; the files are then left unchanged.
    fn open(&self, spec: &IndexSpec) -> Result<Arc<dyn Index>, EngineError>;

    /// Deletes the index and creates an empty one.
    ///
    /// Errors: when the index cannot be created.
    fn renew(&self, spec: &IndexSpec) -> Result<Arc<dyn Index>, EngineError>;

    /// Creates an empty index beside the existing one, which [`Engine::open`] still opens until the new one is complete.
    ///
    /// Errors: when the index cannot be created.
    fn rebuild(&self, spec: &IndexSpec) -> Result<Arc<dyn Index>, EngineError>;

    /// The files of its indexes; none for an engine that keeps no files on this machine.
    fn files(&self) -> Option<&dyn Files>;

    /// Its indexes as ones that several processes share on other machines; none for those of this machine.
    fn shared(&self) -> Option<&dyn SharedIndexes>;

    /// Deletes everything of an index, which is not open; one that does not exist is deleted already.
    ///
    /// Errors: when it cannot be deleted now.
    fn discard(&self, index: domain::IndexId) -> Result<(), EngineError>;

    /// How many searches it executes at once; none for as many as suit the cores of this machine.
    fn searches_at_once(&self) -> Option<usize>;

    /// The fill level of each cache that all open indexes share in this process, by name.
    fn caches(&self) -> Vec<(&'static str, CacheUsage)>;
}

/// An index on disk as it is, before anybody has opened it.
pub enum ExistingIndex {
    /// It can be used.
    Usable(Arc<dyn Index>),
    /// It is damaged, and [`Engine::open`] would create an empty one; why.
    Damaged(String),
    /// There is none, or only that of another version or storage.
    None,
}

/// The indexes of an engine as files on this machine.
pub trait Files: Send + Sync {
    /// Copies the index that [`Engine::open`] would open into the new folder `to`, by hard links where possible, even
    /// while it is open; returns whether there is one. The copy can be used in the folder of an engine.
    ///
    /// Errors: when it cannot be copied.
    fn copy(&self, spec: &IndexSpec, to: &Path) -> Result<bool, EngineError>;

    /// Copies the index that an engine over `folder` would open, unless this one has it already, by hard links where possible,
    /// even while another process has it open; returns whether it did.
    ///
    /// Errors: when it cannot be copied; nothing of it is left.
    fn copy_from(&self, spec: &IndexSpec, folder: &Path) -> Result<bool, EngineError>;

    /// Returns the numbers of the indexes that have files.
    ///
    /// Errors: when they cannot be listed now.
    fn kept(&self) -> Result<Vec<IndexId>, EngineError>;

    /// Opens the index that [`Engine::open`] would open, to be read only, and changes no file.
    ///
    /// Errors: when it cannot be read now.
    fn existing(&self, spec: &IndexSpec) -> Result<ExistingIndex, EngineError>;
}

/// The indexes of an engine that several processes share.
///
/// Each version of their form has indexes of its own, so that processes of two versions serve beside each other during an
/// upgrade.
pub trait SharedIndexes: Send + Sync {
    /// Version of the form of the indexes of this process.
    fn format(&self) -> u32;

    /// Whether [`Engine::open`] would open an index that is there, and not an empty new one.
    ///
    /// Errors: when that cannot be found out now.
    fn exists(&self, spec: &IndexSpec) -> Result<bool, EngineError>;

    /// Deletes the indexes of earlier versions of the form which are not in `used`; returns their number.
    ///
    /// Errors: when they cannot be deleted now; some may be.
    fn discard_earlier(&self, used: &[u32]) -> Result<usize, EngineError>;
}

/// An index. Only one task writes at a time.
pub trait Index: Send + Sync {
    /// Sequence number of storage up to which the texts on disk are complete; 0 for a new index.
    fn watermark(&self) -> i64;

    /// The index as one in files and memory of this process; none for one on other machines. That one is searched as it
    /// is once it is open, and is given whole documents.
    fn local(&self) -> Option<&dyn LocalIndex>;

    /// Makes a batch searchable, atomically. For a [local](Index::local) index it is the last batch that storage has at
    /// present.
    ///
    /// A document that is rejected for good is no error: the watermark passes it, and it is reported.
    ///
    /// Errors: the index is then unchanged and the batch can be applied again.
    fn apply(&self, batch: Batch) -> Result<BatchOutcome, EngineError>;

    /// Takes over what other processes have written to the index, or put in its place; returns false if there is none any
    /// more, and then it stays as it was known. A [local](Index::local) index has one process, so there is nothing to take
    /// over.
    ///
    /// Errors: the index stays as it was known, and the call can be repeated.
    fn reread(&self) -> Result<bool, EngineError>;

    /// Returns whether a search has found that there is no such index any more. A [local](Index::local) one is never gone.
    fn is_gone(&self) -> bool;

    /// Completes an index that was built beside another: from now on [`Engine::open`] opens this one.
    ///
    /// Errors: the other index is still opened; the call can be repeated.
    fn complete(&self) -> Result<(), EngineError>;

    /// Releases everything that is not being read, and deletes the files once nothing reads them.
    fn retire(&self);

    /// Removes all documents, texts and numbers, atomically; the index is complete up to `watermark` afterwards.
    ///
    /// Errors: nothing is removed, and the call can be repeated.
    fn clear(&self, watermark: i64) -> Result<(), EngineError>;

    /// The fingerprint of `document` in this index.
    fn fingerprint(&self, document: &Document) -> u64;

    /// Compares every file on disk with its checksum, if the engine has [`Files`].
    ///
    /// Errors: the first file whose checksum differs.
    fn verify(&self) -> Result<(), EngineError>;

    /// The current state, for searching.
    fn snapshot(&self) -> Arc<dyn Snapshot>;
}

/// An immutable state of an index: consistent texts and numbers.
///
/// Every method with errors may block, so it is called only on threads that may.
pub trait Snapshot: Send + Sync {
    /// Executes a plan.
    ///
    /// Errors: when the index on disk can no longer be read.
    fn search(&self, plan: &Plan, request: &Request) -> Result<SearchResult, EngineError>;

    /// Which words of `plan`, in its order, enough documents have that `visitor` may see: documents of other types are not
    /// found by typos in them, see [`query::meaning::typos`].
    ///
    /// Errors: when the index on disk can no longer be read.
    fn settled_words(&self, plan: &Plan, visitor: &Visitor) -> Result<Vec<bool>, EngineError>;

    /// What it says about itself as a whole. Cheap to repeat: no request waits for it a second time.
    fn facts(&self) -> Arc<Facts>;

    /// Ordinal and fingerprint of every document.
    ///
    /// Errors: when the index on disk can no longer be read.
    fn fingerprints(&self) -> Result<Vec<(u32, u64)>, EngineError>;

    /// The fields by which documents can be filtered: those in which a document that `visitor` may see has a value.
    /// Cheap to repeat.
    ///
    /// Errors: when the index cannot be reached.
    fn fields(&self, visitor: &Visitor) -> Result<Arc<FieldUse>, EngineError>;

    /// For each stem whether a document that `visitor` may see contains it in any text, in the same order.
    ///
    /// Errors: when the index cannot be read.
    fn contains(&self, stems: &[String], visitor: &Visitor) -> Result<Vec<bool>, EngineError>;

    /// For each word the words within its edit distance that documents that `visitor` may see contain, whatever their first
    /// characters, in any order.
    ///
    /// Errors: when the index cannot be read.
    fn spellings(
        &self,
        words: &[SpelledWord],
        visitor: &Visitor,
    ) -> Result<Vec<Vec<Spelling>>, EngineError>;

    /// Ids of the documents that `visitor` may not see, in any order. Cheap to repeat; only categories are asked for
    /// them, whose names are otherwise in the facets of products.
    ///
    /// Errors: when the index cannot be reached.
    fn hidden_from(&self, visitor: &Visitor) -> Result<Arc<[String]>, EngineError>;
}

/// A requested facet, with all its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FacetRequest {
    /// The field.
    pub field: FilterField,
    /// Ids or labels of values that are counted as one; a value belongs to at most one group.
    pub groups: Vec<Vec<String>>,
    /// Whether values with the count 0 are returned too.
    pub include_empty: bool,
}

/// The parameters of a search besides its plan.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Number of leading hits to skip, not counting those in `exclude`.
    pub offset: usize,
    /// Ids of hits of earlier pages, which are left out; totals and facets still count them.
    pub exclude: Vec<String>,
    /// Number of hits.
    pub limit: usize,
    /// Order of the hits.
    pub sort: Sort,
    /// The visitor, who determines visibility and prices.
    pub visitor: Arc<Visitor>,
    /// The selected filters; the counts of a facet ignore its own filter (disjunctive faceting).
    pub choices: Vec<FilterChoice>,
    /// Whether facets are counted.
    pub facets: bool,
    /// The facets to count; none for the automatic ones.
    pub facet_requests: Option<Arc<[FacetRequest]>>,
    /// Ids of categories whose names facets do not reveal: those with documents that the visitor may not see.
    pub unnamed_categories: Arc<[String]>,
    /// Whether every hit has a breakdown.
    pub explain: bool,
    /// Whether hits have only ids and scores, and neither cards nor breakdowns.
    pub ids_only: bool,
}
