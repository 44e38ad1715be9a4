//! Search engines: what an index holds, how a batch becomes searchable, and how a plan is executed.
//!
//! One engine is embedded (`embedded`, over tantivy). What it must do stands in the traits below; the conformance
//! suite in `tests/` holds for every engine.

mod card;
pub mod columns;
pub mod embedded;
pub mod error;
pub mod indexed_document;
pub mod parallel;
pub mod search_result;

pub use card::Card;
pub use embedded::{EmbeddedEngine, MemoUsage};
pub use error::EngineError;
pub use search_result::{
    Facet, FacetGroup, FacetValue, Hit, HitNumbers, PinState, SearchResult, WordReport,
};

use domain::document::{DocType, Document};
use domain::relevance::field::FieldId;
use domain::search::{FilterChoice, FilterField, Sort};
use domain::visitor::Visitor;
use domain::{IndexId, Language};
use parallel::OrderedResults;
use query::Plan;
use std::path::Path;
use std::sync::Arc;

/// Which index is meant, and what it holds.
#[derive(Clone, Debug)]
pub struct IndexSpec {
    /// Its number in storage.
    pub id: IndexId,
    /// What tells it from an index of the same number in another storage.
    pub identity: String,
    /// Type of its documents.
    pub doc_type: DocType,
    /// Language by which they are analysed.
    pub language: Language,
    /// Whether a new index holds the parts of the words of names; one that exists keeps what it holds.
    pub partial: bool,
}

/// Documents that changed in storage, in the order of their sequence numbers.
#[derive(Debug, Default)]
pub struct Batch {
    /// The changes; at most one per document.
    pub changes: Vec<DocumentChange>,
    /// Sequence number of storage up to which the index is complete after this batch.
    pub watermark: i64,
}

/// What became of one document.
#[derive(Debug)]
pub struct DocumentChange {
    /// Its number, which it keeps for ever.
    pub ordinal: u32,
    /// What the index shall hold; none when it was deleted.
    pub document: Option<Document>,
    /// Whether anything but its numbers changed since the index's watermark.
    pub texts_changed: bool,
}

/// A set of indexes of one kind.
pub trait Engine: Send + Sync {
    /// Opens an index, or makes an empty one where there is none that can be used.
    ///
    /// Errors: when the index is damaged and cannot be made anew, or cannot be read now, for want of handles, maps,
    /// memory or rights; what is on disk is left as it is then.
    fn open(&self, spec: &IndexSpec) -> Result<Arc<dyn Index>, EngineError>;

    /// Throws away what there is and makes an empty index.
    ///
    /// Errors: when the index cannot be made.
    fn renew(&self, spec: &IndexSpec) -> Result<Arc<dyn Index>, EngineError>;

    /// Makes an empty index beside the one that there is, which later openings find until this one is complete.
    ///
    /// Errors: when the index cannot be made.
    fn rebuild(&self, spec: &IndexSpec) -> Result<Arc<dyn Index>, EngineError>;

    /// Copies the index that an opening would find into the new folder `to`, by links where they are possible, whoever
    /// has it open; tells whether there is one. The copy is good for the folder of an engine.
    ///
    /// Errors: when it cannot be copied.
    fn copy(&self, spec: &IndexSpec, to: &Path) -> Result<bool, EngineError>;

    /// How much of what searches computed the open indexes hold together, beside what grows with their catalogues.
    fn memo_usage(&self) -> MemoUsage;
}

/// One index. Writes come from one task at a time.
pub trait Index: Send + Sync {
    /// Sequence number of storage up to which the texts on disk are complete; 0 for a new index.
    fn watermark(&self) -> i64;

    /// Sequence number up to which it held every text when it last had caught up. A text that changed later must be
    /// written again, whatever the watermark: storage tells of a document once, at its last change.
    fn settled(&self) -> i64;

    /// Takes in the numbers of documents that storage holds, before anything is searched.
    ///
    /// Errors: none of the texts is touched, so only when the index is out of reach.
    fn load(&self, documents: Vec<DocumentChange>) -> Result<(), EngineError>;

    /// Makes a batch searchable, as a whole and at once. It is all that storage had when it was read.
    ///
    /// Errors: the batch is then not in the index and can be applied again.
    fn apply(&self, batch: Batch) -> Result<(), EngineError>;

    /// The same with a batch after which storage has more.
    ///
    /// Errors: as [`Index::apply`].
    fn apply_part(&self, batch: Batch) -> Result<(), EngineError>;

    /// Makes an index that was built beside another the one that openings find from now on.
    ///
    /// Errors: openings still find the other one; it can be tried again.
    fn complete(&self) -> Result<(), EngineError>;

    /// Lets go of everything but what is being read, and has the files deleted once nobody reads them.
    fn retire(&self);

    /// Takes all documents out, texts and numbers, at once; complete up to `watermark` afterwards.
    ///
    /// Errors: everything is then still there, and it can be tried again.
    fn clear(&self, watermark: i64) -> Result<(), EngineError>;

    /// Takes the average lengths anew from what the index holds.
    ///
    /// Errors: the former averages stay in force.
    fn freeze_averages(&self) -> Result<(), EngineError>;

    /// One step towards rest: merges what many batches left, in the background, then lets go of what only writing
    /// needs. Tells whether nothing is left to do; a batch may come at any time between.
    ///
    /// Errors: when a merge cannot be started; it can be tried again.
    fn rest(&self) -> Result<bool, EngineError>;

    /// Lets go of what only writing needs, after a merge that is under way; the next batch takes it up again.
    fn release(&self);

    /// The fingerprint that `document` has in this index.
    fn fingerprint(&self, document: &Document) -> u64;

    /// Compares every file on disk with its checksum.
    ///
    /// Errors: the first file that is not what was written.
    fn verify(&self) -> Result<(), EngineError>;

    /// What can be searched now.
    fn snapshot(&self) -> Arc<dyn Snapshot>;
}

/// Takes hits, each with its place among those of the page, in any order and from any of the threads that show them.
pub type HitSink<'a> = dyn Fn(usize, Hit) + Sync + 'a;

/// An immutable state of an index: texts and numbers that belong together.
pub trait Snapshot: Send + Sync {
    /// Executes a plan; its hits are handed to `shown`, so that the answer has none.
    ///
    /// Errors: when the index on disk can no longer be read; hits may have been shown by then.
    fn search_each(
        &self,
        plan: &Plan,
        request: &Request,
        shown: &HitSink<'_>,
    ) -> Result<SearchResult, EngineError>;

    /// Executes a plan.
    ///
    /// Errors: when the index on disk can no longer be read.
    fn search(&self, plan: &Plan, request: &Request) -> Result<SearchResult, EngineError> {
        let hits = OrderedResults::with_capacity(request.limit);
        let found = self.search_each(plan, request, &|place, hit| hits.put(place, hit))?;
        Ok(SearchResult {
            hits: hits.in_order(),
            ..found
        })
    }

    /// Number of documents.
    fn documents(&self) -> u64;

    /// Bytes on disk.
    fn bytes(&self) -> u64;

    /// Number and fingerprint of every document.
    ///
    /// Errors: when the index on disk can no longer be read.
    fn fingerprints(&self) -> Result<Vec<(u32, u64)>, EngineError>;

    /// Whether it holds the parts of the words of names.
    fn holds_parts(&self) -> bool;

    /// Whether any document fills `field`.
    fn fills(&self, field: FieldId) -> bool;

    /// The fields by which products can be filtered, each with the name of its group and the documents that carry it and
    /// that `visitor` may see.
    fn filter_fields(&self, visitor: &Visitor) -> Vec<FilterFieldUse>;

    /// Whether any document carries `field` that `visitor` may see.
    fn carries(&self, field: &FilterField, visitor: &Visitor) -> bool;

    /// Ids of the documents that `visitor` may not see.
    fn hidden_from(&self, visitor: &Visitor) -> Vec<String>;

    /// Average lengths by field, as they are frozen.
    fn averages(&self) -> Vec<(FieldId, f64)>;
}

/// A field by which products can be filtered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterFieldUse {
    /// The field.
    pub field: FilterField,
    /// What documents call its group; empty for a field with a name of its own.
    pub group: String,
    /// Documents that carry it, and may be seen.
    pub documents: u64,
}

/// A facet that is wanted, with all its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FacetRequest {
    /// The field.
    pub field: FilterField,
    /// Ids or texts of values that count as one together, whatever each has; a value stands in one group.
    pub groups: Vec<Vec<String>>,
    /// Whether values that no found document has are wanted too.
    pub empty: bool,
}

/// What is wanted of a plan's hits.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Hits to leave out at the front, of those that are not `shown`.
    pub offset: usize,
    /// Ids that do not count for the hits, because earlier pages showed them; totals and facets count them.
    pub shown: Vec<String>,
    /// Hits wanted.
    pub limit: usize,
    /// Their order.
    pub sort: Sort,
    /// Who asks: what may be seen, and whose prices count.
    pub visitor: Arc<Visitor>,
    /// What the shopper chose; counts of a facet ignore its own choice.
    pub choices: Vec<FilterChoice>,
    /// Whether facets are counted.
    pub facets: bool,
    /// The facets to count; the automatic ones when there is no such list.
    pub wishes: Option<Arc<[FacetRequest]>>,
    /// Ids of categories whose names facets do not tell, whatever products have them: those whose own documents the
    /// visitor may not see.
    pub unnamed_categories: Arc<[String]>,
    /// Whether every hit is explained.
    pub explain: bool,
    /// Whether only ids and scores of hits are wanted, and neither cards nor breakdowns.
    pub bare: bool,
}
