//! What the rules of a question do together (contract section 6), and what becomes of each of them.

use domain::rule::{Actions, Banner, BoostEntry, Rule, RuleStatus};
use domain::search::{FilterChoice, FilterField};
use domain::{RuleId, Timestamp};
use std::collections::HashMap;
use std::sync::Arc;

/// What all rules of a question do.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Effects {
    /// Every rule whose trigger the question meets, in the order in which they apply, with what became of it.
    pub outcomes: Vec<RuleOutcome>,
    /// Every product that a rule pins, in the order of their positions.
    pub pins: Vec<RulePin>,
    /// Products that rules hide, each once.
    pub hidden: Vec<String>,
    /// Where the shopper is sent.
    pub redirect: Option<RuleRedirect>,
    /// Pictures, in order.
    pub banners: Vec<RuleBanner>,
    boosts: Vec<BoostRule>,
    filters: Vec<FilterChoice>,
}

/// What became of a rule whose trigger a question meets.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleOutcome {
    /// The rule.
    pub rule: Arc<Rule>,
    /// Whether it does anything, and if not, why.
    pub why: Why,
}

/// Whether a rule does anything. Whether the pins of one are shown, only an index knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// It applies.
    Applied,
    /// It is switched off.
    Inactive,
    /// Its window begins then.
    Scheduled(Timestamp),
    /// Its window ended then.
    Expired(Timestamp),
    /// A rule that comes before it does the one thing that can be done.
    Beaten(RuleId),
}

/// A product that a rule wants on one of the first positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulePin {
    /// The product.
    pub product: String,
    /// The rule.
    pub rule: RuleId,
    /// What other rules say to that.
    pub fate: PinFate,
}

/// What other rules say to a pin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PinFate {
    /// Nothing.
    Wanted,
    /// This one hides the product.
    HiddenBy(RuleId),
    /// This one, which comes first, pins it already.
    PinnedBy(RuleId),
}

/// Where a rule sends the shopper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleRedirect {
    /// The rule.
    pub rule: RuleId,
    /// The address.
    pub url: String,
}

/// A picture of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleBanner {
    /// The rule.
    pub rule: RuleId,
    /// The picture.
    pub banner: Banner,
}

/// A rule that multiplies scores.
#[derive(Clone, Debug, PartialEq)]
pub struct BoostRule {
    /// The rule.
    pub rule: RuleId,
    /// What it multiplies with, all together.
    pub entries: Arc<[BoostEntry]>,
}

/// What rules change of a plan.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlanRules {
    /// Products that are not found.
    pub hidden: Vec<String>,
    /// What a product must meet to be found.
    pub filters: Vec<FilterChoice>,
    /// What multiplies scores.
    pub boosts: Vec<BoostRule>,
    /// Products that come before all others, in order, where they may be shown at all.
    pub pins: Vec<String>,
}

impl Effects {
    /// The effects at `now` of `triggered`, which stand in the order in which rules apply.
    pub(super) fn of<'a>(
        triggered: impl IntoIterator<Item = &'a Arc<Rule>>,
        now: Timestamp,
    ) -> Self {
        let mut effects = Self::default();
        for rule in triggered {
            let content = &rule.content;
            let why = match content.status(now) {
                RuleStatus::Inactive => Why::Inactive,
                RuleStatus::Scheduled => Why::Scheduled(content.start_date.unwrap_or(now)),
                RuleStatus::Expired => Why::Expired(content.end_date.unwrap_or(now)),
                RuleStatus::Active => effects.apply(rule),
            };
            effects.outcomes.push(RuleOutcome {
                rule: Arc::clone(rule),
                why,
            });
        }
        effects.settle_pins();
        effects
    }

    fn apply(&mut self, rule: &Rule) -> Why {
        let id = || rule.id.clone();
        match &rule.content.actions {
            Actions::Boost(entries) => self.boosts.push(BoostRule {
                rule: id(),
                entries: entries.as_slice().into(),
            }),
            Actions::Pin(products) => self.pins.extend(products.iter().map(|product| RulePin {
                product: product.clone(),
                rule: id(),
                fate: PinFate::Wanted,
            })),
            Actions::Hide(products) => {
                for product in products {
                    if !self.hidden.contains(product) {
                        self.hidden.push(product.clone());
                    }
                }
            }
            Actions::Redirect(url) => {
                if let Some(first) = &self.redirect {
                    return Why::Beaten(first.rule.clone());
                }
                self.redirect = Some(RuleRedirect {
                    rule: id(),
                    url: url.clone(),
                });
            }
            Actions::Banner(banner) => self.banners.push(RuleBanner {
                rule: id(),
                banner: banner.clone(),
            }),
            Actions::Filter(fields) => {
                // What was saved was checked; a field that is none any more restricts nothing.
                let choices = fields.iter().filter_map(|(name, value)| {
                    FilterChoice::new(FilterField::parse(name)?, value.clone()).ok()
                });
                self.filters.extend(choices);
            }
        }
        Why::Applied
    }

    /// Decides what hidden and repeated products make of the pins.
    fn settle_pins(&mut self) {
        let mut hiding: HashMap<&str, &RuleId> = HashMap::new();
        for outcome in self.outcomes.iter().filter(|o| o.why == Why::Applied) {
            if let Actions::Hide(products) = &outcome.rule.content.actions {
                for product in products {
                    hiding.entry(product).or_insert(&outcome.rule.id);
                }
            }
        }
        let mut pinned: HashMap<String, RuleId> = HashMap::new();
        for pin in &mut self.pins {
            pin.fate = match (hiding.get(pin.product.as_str()), pinned.get(&pin.product)) {
                (Some(rule), _) => PinFate::HiddenBy(RuleId::clone(rule)),
                (None, Some(rule)) => PinFate::PinnedBy(rule.clone()),
                (None, None) => {
                    pinned.insert(pin.product.clone(), pin.rule.clone());
                    PinFate::Wanted
                }
            };
        }
    }

    /// The pins that no other rule speaks against, in the order of their positions.
    pub fn wanted_pins(&self) -> impl Iterator<Item = &RulePin> {
        self.pins.iter().filter(|pin| pin.fate == PinFate::Wanted)
    }

    /// What the rules change of the plan of a search; without pins where another order than relevance is wanted.
    pub fn plan(&self, by_relevance: bool) -> PlanRules {
        let pins = self.wanted_pins().filter(|_| by_relevance);
        PlanRules {
            hidden: self.hidden.clone(),
            filters: self.filters.clone(),
            boosts: self.boosts.clone(),
            pins: pins.map(|pin| pin.product.clone()).collect(),
        }
    }
}
