//! How a query is interpreted: as words, as a code of the index, or as a list of codes (`docs/relevance.md`).

use super::codes::{counted_fuzzy_codes, exact};
use super::substrings::substring_documents_of;
use super::visible::Visible;
use crate::EngineError;
use crate::columns::View;
use crate::embedded::postings::segment::SegmentView;
use crate::embedded::postings::text_index::TextIndex;
use domain::relevance::ReferenceMode;
use domain::relevance::field::FieldId;
use query::Plan;
use query::meaning::code_order::CodeOrder;
use query::plan::PlanCode;
use query::scoring::CODE_TYPO_CHARACTERS_MIN;
use std::borrow::Cow;

/// A list has at least so many codes of the index.
const LISTED_CODES_MIN: usize = 2;

/// A query as it is interpreted.
pub struct QueryInterpretation<'a> {
    /// The plan to execute.
    pub plan: Cow<'a, Plan>,
    /// Whether the whole query is a code; only determined if it makes a difference.
    pub is_code: bool,
    /// What comes before the score in the order of hits.
    pub order: CodeOrder,
}

impl<'a> QueryInterpretation<'a> {
    /// Interprets the query of `plan` by what the visitor of `view` may see. With `explain`, `is_code` is always
    /// determined.
    pub fn of(
        texts: &TextIndex,
        plan: &'a Plan,
        view: &View<'_>,
        explain: bool,
    ) -> Result<Self, EngineError> {
        let segments = (texts.segments.as_slice(), view);
        let list = match plan.list.as_deref() {
            Some(list) if is_code_list(segments, list)? => Some(list),
            _ => None,
        };
        let off = plan.reference_mode == ReferenceMode::Off;
        let needed = explain || !off || list.is_some();
        let is_code = needed && is_code(segments, plan)?;
        let (plan, order) = match list {
            Some(list) if !is_code => (Cow::Borrowed(list), CodeOrder::List),
            _ if is_code && !off => (Cow::Owned(with_substrings(plan)), tiers(plan)),
            _ => (Cow::Borrowed(plan), CodeOrder::None),
        };
        Ok(Self {
            plan,
            is_code,
            order,
        })
    }
}

fn tiers(plan: &Plan) -> CodeOrder {
    CodeOrder::Tiers {
        only: plan.reference_mode == ReferenceMode::Strict,
    }
}

/// Returns the plan in which the whole query may also be a substring of codes.
fn with_substrings(plan: &Plan) -> Plan {
    let mut plan = plan.clone();
    for code in plan.codes.iter_mut().filter(|code| code.whole) {
        code.substring = code.may_be_substring();
    }
    plan
}

/// The segments of an index as a visitor sees them.
type Segments<'a> = (&'a [SegmentView], &'a View<'a>);

fn each<'a>(
    (segments, view): Segments<'a>,
) -> impl Iterator<Item = (&'a SegmentView, Visible<'a>)> {
    (segments.iter()).map(|segment| (segment, Visible::new(segment, view)))
}

/// Whether enough entries of a list are whole codes of the index.
fn is_code_list(segments: Segments<'_>, list: &Plan) -> Result<bool, EngineError> {
    let mut known = 0;
    for code in &list.codes {
        known += usize::from(is_whole_code(segments, code)?);
        if known == LISTED_CODES_MIN {
            return Ok(true);
        }
    }
    Ok(false)
}

fn is_whole_code(segments: Segments<'_>, code: &PlanCode) -> Result<bool, EngineError> {
    for (segment, visible) in each(segments) {
        if visible.shows_code(&exact(segment, code)?)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the whole query equals, starts, is a substring of or is one typo away from a code of any field.
fn is_code(segments: Segments<'_>, plan: &Plan) -> Result<bool, EngineError> {
    let whole = plan.codes.iter().find(|code| code.whole);
    let Some(code) = whole.filter(|code| plan.code_shaped && code.may_be_substring()) else {
        return Ok(false);
    };
    if is_whole_code(segments, code)? {
        return Ok(true);
    }
    let long = query::analysis::codes::characters(&code.spelling) >= CODE_TYPO_CHARACTERS_MIN;
    for (segment, visible) in each(segments) {
        let matches = substring_documents_of(segment, &code.spelling)?;
        let mut documents = matches
            .iter()
            .flat_map(|of| if long { &of.all } else { &of.starts });
        if documents.any(|document| visible.shows(*document)) {
            return Ok(true);
        }
    }
    for field in FieldId::codes() {
        for fuzzy in counted_fuzzy_codes(segments.0, plan, code, field)?.0 {
            for ((_, visible), info) in each(segments).zip(&fuzzy.postings) {
                let list = info.clone().map(|info| (field, info));
                if visible.shows_code(list.as_slice())? {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}
