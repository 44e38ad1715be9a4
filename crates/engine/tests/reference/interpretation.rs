//! How the reference interprets a query: as words, as a code of the catalogue, or as a list of codes.

use super::catalogue::{Catalogue, Page};
use super::meaning::{Spelling, has_anywhere, is_near};
use super::shopper::may_see;
use domain::relevance::ReferenceMode;
use domain::relevance::field::FieldId;
use domain::visitor::Visitor;
use query::Plan;
use query::plan::PlanCode;

/// The sort key before the score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Order {
    Score,
    /// The tiers of a code; with `only`, documents without a tier do not match.
    Tiers {
        only: bool,
    },
    /// The order of the listed codes; documents without one of them do not match.
    List,
}

/// An interpreted query.
pub struct Interpreted {
    pub plan: Plan,
    pub order: Order,
    pub is_code: bool,
}

/// Interprets the query of `plan` by the documents that `visitor` may see.
pub fn interpret(catalogue: &Catalogue, plan: &Plan, visitor: &Visitor) -> Interpreted {
    let is_code = is_code(catalogue, plan, visitor);
    let mut interpreted = Interpreted {
        plan: plan.clone(),
        order: Order::Score,
        is_code,
    };
    if is_code && plan.reference_mode != ReferenceMode::Off {
        let only = plan.reference_mode == ReferenceMode::Strict;
        interpreted.order = Order::Tiers { only };
        for code in interpreted.plan.codes.iter_mut().filter(|code| code.whole) {
            code.substring = true;
        }
    } else if let Some(list) = plan.list.as_ref().filter(|_| !is_code) {
        let known = list
            .codes
            .iter()
            .filter(|code| exists(catalogue, code, visitor));
        if known.count() >= 2 {
            interpreted.plan = Plan::clone(list);
            interpreted.order = Order::List;
        }
    }
    interpreted
}

fn exists(catalogue: &Catalogue, code: &PlanCode, visitor: &Visitor) -> bool {
    let mut pages = seen(catalogue, visitor);
    pages.any(|page| has_anywhere(page, code))
}

/// The documents that `visitor` may see.
pub fn seen<'a>(
    catalogue: &'a Catalogue<'_>,
    visitor: &'a Visitor,
) -> impl Iterator<Item = &'a Page> {
    let pages = catalogue.pages.iter();
    pages.filter(|page| may_see(&page.document, visitor))
}

fn is_code(catalogue: &Catalogue, plan: &Plan, visitor: &Visitor) -> bool {
    let mut whole = plan.codes.iter().filter(|code| code.whole);
    plan.code_shaped && whole.any(|code| is_one(catalogue, plan, code, visitor))
}

fn is_one(catalogue: &Catalogue, plan: &Plan, code: &PlanCode, visitor: &Visitor) -> bool {
    let part = Spelling::of(&code.spelling);
    let length = part.letters.chars().count();
    let any = |holds: &dyn Fn(FieldId, &str) -> bool| {
        let mut codes = FieldId::codes()
            .flat_map(|field| seen(catalogue, visitor).map(move |page| (field, page)))
            .flat_map(|(field, page)| page.codes(field).map(move |code| (field, code)));
        codes.any(|(field, other)| holds(field, other))
    };
    let near = |field: FieldId, other: &str| {
        let mut forms = code.tolerant_forms(field);
        forms.any(|form| is_near(other, form, plan))
    };
    length >= 3 && (exists(catalogue, code, visitor) || any(&|_, other| part.starts(other)))
        || length >= 5 && (any(&|_, other| part.is_part_of(other)) || any(&near))
}
