//! The actions of rules: one key of `actions` for each type.

use super::boost::{BoostEntry, BoostInput};
use super::filters::{self, FilterInput, RuleFilters};
use super::{RuleType, published_schema};
use crate::form::{Address, BannerText, ProductIds};
use crate::invalid::{Invalid, taken};
use crate::limits::{FILTERS_MAX, RULE_BOOSTS_MAX};
use crate::message;
use crate::search::FilterValue;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The checked actions of a rule. In JSON it is an object with the key of its type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Actions {
    /// Multiplies scores.
    Boost(Vec<BoostEntry>),
    /// Ids of products for the first positions, in order.
    Pin(#[schemars(with = "Vec<String>")] ProductIds),
    /// Ids of products to hide.
    Hide(#[schemars(with = "Vec<String>")] ProductIds),
    /// URL that the shopper is redirected to.
    Redirect(#[schemars(with = "String")] Address),
    /// A picture or a text.
    Banner(Banner),
    /// Filters of the results, by field.
    Filter(#[schemars(with = "RuleFilters")] BTreeMap<String, FilterValue>),
}

/// A picture or a text that is shown with the results; it has one of them at least.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Banner {
    /// URL of the picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Address")]
    pub image_url: Option<Address>,
    /// Its text: shown in place of a picture, and the text of a picture for those who do not see it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "BannerText")]
    pub text: Option<BannerText>,
    /// URL that it links to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Address")]
    pub link: Option<Address>,
    /// Its position.
    #[serde(default)]
    pub position: BannerPosition,
}

/// A banner as sent.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(extend("x-published" = published_schema::picture_or_text()))]
pub struct BannerInput {
    /// URL of the picture.
    #[serde(default)]
    #[schemars(with = "Address")]
    pub image_url: Option<String>,
    /// Its text, in place of a picture or beside it.
    #[serde(default)]
    #[schemars(with = "BannerText")]
    pub text: Option<String>,
    /// URL that it links to.
    #[serde(default)]
    #[schemars(with = "Address")]
    pub link: Option<String>,
    /// Its position.
    #[serde(default)]
    pub position: BannerPosition,
}

/// The position of a banner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum BannerPosition {
    /// Above the results.
    #[default]
    Top,
    /// Below the results.
    Bottom,
}

/// `actions` as sent: exactly the key of the rule's type.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ActionsInput {
    /// Of a BOOST rule: the multipliers of scores.
    #[serde(default)]
    #[schemars(with = "Vec<BoostInput>", length(min = 1, max = RULE_BOOSTS_MAX))]
    pub boost: Option<Vec<BoostInput>>,
    /// Of a PIN rule: ids of products for the first positions.
    #[serde(default)]
    #[schemars(with = "ProductIds")]
    pub pin: Option<Vec<String>>,
    /// Of a HIDE rule: ids of products to hide.
    #[serde(default)]
    #[schemars(with = "ProductIds")]
    pub hide: Option<Vec<String>>,
    /// Of a REDIRECT rule: a URL, or a path that starts with one slash.
    #[serde(default)]
    #[schemars(with = "Address")]
    pub redirect: Option<String>,
    /// Of a BANNER rule: a picture, a text or both.
    #[serde(default)]
    #[schemars(with = "BannerInput")]
    pub banner: Option<BannerInput>,
    /// Of a FILTER rule: a value or values by field.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, FilterInput>", extend("minProperties" = 1, "maxProperties" = FILTERS_MAX, "x-published" = filters::published()))]
    pub filter: Option<BTreeMap<String, FilterInput>>,
}

impl BannerInput {
    fn check(self, errors: &mut Vec<Invalid>) -> Option<Banner> {
        let known = errors.len();
        if self.image_url.is_none() && self.text.is_none() {
            let reason = message::rule::picture_or_text();
            errors.push(Invalid::new("actions.banner.imageUrl", reason));
        }
        let image_url = self.image_url.map(Address::parse);
        let image_url = taken("actions.banner.imageUrl", image_url, errors);
        let text = self.text.map(BannerText::parse);
        let text = taken("actions.banner.text", text, errors);
        let link = taken("actions.banner.link", self.link.map(Address::parse), errors);
        let banner = Banner {
            image_url,
            text,
            link,
            position: self.position,
        };
        (errors.len() == known).then_some(banner)
    }
}

impl ActionsInput {
    /// Checks the actions of a rule of type `kind`; returns `None` and adds to `errors` if they are invalid.
    pub(super) fn check(self, kind: RuleType, errors: &mut Vec<Invalid>) -> Option<Actions> {
        self.check_keys(kind, errors);
        match kind {
            RuleType::Boost => boosts(self.boost?, errors).map(Actions::Boost),
            RuleType::Pin => {
                checked(ProductIds::parse("actions.pin", self.pin?), errors).map(Actions::Pin)
            }
            RuleType::Hide => {
                checked(ProductIds::parse("actions.hide", self.hide?), errors).map(Actions::Hide)
            }
            RuleType::Redirect => {
                let address = self.redirect.map(Address::parse);
                taken("actions.redirect", address, errors).map(Actions::Redirect)
            }
            RuleType::Banner => self.banner?.check(errors).map(Actions::Banner),
            RuleType::Filter => filters::check(self.filter?, errors).map(Actions::Filter),
        }
    }

    /// Checks that the key of `kind` is there, and no other.
    fn check_keys(&self, kind: RuleType, errors: &mut Vec<Invalid>) {
        for other in RuleType::ALL {
            let reason = match (other == kind, self.has(other)) {
                (true, false) => message::rule::required(kind.as_str()),
                (false, true) => message::rule::not_of_type(kind.as_str()),
                _ => continue,
            };
            errors.push(Invalid::new(format!("actions.{}", other.key()), reason));
        }
    }

    /// Returns whether the key of `kind` is there.
    fn has(&self, kind: RuleType) -> bool {
        match kind {
            RuleType::Boost => self.boost.is_some(),
            RuleType::Pin => self.pin.is_some(),
            RuleType::Hide => self.hide.is_some(),
            RuleType::Redirect => self.redirect.is_some(),
            RuleType::Banner => self.banner.is_some(),
            RuleType::Filter => self.filter.is_some(),
        }
    }
}

fn boosts(entries: Vec<BoostInput>, errors: &mut Vec<Invalid>) -> Option<Vec<BoostEntry>> {
    count_at("boost", entries.len(), RULE_BOOSTS_MAX, errors)?;
    let known = errors.len();
    let mut checked = Vec::with_capacity(entries.len());
    for (at, entry) in entries.into_iter().enumerate() {
        let mut own = Vec::new();
        checked.extend(entry.check(&mut own));
        errors.extend(
            own.into_iter()
                .map(|one| one.under(&format!("actions.boost[{at}]"))),
        );
    }
    (errors.len() == known).then_some(checked)
}

/// Adds an error if a list is empty or too long.
pub(super) fn count_at(
    part: &str,
    count: usize,
    max: usize,
    errors: &mut Vec<Invalid>,
) -> Option<()> {
    if (1..=max).contains(&count) {
        return Some(());
    }
    let reason = message::list::between(1, max, count);
    errors.push(Invalid::new(format!("actions.{part}"), reason));
    None
}

/// Adds the errors of a value to all others.
fn checked<T>(value: Result<T, Vec<Invalid>>, errors: &mut Vec<Invalid>) -> Option<T> {
    value.map_err(|wrong| errors.extend(wrong)).ok()
}
