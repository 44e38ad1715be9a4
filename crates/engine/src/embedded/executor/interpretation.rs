//! How a question is read: as words, as a code of the index, or as a list of them (contract section 4).

use super::super::segment::SegmentView;
use super::super::snapshot::TextIndex;
use super::codes::{code_typos, exact};
use super::substrings::part_holders;
use super::visible::Visible;
use crate::EngineError;
use crate::columns::View;
use domain::relevance::ReferenceMode;
use domain::relevance::field::FieldId;
use query::Plan;
use query::plan::PlanCode;
use query::scoring::CODE_TYPO_LETTERS_MIN;
use std::borrow::Cow;

/// Codes of the index that a list has at least.
const LISTED_CODES_MIN: usize = 2;

/// What comes before the score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeOrder {
    /// Nothing.
    None,
    /// The tiers of a code; with `only`, nothing else is found.
    Tiers { only: bool },
    /// The order of the listed codes; nothing else is found.
    List,
}

/// A question as it is read.
pub struct QueryInterpretation<'a> {
    /// The plan to execute.
    pub plan: Cow<'a, Plan>,
    /// Whether the whole question is a code; known only where that makes a difference.
    pub is_code: bool,
    /// What comes before the score.
    pub order: CodeOrder,
}

impl<'a> QueryInterpretation<'a> {
    /// Reads the question of `plan` by what the visitor of `view` may see; `explained` asks in any case whether it is a
    /// code.
    pub fn of(
        texts: &TextIndex,
        plan: &'a Plan,
        view: &View<'_>,
        explained: bool,
    ) -> Result<Self, EngineError> {
        let segments = (texts.segments.as_slice(), view);
        let list = match plan.list.as_deref() {
            Some(list) if lists_codes(segments, list)? => Some(list),
            _ => None,
        };
        let off = plan.reference_mode == ReferenceMode::Off;
        let asked = explained || !off || list.is_some();
        let is_code = asked && is_code(segments, plan)?;
        let (plan, order) = match list {
            Some(list) if !is_code => (Cow::Borrowed(list), CodeOrder::List),
            _ if is_code && !off => (Cow::Owned(with_parts(plan)), tiers(plan)),
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

/// The plan in which the whole question is looked for inside codes too.
fn with_parts(plan: &Plan) -> Plan {
    let mut plan = plan.clone();
    for code in plan.codes.iter_mut().filter(|code| code.whole) {
        code.part = code.may_be_part();
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

/// Whether enough parts of a list are whole codes of the index.
fn lists_codes(segments: Segments<'_>, list: &Plan) -> Result<bool, EngineError> {
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

/// Whether the whole question equals, starts, is a part of or is one typo away from a code of any field.
fn is_code(segments: Segments<'_>, plan: &Plan) -> Result<bool, EngineError> {
    let whole = plan.codes.iter().find(|code| code.whole);
    let Some(code) = whole.filter(|code| plan.code_shaped && code.may_be_part()) else {
        return Ok(false);
    };
    if is_whole_code(segments, code)? {
        return Ok(true);
    }
    let long = query::analysis::codes::letters(&code.spelled) >= CODE_TYPO_LETTERS_MIN;
    for (segment, visible) in each(segments) {
        let holders = part_holders(segment, &code.spelled)?;
        let mut documents = holders
            .iter()
            .flat_map(|of| if long { &of.all } else { &of.starts });
        if documents.any(|document| visible.shows(*document)) {
            return Ok(true);
        }
    }
    for field in FieldId::codes() {
        for near in code_typos(segments.0, plan, code, field)?.0 {
            for ((_, visible), info) in each(segments).zip(&near.places) {
                let list = info.clone().map(|info| (field, info));
                if visible.shows_code(list.as_slice())? {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}
