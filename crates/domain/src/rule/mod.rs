//! Query rules: actions on the results of queries that match a trigger (docs/api.md, "Rules").

mod action;
mod boost;
mod change;
mod field;
mod filters;
mod published_schema;
mod time_window;
mod trigger;

pub use action::{Actions, ActionsInput, Banner, BannerInput, BannerPosition};
pub use boost::{BoostEntry, BoostInput, BoostMode, Modifier};
pub use change::{NewRule, RulePatch, RuleQuery};
pub use field::{NUMERIC_FIELDS, NumericField, TERM_FIELDS, TermField};
pub use filters::FilterInput;
pub use time_window::RuleStatus;
pub use trigger::{MatchKind, Trigger, check_pattern};

use crate::form::{Label, TimeZoneName};
use crate::{Language, RuleId, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Declares the types of rules, each with its name in the API and its key of `actions`.
macro_rules! rule_types {
    ($($(#[$doc:meta])* $variant:ident $name:literal $key:literal,)*) => {
        /// What a rule does.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
        pub enum RuleType {
            $($(#[$doc])* #[serde(rename = $name)] $variant,)*
        }

        impl RuleType {
            /// All types, in the order of the API.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];

            /// Returns the name used by the API.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// Returns its key of `actions`.
            pub fn key(self) -> &'static str {
                match self {
                    $(Self::$variant => $key,)*
                }
            }
        }
    };
}

rule_types! {
    /// Multiplies the scores of some products.
    Boost "BOOST" "boost",
    /// Puts products at the first positions.
    Pin "PIN" "pin",
    /// Hides products.
    Hide "HIDE" "hide",
    /// Redirects the shopper to a URL.
    Redirect "REDIRECT" "redirect",
    /// Shows a picture or a text.
    Banner "BANNER" "banner",
    /// Restricts the results.
    Filter "FILTER" "filter",
}

/// The checked content of a rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RuleContent {
    /// Its name, for people.
    #[schemars(with = "String")]
    pub name: Label,
    /// The language of the queries that it applies to.
    pub language: Language,
    /// What it does; always the type of its actions.
    #[serde(rename = "type")]
    pub kind: RuleType,
    /// The queries that it fires for.
    pub trigger: Trigger,
    /// Its actions.
    pub actions: Actions,
    /// Its priority among the rules that fire; higher first.
    pub priority: u32,
    /// Whether it is enabled.
    pub active: bool,
    /// When it starts to fire, if it is limited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_date: Option<Timestamp>,
    /// When it stops firing, inclusive, if it is limited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_date: Option<Timestamp>,
    /// The zone of dates that are sent without an offset; UTC if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub time_zone: Option<TimeZoneName>,
}

/// A rule with its id and dates.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// Its id.
    pub id: RuleId,
    /// Its content.
    pub content: RuleContent,
    /// When it was created; of two rules with one priority the older comes first.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
}

/// A rule with its status at one moment, as the API returns it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RuleView {
    /// Its id.
    pub id: RuleId,
    /// Its content.
    #[serde(flatten)]
    pub content: RuleContent,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Whether it fires now, and if not, why.
    pub status: RuleStatus,
}

impl Rule {
    /// Returns the rule with its status at `now`.
    pub fn view(self, now: Timestamp) -> RuleView {
        RuleView {
            status: self.content.status(now),
            id: self.id,
            content: self.content,
            created_at: self.created_at,
            updated_at: self.updated_at,
        }
    }
}

#[cfg(test)]
mod tests;
