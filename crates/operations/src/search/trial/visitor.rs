//! `SimulatedVisitor`: the shopper for whom a trial ranks.

use crate::search::visitor::Claims;
use domain::limits::{ACCESS_GROUP_ID_CHARACTERS_MAX, ACCESS_GROUPS_MAX};
use schemars::JsonSchema;
use serde::Deserialize;

/// A shopper to rank for. Values that the store has not declared are ignored, as in a search.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "Visitor")]
pub struct SimulatedVisitor {
    /// Ids of customer groups; the visitor group when left out.
    #[serde(default)]
    #[schemars(with = "Vec<String>", length(max = ACCESS_GROUPS_MAX), inner(length(max = ACCESS_GROUP_ID_CHARACTERS_MAX)))]
    pub groups: Option<Vec<String>>,
    /// Group whose prices apply.
    #[serde(default)]
    #[schemars(with = "String")]
    pub tier: Option<String>,
    /// Country code.
    #[serde(default)]
    #[schemars(with = "String")]
    pub country: Option<String>,
    /// Currency code.
    #[serde(default)]
    #[schemars(with = "String")]
    pub currency: Option<String>,
}

impl From<SimulatedVisitor> for Claims {
    fn from(visitor: SimulatedVisitor) -> Self {
        Self {
            groups: visitor.groups,
            tier: visitor.tier,
            country: visitor.country,
            currency: visitor.currency,
        }
    }
}
