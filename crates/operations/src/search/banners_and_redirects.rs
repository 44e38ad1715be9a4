//! What rules show beside the results: where they send the shopper, and pictures.

use domain::RuleId;
use domain::rule::Banner;
use query::rules::Effects;
use schemars::JsonSchema;
use serde::Serialize;

/// Where a rule sends the shopper.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RedirectView {
    /// The rule.
    pub rule_id: RuleId,
    /// An http or https address, or a path of the shop.
    pub url: String,
}

/// A picture that a rule shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BannerView {
    /// The rule.
    pub rule_id: RuleId,
    /// The picture.
    #[serde(flatten)]
    pub banner: Banner,
}

impl RedirectView {
    /// That of the first rule that redirects.
    pub(crate) fn of(effects: &Effects) -> Option<Self> {
        let redirect = effects.redirect.as_ref();
        redirect.map(|redirect| Self {
            rule_id: redirect.rule.clone(),
            url: redirect.url.clone(),
        })
    }
}

impl BannerView {
    /// Those of all rules, in their order.
    pub(crate) fn all(effects: &Effects) -> Vec<Self> {
        let banners = effects.banners.iter().map(|banner| Self {
            rule_id: banner.rule.clone(),
            banner: banner.banner.clone(),
        });
        banners.collect()
    }
}
