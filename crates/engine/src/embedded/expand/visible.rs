//! What of a segment the visitor may see: only live documents that are open to the visitor.

use crate::EngineError;
use crate::columns::View;
use crate::embedded::postings::cursor::Cursor;
use crate::embedded::postings::posting_sources::open;
use crate::embedded::postings::segment::SegmentView;

use domain::relevance::field::FieldId;
use tantivy::DocId;
use tantivy::postings::TermInfo;

/// A segment as the visitor sees it.
#[derive(Clone, Copy)]
pub struct Visible<'a> {
    segment: &'a SegmentView,
    view: &'a View<'a>,
}

impl<'a> Visible<'a> {
    pub fn new(segment: &'a SegmentView, view: &'a View<'a>) -> Self {
        Self { segment, view }
    }

    /// Whether a document exists and the visitor may see it.
    pub fn shows(self, document: DocId) -> bool {
        let restricted = self.view.is_restricted();
        let seen = || self.view.see(self.segment.ordinal(document)).is_some();
        self.segment.is_alive(document) && (!restricted || seen())
    }

    /// Whether the visitor may see any document of a list; stops reading at the first one.
    pub fn shows_any(self, list: &mut Cursor) -> bool {
        list.any(|document| self.shows(document))
    }

    /// Whether the visitor may see any document in one of the lists of a code.
    pub fn shows_code(self, lists: &[(FieldId, TermInfo)]) -> Result<bool, EngineError> {
        for (field, info) in lists {
            if let Some(reader) = self.segment.terms(*field)
                && self.shows_any(&mut open(reader, info)?)
            {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
