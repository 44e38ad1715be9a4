//! How the reference reads a question: as words, as a code of the catalogue, or as a list of them.

use super::catalogue::{Catalogue, Page};
use super::meaning::{Spelling, has_anywhere, is_near};
use super::shopper::may_see;
use domain::relevance::ReferenceMode;
use domain::relevance::field::FieldId;
use domain::visitor::Visitor;
use query::Plan;
use query::plan::PlanCode;

/// What comes before the score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Order {
    Score,
    /// The tiers of a code; with `only`, nothing else is found.
    Tiers {
        only: bool,
    },
    /// The order of the listed codes; nothing else is found.
    List,
}

/// A question as it is read.
pub struct Reading {
    pub plan: Plan,
    pub order: Order,
    pub is_code: bool,
}

/// Reads the question of `plan` by what `visitor` may see.
pub fn read(catalogue: &Catalogue, plan: &Plan, visitor: &Visitor) -> Reading {
    let is_code = is_code(catalogue, plan, visitor);
    let mut read = Reading {
        plan: plan.clone(),
        order: Order::Score,
        is_code,
    };
    if is_code && plan.reference_mode != ReferenceMode::Off {
        let only = plan.reference_mode == ReferenceMode::Strict;
        read.order = Order::Tiers { only };
        for code in read.plan.codes.iter_mut().filter(|code| code.whole) {
            code.part = true;
        }
    } else if let Some(list) = plan.list.as_ref().filter(|_| !is_code) {
        let known = list
            .codes
            .iter()
            .filter(|code| exists(catalogue, code, visitor));
        if known.count() >= 2 {
            read.plan = Plan::clone(list);
            read.order = Order::List;
        }
    }
    read
}

fn exists(catalogue: &Catalogue, code: &PlanCode, visitor: &Visitor) -> bool {
    let mut pages = seen(catalogue, visitor);
    pages.any(|page| has_anywhere(page, code))
}

/// The documents that a visitor may see.
pub fn seen<'a>(
    catalogue: &'a Catalogue<'_>,
    visitor: &'a Visitor,
) -> impl Iterator<Item = &'a Page> {
    let pages = catalogue.pages.iter();
    pages.filter(|page| may_see(&page.document, visitor))
}

fn is_code(catalogue: &Catalogue, plan: &Plan, visitor: &Visitor) -> bool {
    let mut whole = plan.codes.iter().filter(|code| code.whole);
    let Some(code) = whole.next().filter(|_| plan.code_shaped) else {
        return false;
    };
    let part = Spelling::of(&code.spelled);
    let letters = part.letters.chars().count();
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
    letters >= 3 && (exists(catalogue, code, visitor) || any(&|_, other| part.starts(other)))
        || letters >= 5 && (any(&|_, other| part.is_part_of(other)) || any(&near))
}
