//! Redirects and banners of rules.

use domain::RuleId;
use domain::rule::Banner;
use query::rules::Effects;
use schemars::JsonSchema;
use serde::Serialize;

/// Redirect of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RedirectView {
    /// The rule.
    pub rule_id: RuleId,
    /// An http or https URL, or a path of the shop.
    pub url: String,
}

/// Banner of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BannerView {
    /// The rule.
    pub rule_id: RuleId,
    /// The banner.
    #[serde(flatten)]
    pub banner: Banner,
}

impl RedirectView {
    /// Returns the redirect of the first rule that has one.
    pub(crate) fn of(effects: &Effects) -> Option<Self> {
        let redirect = effects.redirect.as_ref();
        redirect.map(|redirect| Self {
            rule_id: redirect.rule.clone(),
            url: redirect.url.clone(),
        })
    }
}

impl BannerView {
    /// Returns the banners of all rules, in their order.
    pub(crate) fn all(effects: &Effects) -> Vec<Self> {
        let banners = effects.banners.iter().map(|banner| Self {
            rule_id: banner.rule.clone(),
            banner: banner.banner.clone(),
        });
        banners.collect()
    }
}
