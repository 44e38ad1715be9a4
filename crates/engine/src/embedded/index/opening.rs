//! Opens and creates indexes on disk.

use super::EmbeddedIndex;
use crate::columns::Columns;
use crate::embedded::memo::MemoBudget;
use crate::embedded::postings::segment::SegmentView;
use crate::embedded::postings::text_index::TextIndex;
use crate::embedded::scale::Scale;
use crate::embedded::topk::access_memos::AccessMemos;
use crate::embedded::topk::rules::RuleCache;
use crate::embedded::topk::snapshot::EmbeddedSnapshot;
use crate::embedded::topk::static_scores::StaticScoreCache;
use crate::embedded::write::averages::Averages;
use crate::embedded::write::cards::CardFiles;
use crate::embedded::write::checksums;
use crate::embedded::write::generations::Generation;
use crate::embedded::write::merging::Merging;
use crate::embedded::write::payload::{CommitPayload, CommitProgress};
use crate::embedded::write::schema::{SchemaFields, settings, tokenizers};
use crate::embedded::write::seen_terms::SeenTerms;
use crate::{EngineError, IndexSpec};
use parking_lot::{Mutex, RwLock};
use query::{Analyser, CachedAnalyser};
use std::path::PathBuf;
use std::sync::Arc;
use tantivy::{ReloadPolicy, Searcher};

impl<S: Scale> EmbeddedIndex<S> {
    /// Opens the index in `folder`; none when there is none, or it is incomplete, or of another storage or format.
    pub fn open(
        spec: &IndexSpec,
        folder: PathBuf,
        memos: &Arc<MemoBudget>,
    ) -> Result<Option<Self>, EngineError> {
        let exists = folder.join("meta.json").try_exists();
        if !exists.map_err(EngineError::during("find an index"))? {
            return Ok(None);
        }
        let mut index =
            tantivy::Index::open_in_dir(&folder).map_err(EngineError::during("open an index"))?;
        index.register_plugin(Arc::new(CardFiles));
        let metas = index
            .load_metas()
            .map_err(EngineError::during("read the commit of an index"))?;
        let payload = metas
            .payload
            .as_deref()
            .and_then(|text| CommitPayload::of(spec, text));
        let Some(payload) = payload.filter(|_| metas.schema == SchemaFields::new().schema) else {
            return Ok(None);
        };
        checksums::verify(&index, &metas).map_err(EngineError::during("check an index"))?;
        let spec = IndexSpec {
            partial: payload.partial,
            ..spec.clone()
        };
        let (progress, averages) = (payload.progress, payload.averages);
        Self::over(&spec, folder, index, (progress, averages), memos).map(Some)
    }

    /// Creates an empty index in `folder`. One that is built beside another is opened only once it is complete.
    pub fn create(
        spec: &IndexSpec,
        folder: PathBuf,
        building: bool,
        memos: &Arc<MemoBudget>,
    ) -> Result<Self, EngineError> {
        std::fs::create_dir_all(&folder)
            .map_err(EngineError::during("create the folder of an index"))?;
        let index = tantivy::Index::builder()
            .schema(SchemaFields::new().schema)
            .settings(settings())
            .register_plugin(Arc::new(CardFiles))
            .create_in_dir(&folder)
            .map_err(EngineError::during("create an index"))?;
        let progress = CommitProgress {
            building,
            ..CommitProgress::default()
        };
        Self::over(spec, folder, index, (progress, Averages::default()), memos)
    }

    /// Wraps the tantivy index in `folder` and publishes its first snapshot.
    fn over(
        spec: &IndexSpec,
        folder: PathBuf,
        mut index: tantivy::Index,
        (progress, averages): (CommitProgress, Averages),
        memos: &Arc<MemoBudget>,
    ) -> Result<Self, EngineError> {
        index.set_tokenizers(tokenizers());
        let reader = index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .try_into()
            .map_err(EngineError::during("read an index"))?;
        let fields = SchemaFields::new();
        let analyser = Arc::new(Analyser::new(&spec.language));
        let searcher: Searcher = reader.searcher();
        let segments = SegmentView::all(&searcher, &fields, &[])?;
        let generation = Arc::new(Generation::new(folder));
        let texts = TextIndex::new(searcher, segments, averages, &analyser, (memos, None))
            .of(spec.partial, &generation);
        let snapshot = EmbeddedSnapshot {
            texts: Arc::new(texts),
            columns: Columns::default(),
            static_scores: StaticScoreCache::default(),
            rules: RuleCache::new(memos),
            accesses: AccessMemos::new(memos),
        };
        Ok(Self {
            spec: spec.clone(),
            generation,
            fields,
            analysing: Mutex::new((
                CachedAnalyser::new(Arc::clone(&analyser)),
                SeenTerms::default(),
            )),
            analyser,
            index,
            reader,
            progress: Mutex::new(progress),
            writer: Mutex::new(None),
            merging: Merging::default(),
            memos: Arc::clone(memos),
            published: RwLock::new(Arc::new(snapshot)),
        })
    }
}
