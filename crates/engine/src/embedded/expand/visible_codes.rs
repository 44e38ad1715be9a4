//! Which codes of the index the visitor may see, by which `query::meaning` interprets a query.

use super::codes::{counted_fuzzy_codes, exact};
use super::substrings::substring_documents_of;
use super::visible::Visible;
use crate::EngineError;
use crate::columns::View;
use crate::embedded::postings::segment::SegmentView;
use domain::relevance::field::FieldId;
use query::Plan;
use query::breakdown::Tier;
use query::meaning::interpretation::VisibleCodes;
use query::plan::PlanCode;

/// The codes in the segments of an index, as a visitor sees them.
pub struct IndexCodes<'a> {
    /// The segments.
    pub segments: &'a [SegmentView],
    /// The view of the visitor.
    pub view: &'a View<'a>,
}

impl<'a> IndexCodes<'a> {
    fn each(&self) -> impl Iterator<Item = (&'a SegmentView, Visible<'a>)> + use<'a> {
        let view = self.view;
        let segments = self.segments.iter();
        segments.map(move |segment| (segment, Visible::new(segment, view)))
    }

    fn shows_code(&self, code: &PlanCode) -> Result<bool, EngineError> {
        for (segment, visible) in self.each() {
            if visible.shows_code(&exact(segment, code)?)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a visible document has a code that contains `code`, or one that starts with it if `at_start`.
    fn shows_substring(&self, code: &PlanCode, at_start: bool) -> Result<bool, EngineError> {
        for (segment, visible) in self.each() {
            let matches = substring_documents_of(segment, &code.spelling)?;
            let mut documents = matches
                .iter()
                .flat_map(|of| if at_start { &of.starts } else { &of.all });
            if documents.any(|document| visible.shows(*document)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn shows_fuzzy(&self, plan: &Plan, code: &PlanCode) -> Result<bool, EngineError> {
        for field in FieldId::codes() {
            for fuzzy in counted_fuzzy_codes(self.segments, plan, code, field)? {
                for ((_, visible), info) in self.each().zip(&fuzzy.postings) {
                    let list = info.clone().map(|info| (field, info));
                    if visible.shows_code(list.as_slice())? {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }
}

impl VisibleCodes for IndexCodes<'_> {
    type Error = EngineError;

    fn count_visible(&mut self, codes: &[PlanCode], enough: usize) -> Result<usize, EngineError> {
        let mut known = 0;
        for code in codes {
            known += usize::from(self.shows_code(code)?);
            if known == enough {
                break;
            }
        }
        Ok(known)
    }

    fn matches(
        &mut self,
        plan: &Plan,
        code: &PlanCode,
        tiers: &[Tier],
    ) -> Result<bool, EngineError> {
        for tier in tiers {
            let shows = match tier {
                Tier::Exact => self.shows_code(code)?,
                Tier::Starts => self.shows_substring(code, true)?,
                Tier::Contains => self.shows_substring(code, false)?,
                Tier::Typo => self.shows_fuzzy(plan, code)?,
            };
            if shows {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
