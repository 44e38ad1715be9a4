//! How a query is interpreted: as words, as a code of the index, or as a list of codes (`docs/relevance.md`).

use super::code_order::CodeOrder;
use crate::analysis::codes::characters;
use crate::breakdown::Tier;
use crate::plan::{Plan, PlanCode};
use crate::scoring::CODE_TYPO_CHARACTERS_MIN;
use domain::relevance::ReferenceMode;
use std::borrow::Cow;

/// A list has at least so many codes of the index.
const LISTED_CODES_MIN: usize = 2;

/// The codes of an index that a visitor may see, of any field, searched or not.
pub trait VisibleCodes {
    /// The error of an index that cannot be read.
    type Error;

    /// Returns how many of `codes` a visible document has; counting may stop at `enough`.
    ///
    /// Errors: when the index cannot be read.
    fn count_visible(&mut self, codes: &[PlanCode], enough: usize) -> Result<usize, Self::Error>;

    /// Whether a visible document matches `code`, one of `plan`, in any of `tiers`. Of the codes at edit distance 1, those
    /// in a field count that [`super::lookups::keep_nearest`] keeps, visible or not.
    ///
    /// Errors: when the index cannot be read.
    fn matches(
        &mut self,
        plan: &Plan,
        code: &PlanCode,
        tiers: &[Tier],
    ) -> Result<bool, Self::Error>;
}

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
    /// Interprets the query of `plan` by what the visitor may see. With `explain`, `is_code` is always determined.
    ///
    /// Errors: those of `codes`.
    pub fn of<V: VisibleCodes + ?Sized>(
        plan: &'a Plan,
        codes: &mut V,
        explain: bool,
    ) -> Result<Self, V::Error> {
        let list = match plan.list.as_deref() {
            Some(list)
                if codes.count_visible(&list.codes, LISTED_CODES_MIN)? >= LISTED_CODES_MIN =>
            {
                Some(list)
            }
            _ => None,
        };
        let off = plan.reference_mode == ReferenceMode::Off;
        let needed = explain || !off || list.is_some();
        let is_code = needed && is_code(plan, codes)?;
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

/// Whether the whole query equals, starts, is a substring of or is one typo away from a code of any field.
fn is_code<V: VisibleCodes + ?Sized>(plan: &Plan, codes: &mut V) -> Result<bool, V::Error> {
    let whole = plan.codes.iter().filter(|code| code.whole);
    for code in whole.filter(|code| plan.code_shaped && code.may_be_substring()) {
        // A short code occurs in many others by chance.
        let substring = match characters(&code.spelling) >= CODE_TYPO_CHARACTERS_MIN {
            true => Tier::Contains,
            false => Tier::Starts,
        };
        if codes.matches(plan, code, &[Tier::Exact, substring, Tier::Typo])? {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    //! 1. Nothing is looked up where it makes no difference.
    //! 2. A list needs two codes that are known, and a code comes before a list.
    //! 3. A code orders hits in the reference modes, and may then be a substring.
    //! 4. A short code is no substring in the middle of others.

    use super::*;
    use crate::{Analyser, UserQuery};
    use domain::Language;
    use domain::document::DocType;
    use domain::relevance::Relevance;
    use std::convert::Infallible;

    /// Codes that a visitor sees, with what was looked up.
    #[derive(Default)]
    struct FakeCodes {
        known: usize,
        is_code: bool,
        looked_up: Vec<String>,
    }

    impl VisibleCodes for FakeCodes {
        type Error = Infallible;

        fn count_visible(
            &mut self,
            codes: &[PlanCode],
            enough: usize,
        ) -> Result<usize, Infallible> {
            self.looked_up
                .push(format!("{} of {}", enough, codes.len()));
            Ok(self.known)
        }

        fn matches(
            &mut self,
            _: &Plan,
            code: &PlanCode,
            tiers: &[Tier],
        ) -> Result<bool, Infallible> {
            self.looked_up.push(format!("{} {tiers:?}", code.spelling));
            Ok(self.is_code)
        }
    }

    fn plan(text: &str, mode: ReferenceMode) -> Plan {
        let mut relevance = Relevance::default();
        relevance.search_settings.reference_mode = mode;
        let analyser = Analyser::new(&Language::parse("en").expect("a language"));
        let query = UserQuery::new(text, &analyser, &relevance.search_settings);
        Plan::new(&query, &relevance, DocType::Products)
    }

    fn interpret<'a>(
        plan: &'a Plan,
        codes: &mut FakeCodes,
        explain: bool,
    ) -> QueryInterpretation<'a> {
        let Ok(interpretation) = QueryInterpretation::of(plan, codes, explain);
        interpretation
    }

    #[test]
    fn nothing_is_looked_up_where_it_makes_no_difference() {
        let mut codes = FakeCodes::default();
        let off = plan("kt1200", ReferenceMode::Off);
        let words = plan("blue camera", ReferenceMode::Priority);
        assert!(!interpret(&off, &mut codes, false).is_code);
        assert!(!interpret(&words, &mut codes, true).is_code);
        assert_eq!(codes.looked_up, [""; 0]);
        interpret(&off, &mut codes, true);
        assert_eq!(codes.looked_up.len(), 1);
    }

    #[test]
    fn a_code_orders_hits_in_the_reference_modes() {
        let orders = [
            (ReferenceMode::Off, CodeOrder::None),
            (ReferenceMode::Priority, CodeOrder::Tiers { only: false }),
            (ReferenceMode::Strict, CodeOrder::Tiers { only: true }),
        ];
        for (mode, order) in orders {
            let plan = plan("kt1200", mode);
            for is_code in [false, true] {
                let mut codes = FakeCodes {
                    is_code,
                    ..FakeCodes::default()
                };
                let found = interpret(&plan, &mut codes, true);
                assert_eq!(found.is_code, is_code);
                let ordered = if is_code { order } else { CodeOrder::None };
                assert_eq!(found.order, ordered);
                let substrings = found.plan.codes.iter().all(|code| code.substring);
                assert!(substrings || ordered == CodeOrder::None);
            }
        }
    }

    #[test]
    fn a_short_code_is_no_substring_in_the_middle_of_others() {
        let mut codes = FakeCodes::default();
        interpret(&plan("kt12", ReferenceMode::Priority), &mut codes, false);
        interpret(&plan("kt1200", ReferenceMode::Priority), &mut codes, false);
        let expected = [
            "kt12 [Exact, Starts, Typo]",
            "kt1200 [Exact, Contains, Typo]",
        ];
        assert_eq!(codes.looked_up, expected);
    }

    #[test]
    fn a_list_needs_two_known_codes_and_is_no_code() {
        let listed = plan("kt1200, kt1300, kt1400", ReferenceMode::Off);
        assert!(listed.list.is_some());
        for (known, is_code, is_list) in [(1, false, false), (2, false, true), (2, true, false)] {
            let mut codes = FakeCodes {
                known,
                is_code,
                ..FakeCodes::default()
            };
            let found = interpret(&listed, &mut codes, false);
            assert_eq!(codes.looked_up[0], "2 of 3");
            assert_eq!(found.order == CodeOrder::List, is_list);
            assert_eq!(found.plan.listed, is_list);
        }
    }
}
