//! The combined effects of the rules that a query triggers, and the outcome of each rule (`docs/api.md`).

use super::TriggeredRule;
use domain::rule::{Actions, Banner, BoostEntry, Rule, RuleStatus};
use domain::search::{FilterChoice, FilterField};
use domain::{RuleId, Timestamp, TriggerAlternative};
use std::collections::HashMap;
use std::sync::Arc;

/// The combined effects of the rules that a query triggers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Effects {
    /// Every triggered rule with its outcome, in order of precedence.
    pub outcomes: Vec<RuleOutcome>,
    /// Every product that a rule pins, by position.
    pub pins: Vec<RulePin>,
    /// Products that rules hide, without duplicates.
    pub hidden: Vec<String>,
    /// The redirect, if any.
    pub redirect: Option<RuleRedirect>,
    /// The banners, in order of precedence.
    pub banners: Vec<RuleBanner>,
    boosts: Vec<BoostRule>,
    filters: Vec<FilterChoice>,
}

/// The outcome of a triggered rule.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleOutcome {
    /// The rule.
    pub rule: Arc<Rule>,
    /// The alternative by which its trigger matches; none if it matches as it is.
    pub alternative: Option<TriggerAlternative>,
    /// Whether it applies, and if not, why.
    pub why: Why,
}

impl RuleOutcome {
    /// Returns whether the rule applies.
    pub fn is_applied(&self) -> bool {
        self.why == Why::Applied
    }
}

/// Whether a rule applies. Only the index knows whether its pins are shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// It applies.
    Applied,
    /// It is not active.
    Inactive,
    /// Its time window starts at this instant.
    Scheduled(Timestamp),
    /// Its time window ended at this instant.
    Expired(Timestamp),
    /// A rule with precedence already does what only one rule can do.
    Beaten(RuleId),
}

/// A product that a rule pins to one of the first positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulePin {
    /// Id of the product.
    pub product: String,
    /// The rule.
    pub rule: RuleId,
    /// The effect of other rules on the pin.
    pub fate: PinFate,
}

/// The effect of other rules on a pin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PinFate {
    /// None: the pin is kept.
    Wanted,
    /// This rule hides the product.
    HiddenBy(RuleId),
    /// This rule has precedence and pins the product already.
    PinnedBy(RuleId),
}

/// A redirect of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleRedirect {
    /// The rule.
    pub rule: RuleId,
    /// The target.
    pub url: String,
}

/// A banner of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleBanner {
    /// The rule.
    pub rule: RuleId,
    /// The banner.
    pub banner: Banner,
}

/// A rule that boosts products.
#[derive(Clone, Debug, PartialEq)]
pub struct BoostRule {
    /// The rule.
    pub rule: RuleId,
    /// The entries, whose multipliers are multiplied.
    pub entries: Arc<[BoostEntry]>,
}

/// The part of a plan that comes from rules.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlanRules {
    /// Products that never match.
    pub hidden: Vec<String>,
    /// Filters that a product must match.
    pub filters: Vec<FilterChoice>,
    /// Boosts of products.
    pub boosts: Vec<BoostRule>,
    /// Products to put first, in order, where they are visible.
    pub pins: Vec<String>,
}

impl Effects {
    /// The effects at `now` of `triggered`, which are in order of precedence.
    pub(super) fn of<'a>(
        triggered: impl IntoIterator<Item = TriggeredRule<'a>>,
        now: Timestamp,
    ) -> Self {
        let mut effects = Self::default();
        for TriggeredRule { rule, alternative } in triggered {
            let content = &rule.content;
            let why = match content.status(now) {
                RuleStatus::Inactive => Why::Inactive,
                RuleStatus::Scheduled => Why::Scheduled(content.start_date.unwrap_or(now)),
                RuleStatus::Expired => Why::Expired(content.end_date.unwrap_or(now)),
                RuleStatus::Active => effects.apply(rule),
            };
            effects.outcomes.push(RuleOutcome {
                rule: Arc::clone(rule),
                alternative,
                why,
            });
        }
        effects.resolve_pins();
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
                for product in products.iter() {
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
                    url: url.to_string(),
                });
            }
            Actions::Banner(banner) => self.banners.push(RuleBanner {
                rule: id(),
                banner: banner.clone(),
            }),
            Actions::Filter(fields) => {
                // Filters are validated when saved; a field that no longer exists restricts nothing.
                let choices = fields.iter().filter_map(|(name, value)| {
                    FilterChoice::new(FilterField::parse(name)?, value.clone()).ok()
                });
                self.filters.extend(choices);
            }
        }
        Why::Applied
    }

    /// Sets the fate of pins whose product is hidden or pinned twice.
    fn resolve_pins(&mut self) {
        let mut hiding: HashMap<&str, &RuleId> = HashMap::new();
        for outcome in self.outcomes.iter().filter(|o| o.why == Why::Applied) {
            if let Actions::Hide(products) = &outcome.rule.content.actions {
                for product in products.iter() {
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

    /// The pins that no other rule overrides, by position.
    pub fn wanted_pins(&self) -> impl Iterator<Item = &RulePin> {
        self.pins.iter().filter(|pin| pin.fate == PinFate::Wanted)
    }

    /// The rules for the plan of a search; pins apply only to results sorted by relevance.
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
