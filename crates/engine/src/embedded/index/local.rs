//! The life cycle of an index on disk: loading, partial batches, average lengths and the idle state.

use super::{EmbeddedIndex, commit_with};
use crate::embedded::postings::norms::average_lengths;
use crate::embedded::scale::Scale;
use crate::embedded::write::merging::Ahead;
use crate::embedded::write::seen_terms::SeenTerms;
use crate::{Batch, BatchOutcome, DocumentChange, EngineError, LocalIndex};
use query::CachedAnalyser;
use std::sync::Arc;

impl<S: Scale> LocalIndex for EmbeddedIndex<S> {
    fn settled(&self) -> i64 {
        self.progress.lock().settled
    }

    fn load(&self, documents: Vec<DocumentChange>) -> Result<(), EngineError> {
        self.publish_numbers(&documents);
        Ok(())
    }

    fn apply_part(&self, batch: Batch) -> Result<BatchOutcome, EngineError> {
        self.apply_batch(batch, false)?;
        Ok(BatchOutcome::default())
    }

    fn freeze_averages(&self, moved_by: f64) -> Result<(), EngineError> {
        let current = self.current();
        let averages = average_lengths(&current.texts.segments);
        if !current.texts.averages.moved(&averages, moved_by) {
            return Ok(());
        }
        let payload = self.payload(*self.progress.lock(), &averages)?;
        self.with_writer(|writer| commit_with(writer, &payload))?;
        self.publish_texts(self.texts_on_disk(Some(averages))?);
        Ok(())
    }

    fn go_idle(&self) -> Result<bool, EngineError> {
        if self.merge(Ahead::Idle)? {
            return Ok(false);
        }
        self.release();
        self.publish_texts(self.texts_on_disk(None)?);
        Ok(true)
    }

    fn release(&self) {
        self.merging.finish();
        self.writer.lock().take();
        let analyser = CachedAnalyser::new(Arc::clone(&self.analyser));
        *self.analysing.lock() = (analyser, SeenTerms::default());
    }
}
